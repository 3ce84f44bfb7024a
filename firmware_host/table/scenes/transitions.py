"""How a deal ends, whichever scene it ends in: its dice fall, or it is repeated.

A player leaves a match for good: the round is void and rolled again without them, and its dice stay secret.
"""

from collections.abc import Iterable
from dataclasses import replace

from engine import Phase
from firmware_host.fairness.lines import leave_line
from firmware_host.table.events import (
    CupSettled,
    DealFailure,
    DealRepeated,
    LeaveReason,
    Left,
    OrderRolled,
    Repeat,
    RepeatReason,
)
from firmware_host.table.scenes.deal import Contribution, Deal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext

_WHY = {DealFailure.LOST: RepeatReason.LOST, DealFailure.LATE: RepeatReason.LATE}


def after_deal(game: Game, deal: Deal, desk: SceneContext) -> Scene:
    """The scene after the dice have fallen. What they were made of is told with them: now, or when the cups go up."""
    position = game.position
    wanted = {player: position.dice_to_roll(player) for player in position.rolling}
    rolled = replace(game, match=game.match.roll(deal.dice(wanted)), deals=deal.number, to_open=deal.opening())
    if position.phase is Phase.SEATING:
        desk.announce(_order_rolled(rolled))
        rolled = rolled.opened(desk)
    return desk.follow(rolled)


def after_repeat(
    game: Game, deal: Deal, seat: int, why: DealFailure, desk: SceneContext, shares: Iterable[Contribution] = ()
) -> Scene:
    """The shake without this deal, which is told and counts: everybody shakes again under the next number.

    `shares` are those of the next deal that are there already.
    """
    desk.announce(DealRepeated(deal.number, seat, why))
    for share in shares:
        desk.announce(CupSettled(game.players[share.player]))
    again = Repeat(_WHY.get(why, RepeatReason.FAILED), game.players.index(seat))
    return desk.shake_again(replace(game, deals=deal.number), again, tuple(shares))


def _order_rolled(game: Game) -> OrderRolled:
    position, players = game.position, game.players
    rolls = tuple((players[player], rolls) for player, rolls in enumerate(position.rolls))
    settled = position.phase is not Phase.SEATING
    return OrderRolled(rolls, tuple(players[player] for player in position.order) if settled else ())


def after_leaving(game: Game, players: Iterable[int], why: LeaveReason, desk: SceneContext) -> Scene:
    """The scene after these of the match's seats have left; `game` counts the deal that is broken off."""
    again: Repeat | None = None
    for player in players:
        if game.position.dice[player] and game.position.phase is not Phase.OVER:
            game = _without(game, player)
            desk.announce(Left(game.players[player], why))
            again = Repeat(RepeatReason.LEFT, player)
    return desk.follow(replace(game, to_open=()), again)


def _without(game: Game, player: int) -> Game:
    told = game.linked(leave_line(player))
    gone = replace(told, fallen=(*told.fallen, player), left=(*told.left, player))
    return replace(gone, match=gone.match.leave(player))
