"""Whole matches through `Table`, from the lobby to the winner, in milliseconds: every rule set and size of table."""

import random
from dataclasses import replace

import pytest
from support.table.harness import TableHarness

from drivers.messages import Device
from engine import RULESETS, Rules
from firmware_host.table.events import RoundBegan
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import MatchBegan, MatchWon

every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
every_size = pytest.mark.parametrize(
    ("seats", "dudo_button", "dice"),
    [
        (2, True, 5),
        *(pytest.param(*table, marks=pytest.mark.slow) for table in ((2, False, 5), (4, True, 3), (8, False, 2))),
        *(pytest.param(*table, marks=pytest.mark.soak) for table in ((4, False, 5), (8, True, 5))),
    ],
)


@every_rule_set
@every_size
def test_an_evening_of_chance_ends_with_one_winner(rules: Rules, seats: int, dudo_button: bool, dice: int) -> None:
    harness = TableHarness(replace(rules, starting_dice=dice), seats, dudo_button=dudo_button, seed=seats)
    harness.joined().until_over(random.Random(seats))
    won = harness.events_of(MatchWon)
    assert len(won) == 1
    assert [seat for seat in range(seats) if harness.position.dice[seat]] == [won[0].seat]
    assert sorted(won[0].standings) == list(range(seats))
    assert won[0].standings[0] == won[0].seat


def story(seed: int) -> list[str]:
    harness = TableHarness(RULESETS["perudo"], 4, seed=seed)
    return [str(event) for event in harness.joined().until_over(random.Random(seed)).events]


@pytest.mark.slow
def test_one_seed_is_one_story() -> None:
    assert story(3) == story(3)
    assert story(3) != story(4)


@pytest.mark.slow
def test_an_evening_has_as_many_matches_as_people_like() -> None:
    harness = TableHarness(RULESETS["pyrudo"], 3).joined()
    for _ in range(3):
        harness.until_over(harness.rng)
        harness[1].pick(MenuCommand.AGAIN)
        assert harness.scene is SceneName.LOBBY
        harness[2].pick(MenuCommand.START)
        harness.wait(5)
    assert len(harness.events_of(MatchWon)) == 3
    names = [began.match for began in harness.events_of(MatchBegan)]
    assert len(set(names)) == len(names) == 4


def test_a_match_can_be_played_among_some_of_the_seats() -> None:
    harness = TableHarness(RULESETS["kill-spot"], 8).joined(6, 1, 3).until_over(random.Random(0))
    assert sorted(harness.events_of(MatchWon)[0].standings) == [1, 3, 6]
    assert {began.first for began in harness.events_of(RoundBegan)} <= {1, 3, 6}


@every_rule_set
def test_an_evening_without_any_cup_is_played_with_buttons_alone(rules: Rules) -> None:
    harness = TableHarness(rules, 3)
    for hand in harness:
        hand.lose(Device.CUP)
    harness.joined().until_over(random.Random(1))
    assert harness.scene is SceneName.OVER


@pytest.mark.slow
def test_who_went_out_first_stands_last() -> None:
    harness = TableHarness(RULESETS["perudo"], 6, seed=5).joined().until_over(random.Random(5))
    fallen = [harness.game.players[player] for player in harness.game.fallen]
    assert list(harness.events_of(MatchWon)[0].standings[1:]) == fallen[::-1]
