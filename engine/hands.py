"""The dice under one cup, as a value that can be counted but does not show itself by accident."""

from collections.abc import Iterable
from itertools import chain


class Hand(tuple[int, ...]):
    """Dice of one seat, sorted. Neither `repr` nor `str` shows them: a log or a traceback holds only their number."""

    __slots__ = ()

    def __new__(cls, dice: Iterable[int] = ()) -> "Hand":
        """Put these dice under a cup, in any order."""
        return tuple.__new__(cls, sorted(dice))

    def matching(self, face: int, *, wilds: bool) -> int:
        """Dice of this hand that count for a bid on `face`."""
        return count((self,), face, wilds=wilds)

    def __repr__(self) -> str:
        return f"<Hand of {len(self)}>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)


def count(hands: Iterable[Iterable[int]], face: int, *, wilds: bool) -> int:
    """Dice that count for a bid on `face` in all these hands: with wild aces these too, on aces they alone."""
    dice = [*chain.from_iterable(hands)]
    return dice.count(face) + dice.count(1) if wilds and face != 1 else dice.count(face)
