"""A fixture for the opponents' tests: an opponent at tables of every kind."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import RULESETS, Call, Match, Phase, Rules


@pytest.fixture(scope="session")
def decide_legally(
    walk: Callable[..., Iterator[Match]], random_rules: Callable[[random.Random], Rules]
) -> Callable[[Callable[..., Any], int, int], None]:
    """Give a function that asks an opponent at every seat of a random match, and checks each answer."""

    def check(choose: Callable[..., Any], seed: int, most: int) -> None:
        rng = random.Random(seed)
        rules = rng.choice([*RULESETS.values()]) if rng.random() < 0.4 else random_rules(rng)
        for match in walk(rules, rng.randint(2, 8), rng, most=most):
            position = match.position
            acting = position.owner if position.phase is Phase.CHOOSING else position.turn
            for seat in range(position.seats):
                action = choose(match.view(seat), rng)
                assert action is None or action in match.legal(seat)
                assert (action is not None) if seat == acting else (action is None or isinstance(action, Call))

    return check
