"""An opponent plays legally, sensibly and not forever."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CALZA,
    DUDO,
    KILL,
    KILL_SPOT,
    PALO_FIJO,
    PASS,
    PERUDO,
    RULESETS,
    SPOT,
    Action,
    Bid,
    Call,
    Match,
    Phase,
    RoundKind,
    Rules,
)
from engine.opponents.chances import at_least, exactly
from engine.opponents.odds import choose

Put = Callable[..., Match]
SEEDS = st.integers(0, 2**32)


def played_match(rules: Rules, seats: int, seed: int, roll: Callable[..., Match]) -> Iterator[tuple[Match, Action]]:
    """Yield a match of opponents: each position in which one of them acts, and the action."""
    rng = random.Random(seed)
    match = Match.start(rules, seats)
    while match.position.phase is not Phase.OVER:
        if match.position.rolling:
            match = roll(match, rng)
            continue
        acts = {seat: act for seat in match.position.living if (act := choose(match.view(seat), rng)) is not None}
        seat = rng.choice([*acts])
        yield match, acts[seat]
        match = match.play(seat, acts[seat])


@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_a_match_of_opponents_ends_in_a_natural_number_of_rounds(
    rules: Rules, seats: int, roll: Callable[..., Match]
) -> None:
    for seed in range(3):
        rounds = {match.position.number for match, _ in played_match(rules, seats, seed, roll)}
        assert 4 * (seats - 1) <= len(rounds) <= 14 * seats


@pytest.mark.parametrize("dice", [1, 3])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_a_match_of_opponents_with_fewer_starting_dice_ends_sooner(
    rules: Rules, dice: int, roll: Callable[..., Match]
) -> None:
    few = replace(rules, starting_dice=dice)
    rounds = {match.position.number for match, _ in played_match(few, 4, 1, roll)}
    assert 3 * dice <= len(rounds) <= 12 * dice


@given(seed=SEEDS)
@settings(max_examples=40)
def test_in_turn_there_is_a_legal_action_and_out_of_turn_a_call_or_none(
    seed: int, decide_legally: Callable[..., None]
) -> None:
    decide_legally(choose, seed, 40)


@pytest.mark.slow
def test_every_word_of_every_rule_set_is_used(roll: Callable[..., Match]) -> None:
    said: Counter[str] = Counter()
    for rules in RULESETS.values():
        for seed in range(25):
            said.update(f"{rules} {act}" for _, act in played_match(rules, 4, seed, roll) if not isinstance(act, Bid))
    words = {"kill-spot dudo", "kill-spot kill", "kill-spot spot", "kill-spot blind", "kill-spot open"}
    words |= {"pyrudo dudo", "pyrudo calza", "obliging dudo", "perudo dudo", "perudo calza", "palo-fijo dudo"}
    words |= {"palo-fijo pass", *(f"palo-fijo {kind}" for kind in PALO_FIJO.special)}
    assert words <= said.keys()


def test_rounds_have_more_than_one_bid(roll: Callable[..., Match]) -> None:
    acts = [act for seed in range(5) for _, act in played_match(PERUDO, 4, seed, roll)]
    bids, calls = (sum(isinstance(act, kind) for act in acts) for kind in (Bid, Call))
    assert 2 < bids / calls < 8


def answers(match: Match, seat: int) -> Counter[Action | None]:
    return Counter(choose(match.view(seat), random.Random(seed)) for seed in range(100))


def test_a_bid_that_can_not_hold_is_doubted(put: Put) -> None:
    assert answers(put(PERUDO, [5, (3, 4, 4, 5, 6)], bid=Bid(7, 2)), 1) == {DUDO: 100}


def test_a_bid_that_lies_under_the_own_cup_is_not_doubted(put: Put) -> None:
    assert DUDO not in answers(put(PERUDO, [5, (2, 2, 2, 5, 6)], bid=Bid(2, 2)), 1)


def test_an_open_round_shows_what_is_exact(put: Put) -> None:
    match = put(KILL_SPOT, [(2, 2, 3, 4), (6,), (2, 5, 5)], bid=Bid(3, 2), kind=RoundKind.OPEN, owner=1)
    assert answers(match, 1).keys() <= {SPOT, KILL}


def test_a_pass_with_fewer_than_five_dice_is_doubted(put: Put) -> None:
    match = put(PALO_FIJO, [5, 4, 5], bid=Bid(3, 2)).play(1, PASS)
    assert answers(match, 2)[DUDO] > 95


def test_calza_is_not_called_at_five_dice_for_nothing(put: Put) -> None:
    assert CALZA not in answers(put(PERUDO, [5, (2, 2, 3, 4, 5)], bid=Bid(4, 2)), 1)


def test_calza_is_not_called_at_the_starting_dice_for_nothing(put: Put) -> None:
    rules = replace(PERUDO, starting_dice=3)
    assert CALZA not in answers(put(rules, [3, (2, 2, 4)], bid=Bid(3, 2)), 1)


def test_there_is_variety(put: Put) -> None:
    assert len(answers(put(PERUDO, [(1, 2, 3, 4, 5), 5, 5]), 0)) > 4


def test_an_opponent_who_sees_nothing_still_plays(put: Put) -> None:
    assert None not in answers(put(KILL_SPOT, [5, 5, 1], kind=RoundKind.BLIND, owner=2), 0)


def test_one_seed_gives_one_choice(put: Put) -> None:
    view = put(PERUDO, [5, 5, 5]).view(0)
    assert choose(view, random.Random(5)) == choose(view, random.Random(5))


def test_nothing_is_chosen_before_the_roll_or_after_the_end(put: Put) -> None:
    rng = random.Random(0)
    assert choose(Match.start(PERUDO, 2).view(0), rng) is None
    assert choose(Match.start(PALO_FIJO, 2).view(0), rng) is None
    assert choose(put(PERUDO, [1, 5], bid=Bid(30, 6)).play(1, DUDO).view(1), rng) is None


def test_a_choice_that_nobody_offers_is_never_made(put: Put) -> None:
    rules = replace(KILL_SPOT, special_waivable=False)
    match = put(rules, [2, 5, 5], bid=Bid(30, 6)).play(1, DUDO)
    assert answers(match, 0).keys() == {RoundKind.BLIND, RoundKind.OPEN}
    assert answers(match, 1).keys() == {None}


@pytest.mark.parametrize(
    ("wanted", "dice", "faces", "chance"), [(1, 2, 1, 10 / 36), (2, 2, 2, 1 / 9), (0, 3, 1, 125 / 216)]
)
def test_the_odds_of_exactly_so_many(wanted: int, dice: int, faces: int, chance: float) -> None:
    assert exactly(wanted, dice, faces) == pytest.approx(chance)


@pytest.mark.parametrize(
    ("wanted", "dice", "faces", "chance"), [(1, 2, 1, 11 / 36), (-3, 4, 2, 1), (0, 0, 1, 1), (3, 2, 1, 0)]
)
def test_the_odds_of_at_least_so_many(wanted: int, dice: int, faces: int, chance: float) -> None:
    assert at_least(wanted, dice, faces) == pytest.approx(chance)
