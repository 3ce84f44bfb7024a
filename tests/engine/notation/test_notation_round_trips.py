"""Every value of a random match reads back from its text, step by step, in any rules a house might play."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    RULESETS,
    Hand,
    Match,
    Phase,
    Position,
    Rules,
    Score,
    parse_action,
    parse_hand,
    parse_position,
    parse_rules,
    parse_score,
    write_hand,
    write_rules,
    write_score,
)

pytestmark = pytest.mark.slow


Made = Callable[[random.Random], Rules]
Roll = Callable[[Match, random.Random], Match]
NAMES = ("", "Lima", "La Paz", "São Paulo", "a: b", "# 1", "1. 0:4x3", "?", "*", "東京")
ODD_NAMES = ("", "grandmother’s", "a=(b,%)", "%41", "two words", "perudo", "ß\n\ud800", "a/b")


class Kept(NamedTuple):
    """A match that was played, what was written down of it, and every position on its way."""

    score: Score
    matches: list[Match]

    @property
    def positions(self) -> list[Position]:
        return [match.position for match in self.matches]


Keep = Callable[[int], Kept]


@pytest.fixture(scope="session")
def keep(random_rules: Made) -> Keep:
    """Give a function that plays the match of a seed to its end, or nearly, and keeps the score."""

    def keep(seed: int) -> Kept:
        rng = random.Random(seed)
        rules = rng.choice([*RULESETS.values()]) if rng.random() < 0.5 else random_rules(rng)
        if rng.random() < 0.2:
            rules = replace(rules, name=rng.choice(ODD_NAMES))
        seats = rng.randint(2, 8)
        first = rng.randrange(seats)
        score = Score(rules, tuple(rng.choice(NAMES) for _ in range(seats)), first, rng.choice(("", "2026-11-21")))
        steps = [*_played(score, Match.start(rules, seats, first), rng)]
        score, last = steps[-1]
        if last.position.winner is not None:
            score = score.won(last.position.winner)
        return Kept(score, [match for _, match in steps])

    return keep


def _played(score: Score, match: Match, rng: random.Random) -> Iterator[tuple[Score, Match]]:
    """Play at random, now and then with a void round or a seat that leaves; one match in eight is broken off."""
    steps = rng.randrange(200) if rng.random() < 0.125 else 10_000
    yield score, match
    for _ in range(steps):
        if match.position.phase is Phase.OVER:
            return
        ruled = _ruled(score, match, rng) if rng.random() < 0.01 else (score, match)
        if ruled[1] is not match:
            score, match = ruled
        elif match.position.rolling:
            score, match = _rolled(score, match, rng)
        else:
            seat = rng.choice([seat for seat in match.position.living if match.legal(seat)])
            action = rng.choice(list(match.legal(seat)))
            score, match = score.play(seat, action), match.play(seat, action)
        yield score, match


def _rolled(score: Score, match: Match, rng: random.Random) -> tuple[Score, Match]:
    position = match.position
    dice = {seat: [rng.randint(1, 6) for _ in range(position.dice_to_roll(seat))] for seat in position.rolling}
    if position.phase is Phase.SEATING:
        return score.roll_for_order({seat: die for seat, (die,) in dice.items()}), match.roll(dice)
    return score.roll(dice), match.roll(dice)


def _ruled(score: Score, match: Match, rng: random.Random) -> tuple[Score, Match]:
    seat = rng.choice(match.position.living)
    ruled = ((score.void(), match.void()), (score.forgo(), match.forgo()), (score.leave(seat), match.leave(seat)))
    return rng.choice(ruled)


def check(kept: Kept) -> int:
    """Return the number of positions that were the same after all the writing and reading."""
    score, matches = kept
    for match in matches:
        assert parse_position(str(match.position)) == match.position
    read = parse_score(write_score(score), playable=True)
    assert read == score
    assert [*read.matches()] == matches
    assert write_score(read) == write_score(score)
    public = parse_score(write_score(score.public), playable=True)
    assert public == score.public == public.public
    assert [*public.positions()] == kept.positions
    return len(matches)


def test_every_position_and_the_score_of_a_few_hundred_matches_read_back(keep: Keep) -> None:
    for seed in range(200):
        check(keep(seed))


@pytest.mark.soak
def test_every_position_and_the_score_of_ten_thousand_matches_read_back(keep: Keep) -> None:
    positions = sum(check(keep(seed)) for seed in range(10_000))
    assert positions > 1_000_000
    print(f"10000 matches, {positions} positions")


@given(dice=st.lists(st.integers(1, 6), max_size=5))
def test_a_hand_reads_back(dice: list[int]) -> None:
    assert parse_hand(write_hand(Hand(dice))) == Hand(dice)


@given(seed=st.integers(0, 2**32), name=st.text())
def test_rules_read_back_whatever_they_are_called(seed: int, name: str, random_rules: Made) -> None:
    rules = replace(random_rules(random.Random(seed)), name=name)
    assert parse_rules(write_rules(rules)) == rules
    assert " " not in write_rules(rules)
    assert write_rules(rules).isprintable()


@given(quantity=st.integers(0, 10**30), face=st.integers(0, 10**30))
def test_a_bid_of_any_size_reads_back(quantity: int, face: int) -> None:
    text = f"{quantity}x{face}"
    assert str(parse_action(text)) == text
