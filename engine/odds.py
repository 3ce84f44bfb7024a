"""How likely a number of dice is among those under other cups: exact binomials, for opponents and whoever hints."""

from functools import cache
from math import comb


@cache
def exactly(wanted: int, dice: int, faces: int) -> float:
    """The chance that exactly `wanted` of `dice` dice show one of `faces` faces."""
    if not 0 <= wanted <= dice:
        return 0.0
    share = faces / 6
    return comb(dice, wanted) * share**wanted * (1 - share) ** (dice - wanted)


@cache
def at_least(wanted: int, dice: int, faces: int) -> float:
    """The chance that at least `wanted` of `dice` dice show one of `faces` faces."""
    return min(1.0, sum(exactly(number, dice, faces) for number in range(max(wanted, 0), dice + 1)))
