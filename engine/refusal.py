"""Why a seat may not take an action: the one place where legality is decided, on public facts alone.

`engine.legality` asks it for lists, membership and errors, so that these can never disagree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import ACES, DUDO, FACES, Action, Bid, Call, Pass
from engine.errors import DudoError, IllegalActionError, Reason, SeatError
from engine.raising import Raises, may_change_face, raises
from engine.rounds import RoundKind
from engine.rules import DICE

if TYPE_CHECKING:
    from engine.position import Position

Refusal = tuple[type[DudoError], Reason]


def refusal(position: Position, seat: int, action: Action) -> Refusal | None:
    """The kind of error and the reason why `seat` may not take `action` now, or None if it may."""
    if reason := _of_seat(position, seat, action):
        return SeatError, reason
    if reason := _of_action(position, seat, action):
        return IllegalActionError, reason
    return None


def open_raises(position: Position, seat: int) -> Raises | None:
    """The bids open to `seat`, or None where it may not bid now."""
    if position.turn is None or seat != position.turn or _only_the_pass_may_be_doubted(position):
        return None
    return _raises(position, seat)


# Who may act


def _of_seat(position: Position, seat: int, action: Action) -> Reason | None:
    if not 0 <= seat < position.seats:
        return Reason.NO_SEAT
    if not position.dice[seat]:
        return Reason.OUT
    if position.choices:
        return None if seat == position.owner else Reason.NOT_THE_OWNER
    if position.turn is None or isinstance(action, RoundKind):
        return None
    if isinstance(action, Call):
        return _of_caller(position, seat, action)
    return None if seat == position.turn else Reason.NOT_IN_TURN


def _of_caller(position: Position, seat: int, call: Call) -> Reason | None:
    if call is DUDO:
        claimant, by = position.doubted, position.rules.dudo_by
    elif exact := position.rules.exact(call):
        claimant, by = position.bidder, exact.by
    else:
        return None
    if seat == claimant:
        return Reason.OWN_BID if claimant != position.passer else Reason.OWN_PASS
    return None if by == "anyone" or seat == position.turn else Reason.NOT_IN_TURN


# What may be done


def _of_action(position: Position, seat: int, action: Action) -> Reason | None:
    if position.winner is not None:
        return Reason.MATCH_OVER
    if position.choices:
        return _of_choice(position, action)
    if isinstance(action, RoundKind):
        return Reason.NOTHING_TO_CHOOSE
    if position.turn is None:
        return Reason.NOT_ROLLED
    match action:
        case Bid():
            return _of_bid(position, seat, action)
        case Pass():
            return _of_pass(position, seat)
        case _:
            return _of_call(position, action)


def _of_choice(position: Position, action: Action) -> Reason | None:
    if not isinstance(action, RoundKind):
        return Reason.CHOICE_FIRST
    return None if action in position.choices else Reason.NOT_A_CHOICE


def _of_bid(position: Position, seat: int, bid: Bid) -> Reason | None:
    if _only_the_pass_may_be_doubted(position):
        return Reason.PASS_STANDS
    if bid in _raises(position, seat):
        return None
    if bid.face not in FACES:
        return Reason.NO_SUCH_FACE
    if bid.quantity < 1:
        return Reason.NO_DICE
    return _why_no_raise(position, seat, bid)


def _why_no_raise(position: Position, seat: int, bid: Bid) -> Reason:
    rules, kind, standing = position.rules, position.kind, position.standing
    quantities = _raises(position, seat).by_face[bid.face - 1]
    if rules.cap == "dice-in-play" and bid.quantity > position.in_play:
        return Reason.OVER_THE_TABLE
    if standing is None:
        return Reason.ACES_OPENING
    if bid.face != standing.face and not may_change_face(rules, kind, position.dice[seat]):
        return Reason.FIXED_FACE
    if not quantities.start:
        return Reason.LOWER_FACE
    if bid.quantity >= quantities.stop:
        return Reason.TOO_MANY
    if rules.halving_in(kind) and bid.face != standing.face and ACES in (bid.face, standing.face):
        return Reason.HALF if bid.face == ACES else Reason.DOUBLE
    return Reason.TOO_FEW


def _of_pass(position: Position, seat: int) -> Reason | None:
    passing = position.rules.passing
    if passing is None:
        return Reason.NOT_IN_THESE_RULES
    if position.standing is None:
        return Reason.NO_BID_YET
    if position.passer is not None:
        return Reason.PASS_AFTER_PASS
    if seat in position.passed:
        return Reason.PASS_TWICE
    if not passing.with_fewer_dice and position.dice[seat] < DICE:
        return Reason.PASS_NEEDS_FIVE
    return None


def _of_call(position: Position, call: Call) -> Reason | None:
    exact = position.rules.exact(call)
    if call is not DUDO and exact is None:
        return Reason.NOT_IN_THESE_RULES
    if position.standing is None:
        return Reason.NO_BID_YET
    if exact is None:
        return None
    passing = position.rules.passing
    if position.passer is not None and passing is not None and not passing.calza_after:
        return Reason.PASS_STANDS
    if exact.while_most_dice_left and 2 * position.in_play <= position.starting_dice:
        return Reason.TOO_FEW_DICE_LEFT
    return None


def _only_the_pass_may_be_doubted(position: Position) -> bool:
    passing = position.rules.passing
    return position.passer is not None and passing is not None and not passing.raise_after


def _raises(position: Position, seat: int) -> Raises:
    return raises(
        position.rules,
        position.kind,
        position.standing,
        dice=position.dice[seat],
        in_play=position.in_play,
    )
