"""One match between opponents, from a seed to its outcome; `engine.arena.workers` plays them.
An opponent that raises or returns an illegal action loses the match, at whichever of its seats.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp, floor, log
from random import Random
from time import thread_time
from typing import TYPE_CHECKING

from engine.json_field import one_line
from engine.match import Match
from engine.opponents import fault_in
from engine.position import OVER, Player
from engine.rules import FACES

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.actions import Action
    from engine.match import View
    from engine.opponents import Opponent
    from engine.rules import Rules

MAX_ROUNDS = 500  # four times a long match with eight seats
MAX_ACTIONS_OF_A_ROUND = 400  # ten times the largest table's dice, in raises by one
MAX_FAULT_CHARACTERS = 200
BUCKET = log(1.05)
"""Ratio between neighbouring buckets of a `Clock`, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The kind of match to play: one seat for `one`, all others for `others`."""

    rules: Rules
    seats: int
    one: str
    others: str

    def seat_of_one(self, number: int) -> Player:
        """Return the seat that `one` takes in match `number`: it moves on by one from match to match."""
        return Player(number % self.seats)

    def opponent_of(self, name: str) -> str:
        """Return the other name."""
        return self.others if name == self.one else self.one

    def names(self, number: int) -> list[str]:
        """Return the opponents' names by seat in match `number`."""
        return [self.one if seat == self.seat_of_one(number) else self.others for seat in range(self.seats)]


@dataclass(slots=True)
class Clock:
    """One opponent's decisions: their number, total processor seconds, and distribution."""

    decisions: int = 0
    seconds: float = 0.0
    buckets: Counter[int] = field(default_factory=Counter)
    """Decisions by the logarithm of their time."""

    def add(self, seconds: float) -> None:
        """Count one decision."""
        self.decisions += 1
        self.seconds += seconds
        self.buckets[floor(log(max(seconds, 1e-9)) / BUCKET)] += 1

    def update(self, other: Clock) -> None:
        """Add the decisions counted by another clock."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.buckets.update(other.buckets)

    @property
    def median_ms(self) -> float:
        """Return the median decision time in milliseconds, to within 3 percent."""
        passed = 0
        for bucket, decisions in sorted(self.buckets.items()):
            passed += decisions
            if 2 * passed >= self.decisions:
                return 1000 * exp((bucket + 0.5) * BUCKET)
        return 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """An opponent's error; it costs the match."""

    name: str
    problem: str
    position: str = ""
    """Public line of the position at the time, if known."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match result: the winner's name, or None for a match without an end."""

    winner: str | None
    rounds: int = 0
    fault: Fault | None = None
    clocks: dict[str, Clock] = field(default_factory=dict)


def play(
    lineup: Lineup,
    number: int,
    seed: str,
    opponents: dict[str, Opponent],
    deciding: Callable[[str | None], None] = lambda _: None,
) -> Outcome:
    """Play match `number`; the same lineup, number and seed replay the same match.
    Calls `deciding` with an opponent's name when it begins to decide, and with None afterwards.
    """
    match_seed = f"{seed}/{lineup.rules}/{lineup.seats}/{number}"
    arbiter = Random(match_seed)
    names = lineup.names(number)
    rngs = [Random(f"{match_seed}/{seat}") for seat in range(lineup.seats)]
    clocks = {name: Clock() for name in names}

    def decide(view: View) -> tuple[str, Action | None]:
        name = names[view.seat]
        deciding(name)
        began = thread_time()
        try:
            action = opponents[name].choose(view, rngs[view.seat])
        except (Exception, SystemExit) as error:
            raise _FaultError(name, f"raised {type(error).__name__}: {error}") from error
        finally:
            clocks[name].add(thread_time() - began)
            deciding(None)
        return name, action

    match = Match.start(lineup.rules, lineup.seats, Player(arbiter.randrange(lineup.seats)))
    actions = 0
    while match.position.phase is not OVER and match.position.number <= MAX_ROUNDS:
        position = match.position
        if position.rolling:
            match, actions = _rolled(match, arbiter), 0
            continue
        actions += 1
        if actions > MAX_ACTIONS_OF_A_ROUND:
            return Outcome(None, position.number, clocks=clocks)
        try:
            match = _moved(match, arbiter, decide)
        except _FaultError as error:
            fault = Fault(error.name, one_line(str(error)[:MAX_FAULT_CHARACTERS]), str(position))
            return Outcome(lineup.opponent_of(fault.name), position.number, fault, clocks)
    winning = match.position.winner
    return Outcome(None if winning is None else names[winning], match.position.number, clocks=clocks)


class _FaultError(Exception):
    def __init__(self, name: str, problem: str) -> None:
        super().__init__(problem)
        self.name = name


def _rolled(match: Match, rng: Random) -> Match:
    return match.roll({seat: rng.choices(FACES, k=dice) for seat, dice in match.position.awaited.items()})


def _moved(match: Match, arbiter: Random, decide: Callable[[View], tuple[str, Action | None]]) -> Match:
    """Ask the seats that may act in random order, as if all were equally quick, and play the first action."""
    position = match.position
    seats = [seat for seat in position.living if match.legal(seat)]
    arbiter.shuffle(seats)
    for seat in seats:
        view = match.view(seat)
        name, action = decide(view)
        if problem := fault_in(view, action):
            raise _FaultError(name, problem)
        if action is not None:
            return match.play(seat, action)
    raise AssertionError("the seat in turn has no legal action")  # unreachable: a bid or a call is always legal
