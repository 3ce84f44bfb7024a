"""What holds in every match of every rule set, the shipped ones and those a house might make up."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    BOXED,
    PASS,
    RULESETS,
    Action,
    Bid,
    Call,
    DudoError,
    IllegalActionError,
    Match,
    Phase,
    Reason,
    RoundKind,
    Rules,
    SeatError,
)
from engine.legality import check, why_illegal
from engine.rules import StartingDice

Walk = Callable[..., Iterator[Match]]
Made = Callable[[random.Random], Rules]
SEEDS = st.integers(0, 2**32)
STARTING_DICE = get_args(StartingDice)
SOME_BIDS = [Bid(quantity, face) for quantity in (0, 1, 2, 3, 5, 8, 99) for face in range(8)]
ANY_ACTION: list[Action] = [*Call, PASS, *RoundKind, *SOME_BIDS]


@pytest.fixture(scope="session")
def journey(walk: Walk, random_rules: Made) -> Callable[[int], Iterator[tuple[Match, random.Random]]]:
    """Give a function that walks 60 steps through a match of rules, seats and dice that a seed decides."""

    def journey(seed: int) -> Iterator[tuple[Match, random.Random]]:
        rng = random.Random(seed)
        rules = rng.choice([*RULESETS.values()]) if rng.random() < 0.5 else random_rules(rng)
        for match in walk(rules, rng.randint(2, 8), rng, most=60):
            yield match, rng

    return journey


Journey = Callable[[int], Iterator[tuple[Match, random.Random]]]


@given(seed=SEEDS)
@settings(max_examples=60)
def test_dice_change_only_as_the_showdown_says(seed: int, journey: Journey) -> None:
    before = None
    for match, _ in journey(seed):
        position = match.position
        if before is not None and position.number != before.number:
            assert position.showdown is not None
            expected = tuple(a + b for a, b in zip(before.dice, position.showdown.change, strict=True))
            assert position.dice == expected
        elif before is not None and position.phase is not Phase.OVER:
            assert position.dice == before.dice
        before = position


@given(seed=SEEDS)
@settings(max_examples=60)
def test_a_position_keeps_what_follows_from_its_fields(seed: int, journey: Journey) -> None:
    for match, _ in journey(seed):
        assert replace(match.position) == match.position
        assert replace(match.position).legal == match.position.legal
        kept, made = match.position.round, replace(match.position.round)
        assert kept == made
        assert (kept.living, kept.in_play) == (made.living, made.in_play)
        assert kept.bidding is made.bidding


@given(seed=SEEDS)
@settings(max_examples=60)
def test_a_call_moves_one_die_of_one_seat_at_most(seed: int, journey: Journey) -> None:
    for match, _ in journey(seed):
        if match.position.showdown is not None:
            assert sum(map(abs, match.position.showdown.change)) <= 1


@given(seed=SEEDS)
@settings(max_examples=60)
def test_nobody_ever_holds_fewer_than_no_dice_or_more_than_at_the_start(seed: int, journey: Journey) -> None:
    for match, _ in journey(seed):
        assert all(0 <= held <= match.position.rules.starting_dice for held in match.position.dice)


@given(seed=SEEDS)
@settings(max_examples=60)
def test_while_no_dice_are_awaited_somebody_has_a_legal_action(seed: int, journey: Journey) -> None:
    for match, _ in journey(seed):
        position = match.position
        if position.phase is not Phase.OVER:
            acting = [seat for seat in range(position.seats) if match.legal(seat)]
            assert bool(position.rolling) is not bool(acting)
            assert position.turn in (None, *acting)


@given(seed=SEEDS)
@settings(max_examples=100)
def test_the_seat_in_turn_has_a_listed_action_also_with_two_dice_on_the_table(
    seed: int, walk: Walk, random_rules: Made
) -> None:
    rng = random.Random(seed)
    rules = replace(random_rules(rng), starting_dice=rng.choice([1, 2]))
    for match in walk(rules, rng.randint(2, 3), rng, most=60):
        turn = match.position.turn
        assert turn is None or [*match.legal(turn)], match.position


@given(seed=SEEDS)
@settings(max_examples=40)
def test_an_action_is_in_the_list_just_when_it_is_legal_and_within_the_dice_in_play(
    seed: int, journey: Journey
) -> None:
    for match, rng in journey(seed):
        seat = rng.randrange(match.position.seats)
        legal = match.legal(seat)
        listed = list(legal)
        assert len(listed) == len(set(listed)) == legal.count()
        for action in ANY_ACTION:
            within = not isinstance(action, Bid) or action.quantity <= match.position.in_play
            assert (action in listed) is (action in legal and within)


@pytest.mark.slow
@given(seed=SEEDS)
@settings(max_examples=40)
def test_the_list_of_legal_actions_agrees_with_the_judge_of_one_action(seed: int, journey: Journey) -> None:
    for match, _ in journey(seed):
        if match.position.phase is Phase.BIDDING:
            for seat in match.position.living:
                legal = match.legal(seat)
                for action in ANY_ACTION:
                    assert (action in legal) is (why_illegal(match.position, seat, action) is None)


@given(seed=SEEDS)
@settings(max_examples=40)
def test_check_refuses_just_what_is_not_legal(seed: int, journey: Journey) -> None:
    for match, rng in journey(seed):
        seat = rng.randrange(match.position.seats)
        for action in rng.sample(ANY_ACTION, 8):
            assert (action in match.legal(seat)) is (error_of(match, seat, action) is None)


@given(seed=SEEDS)
@settings(max_examples=40)
def test_an_illegal_action_changes_nothing_and_says_why_where(seed: int, journey: Journey) -> None:
    for match, rng in journey(seed):
        before = (match.position, match.view(0), match.view(1))
        seat = rng.randrange(-1, match.position.seats + 1)
        action = rng.choice(ANY_ACTION)
        error = error_of(match, seat, action)
        if error is None:
            continue
        with pytest.raises(type(error)):
            match.play(seat, action)
        assert (match.position, match.view(0), match.view(1)) == before
        assert error.position == str(match.position)
        assert isinstance(error, ValueError)


SEAT_REASONS = {
    Reason.NO_SEAT,
    Reason.OUT,
    Reason.NOT_IN_TURN,
    Reason.IN_TURN,
    Reason.NOT_THE_OWNER,
    Reason.OWN_BID,
    Reason.OWN_PASS,
}


@given(seed=SEEDS)
@settings(max_examples=40)
def test_the_error_class_tells_a_wrong_seat_from_a_wrong_action(seed: int, journey: Journey) -> None:
    for match, rng in journey(seed):
        error = error_of(match, rng.randrange(match.position.seats), rng.choice(ANY_ACTION))
        if error is not None:
            assert type(error) is (SeatError if error.reason in SEAT_REASONS else IllegalActionError)


@given(seed=SEEDS)
@settings(max_examples=40)
def test_after_a_round_the_opener_lives_and_a_special_one_is_its_owners(seed: int, journey: Journey) -> None:
    for match, _ in journey(seed):
        position = match.position
        if position.first is not None:
            assert position.dice[position.first]
        if position.phase is Phase.CHOOSING:
            assert position.first == position.owner


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_match_of_random_actions_ends_with_one_winner(rules: Rules, seats: int, walk: Walk) -> None:
    *_, last = walk(rules, seats, random.Random(seats))
    assert last.position.phase is Phase.OVER
    assert last.position.living == (last.position.winner,)
    assert not any(last.legal(seat) for seat in range(seats))


@pytest.mark.parametrize("dice", STARTING_DICE)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_player_starts_with_the_starting_dice(rules: Rules, dice: int, roll: Callable[..., Match]) -> None:
    match, rng = Match.start(replace(rules, starting_dice=dice), 4), random.Random(0)
    while match.position.phase is Phase.SEATING:
        match = roll(match, rng)
    assert match.position.dice == (dice,) * 4
    assert match.position.starting_dice == 4 * dice
    assert match.position.awaited == dict.fromkeys(range(4), dice)


@given(seed=SEEDS, rules=st.sampled_from([*RULESETS.values()]), dice=st.sampled_from(STARTING_DICE))
@settings(max_examples=60)
def test_no_cup_ever_holds_more_than_the_starting_dice(seed: int, rules: Rules, dice: int, walk: Walk) -> None:
    rng = random.Random(seed)
    for match in walk(replace(rules, starting_dice=dice), rng.randint(2, 8), rng, most=60):
        assert max(match.position.dice) <= dice
        assert dice > 1 or match.position.owner is None


@pytest.mark.parametrize("dice", STARTING_DICE)
def test_a_match_with_any_starting_dice_ends_with_one_winner(dice: int, walk: Walk) -> None:
    *_, last = walk(replace(BOXED, starting_dice=dice), 3, random.Random(dice))
    assert last.position.phase is Phase.OVER
    assert last.position.living == (last.position.winner,)


@given(seed=SEEDS)
@settings(max_examples=30)
def test_one_seed_gives_one_match(seed: int, journey: Journey) -> None:
    first, second = ([str(match.position) for match, _ in journey(seed)] for _ in range(2))
    assert first == second


def error_of(match: Match, seat: int, action: Action) -> DudoError | None:
    try:
        check(match.position, seat, action)
    except DudoError as error:
        return error
    return None
