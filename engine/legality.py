"""A seat's legal actions, and the reasons why others are illegal, from public facts alone.
`legal_actions` lists and tests, `check` raises, `why_illegal` gives the reason. `Match` and `View` call them. In the
bidding the round's `Bidding` decides.
"""

from engine.actions import Action
from engine.bidding import Facts, Illegality, LegalActions
from engine.errors import IllegalActionError, Reason, SeatError
from engine.position import Player, Position
from engine.rules import RoundKind

_NO_ACTIONS = LegalActions(None, (), ())


def legal_actions(position: Position, seat: Player) -> LegalActions:
    """Return the legal actions for `seat` now: a container with membership tests without listing."""
    now, turn = position.round, position.turn
    if turn is None:
        choices = position.choices if seat == position.owner else ()
        return LegalActions(None, choices, choices) if choices else _NO_ACTIONS
    if seat == turn and seat != position.bidder and position.passer is None and not position.passed:
        return now.bidding.in_turn[now.dice[seat]][position.standing]  # the usual case
    return now.bidding[_facts(position, seat)] if seat in now.living else _NO_ACTIONS


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
    return position.round.bidding.why_not(_facts(position, seat), action)


def _facts(position: Position, seat: Player) -> Facts:
    """Return the deciding facts in the bidding: a `Situation`'s fields."""
    passer = position.passer
    return (
        position.standing,
        position.round.dice[seat],
        seat == position.turn,
        seat == position.bidder,
        seat == passer,
        passer is not None,
        seat in position.passed,
    )
