"""How a deal ends, whichever scene it ends in: its dice fall, or it is repeated."""

from collections.abc import Iterable
from dataclasses import replace

from engine import Phase
from firmware_host.table.again import Again, Why
from firmware_host.table.deal import Deal, Share
from firmware_host.table.events import CupDown, DealRepeated, OrderRolled, Spoiled
from firmware_host.table.scene import Desk, Game, Scene

_WHY = {Spoiled.LOST: Why.LOST, Spoiled.LATE: Why.LATE}


def dealt(game: Game, deal: Deal, desk: Desk) -> Scene:
    """The scene after the dice have fallen. What they were made of is told with them: now, or when the cups go up."""
    position = game.position
    wanted = {player: position.dice_to_roll(player) for player in position.rolling}
    rolled = replace(game, match=game.match.roll(deal.dice(wanted)), deals=deal.number, to_open=deal.opening())
    if position.phase is Phase.SEATING:
        desk.announce(_order_rolled(rolled))
        rolled = rolled.opened(desk)
    return desk.follow(rolled)


def repeated(game: Game, deal: Deal, seat: int, why: Spoiled, desk: Desk, shares: Iterable[Share] = ()) -> Scene:
    """The shake without this deal, which is told and counts: everybody shakes again under the next number.

    `shares` are those of the next deal that are there already.
    """
    desk.announce(DealRepeated(deal.number, seat, why))
    for share in shares:
        desk.announce(CupDown(game.players[share.player]))
    again = Again(_WHY.get(why, Why.FAILED), game.players.index(seat))
    return desk.shake_again(replace(game, deals=deal.number), again, tuple(shares))


def _order_rolled(game: Game) -> OrderRolled:
    position, players = game.position, game.players
    rolls = tuple((players[player], rolls) for player, rolls in enumerate(position.rolls))
    settled = position.phase is not Phase.SEATING
    return OrderRolled(rolls, tuple(players[player] for player in position.order) if settled else ())
