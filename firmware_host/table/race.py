"""Who pressed first: actions of the last 30 ms, of which the earliest stamp wins."""

from __future__ import annotations

from typing import NamedTuple

from engine import Action, Position


class Claimed(NamedTuple):
    """An action as a seat of the match decided on it."""

    player: int
    action: Action
    at_ns: int


class Race:
    """The actions held so far; immutable, empty to begin with. A seat's first edge counts, its later ones do not."""

    __slots__ = ("_held",)

    def __init__(self, held: tuple[Claimed, ...] = ()) -> None:
        self._held = held

    def __contains__(self, player: object) -> bool:
        return any(held.player == player for held in self._held)

    def joined_by(self, claimed: Claimed) -> Race:
        """The race with one more action in it."""
        if claimed.player in self:
            return self
        return Race((*self._held, claimed))

    def result(self, position: Position) -> tuple[Claimed, ...]:
        """All that raced, the winner first; on equal stamps the seat next after the bidder is first."""

        def rank(claimed: Claimed) -> tuple[int, int]:
            order, bidder = position.order, position.bidder
            start = 0 if bidder is None else order.index(bidder) + 1
            return claimed.at_ns, (order.index(claimed.player) - start) % len(order)

        return tuple(sorted(self._held, key=rank))

    def __repr__(self) -> str:
        return f"<Race of {len(self._held)}>"
