"""The worth of dice counts: the chance to win the match, in the race model.
Every round one living player loses a die; a player with few dice loses slightly more often. The weights are assumed,
not fitted.
"""

from __future__ import annotations

from functools import lru_cache

LOSS_WEIGHT = (0.0, 1.15, 1.1, 1.05, 1.0, 0.95)
"""Relative frequency with which a player with 0 to 5 dice loses a round."""


@lru_cache(maxsize=65536)
def win_chance(own: int, others: tuple[int, ...]) -> float:
    """Return the chance of a player with `own` dice to win a match against others, given in ascending order."""
    if not own:
        return 0.0
    if not others:
        return 1.0
    weight = LOSS_WEIGHT[min(own, 5)]
    chance = weight * win_chance(own - 1, others)
    total = weight
    for place, dice in enumerate(others):
        weight = LOSS_WEIGHT[min(dice, 5)]
        left = (*others[:place], *((dice - 1,) if dice > 1 else ()), *others[place + 1 :])
        chance += weight * win_chance(own, tuple(sorted(left)))
        total += weight
    return chance / total
