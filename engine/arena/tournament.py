"""A round-robin between opponents under several rule sets and table sizes: its lineups and their results.
At more than two seats, one opponent plays against several copies of another, and both ways round: `one` is strong if
it wins more than its fair share, one match in as many as there are seats.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import sqrt
from typing import TYPE_CHECKING

from engine.arena.play import Clock, Lineup, Outcome
from engine.arena.workers import Task, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.opponents import Opponent
    from engine.rules import Rules

Z_95 = 1.959964
"""Standard deviations around the mean that cover 95 percent of a normal distribution."""


@dataclass(slots=True)
class Result:
    """The matches of one lineup so far."""

    lineup: Lineup
    matches: int = 0
    won: int = 0  # by `one`
    void: int = 0  # matches without an end or a winner
    rounds: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count a match."""
        self.matches += 1
        self.won += outcome.winner == self.lineup.one
        self.void += outcome.winner is None
        self.rounds += outcome.rounds

    @property
    def share(self) -> float:
        """The share of matches won by `one`."""
        return self.won / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The share's 95 percent Wilson interval."""
        return wilson(self.won, self.matches)


@dataclass(slots=True)
class ArenaResults:
    """ArenaResults results by lineup, and each opponent's decision times and faults over all lineups."""

    results: list[Result]
    clocks: dict[str, Clock]
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Lost matches by opponent and problem."""
    examples: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    """The first match with each fault, and its position."""

    def __len__(self) -> int:
        return sum(result.matches for result in self.results)


def lineups(names: Sequence[str], rules: Sequence[Rules], seats: Sequence[int], only: str | None) -> list[Lineup]:
    """Return every lineup: each pair of names, both ways round above two seats; with `only`, just its lineups."""
    return [
        Lineup(ruleset, number, *pair) for ruleset in rules for number in seats for pair in _pairs(names, number, only)
    ]


def run(
    lineups: Sequence[Lineup],
    opponents: Sequence[Opponent],
    *,
    matches: int,
    seed: str,
    jobs: int,
    limit_s: float,
    tick: Callable[[ArenaResults], None] = lambda _: None,
) -> ArenaResults:
    """Play `matches` of every lineup. Calls `tick` a few times a second with the results so far."""
    by_lineup = {lineup: Result(lineup) for lineup in lineups}
    tournament = ArenaResults([*by_lineup.values()], {opponent.name: Clock() for opponent in opponents})
    tasks = [Task(lineup, number) for lineup in lineups for number in range(matches)]
    by_name = {opponent.name: opponent for opponent in opponents}
    workers = Workers(by_name, seed, jobs=min(jobs, len(tasks)), limit_s=limit_s)
    try:
        for task, outcome in workers.play(tasks, lambda: tick(tournament)):
            by_lineup[task.lineup].add(outcome)
            for name, clock in outcome.clocks.items():
                tournament.clocks[name].update(clock)
            if outcome.fault is not None:
                kind, example = (outcome.fault.name, outcome.fault.problem), (task.number, outcome.fault.position)
                tournament.faults[kind] += 1
                tournament.examples[kind] = min(tournament.examples.get(kind, example), example)
    finally:
        workers.close()
    return tournament


def wilson(won: int, matches: int, z: float = Z_95) -> tuple[float, float]:
    """Return a share's Wilson score interval: the true shares compatible with the count."""
    share, squared = won / matches, z * z
    middle = share + squared / (2 * matches)
    half = z * sqrt(share * (1 - share) / matches + squared / (4 * matches * matches))
    return max(0.0, (middle - half) / (1 + squared / matches)), min(1.0, (middle + half) / (1 + squared / matches))


def _pairs(names: Sequence[str], seats: int, only: str | None) -> Iterator[tuple[str, str]]:
    if only is not None:
        yield from ((only, other) for other in names if other != only)
    else:
        yield from combinations(names, 2) if seats == 2 else permutations(names, 2)
