"""What the engine's tests share: matches played at random."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from engine import RULESETS, Match, Phase, RoundKind, Rules

Walk = Callable[..., Iterator[Match]]


@pytest.fixture(scope="session")
def roll() -> Callable[[Match, random.Random], Match]:
    """Give a function that rolls whatever dice a match awaits."""
    return _roll


@pytest.fixture(scope="session")
def walk() -> Walk:
    """Give a function that plays random legal actions and yields each match on the way, `most` of them at most."""

    def walk(rules: Rules, seats: int, rng: random.Random, most: int = 10_000) -> Iterator[Match]:
        match = Match.start(rules, seats, rng.randrange(seats))
        for _ in range(most):
            yield match
            if match.position.phase is Phase.OVER:
                return
            if match.position.rolling:
                match = _roll(match, rng)
            else:
                seat = rng.choice([seat for seat in match.position.living if match.legal(seat)])
                match = match.play(seat, rng.choice(list(match.legal(seat))))

    return walk


@pytest.fixture(scope="session")
def random_rules() -> Callable[[random.Random], Rules]:
    """Give a function that makes up a house's rules: a shipped one with a few fields set at random."""

    def made_up(rng: random.Random) -> Rules:
        rules: Rules = _varied(rng.choice([*RULESETS.values()]), rng)
        return rules

    return made_up


def _roll(match: Match, rng: random.Random) -> Match:
    position = match.position
    return match.roll(
        {seat: [rng.randint(1, 6) for _ in range(position.dice_to_roll(seat))] for seat in position.rolling}
    )


def _varied(value: Any, rng: random.Random) -> Any:
    hints: Mapping[str, Any] = get_type_hints(type(value))
    names = [field.name for field in fields(value) if field.name != "name"]
    changed = rng.sample(names, rng.randint(0, len(names) // 2))
    return replace(value, **{name: _any(hints[name], rng) for name in changed})


def _any(hint: Any, rng: random.Random) -> Any:
    special = [kind for kind in RoundKind if kind is not RoundKind.NORMAL]
    if hint is bool:
        return rng.random() < 0.5
    if get_origin(hint) is Literal:
        return rng.choice(get_args(hint))
    if NoneType in get_args(hint):
        return rng.choice([None, _varied(get_args(hint)[0](), rng)])
    if get_origin(hint) is tuple:
        return tuple(rng.sample(special, rng.randint(0, 3)))
    return rng.choice([*RoundKind])
