"""Who plays a round, and what rests on that: the same from its roll to its reveal, so it is worked out once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.actions import Action, Bid
    from engine.raising import Raises
    from engine.rounds import RoundKind
    from engine.rules import Rules

    Said = tuple[int, int | None, Bid | None, int | None, int | None, tuple[int, ...]]
    """A seat and all that differs between two positions of a round: turn, standing, bidder, passer and passed."""


class Offer(NamedTuple):
    """What a seat may do: the bids open to it, None where it may not bid, and everything in a list."""

    bids: Raises | None
    actions: tuple[Action, ...]


class Circle:
    """The players of a round in order of play, and what has been offered to them so far.

    `after` has for each seat, living or not, the living one that follows it.
    """

    __slots__ = ("after", "in_play", "living", "offers")

    def __init__(self, order: tuple[int, ...], dice: tuple[int, ...]) -> None:
        self.living = tuple([seat for seat in order if dice[seat]])
        self.in_play = sum(dice)
        self.after = _followers(order, self.living)
        self.offers: dict[Said, Offer] = {}


@lru_cache(maxsize=1024)
def circle(rules: Rules, kind: RoundKind, order: tuple[int, ...], dice: tuple[int, ...], starting_dice: int) -> Circle:
    """The one circle of all rounds that have all of this in common."""
    return Circle(order, dice)


def _followers(order: tuple[int, ...], living: tuple[int, ...]) -> dict[int, int]:
    followers = {}
    follower = living[0] if living else 0
    for seat in reversed(order):
        followers[seat] = follower
        if seat in living:
            follower = seat
    return followers
