"""Learn the worth of bids and doubts by self-play, and write `networks.json` of the opponent `strong`.

`python -m engine.arena.learn_worths` plays matches of `strong` against tables of all opponents, itself included, half
of them with one kind of opponent, and takes a random action now and then. It records the inputs for each bid and doubt
and the worth of the round's outcome, and fits networks: first one for all rule sets, then from this one for each. It
does this twice, the second time with the networks of the first, and keeps all decisions; with `--again` once more, from
the networks in the file. It needs numpy.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from engine import DUDO, FACES, RULESETS, Action, Bid, Call, Match, Phase, Player, Rules
from engine.opponents import find
from engine.opponents.strong.evaluation import TUNING, Evaluator
from engine.opponents.strong.network import AMONG_MORE, ANY_RULES, BETWEEN_TWO, FILE

POOL = (
    *("odds", "bayes", "honest", "bluffer", "strong", "threshold", "threshold", "expected", "expected", "aggressive"),
    *("least_safe", "least_safe", "least_safe", "truthful", "sixty_deals", "sixty_deals", "middle", "middle"),
    *("one_more", "easy"),
)
ALIKE = 0.5  # share of tables with one kind of opponent
SEATS = ((2, 1.5), (3, 0.33), (4, 1.0), (6, 0.17), (8, 0.5))
"""Number of seats, and its matches for each four-player match."""
PASSES = 2
TRIED, TRIED_OF_BEST = 0.06, 0.14  # shares of turns with any action, and with one of the best four
MAX_STEPS = 1500  # maximum in a match
CHUNK = 20  # matches that a process plays at a time

UNITS = 24
EPOCHS, EPOCHS_AFTER = 24, 12  # for all rule sets together, and for each from there
BATCH, RATE, DECAY = 512, 2e-3, 1e-4
HELD_OUT = 0.1  # share of decisions that tell when to stop

Parameters = list[np.ndarray]
"""The weights of a network: into the units, out of them, and past them; the last input is 1."""


class Decision(NamedTuple):
    """An action's inputs and the worth of the round's outcome."""

    players: str
    is_bid: bool
    inputs: tuple[float, ...]
    worth: float


class Task(NamedTuple):
    """Some matches to play."""

    rules: str
    seats: int
    seed: str


def played(task: Task, matches: int = CHUNK) -> list[Decision]:
    """Play a task's matches, and return all decisions of `strong` in them."""
    decisions: list[Decision] = []
    for number in range(matches):
        decisions.extend(_match(RULESETS[task.rules], task.seats, Random(f"{task}/{number}")))
    return decisions


def _match(rules: Rules, seats: int, rng: Random) -> Iterator[Decision]:
    names = [rng.choice(POOL)] * seats if rng.random() < ALIKE else rng.choices(POOL, k=seats)
    trying = rng.randrange(seats)
    names[trying] = "strong"
    opponents = [find(name).choose for name in names]
    match = Match.start(rules, seats, Player(rng.randrange(seats)))
    pending: list[tuple[bool, tuple[float, ...], Evaluator]] = []
    for _ in range(MAX_STEPS):
        position = match.position
        living = len(position.living)
        if position.phase is Phase.OVER or living == 2 < seats:
            return
        if position.rolling:
            match = match.roll({seat: rng.choices(FACES, k=dice) for seat, dice in position.awaited.items()})
            continue
        acting = position.owner if position.turn is None else position.turn
        asked = [seat for seat in position.living if seat == acting or match.legal(seat).words]
        rng.shuffle(asked)
        for seat in asked:
            view = match.view(seat)
            by_tables = living == 2 and seat != trying
            if names[seat] == "strong" and seat == position.turn and not by_tables:
                evaluator = Evaluator(view)
                action: Action | None = _chosen(evaluator, rng, tries=seat == trying)
                if isinstance(action, Bid):
                    pending.append((True, evaluator.bid_inputs(action), evaluator))
                elif action is DUDO and position.passer is None:
                    pending.append((False, evaluator.doubt_inputs(), evaluator))
            else:
                action = opponents[seat](view, rng)
            if action is not None:
                break
        assert action is not None
        match = match.play(seat, action)
        if isinstance(action, Call):
            if match.position.showdown is not None:
                change = match.position.showdown.change
                for is_bid, inputs, evaluator in pending:
                    yield Decision(_players(living), is_bid, inputs, evaluator.worth_of(change))
            pending = []


def _players(living: int) -> str:
    return BETWEEN_TWO if living == 2 else AMONG_MORE


def _chosen(evaluator: Evaluator, rng: Random, *, tries: bool) -> Action:
    """Return the best action, or now and then another one."""
    draw = rng.random() if tries else 1.0
    if draw < TRIED:
        return rng.choice([*evaluator.plausible()])
    worths = {action: worth + rng.gauss(0, TUNING.noise) for action, worth in evaluator.worths()}
    best = sorted(worths, key=worths.__getitem__, reverse=True)
    return rng.choice(best[:4]) if draw < TRIED + TRIED_OF_BEST else best[0]


# Fitting


@dataclass(frozen=True, slots=True)
class Scale:
    """Brings inputs to a mean of 0 and a deviation of 1."""

    mean: np.ndarray
    deviation: np.ndarray

    @classmethod
    def of(cls, inputs: np.ndarray) -> Scale:
        """Return the scale of some inputs."""
        return cls(inputs.mean(0), inputs.std(0) + 1e-6)

    def apply(self, inputs: np.ndarray) -> np.ndarray:
        """Return scaled inputs, each row with a 1 after them."""
        return np.column_stack([(inputs - self.mean) / self.deviation, np.ones(len(inputs))])

    def unscaled(self, weights: np.ndarray) -> list[float]:
        """Return the weights for inputs as they come, from those for scaled ones."""
        plain = weights[:-1] / self.deviation
        return [float(f"{value:.4g}") for value in (*plain, weights[-1] - plain @ self.mean)]


def fitted(inputs: np.ndarray, worths: np.ndarray, start: Parameters | None = None) -> tuple[Parameters, float]:
    """Fit a network to scaled inputs by Adam, from random weights or another network's. Return the weights that did
    best in the decisions held out, and the share of the worths' variance that they explain there.
    """
    rng = np.random.default_rng(0)
    size = inputs.shape[1]
    if start is None:
        start = [rng.normal(0, size**-0.5, (size, UNITS)), np.zeros(UNITS), np.zeros(size)]
    weights = [each.copy() for each in start]
    means, squares = [[np.zeros_like(each) for each in weights] for _ in range(2)]
    order = rng.permutation(len(worths))
    held_out, rest = np.split(order, [int(HELD_OUT * len(order))])
    best, least, steps = weights, np.inf, 0
    epochs = EPOCHS_AFTER if start[1].any() else EPOCHS
    for epoch in range(epochs):
        rate = RATE * (1 + np.cos(np.pi * epoch / epochs)) / 2
        rng.shuffle(rest)
        for batch in np.array_split(rest, max(1, len(rest) // BATCH)):
            steps += 1
            slopes = _slopes(weights, inputs[batch], worths[batch])
            for weight, mean, square, slope in zip(weights, means, squares, slopes, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                weight -= rate * mean / (1 - 0.9**steps) / (np.sqrt(square / (1 - 0.999**steps)) + 1e-8)
        error = float(np.square(_worths(weights, inputs[held_out]) - worths[held_out]).mean())
        if error < least:
            best, least = [each.copy() for each in weights], error
    return best, 1 - least / float(worths[held_out].var())


def _worths(weights: Parameters, inputs: np.ndarray) -> np.ndarray:
    into, out, past = weights
    return np.asarray(np.tanh(inputs @ into) @ out + inputs @ past)


def _slopes(weights: Parameters, inputs: np.ndarray, worths: np.ndarray) -> Parameters:
    """Return the error's derivative by each weight."""
    into, out, past = weights
    bent = np.tanh(inputs @ into)
    error = (bent @ out + inputs @ past - worths) / len(worths)
    behind = np.outer(error, out) * (1 - bent**2)
    return [inputs.T @ behind + DECAY * into, bent.T @ error + DECAY * out, inputs.T @ error]


def _network(weights: Parameters, scale: Scale) -> dict[str, object]:
    into, out, past = weights
    units = [scale.unscaled(unit) for unit in into.T]
    return {"linear": scale.unscaled(past), "units": units, "outputs": [float(f"{each:.4g}") for each in out]}


Known = dict[str, dict[str, list[dict[str, object]]]]


def learned(decisions: dict[str, list[Decision]]) -> Known:
    """Fit the networks for all rule sets together, then for each."""
    found: Known = defaultdict(lambda: defaultdict(list))
    for players in (BETWEEN_TWO, AMONG_MORE):
        for is_bid in (True, False):
            by_rules = {
                name: [each for each in made if each.players == players and each.is_bid == is_bid]
                for name, made in decisions.items()
            }
            inputs, worths = _arrays([each for made in by_rules.values() for each in made])
            scale = Scale.of(inputs)
            shared, explained = fitted(scale.apply(inputs), worths)
            found[ANY_RULES][players].append(_network(shared, scale))
            title = f"{'bids' if is_bid else 'doubts'}, {players}"
            print(f"{title}: {len(worths)} decisions, {explained:.4f} explained", flush=True)
            for name, made in by_rules.items():
                inputs, worths = _arrays(made)
                own, explained = fitted(scale.apply(inputs), worths, shared)
                found[name][players].append(_network(own, scale))
                print(f"  {name}: {len(worths)} decisions, {explained:.4f} explained", flush=True)
    return found


def _arrays(decisions: Sequence[Decision]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([each.inputs for each in decisions]), np.array([each.worth for each in decisions])


def main() -> None:
    """Learn and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=700, help="of each rule set, with four seats (default: 700)")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one for each core)")
    parser.add_argument("--again", action="store_true", help="make one pass more, from the networks in the file")
    options = parser.parse_args()
    decisions: dict[str, list[Decision]] = defaultdict(list)
    began_s = time.monotonic()
    if not options.again:
        FILE.write_text("{}\n")
    for number in [PASSES + 1] if options.again else range(1, PASSES + 1):
        tasks = [
            Task(name, seats, f"{options.seed}/{number}/{chunk}")
            for name in RULESETS
            for seats, share in SEATS
            for chunk in range(max(1, round(share * options.matches / CHUNK)))
        ]
        with ProcessPoolExecutor(options.jobs) as workers:  # they read the file as the last pass wrote it
            for done, (task, made) in enumerate(zip(tasks, workers.map(played, tasks), strict=True), 1):
                decisions[task.rules].extend(made)
                print(f"\rpass {number}: {done} of {len(tasks)}", end="", flush=True)
        FILE.write_text(json.dumps(learned(decisions)) + "\n")
        print(f"pass {number}, {(time.monotonic() - began_s) / 60:.1f} minutes", flush=True)


if __name__ == "__main__":
    main()
