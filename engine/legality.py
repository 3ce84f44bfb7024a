"""What a seat may do in a position, and the reason where it may not.

Legality rests on public facts alone; no die is looked at. Membership goes the same way as `check`, so a list of legal
actions and a refusal can never disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import ACES, DUDO, FACES, PASS, Action, Bid, Call, Pass
from engine.errors import DudoError, IllegalActionError, Reason, SeatError
from engine.raising import Raises, may_change_face, raises
from engine.rounds import RoundKind
from engine.rules import DICE

if TYPE_CHECKING:
    from engine.position import Position


_WORDS: tuple[Action, ...] = (PASS, *Call)


class LegalActions:
    """The legal actions of one seat: `in` tests one, iteration lists them, bids no higher than the dice in play.

    Quantities have no limit in the five rule sets, so a bid can be in it that iteration does not list.
    """

    __slots__ = ("_position", "_seat")

    def __init__(self, position: Position, seat: int) -> None:
        self._position = position
        self._seat = seat

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self._refusal(action) is None

    def __iter__(self) -> Iterator[Action]:
        """Choices; or bids face by face, then the pass, then the calls."""
        position = self._position
        if self._seat == position.owner:
            yield from position.choices
        if (bids := self.bids) is not None:
            yield from bids.up_to(position.in_play)
        yield from (word for word in _WORDS if self._refusal(word) is None)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __repr__(self) -> str:
        return f"<LegalActions of {self._seat}: {', '.join(map(str, self)) or 'none'}>"

    def count(self) -> int:
        """How many actions iteration lists."""
        return sum(1 for _ in self)

    @property
    def bids(self) -> Raises | None:
        """The bids open to the seat, or None where it may not bid now."""
        if self._not_to_move() or self._only_the_pass_may_be_doubted():
            return None
        return self._raises()

    def check(self, action: Action) -> None:
        """Raise the error that says why `action` may not be taken now; return if it may."""
        refusal = self._refusal(action)
        if refusal is not None:
            kind, reason = refusal
            raise kind(reason, f"seat {self._seat} may not {action}", str(self._position))

    def _refusal(self, action: Action) -> tuple[type[DudoError], Reason] | None:
        if reason := self._seat_refusal(action):
            return SeatError, reason
        if reason := self._action_refusal(action):
            return IllegalActionError, reason
        return None

    # Who may act

    def _seat_refusal(self, action: Action) -> Reason | None:
        position, seat = self._position, self._seat
        if not 0 <= seat < position.seats:
            return Reason.NO_SEAT
        if not position.dice[seat]:
            return Reason.OUT
        if position.choices:
            return None if seat == position.owner else Reason.NOT_THE_OWNER
        if position.turn is None or isinstance(action, RoundKind):
            return None
        if isinstance(action, Call):
            return self._caller_refusal(action)
        return None if seat == position.turn else Reason.NOT_IN_TURN

    def _caller_refusal(self, call: Call) -> Reason | None:
        position, seat = self._position, self._seat
        if call is DUDO:
            claimant, by = position.doubted, position.rules.dudo_by
        elif exact := position.rules.exact(call):
            claimant, by = position.bidder, exact.by
        else:
            return None
        if seat == claimant:
            return Reason.OWN_BID if claimant != position.passer else Reason.OWN_PASS
        return None if by == "anyone" or seat == position.turn else Reason.NOT_IN_TURN

    def _not_to_move(self) -> bool:
        return self._position.turn is None or self._seat != self._position.turn

    # What may be done

    def _action_refusal(self, action: Action) -> Reason | None:
        position = self._position
        if position.winner is not None:
            return Reason.MATCH_OVER
        if position.choices:
            return self._choice_refusal(action)
        if isinstance(action, RoundKind):
            return Reason.NOTHING_TO_CHOOSE
        if position.turn is None:
            return Reason.NOT_ROLLED
        match action:
            case Bid():
                return self._bid_refusal(action)
            case Pass():
                return self._pass_refusal()
            case _:
                return self._call_refusal(action)

    def _choice_refusal(self, action: Action) -> Reason | None:
        if not isinstance(action, RoundKind):
            return Reason.CHOICE_FIRST
        return None if action in self._position.choices else Reason.NOT_A_CHOICE

    def _bid_refusal(self, bid: Bid) -> Reason | None:
        if self._only_the_pass_may_be_doubted():
            return Reason.PASS_STANDS
        if bid in self._raises():
            return None
        if bid.face not in FACES:
            return Reason.NO_SUCH_FACE
        if bid.quantity < 1:
            return Reason.NO_DICE
        return self._why_no_raise(bid)

    def _why_no_raise(self, bid: Bid) -> Reason:
        position = self._position
        rules, kind, standing = position.rules, position.kind, position.standing
        quantities = self._raises().by_face[bid.face - 1]
        if rules.cap == "dice-in-play" and bid.quantity > position.in_play:
            return Reason.OVER_THE_TABLE
        if standing is None:
            return Reason.ACES_OPENING
        if bid.face != standing.face and not may_change_face(rules, kind, position.dice[self._seat]):
            return Reason.FIXED_FACE
        if not quantities.start:
            return Reason.LOWER_FACE
        if bid.quantity >= quantities.stop:
            return Reason.TOO_MANY
        if rules.halving_in(kind) and bid.face != standing.face and ACES in (bid.face, standing.face):
            return Reason.HALF if bid.face == ACES else Reason.DOUBLE
        return Reason.TOO_FEW

    def _pass_refusal(self) -> Reason | None:
        position = self._position
        passing = position.rules.passing
        if passing is None:
            return Reason.NOT_IN_THESE_RULES
        if position.standing is None:
            return Reason.NO_BID_YET
        if position.passer is not None:
            return Reason.PASS_AFTER_PASS
        if self._seat in position.passed:
            return Reason.PASS_TWICE
        if not passing.with_fewer_dice and position.dice[self._seat] < DICE:
            return Reason.PASS_NEEDS_FIVE
        return None

    def _call_refusal(self, call: Call) -> Reason | None:
        position = self._position
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

    def _only_the_pass_may_be_doubted(self) -> bool:
        passing = self._position.rules.passing
        return self._position.passer is not None and passing is not None and not passing.raise_after

    def _raises(self) -> Raises:
        position = self._position
        return raises(
            position.rules,
            position.kind,
            position.standing,
            dice=position.dice[self._seat],
            in_play=position.in_play,
        )
