"""Learn the worth of bids and calls by self-play, and write `engine/opponents/strong/weights.py`.

`python -m engine.arena.learn_weights` plays matches of `strong` against mixed tables of all opponents, itself included,
now and then with a random action. It records each bid's and call's features and the round's resulting worth, and fits
weights by least squares with a penalty that draws them to the closed form. It does this twice, each time with the last
weights; matches with earlier weights count half. It takes some minutes and needs only the standard library.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine import FACES, RULESETS, Bid, Call, Match, Phase, Player, Rules
from engine.opponents import find
from engine.opponents.strong import evaluation, weights
from engine.opponents.strong.evaluation import Evaluator

MODULE = Path(weights.__file__)
POOL = (
    *("odds", "bayes", "bayes", "honest", "bluffer", "strong", "threshold", "expected", "one_more", "aggressive"),
    *("least_safe", "truthful", "sixty_deals"),
)
SEATS = ((2, 1.0), (3, 0.33), (4, 1.0), (5, 0.25), (6, 0.25), (8, 0.5))
"""Number of seats, and its share of the matches."""
PASSES = 2
EXPLORED = 0.1  # share of turns with a random action
MAX_STEPS = 1500  # maximum in a match
PENALTY = 20.0  # weight of the closed form, in decisions
FORGOTTEN = 0.5  # factor for the earlier passes' counts

Key = tuple[str, int]
"""A rule set's name, empty for all together, and the number of living players."""
Weights = dict[Key, tuple[float, ...]]


@dataclass(slots=True)
class Sums:
    """A least-squares fit's sums."""

    squares: list[list[float]]
    products: list[float]

    @classmethod
    def empty(cls, size: int) -> Sums:
        """Return zero sums."""
        return cls([[0.0] * size for _ in range(size)], [0.0] * size)

    def add(self, features: Sequence[float], worth: float) -> None:
        """Count one decision."""
        for place, feature in enumerate(features):
            if feature:
                self.products[place] += feature * worth
                row = self.squares[place]
                for other, value in enumerate(features):
                    row[other] += feature * value

    def forget(self) -> None:
        """Reduce the weight of the decisions so far."""
        self.squares = [[FORGOTTEN * value for value in row] for row in self.squares]
        self.products = [FORGOTTEN * value for value in self.products]

    def fitted(self, prior: Sequence[float]) -> tuple[float, ...]:
        """Return the best weights, drawn to `prior`."""
        size = len(prior)
        rows = [
            [value + (PENALTY if place == column else 0.0) for column, value in enumerate(row)]
            + [self.products[place] + PENALTY * prior[place]]
            for place, row in enumerate(self.squares)
        ]
        for place in range(size):  # Gauss and Jordan; the penalty keeps the pivots away from zero
            pivot = rows[place]
            for other, row in enumerate(rows):
                if other != place and (factor := row[place] / pivot[place]):
                    rows[other] = [value - factor * taken for value, taken in zip(row, pivot, strict=True)]
        return tuple([round(row[size] / row[place], 3) for place, row in enumerate(rows)])


@dataclass(slots=True)
class Learner:
    """The results of bids and calls in the matches so far."""

    bids: dict[Key, Sums] = field(default_factory=dict)
    calls: dict[Key, Sums] = field(default_factory=dict)

    def play(self, rules: Rules, seats: int, rng: Random) -> None:
        """Play one match and count the learning seat's decisions."""
        opponents = [find(rng.choice(POOL)).choose for _ in range(seats)]
        learner = rng.randrange(seats)
        opponents[learner] = find("strong").choose
        match = Match.start(rules, seats, Player(rng.randrange(seats)))
        pending: list[tuple[dict[Key, Sums], int, tuple[float, ...], Evaluator]] = []
        for _ in range(MAX_STEPS):
            position = match.position
            if position.phase is Phase.OVER or not position.dice[learner]:
                return
            if position.rolling:
                awaited = position.awaited.items()
                match = match.roll({seat: rng.choices(FACES, k=dice) for seat, dice in awaited})
                continue
            acting = position.owner if position.turn is None else position.turn
            seats_asked = [seat for seat in position.living if seat == acting or match.legal(seat).words]
            rng.shuffle(seats_asked)
            for seat in seats_asked:
                action = opponents[seat](match.view(seat), rng)
                if action is not None:
                    break
            assert action is not None
            if seat == learner and position.turn is not None:
                evaluator = Evaluator(match.view(seat))
                plausible = [*evaluator.plausible()] if seat == position.turn and rng.random() < EXPLORED else []
                if plausible:
                    calls = [each for each in plausible if isinstance(each, Call)]
                    action = rng.choice(calls if calls and rng.random() < 0.5 else plausible)
                if isinstance(action, Bid):
                    pending.append((self.bids, len(position.living), evaluator.features(action), evaluator))
                elif isinstance(action, Call) and position.passer is None:
                    pending.append((self.calls, len(position.living), evaluator.call_features(action), evaluator))
            match = match.play(seat, action)
            if isinstance(action, Call) and match.position.showdown is not None:
                for sums, living, features, evaluator in pending:
                    worth = evaluator.worth_of(match.position.showdown.change)
                    for name in (rules.name, ""):
                        sums.setdefault((name, living), Sums.empty(len(features))).add(features, worth)
                pending = []

    def forget(self) -> None:
        """Reduce the weight of the matches so far."""
        for sums in (*self.bids.values(), *self.calls.values()):
            sums.forget()

    def fitted(self) -> tuple[Weights, Weights]:
        """Return the weights for bids and for calls."""
        return _fitted(self.bids, evaluation.CLOSED_FORM), _fitted(self.calls, evaluation.CLOSED_FORM_CALL)


def _fitted(by_key: dict[Key, Sums], closed_form: Sequence[float]) -> Weights:
    """Fit all rule sets together first; each alone is then drawn to that."""
    found: Weights = {}
    for key in sorted(by_key):
        found[key] = by_key[key].fitted(found.get(("", key[1]), closed_form))
    return found


def lines_of(bids: Weights, calls: Weights) -> Iterator[str]:
    """Yield the module's lines."""
    yield '"""The weights of `evaluation`, learned by self-play: see `engine.arena.learn_weights`.'
    yield ""
    yield "The keys are the name of a rule set, empty for all together, and the number of living players."
    yield '"""'
    yield ""
    yield "# fmt: off"
    for name, found in (("BID_WEIGHTS", bids), ("CALL_WEIGHTS", calls)):
        yield f"{name}: dict[tuple[str, int], tuple[float, ...]] = {{"
        for (rules, living), numbers in sorted(found.items()):
            yield f'    ("{rules}", {living}): ({", ".join(map(str, numbers))}),'
        yield "}"
    yield "# fmt: on"


def main() -> None:
    """Learn and write the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40, help="of each rule set, with two seats (default: 40)")
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()
    learner, began_s = Learner(), time.monotonic()
    weights.BID_WEIGHTS.clear()
    weights.CALL_WEIGHTS.clear()
    for number in range(PASSES):
        learner.forget()
        for seats, share in SEATS:
            for rules in RULESETS.values():
                for match in range(int(share * options.matches)):
                    learner.play(rules, seats, Random(f"{options.seed}/{number}/{rules}/{seats}/{match}"))
        bids, calls = learner.fitted()
        weights.BID_WEIGHTS.update(bids)
        weights.CALL_WEIGHTS.update(calls)
        print(f"pass {number + 1} of {PASSES}, {(time.monotonic() - began_s) / 60:.1f} minutes", flush=True)
    MODULE.write_text("\n".join(lines_of(bids, calls)) + "\n")


if __name__ == "__main__":
    main()
