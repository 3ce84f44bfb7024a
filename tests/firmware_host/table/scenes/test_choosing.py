"""Somebody has earned a special round: the choice, and what becomes of it when the chooser is gone."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device
from engine import KILL_SPOT, PALO_FIJO, PERUDO, Bid, Reason, RoundKind, Rules
from firmware_host.table.events import ActionTaken, RoundBegan
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import ChoiceAwaited

both = pytest.mark.parametrize("rules", [KILL_SPOT, PALO_FIJO], ids=str)


def to_choose(rules: Rules = KILL_SPOT) -> TableHarness:
    """Seat 1 of four fell from two dice to one, seat 3 is out, the reveal is over."""
    harness = lay_out(rules, [(2, 2, 2), (5, 5), (4, 4, 4), ()], Bid(7, 6), by=1, fallen=(3,))
    harness[2].press(Button.DUDO)
    harness.told()
    harness.wait(1)
    for seat in range(3):
        harness[seat].tap()
    return harness


@both
def test_the_owner_is_awaited_and_has_the_choices(rules: Rules) -> None:
    harness = to_choose(rules)
    assert harness.scene is SceneName.CHOOSING
    assert harness[0].view.waiting_for == (1,)
    assert harness[1].menu.items == rules.choices
    assert harness.events_of(ChoiceAwaited) == [ChoiceAwaited(1, rules.choices)]


@both
def test_nobody_else_has_anything_to_choose(rules: Rules) -> None:
    harness = to_choose(rules)
    assert [harness[seat].menu.items for seat in (0, 2, 3)] == [()] * 3


@both
def test_another_seats_ok_is_refused(rules: Rules) -> None:
    harness = to_choose(rules)
    harness[0].tap()
    assert harness.scene is SceneName.CHOOSING
    assert harness[0].notice is Reason.NOT_THE_OWNER


def test_the_owners_dudo_is_refused() -> None:
    harness = to_choose()
    harness[1].tap(Button.DUDO)
    assert harness[1].notice is Reason.CHOICE_FIRST


def test_who_is_out_is_told_so() -> None:
    harness = to_choose()
    harness[3].tap()
    assert harness[3].notice is Reason.OUT
    harness[0].shake()
    harness[3].shake()
    assert harness[3].notice is Reason.OUT


def test_a_shake_that_ends_the_reveal_chooses_nothing() -> None:
    harness = lay_out(KILL_SPOT, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1)
    harness[2].press(Button.DUDO)
    harness.revealed()
    harness.wait(3)
    harness[0].shake()
    assert harness.scene is SceneName.CHOOSING
    assert harness[0].notice is TableReason.CHOICE_FIRST


@both
def test_a_shake_before_the_choice_is_refused(rules: Rules) -> None:
    harness = to_choose(rules)
    harness[0].shake()
    assert harness.scene is SceneName.CHOOSING
    assert harness[0].notice is TableReason.CHOICE_FIRST


@pytest.mark.parametrize(
    ("rules", "kind"), [(rules, kind) for rules in (KILL_SPOT, PALO_FIJO) for kind in rules.choices]
)
def test_the_chosen_round_is_played(rules: Rules, kind: RoundKind) -> None:
    harness = to_choose(rules)
    harness[1].pick(kind)
    began = harness.events_of(RoundBegan)[-1]
    assert (began.kind, began.first) == (kind, 1)
    assert ActionTaken(1, kind) in harness.events
    assert harness.scene is SceneName.SHAKING


def test_without_a_clock_the_table_waits_for_the_owner_as_long_as_anybody_is_there() -> None:
    harness = to_choose()
    harness.wait(3590)
    assert harness.scene is SceneName.CHOOSING


@pytest.mark.parametrize("device", [Device.BUTTONS, Device.BOARD])
def test_an_owner_whose_buttons_are_gone_for_ten_seconds_plays_a_normal_round(device: Device) -> None:
    harness = to_choose()
    harness[1].lose(device)
    harness.wait(9.9)
    assert harness.scene is SceneName.CHOOSING
    harness.wait(0.1)
    assert harness.scene is SceneName.SHAKING
    began = harness.events_of(RoundBegan)[-1]
    assert (began.kind, began.owner, began.first) == (RoundKind.NORMAL, None, 1)
    assert 1 in harness.position.special_used


def test_buttons_found_again_in_time_cost_nothing() -> None:
    harness = to_choose()
    harness[1].lose()
    harness.wait(9.9)
    harness[1].find()
    harness.wait(60)
    harness[1].pick(RoundKind.BLIND)
    assert harness.events_of(RoundBegan)[-1].kind is RoundKind.BLIND


def test_buttons_lost_twice_have_ten_seconds_each_time() -> None:
    harness = to_choose()
    harness[1].lose()
    harness.wait(9)
    harness[1].find()
    harness[1].lose()
    harness.wait(9)
    assert harness.scene is SceneName.CHOOSING


def test_buttons_that_are_reported_lost_again_do_not_get_more_time() -> None:
    harness = to_choose()
    harness[1].lose()
    harness.wait(9)
    harness[1].lose()
    harness.wait(1)
    assert harness.scene is SceneName.SHAKING


@pytest.mark.parametrize("device", [Device.CUP, Device.PANEL])
def test_an_owner_without_cup_or_panel_can_still_choose(device: Device) -> None:
    harness = to_choose()
    harness[1].lose(device)
    harness.wait(60)
    assert harness.scene is SceneName.CHOOSING


def test_another_seats_lost_buttons_do_not_matter() -> None:
    harness = to_choose()
    harness[0].lose()
    harness.wait(60)
    assert harness.scene is SceneName.CHOOSING


def test_an_owner_whose_buttons_were_lost_before_has_ten_seconds_from_the_choice_on() -> None:
    harness = lay_out(KILL_SPOT, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1)
    harness[1].lose()
    harness[2].press(Button.DUDO)
    harness.told()
    harness.wait(30)
    assert harness.scene is SceneName.CHOOSING
    harness.wait(10)
    assert harness.scene is SceneName.SHAKING


def test_a_table_that_comes_up_in_a_choice_asks_again() -> None:
    harness = TableHarness(KILL_SPOT, 4, scene=to_choose().table.scene)
    assert harness.events_of(ChoiceAwaited) == [ChoiceAwaited(1, KILL_SPOT.choices)]
    harness[1].pick(RoundKind.OPEN)
    assert harness.events_of(RoundBegan)[-1].kind is RoundKind.OPEN


def test_where_there_is_one_special_round_nobody_is_asked() -> None:
    harness = lay_out(PERUDO, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1)
    harness[2].press(Button.DUDO)
    harness.wait(40)
    assert harness.scene is SceneName.SHAKING
    assert harness.events_of(RoundBegan)[-1].kind is RoundKind.FIXED_FACE
