"""Many values in three: the middle, what one in twenty exceeds, and the worst."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Self

from bench.report import Figure, Target

NONE = float("nan")


@dataclass(frozen=True)
class Spread:
    """Median, 95th percentile (nearest rank) and maximum of `count` values."""

    median: float
    p95: float
    worst: float
    count: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """The spread of values, all not-a-number where there are none."""
        ranked = sorted(values)
        if not ranked:
            return cls(NONE, NONE, NONE, 0)
        return cls(median(ranked), ranked[math.ceil(0.95 * len(ranked)) - 1], ranked[-1], len(ranked))

    def figures(self, name: str, unit: str, *, worst: Target | None = None, note: str = "") -> list[Figure]:
        """Three figures, the target on the worst; none where there were no values."""
        if not self.count:
            return [Figure(name, None, unit, worst, "did not happen in this run")]
        note = f"{self.count} of them" + (f"; {note}" if note else "")
        return [
            Figure(f"{name}: median", self.median, unit, note=note),
            Figure(f"{name}: p95", self.p95, unit),
            Figure(f"{name}: max", self.worst, unit, worst),
        ]


def median_of(measure: Callable[[], float], times: int) -> float:
    """The median of so many measurements."""
    return median(measure() for _ in range(times))
