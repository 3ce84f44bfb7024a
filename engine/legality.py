"""What a seat may do in a position: a container that lists lazily and tests without listing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import PASS, Action, Call
from engine.circle import Offer
from engine.refusal import open_raises, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Position
    from engine.raising import Raises


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
        return isinstance(action, Action) and refusal(self._position, self._seat, action) is None

    def __iter__(self) -> Iterator[Action]:
        """Choices; or bids face by face, then the pass, then the calls."""
        return iter(self._offer.actions)

    def __bool__(self) -> bool:
        return bool(self._offer.actions)

    def __repr__(self) -> str:
        return f"<LegalActions of {self._seat}: {', '.join(map(str, self)) or 'none'}>"

    def count(self) -> int:
        """How many actions iteration lists."""
        return len(self._offer.actions)

    @property
    def bids(self) -> Raises | None:
        """The bids open to the seat, or None where it may not bid now."""
        return self._offer.bids

    def check(self, action: Action) -> None:
        """Raise the error that says why `action` may not be taken now; return if it may."""
        bids = self._offer.bids
        if bids is not None and action in bids:
            return
        if refused := refusal(self._position, self._seat, action):
            kind, reason = refused
            raise kind(reason, f"seat {self._seat} may not {action}", str(self._position))

    @property
    def _offer(self) -> Offer:
        """What the round's circle remembers for a seat when so much has been said."""
        position, seat = self._position, self._seat
        if position.turn is None:
            return Offer(None, position.choices if seat == position.owner else ())
        offers = position.circle.offers
        said = seat, position.turn, position.standing, position.bidder, position.passer, position.passed
        offer = offers.get(said)
        if offer is None:
            offer = offers[said] = _offer(position, seat)
        return offer


def _offer(position: Position, seat: int) -> Offer:
    bids = open_raises(position, seat)
    words = tuple(word for word in _WORDS if refusal(position, seat, word) is None)
    return Offer(bids, words if bids is None else bids.up_to(position.in_play) + words)
