"""The likely actions are near: how many presses they take, over a handful of matches of sensible opponents."""

from functools import cache
from statistics import mean

import pytest
from support import rest_slow
from support.table.presses import Turn, counted, match, presses

from engine import BOXED, DUDO, KILL_SPOT, PALO_FIJO, PYRUDO, RULESETS, Bid, Rules
from firmware_host.table.seat.menu import Menu, bidding_menu

every_rule_set = pytest.mark.parametrize("rules", rest_slow(*RULESETS.values()), ids=str)
with_and_without = pytest.mark.parametrize("dudo_button", [True, False])


@cache
def turns(rules: Rules) -> list[Turn]:
    """Return decisions, about as many at two seats as at four and at eight."""
    return [
        turn
        for seats, matches in ((2, 10), (4, 4), (8, 2))
        for seed in range(matches)
        for turn in match(rules, seats, seed)
    ]


@cache
def taken(rules: Rules, *, dudo_button: bool) -> dict[str, list[int]]:
    """Return the presses of each kind of action."""
    found: dict[str, list[int]] = {}
    for what, number in counted(turns(rules), dudo_button=dudo_button):
        found.setdefault(what, []).append(number)
    return found


@cache
def over_all(rules: Rules, *, dudo_button: bool) -> float:
    found = taken(rules, dudo_button=dudo_button)
    return mean([number for what, numbers in found.items() if what != "least raise" for number in numbers])


@every_rule_set
def test_an_action_takes_three_presses_at_most_in_the_mean(rules: Rules) -> None:
    assert over_all(rules, dudo_button=True) <= 3


@every_rule_set
def test_without_a_dudo_button_it_takes_little_more(rules: Rules) -> None:
    # A quarter of all actions are doubts, each one press more; a raise in palo-fijo and boxed may be on any face.
    assert over_all(rules, dudo_button=False) <= (3.2 if rules in (PALO_FIJO, BOXED) else 3)


@every_rule_set
@with_and_without
def test_a_least_raise_is_the_ok_alone(rules: Rules, dudo_button: bool) -> None:
    assert set(taken(rules, dudo_button=dudo_button)["least raise"]) == {1}


@every_rule_set
@with_and_without
def test_dudo_is_one_press_with_a_button_of_its_own_and_two_without(rules: Rules, dudo_button: bool) -> None:
    assert max(taken(rules, dudo_button=dudo_button)["dudo"]) == (1 if dudo_button else 2)


@every_rule_set
def test_every_decision_of_an_opponent_is_in_the_menu(rules: Rules) -> None:
    for position, seat, action in turns(rules):
        menu = bidding_menu(position, seat, dudo_button=False)
        assert action in menu.items or (isinstance(action, Bid) and action.quantity > position.in_play)


# The count itself


LINE = Menu((DUDO, *(Bid(quantity, face) for quantity in range(1, 9) for face in range(1, 7))), 1)


@pytest.mark.parametrize(
    ("item", "number"),
    [
        (Bid(1, 1), 1),  # OK
        (Bid(1, 2), 2),  # ▶ OK
        (DUDO, 2),  # ◀ OK
        (Bid(2, 1), 3),  # ▶ held for one step, OK
        (Bid(5, 1), 6),  # ▶ held for four steps
        (Bid(3, 2), 5),  # held for two, and one ▶
        (Bid(2, 6), 5),  # held for two, and one ◀
    ],
    ids=str,
)
def test_each_press_counts_and_each_step_of_a_held_arrow(item: Bid, number: int) -> None:
    assert presses(LINE, item) == number


@pytest.mark.parametrize("rules", [PYRUDO, KILL_SPOT], ids=str)
def test_one_seed_is_one_match(rules: Rules) -> None:
    assert list(match(rules, 3, 5)) == list(match(rules, 3, 5))
