"""Who plays a round, and everything that has ever been said in one like it: worked out once, then looked up.

Positions rest on it. It holds nothing that is not in them already, so it is no part of their value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.actions import Bid
    from engine.legality import Footing, LegalActions
    from engine.rounds import RoundKind
    from engine.rules import Rules


class Said:
    """How far the bidding has come: what a position holds of it, and where it may go on to.

    `legal` has what each seat may do, `then` what each bid of the seat in turn leads to, so far as anybody has asked.
    """

    __slots__ = ("bidder", "circle", "legal", "passed", "passer", "standing", "then", "turn")

    def __init__(
        self,
        circle: Circle,
        turn: int | None,
        standing: Bid | None,
        bidder: int | None,
        passer: int | None,
        passed: tuple[int, ...],
    ) -> None:
        self.circle = circle
        self.turn = turn
        self.standing = standing
        self.bidder = bidder
        self.passer = passer
        self.passed = passed
        self.legal: dict[int, LegalActions] = {}
        self.then: dict[Bid, Said] = {}


class Circle:
    """The players of a round in order of play.

    `after` has for each seat, living or not, the living one that follows it. `offers` is shared by the circles in which
    the same may be done.
    """

    __slots__ = ("_said", "after", "in_play", "living", "offers")

    def __init__(self, order: tuple[int, ...], dice: tuple[int, ...], offers: dict[Footing, LegalActions]) -> None:
        self.living = living(order, dice)
        self.in_play = sum(dice)
        self.after = _followers(order, self.living)
        self.offers = offers
        self._said: dict[tuple[int | None, Bid | None, int | None, int | None, tuple[int, ...]], Said] = {}

    def said(
        self,
        turn: int | None,
        standing: Bid | None = None,
        bidder: int | None = None,
        passer: int | None = None,
        passed: tuple[int, ...] = (),
    ) -> Said:
        """The one `Said` of this circle for so much."""
        key = turn, standing, bidder, passer, passed
        said = self._said.get(key)
        if said is None:
            said = self._said[key] = Said(self, *key)
        return said


@lru_cache(maxsize=512)
def circle(rules: Rules, kind: RoundKind, order: tuple[int, ...], dice: tuple[int, ...], starting_dice: int) -> Circle:
    """The one circle of all rounds that have all of this in common."""
    return Circle(order, dice, _offers(rules, kind, sum(dice), starting_dice))


@lru_cache(maxsize=128)
def _offers(rules: Rules, kind: RoundKind, in_play: int, starting_dice: int) -> dict[Footing, LegalActions]:
    return {}


def living(order: tuple[int, ...], dice: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that hold dice, in order of play."""
    return tuple([seat for seat in order if dice[seat]])


def _followers(order: tuple[int, ...], living: tuple[int, ...]) -> dict[int, int]:
    followers = {}
    follower = living[0] if living else 0
    for seat in reversed(order):
        followers[seat] = follower
        if seat in living:
            follower = seat
    return followers
