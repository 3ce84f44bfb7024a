"""Whether many deals are fair: chi-square of faces, places, pairs, seats and deals, and the runs test.

Deals come in as rows of bytes, seat by seat, each die its face. Every statistic has a limit that honest dice exceed
once in a million times, so the seven together fail honest dice once in 140,000 times; which dice are thrown follows
from a fixed seed, so what passed once passes always.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

FACES = 6
LIMIT = 1e-6
"""The probability with which honest dice exceed a limit."""

_IS_HIGH = bytes(1 if 4 <= face <= 6 else 0 for face in range(256))


@dataclass(frozen=True)
class Statistic:
    """One test: what came out, and how probable at least so much is for honest dice."""

    name: str
    value: float
    probability: float
    freedom: int = 0
    """The degrees of freedom of a chi-square, 0 for the runs test's standard deviations."""

    @property
    def holds(self) -> bool:
        """Whether honest dice may well give this."""
        return self.probability >= LIMIT

    def __str__(self) -> str:
        value = f"chi-square {self.value:.1f} of {self.freedom}" if self.freedom else f"{self.value:+.2f} sigma"
        return f"{self.name}: {value}, p = {self.probability:.3g}"


class Tally:
    """Counts deals of `seats` hands of `held` dice; `statistics` judges them. Tallies can be added."""

    def __init__(self, seats: int, held: int) -> None:
        self.seats = seats
        self.held = held
        self.dice = 0
        self._places = [Counter[int]() for _ in range(seats * held)]  # by place in a deal
        self._in_hand = Counter[tuple[int, int]]()
        self._neighbours = Counter[tuple[int, int]]()
        self._deals = Counter[tuple[int, int]]()
        self._highs = self._runs = 0

    def count(self, deals: bytes) -> None:
        """Count whole deals, one behind the other."""
        row = self.seats * self.held
        columns = [deals[place::row] for place in range(row)]
        self.dice += len(deals)
        for place, column in enumerate(columns):
            self._places[place].update(column)
            self._deals.update(pairwise(column))
            self._neighbours.update(zip(column, columns[(place + self.held) % row], strict=True))
            if (place + 1) % self.held:
                self._in_hand.update(zip(column, columns[place + 1], strict=True))
        highs = deals.translate(_IS_HIGH)
        self._highs += sum(highs)
        self._runs += 1 + highs.count(b"\0\1") + highs.count(b"\1\0")

    def __iadd__(self, other: "Tally") -> "Tally":
        self.dice += other.dice
        for mine, its in zip(self._places, other._places, strict=True):
            mine.update(its)
        self._in_hand.update(other._in_hand)
        self._neighbours.update(other._neighbours)
        self._deals.update(other._deals)
        self._highs += other._highs
        self._runs += other._runs
        return self

    def statistics(self) -> list[Statistic]:
        """Judge what was counted."""
        return list(self._statistics())

    def _statistics(self) -> Iterator[Statistic]:
        faces = range(1, FACES + 1)
        every = sum(self._places, Counter[int]())
        yield _chi_squares("faces", [[every[face] for face in faces]])
        for name, size in (("faces of each seat", self.held), ("faces of each die", 1)):
            groups = [self._places[at : at + size] for at in range(0, len(self._places), size)]
            counts = [sum(group, Counter[int]()) for group in groups]
            yield _chi_squares(name, [[count[face] for face in faces] for count in counts])
        yield _independence("a die and the next in the hand", self._in_hand)
        yield _independence("a die and the neighbour's", self._neighbours)
        yield _independence("a die and the same in the next deal", self._deals)
        yield self._runs_test()

    def _runs_test(self) -> Statistic:
        """Wald and Wolfowitz: runs of 1 to 3 and of 4 to 6, from the first die of the first deal to the last."""
        highs, lows = self._highs, self.dice - self._highs
        twice = 2 * highs * lows
        expected = twice / self.dice + 1
        variance = twice * (twice - self.dice) / (self.dice**2 * (self.dice - 1))
        sigma = (self._runs - expected) / math.sqrt(variance)
        return Statistic("runs of low and high", sigma, math.erfc(abs(sigma) / math.sqrt(2)))


def _chi_squares(name: str, groups: list[list[int]]) -> Statistic:
    """Several counts, each of values that are all as likely."""
    value, freedom = 0.0, 0
    for counts in groups:
        expected = sum(counts) / len(counts)
        value += sum((count - expected) ** 2 for count in counts) / expected
        freedom += len(counts) - 1
    return Statistic(name, value, exceeding(value, freedom), freedom)


def _independence(name: str, pairs: Counter[tuple[int, int]]) -> Statistic:
    """Test that one of two dice says nothing about the other, however likely each face is."""
    firsts, seconds = Counter[int](), Counter[int]()
    for (one, other), count in pairs.items():
        firsts[one] += count
        seconds[other] += count
    both, value = pairs.total(), 0.0
    for one, count in firsts.items():
        for other, its in seconds.items():
            expected = count * its / both
            value += (pairs[one, other] - expected) ** 2 / expected
    freedom = (len(firsts) - 1) * (len(seconds) - 1)
    return Statistic(name, value, exceeding(value, freedom), freedom)


def exceeding(value: float, freedom: int) -> float:
    """Return the chance of a chi-square of at least `value`, by Wilson and Hilferty: its cube root is nearly normal."""
    spread = 2 / (9 * freedom)
    sigma = ((value / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(sigma / math.sqrt(2)) / 2
