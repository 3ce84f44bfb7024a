"""Transitions shared by several scenes: a deal ends, is repeated or void; an action is undone."""

from collections.abc import Iterable
from dataclasses import replace

from engine import Action, Match, Phase, Player, Ruling
from firmware_host.fairness.chain import leave_line, ruling_line
from firmware_host.table.events import DealFailure, LeaveReason, OrderRolled, Repeat, RepeatReason, Undone, UndoneBy
from firmware_host.table.scenes.deal import Contribution, Deal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.seat.view import TableReason
from firmware_host.wire import CupSettled, DealRepeated, Left, MatchReopened, Seat

_REASONS = {DealFailure.LOST: RepeatReason.LOST, DealFailure.LATE: RepeatReason.LATE}


def after_deal(game: Game, deal: Deal, context: SceneContext) -> Scene:
    """Return the scene after the dice have fallen. The deal is revealed with the dice: now, or when the cups go up."""
    position = game.position
    wanted = {player: position.dice_to_roll(player) for player in position.rolling}
    rolled = replace(game, match=game.match.roll(deal.dice(wanted)), deals=deal.number, to_open=deal.reveal_lines())
    if position.phase is Phase.SEATING:
        context.announce(_order_rolled(rolled))
        rolled = rolled.reveal_deal(context)
    return context.begin_phase(rolled)


def after_repeat(
    game: Game,
    deal: Deal,
    seat: Seat,
    why: DealFailure,
    context: SceneContext,
    contributions: Iterable[Contribution] = (),
) -> Scene:
    """Return the shake repeating a deal under the next number; the announcement keeps the old one.

    `contributions` are those already made to the next deal.
    """
    context.announce(DealRepeated(deal.number, seat, why))
    early = tuple(contributions)
    for contribution in early:
        context.announce(CupSettled(game.seat(contribution.player)))
    repeat = Repeat(_REASONS.get(why, RepeatReason.FAILED), game.player_at(seat))
    return context.repeat_deal(replace(game, deals=deal.number), repeat, early)


def _order_rolled(game: Game) -> OrderRolled:
    position = game.position
    settled = position.phase is not Phase.SEATING
    rolls = tuple(zip(game.players, position.rolls, strict=False))
    return OrderRolled(rolls, game.seats(position.order) if settled else ())


def after_leaving(game: Game, players: Iterable[Player], why: LeaveReason, context: SceneContext) -> Scene:
    """Return the scene after players left for good: the round is void and rolled again, its dice stay secret.

    `game` counts the broken-off deal.
    """
    repeat: Repeat | None = None
    for player in players:
        if game.position.dice[player] and game.position.phase is not Phase.OVER:
            game = _without(game, player)
            context.announce(Left(game.seat(player), why))
            repeat = Repeat(RepeatReason.LEFT, player)
    return context.begin_phase(replace(game, to_open=()), repeat)


def after_reopening(ended: Game, context: SceneContext) -> Scene:
    """Return the scene for a reopened match: a shake with new commitments, or a choice."""
    game, position = ended.chain(ruling_line(Ruling.REOPEN)), ended.position
    context.robots.clear()  # the lobby may have new players since
    context.robots.update(ended.robots)
    context.announce(MatchReopened(game.id, position.rules.name, game.players, position.dice))
    return context.begin_phase(game)


def before_end(before: Match, after: Match) -> Match | None:
    """Return the match to go on with if a finished match is reopened; else None."""
    return before.void() if after.position.phase is Phase.OVER else None


def after_undo(game: Game, before: Match, undone: tuple[Player, Action], by: UndoneBy, context: SceneContext) -> Scene:
    """Return the scene after an undo, with the match as `before`."""
    player, action = undone
    chained = game.chain(ruling_line(Ruling.UNDO))
    position, seat = before.position, game.seat(player)
    bidder = None if position.bidder is None else game.seat(position.bidder)
    context.announce(Undone(seat, action, by, position.standing, bidder))
    # A notice at every seat would keep a bus shared by eight displays busy for over 100 ms.
    context.notify(seat, TableReason.TAKEN_BACK)
    return context.begin_phase(replace(chained, match=before))


def _without(game: Game, player: Player) -> Game:
    chained = game.chain(leave_line(player))
    gone = replace(chained, fallen=(*chained.fallen, player), left=(*chained.left, player))
    match = gone.match.leave(player)
    return replace(gone, match=match, before_end=before_end(gone.match, match))
