"""Who plays a round, in order of play: worked out once for all positions from its roll to its reveal.

Positions rest on it. It holds nothing that is not in them already, so it is no part of their value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.legality import Footing, LegalActions
    from engine.rounds import RoundKind
    from engine.rules import Rules


class Circle:
    """The players who hold dice. `after` has for each of them the next."""

    __slots__ = ("after", "in_play", "living", "offers")

    def __init__(self, order: tuple[int, ...], dice: tuple[int, ...], offers: dict[Footing, LegalActions]) -> None:
        self.living = living(order, dice)
        self.in_play = sum(dice)
        self.after = dict(zip(self.living, self.living[1:] + self.living[:1], strict=True))
        self.offers = offers
        """What `engine.legality` has worked out so far, shared by all circles in which the same is legal."""


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
