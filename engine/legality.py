"""What a seat may do: listed and tested from one value, which all positions share in which the same may be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import PASS, Action, Bid, Call
from engine.phase import BIDDING
from engine.refusal import open_raises, refusal
from engine.rules import DICE
from engine.value import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Position
    from engine.raising import Raises

    Footing = tuple[object, ...]

_WORDS: tuple[Action, ...] = (PASS, *Call)


@value
class LegalActions:
    """The legal actions of one seat: `in` tests one, iteration lists them, bids no higher than the dice in play.

    Quantities have no limit in the five rule sets, so a bid can be in it that iteration does not list.
    """

    bids: Raises | None
    """The bids open to the seat, or None where it may not bid now."""
    words: tuple[Action, ...]
    """The choices, or the pass and the calls."""
    listed: tuple[Action, ...]
    """The choices; or bids face by face, then the pass, then the calls."""

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Bid):
            return self.bids is not None and action in self.bids
        return isinstance(action, Action) and action in self.words

    def __iter__(self) -> Iterator[Action]:
        return iter(self.listed)

    def __bool__(self) -> bool:
        return bool(self.listed)

    def __repr__(self) -> str:
        return f"<LegalActions: {', '.join(map(str, self)) or 'none'}>"

    def count(self) -> int:
        """How many actions iteration lists."""
        return len(self.listed)


def legal_actions(position: Position, seat: int) -> LegalActions:
    """What `seat` may do, looked up where anybody on the same footing has asked before."""
    if position.phase is not BIDDING:
        choices = position.choices if seat == position.owner else ()
        return LegalActions(None, choices, choices)
    circle = position.circle
    if seat not in circle.after:
        return LegalActions(None, (), ())
    offers, footing = circle.offers, _footing(position, seat)
    legal = offers.get(footing)
    if legal is None:
        legal = offers[footing] = worked_out(position, seat)
    return legal


def _footing(position: Position, seat: int) -> Footing:
    """All that `refusal` asks of a seat in the bidding, besides what is the same for the whole round."""
    held, turn, bidder, passer = position.dice[seat], position.turn, position.bidder, position.passer
    held = held if held in _TELLING else 2
    if seat == turn != bidder and passer is None and not position.passed:
        return position.standing, held
    in_turn = None if turn is None else seat == turn
    return position.standing, held, in_turn, seat == bidder, seat == passer, passer is None, seat in position.passed


_TELLING = (1, DICE)
"""Numbers of dice that some rule tells from others."""


def worked_out(position: Position, seat: int) -> LegalActions:
    """What `seat` may do in the bidding, asked of `engine.refusal` word by word."""
    bids = open_raises(position, seat)
    words = tuple([word for word in _WORDS if refusal(position, seat, word) is None])
    return LegalActions(bids, words, words if bids is None else bids.up_to(position.in_play) + words)
