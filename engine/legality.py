"""A seat's legal actions, and the reasons why others are illegal, from public facts alone.
`legal_actions` lists and tests, `check` raises, `why_illegal` gives the reason. `Match` and `View` call them. In the
bidding the round's `Bidding` decides.
"""

from engine.actions import Action
from engine.bidding import NO_ACTIONS, Illegality, LegalActions
from engine.errors import IllegalActionError, Reason, SeatError
from engine.position import Player, Position, facts_of
from engine.rules import RoundKind


def legal_actions(position: Position, seat: Player) -> LegalActions:
    """Return the legal actions for `seat` now: a container with membership tests without listing."""
    turn = position.turn
    if seat == turn:
        return position.legal
    if turn is None:
        choices = position.choices if seat == position.owner else ()
        return LegalActions(None, choices, choices) if choices else NO_ACTIONS
    now = position.round
    return now.bidding[facts_of(position, seat)] if seat in now.living else NO_ACTIONS


def check(position: Position, seat: Player, action: Action) -> None:
    """Raise `SeatError` or `IllegalActionError` unless `seat` may take `action` now."""
    if action not in legal_actions(position, seat) and (illegality := why_illegal(position, seat, action)):
        error, reason = illegality
        raise error(reason, f"seat {seat} may not {action}", str(position))


def why_illegal(position: Position, seat: Player, action: Action) -> Illegality | None:
    """Return the error class and reason against `action` by `seat` now, or None if it is legal."""
    if not 0 <= seat < position.seats:
        return SeatError, Reason.NO_SEAT
    if not position.dice[seat]:
        return SeatError, Reason.OUT
    if position.winner is not None:
        return IllegalActionError, Reason.MATCH_OVER
    if choices := position.choices:
        if seat != position.owner:
            return SeatError, Reason.NOT_THE_OWNER
        if not isinstance(action, RoundKind):
            return IllegalActionError, Reason.CHOICE_FIRST
        return None if action in choices else (IllegalActionError, Reason.NOT_A_CHOICE)
    if isinstance(action, RoundKind):
        return IllegalActionError, Reason.NOTHING_TO_CHOOSE
    if position.turn is None:
        return IllegalActionError, Reason.NOT_ROLLED
    return position.round.bidding.why_not(facts_of(position, seat), action)
