"""The strong opponent plays legally under any rules, knows no hidden die, and weighs few actions."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import tanh

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CALZA,
    DUDO,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PASS,
    PERUDO,
    RULESETS,
    Action,
    Bid,
    Hand,
    Match,
    Phase,
    RoundKind,
    Rules,
)
from engine.match import View, visible_seats
from engine.opponents import find
from engine.opponents.strong import advise, choose, explain
from engine.opponents.strong.beliefs import Beliefs, at_least, exactly
from engine.opponents.strong.end_games import solution
from engine.opponents.strong.evaluation import Evaluator
from engine.opponents.strong.network import Network, networks_for
from engine.opponents.strong.values import win_chance

Put = Callable[..., Match]
Walk = Callable[..., Iterator[Match]]
SEEDS = st.integers(0, 2**32)
MAX_PLAUSIBLE = 6 * 6 + 2  # six bids a face, and calls


# Legal and blind to what is hidden


@given(seed=SEEDS)
@settings(max_examples=15)
def test_in_turn_there_is_a_legal_action_and_out_of_turn_a_call_or_none(
    seed: int, decide_legally: Callable[..., None]
) -> None:
    decide_legally(choose, seed, 40)


@given(seed=SEEDS)
@settings(max_examples=25)
def test_the_choice_is_the_same_whatever_lies_under_the_other_cups(
    seed: int, walk: Walk, random_rules: Callable[[random.Random], Rules]
) -> None:
    rng = random.Random(seed)
    rules = rng.choice([*RULESETS.values()]) if rng.random() < 0.4 else random_rules(rng)
    for match in walk(rules, rng.randint(2, 5), rng, most=15):
        if match.position.phase is not Phase.BIDDING:
            continue
        for seat in match.position.living:
            forked = _with_other_dice(match, seat, rng)
            first, second = [choose(each.view(seat), random.Random(seed)) for each in (match, forked)]
            assert first == second


def _with_other_dice(match: Match, seat: int, rng: random.Random) -> Match:
    position, allowed = match.position, visible_seats(match.position, seat)
    hands = [
        match._hands[other] if other in allowed else Hand(rng.randint(1, 6) for _ in range(dice))
        for other, dice in enumerate(position.dice)
    ]
    return Match(position, tuple(hands), match.history)


def test_it_has_a_name() -> None:
    assert find("strong").choose is choose


def test_what_it_explains_is_what_it_chooses(put: Put) -> None:
    match = put(PERUDO, [(1, 2, 3, 4, 5), 5, 5]).play(0, Bid(3, 5))
    action, why = explain(match.view(1), random.Random(1))
    assert action == choose(match.view(1), random.Random(1))
    assert "3x5 holds by" in why


def test_a_match_in_the_middle_of_a_round_is_played_on_without_its_history(put: Put) -> None:
    view = put(PERUDO, [5, (2, 2, 3, 4, 6), 5], bid=Bid(4, 2)).view(1)
    assert choose(view, random.Random(0)) in view.legal


# Sense


def answers(match: Match, seat: int) -> Counter[Action | None]:
    return Counter(choose(match.view(seat), random.Random(seed)) for seed in range(60))


def test_a_bid_that_can_not_hold_is_doubted(put: Put) -> None:
    assert answers(put(PERUDO, [5, (3, 4, 4, 5, 6)], bid=Bid(7, 2)), 1) == {DUDO: 60}


@pytest.mark.parametrize("rules", [*RULESETS.values()], ids=str)
@pytest.mark.parametrize("seats", [3, 8])
def test_a_bid_that_hardly_holds_is_doubted_under_any_rules(rules: Rules, seats: int, put: Put) -> None:
    view = put(rules, [5, (3, 4, 4, 5, 6), *[5] * (seats - 2)], bid=Bid(5 * seats - 1, 2)).view(1)
    assert {choose(view, random.Random(seed)) for seed in range(10)} == {DUDO}


def test_a_bid_that_lies_under_the_own_cup_is_not_doubted(put: Put) -> None:
    assert DUDO not in answers(put(PERUDO, [5, (2, 2, 2, 5, 6)], bid=Bid(2, 2)), 1)


def test_calza_is_not_called_at_five_dice_for_nothing(put: Put) -> None:
    assert CALZA not in answers(put(PERUDO, [5, (2, 2, 3, 4, 5)], bid=Bid(4, 2)), 1)


def test_a_pass_with_fewer_than_five_dice_is_doubted(put: Put) -> None:
    assert answers(put(PALO_FIJO, [5, 4, (2, 3, 4, 5, 6)], bid=Bid(3, 2)).play(1, PASS), 2)[DUDO] > 50


def test_the_owner_takes_the_round_in_which_the_others_know_least(put: Put) -> None:
    match = put(KILL_SPOT, [2, 5, 5], bid=Bid(30, 6)).play(1, DUDO)
    assert answers(match, 0) == {RoundKind.OPEN: 60}


def test_one_bid_in_ten_or_more_is_on_a_face_of_which_it_holds_no_die(roll: Callable[..., Match]) -> None:
    bluffs: Counter[bool] = Counter()
    for seed in range(10):
        rng, match = random.Random(seed), Match.start(PERUDO, 2)
        while match.position.phase is not Phase.OVER:
            seat = match.position.turn
            if seat is None:
                match = roll(match, rng)
                continue
            view = match.view(seat)
            action = choose(view, rng)
            assert action is not None
            if isinstance(action, Bid) and view.own:
                bluffs[not view.own.matching(action.face, wilds=True)] += 1
            match = match.play(seat, action)
    assert bluffs[True] > 0.1 * bluffs.total()


# Beliefs


def mean(counts: tuple[float, ...]) -> float:
    return sum(number * chance for number, chance in enumerate(counts))


def test_a_bid_makes_its_face_likelier_under_the_cup_of_its_bidder_alone(put: Put) -> None:
    beliefs = Beliefs(put(PERUDO, [5, 5, 5]).play(0, Bid(3, 4)).view(1))
    assert mean(beliefs.counts(0, 4)) > 2 > 5 / 3 > mean(beliefs.counts(0, 5))
    assert mean(beliefs.counts(2, 4)) == pytest.approx(5 / 3)


def test_a_raise_makes_the_face_likelier_that_its_bidder_did_not_doubt(put: Put) -> None:
    match = put(OBLIGING, [5, 5, 5]).play(0, Bid(5, 4))
    beliefs = [Beliefs(match.play(1, bid).view(2)) for bid in (Bid(5, 6), Bid(6, 6))]
    assert all(mean(each.counts(1, 4)) > mean(each.counts(1, 3)) for each in beliefs)


def test_in_an_open_round_a_bid_speaks_of_the_dice_that_its_bidder_sees(put: Put) -> None:
    match = put(KILL_SPOT, [(1,), 5, 5], kind=RoundKind.OPEN, owner=0).play(0, Bid(3, 4))
    beliefs = Beliefs(match.view(1))
    assert mean(beliefs.counts(1, 4)) > 5 / 6
    assert mean(beliefs.counts(0, 4)) == pytest.approx(1 / 6)


@pytest.mark.parametrize("seats", [frozenset({0}), frozenset({1, 2}), frozenset({0, 1, 2})])
def test_the_chances_of_all_counts_sum_to_one(seats: frozenset[int], put: Put) -> None:
    match = put(PERUDO, [5, 3, 4]).play(0, Bid(3, 4)).play(1, Bid(4, 4))
    tails, dice = Beliefs(match.view(2)).tails(seats, 4), sum(match.position.dice[seat] for seat in seats)
    assert sum(exactly(tails, number) for number in range(dice + 1)) == pytest.approx(1)
    assert at_least(tails, 0) == pytest.approx(1)
    assert 1 > at_least(tails, 1) > at_least(tails, dice) > at_least(tails, dice + 1) == 0


@pytest.mark.parametrize("bid", [Bid(2, 1), Bid(4, 3), Bid(9, 6)])
def test_a_coming_bid_of_ours_is_read_as_one_that_was_made(bid: Bid, put: Put) -> None:
    match = put(PALO_FIJO, [5, 4, 5]).play(0, Bid(3, 4))
    coming = Beliefs(match.view(1)).counts(1, bid.face, bid)
    assert coming == pytest.approx(Beliefs(match.play(1, bid).view(1)).counts(1, bid.face))


def test_more_dice_are_a_better_chance_to_win() -> None:
    assert 0 == win_chance(0, (5,)) < win_chance(2, (5,)) < win_chance(5, (5,)) == pytest.approx(0.5)
    assert win_chance(5, (5,) * 7) == pytest.approx(1 / 8)
    assert win_chance(3, ()) == 1


# Networks


def test_a_network_adds_bent_sums_to_a_straight_one() -> None:
    network = Network(linear=[1, 10, 0.5], units=[[1, 1, 0], [0, 0, -1]], outputs=[2, 3])
    assert network.worth((0.25, 0.75)) == pytest.approx(8.25 + 2 * tanh(1) - 3 * tanh(1))


@pytest.mark.parametrize("living", [2, 3])
@pytest.mark.parametrize("rules", [*RULESETS.values(), replace(PERUDO, to_aces="half")], ids=str)
def test_each_network_weighs_each_input(rules: Rules, living: int, put: Put) -> None:
    view = put(rules, [5, (2, 3, 4, 4, 6), *[5] * (living - 2)], bid=Bid(3, 4)).view(1)
    evaluator, networks = Evaluator(view), networks_for(rules, living)
    assert networks
    for network, inputs in (
        (networks.bid, evaluator.bid_inputs(Bid(4, 4))),
        (networks.doubt, evaluator.doubt_inputs()),
    ):
        assert {len(inputs) + 1} == {len(row) for row in (network.linear, *network.units)}
        assert len(network.units) == len(network.outputs)


def test_the_rises_of_a_round_are_counted_from_the_lowest_bids(put: Put) -> None:
    match = put(OBLIGING, [5, 5, 5]).play(0, Bid(5, 4)).play(1, Bid(6, 4)).play(2, Bid(8, 5))
    beliefs = Beliefs(match.view(0))
    assert (beliefs.jumps, beliefs.stays) == ([0, 0, 2], 1)


def test_who_bids_the_lowest_probable_bid_is_told_from_who_bids_a_likely_one(put: Put) -> None:
    match = put(OBLIGING, [5, 5, 5])
    (_, _, lowest), unread = Beliefs(match.play(0, Bid(5, 4)).view(1)).types(), Beliefs(match.view(0)).types()
    assert unread == pytest.approx([1 / 3] * 3)
    assert Beliefs(match.play(0, Bid(1, 2)).view(1)).types()[2] > 1 / 3 > lowest


# An end to every match


@pytest.mark.slow
def test_a_match_among_those_who_call_for_nothing_ends(roll: Callable[..., Match]) -> None:
    rng, match = random.Random(1), Match.start(KILL_SPOT, 3)
    while match.position.phase is not Phase.OVER:
        assert match.position.number < 200
        if match.position.rolling:
            match = roll(match, rng)
            continue
        seats = sorted(match.position.living, key=lambda seat: seat != match.position.turn)
        actions = ((seat, choose(match.view(seat), rng)) for seat in seats)
        match = match.play(*next((seat, action) for seat, action in actions if action is not None))


# The time of a decision


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_a_decision_weighs_a_limited_number_of_actions(seats: int, put: Put) -> None:
    for standing in (None, Bid(1, 2), Bid(2 * seats, 3), Bid(10**40, 6)):
        view = put(PALO_FIJO, [5] * seats, bid=standing).view(1)
        assert len([*Evaluator(view).plausible()]) <= MAX_PLAUSIBLE


# End games


@pytest.mark.parametrize("rules", [*RULESETS.values()], ids=str)
def test_one_die_against_one_is_played_as_solved(rules: Rules, put: Put) -> None:
    view = put(rules, [(6,), (2,)]).view(0)
    solved = solution(view)
    assert solved
    assert set(solved) <= set(view.legal)
    assert sum(solved.values()) == pytest.approx(1)
    assert {choose(view, random.Random(seed)) for seed in range(40)} <= set(solved)


@pytest.mark.parametrize("hands", [[(2, 2, 3, 5, 6), 3], [(1,), 4], [(1, 2, 6, 6), 4]], ids=lambda hands: len(hands[0]))
def test_at_perudo_two_players_draw_from_the_tables_up_to_eight_dice(
    hands: list[tuple[int, ...] | int], put: Put
) -> None:
    for view in (put(PERUDO, hands).view(0), put(PERUDO, hands[::-1]).play(0, Bid(2, 3)).view(1)):
        solved = solution(view)
        assert solved
        assert set(solved) <= set(view.legal)
        assert sum(solved.values()) == pytest.approx(1)


def test_a_house_with_other_rules_or_a_third_player_is_not_in_the_tables(put: Put) -> None:
    assert solution(put(replace(PERUDO, to_aces="half"), [(6,), (2,)]).view(0)) is None
    assert solution(put(PERUDO, [(6,), (2,), (3,)]).view(0)) is None


def test_before_a_look_at_the_own_dice_nothing_is_drawn_from_the_tables(put: Put) -> None:
    view = put(PERUDO, [(6,), (2,)]).view(0)
    assert solution(View(view.position, 0, (None, None), view.history)) is None


def test_a_bid_that_hardly_ever_holds_is_doubted(put: Put) -> None:
    assert solution(put(PERUDO, [(2, 3), (2, 2)]).play(0, Bid(4, 2)).view(1)) == {DUDO: 1.0}


def test_the_explanation_tells_how_often_it_bluffs(put: Put) -> None:
    explained = [explain(put(PERUDO, [(face,), (2,)]).view(0), random.Random(1))[1] for face in range(2, 7)]
    assert all(why.startswith("drawn from the tables: ") for why in explained)
    assert any(re.search(r"; (one time in \w+|in \d+% of all cases|always) it bluffs here", why) for why in explained)


# Advice


@pytest.mark.parametrize("dice", [(1, 1), (5, 5), (5, 4, 3)], ids=str)
def test_advice_is_the_same_for_the_same_view_and_has_a_chance(dice: tuple[int, ...], put: Put) -> None:
    own = (6, 3, 3, 2, 1)[: dice[0]]
    views = [put(PERUDO, [own, *dice[1:]]).view(0) for _ in range(3)]
    assert len({advise(view) for view in views}) == 1
    action, chance = advise(views[0])
    assert action in views[0].legal
    assert chance is not None
    assert 0 <= chance <= 1
