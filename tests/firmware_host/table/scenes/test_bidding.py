"""Bids, passes and calls: what a press does in turn, out of turn, and where it may not."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device
from engine import (
    BOXED,
    CALZA,
    DUDO,
    KILL,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PASS,
    PERUDO,
    PYRUDO,
    RULESETS,
    SPOT,
    Bid,
    Reason,
    RoundKind,
    Rules,
)
from firmware_host.table.effects import Record
from firmware_host.table.events import ActionTaken
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import Missing, SceneName, TableReason
from firmware_host.wire import DeviceFound, DeviceLost

every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
in_turn_only = pytest.mark.parametrize("rules", [PYRUDO, OBLIGING, PALO_FIJO], ids=str)
THREE = [(2, 3, 4, 5, 6)] * 3


@every_rule_set
def test_ok_alone_is_the_least_raise(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(3, 3))
    bids = [item for item in harness[1].menu.items if isinstance(item, Bid)]
    harness[1].tap()
    assert harness.position.standing == bids[0] == Bid(1 if rules is KILL_SPOT else 3, 4)


@pytest.mark.parametrize(
    ("rules", "dice", "opening"),
    [(PERUDO, 10, 3), (PERUDO, 20, 5), (PERUDO, 40, 8), (KILL_SPOT, 10, 2), (KILL_SPOT, 20, 3), (KILL_SPOT, 40, 5)],
    ids=str,
)
def test_ok_alone_opens_with_half_of_what_the_odds_give_and_two(rules: Rules, dice: int, opening: int) -> None:
    harness = lay_out(rules, [(2, 3, 4, 5, 6)] * (dice // 5))
    harness[0].tap()
    assert harness.position.standing == Bid(opening, 4)


def test_the_last_two_dice_open_with_both() -> None:
    assert lay_out(PERUDO, [(2,), (3,)])[0].menu.chosen == Bid(2, 4)


@every_rule_set
def test_a_bid_is_durable_told_and_passes_the_turn(rules: Rules) -> None:
    harness = lay_out(rules, THREE)
    harness[0].pick(Bid(2, 3))
    assert harness.events_of(ActionTaken) == [ActionTaken(0, Bid(2, 3))]
    assert (harness.position.standing, harness.position.turn) == (Bid(2, 3), 1)
    assert harness.records[-1] == harness.table.scene
    assert [hand.view.position for hand in harness] == [harness.position] * 3


@every_rule_set
def test_only_the_seat_in_turn_may_bid(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(2, 3))
    assert not any(isinstance(item, Bid) for item in harness[2].menu.items + harness[0].menu.items)
    assert any(isinstance(item, Bid) for item in harness[1].menu.items)


@in_turn_only
def test_ok_out_of_turn_is_refused_at_that_seat_alone(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(2, 3))
    before = harness.table.scene
    harness[2].tap()
    assert [hand.notice for hand in harness] == [None, None, Reason.NOT_IN_TURN]
    assert harness.table.scene == before
    assert harness.records == []


@in_turn_only
def test_dudo_out_of_turn_is_refused_at_that_seat_alone(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(2, 3))
    harness[2].tap(Button.DUDO)
    assert [hand.notice for hand in harness] == [None, None, Reason.NOT_IN_TURN]
    assert harness.scene is SceneName.BIDDING


@every_rule_set
def test_dudo_of_the_own_bid_is_refused(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(2, 3))
    harness[0].tap(Button.DUDO)
    assert harness[0].notice is Reason.OWN_BID
    assert harness.scene is SceneName.BIDDING


@every_rule_set
def test_dudo_without_a_bid_is_refused(rules: Rules) -> None:
    harness = lay_out(rules, THREE)
    harness[0].tap(Button.DUDO)
    assert harness[0].notice is Reason.NO_BID_YET


@every_rule_set
def test_dudo_in_turn_lifts_all_cups(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(2, 3))
    harness[1].press(Button.DUDO)
    harness.revealed()
    assert harness.scene is SceneName.REVEAL
    assert harness.events_of(ActionTaken) == [ActionTaken(1, DUDO)]


def test_in_kill_spot_anybody_but_the_bidder_doubts() -> None:
    harness = lay_out(KILL_SPOT, THREE, Bid(2, 3))
    harness[2].press(Button.DUDO)
    harness.revealed()
    assert harness.scene is SceneName.REVEAL


@pytest.mark.parametrize("call", [KILL, SPOT, DUDO])
def test_in_kill_spot_all_calls_are_in_the_menu_out_of_turn(call: object) -> None:
    harness = lay_out(KILL_SPOT, THREE, Bid(2, 3), dudo_button=False)
    assert call in harness[2].menu.items


def test_in_perudo_calza_is_offered_out_of_turn_and_dudo_is_not() -> None:
    harness = lay_out(PERUDO, THREE, Bid(2, 3), dudo_button=False)
    assert harness[2].menu.items == (CALZA, MenuCommand.WAIT)


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO], ids=str)
def test_a_stray_ok_out_of_turn_calls_nothing_and_says_why(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(2, 3))
    assert harness[2].menu.chosen is MenuCommand.WAIT
    harness[2].tap()
    assert harness.scene is SceneName.BIDDING
    assert harness[2].notice is Reason.NOT_IN_TURN


def test_the_bidder_can_call_nothing() -> None:
    assert lay_out(KILL_SPOT, THREE, Bid(2, 3))[0].menu.items == ()


@every_rule_set
def test_a_menu_in_turn_is_never_empty(rules: Rules) -> None:
    for bid in (None, Bid(15, 6), Bid(400, 6), Bid(15, 1)):
        for dudo_button in (True, False):
            assert lay_out(rules, THREE, bid, dudo_button=dudo_button).turn.menu.items


def test_with_a_bid_at_the_dice_in_play_the_menu_holds_calls_only() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(15, 1), dudo_button=False)
    assert harness[1].menu.items == (CALZA, DUDO)


def test_a_seat_with_a_dudo_button_has_no_dudo_in_its_menu() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    assert DUDO not in harness[1].menu.items


def test_bids_go_up_by_what_they_claim_and_a_wild_ace_claims_twice_as_much() -> None:
    menu = lay_out(PYRUDO, THREE, Bid(3, 3))[1].menu
    assert menu.items[menu.cursor :][:7] == (
        Bid(3, 4),
        Bid(3, 5),
        Bid(3, 6),
        Bid(2, 1),
        Bid(4, 3),
        Bid(5, 3),
        Bid(3, 1),
    )


def test_where_aces_are_not_wild_they_are_the_lowest_face() -> None:
    items = lay_out(KILL_SPOT, THREE)[0].menu.items
    assert items[:7] == (Bid(1, 1), Bid(1, 2), Bid(1, 3), Bid(1, 4), Bid(1, 5), Bid(1, 6), Bid(2, 1))


def test_where_dudo_is_all_there_is_ok_doubts_in_spite_of_the_button() -> None:
    harness = lay_out(PALO_FIJO, [(2,), (3,), (4, 4)], Bid(4, 1))
    harness[1].pick(PASS)
    assert harness[2].menu.items == (DUDO,)
    harness[2].tap()
    assert harness.events_of(ActionTaken)[-1] == ActionTaken(2, DUDO)


def test_without_a_dudo_button_dudo_is_one_step_back() -> None:
    harness = lay_out(PERUDO, THREE, Bid(2, 3), dudo_button=False)
    harness[1].tap(Button.LEFT)
    harness[1].tap()
    assert harness.events_of(ActionTaken) == [ActionTaken(1, DUDO)]


def test_the_cursor_stops_at_both_ends_so_that_no_thumb_bids_the_whole_table() -> None:
    harness = lay_out(PERUDO, THREE)
    items = harness[0].menu.items
    harness[0].hold(Button.LEFT, for_s=20)
    assert harness[0].menu.chosen == items[0]
    harness[0].hold(Button.RIGHT, for_s=20)
    assert harness[0].menu.chosen == items[-1]


@pytest.mark.parametrize("rules", [PERUDO, KILL_SPOT], ids=str)
def test_without_a_button_dudo_is_one_step_from_the_least_raise(rules: Rules) -> None:
    harness = lay_out(rules, THREE, Bid(3, 3), dudo_button=False)
    harness[1].tap(Button.LEFT)
    assert harness[1].menu.chosen is DUDO


def test_a_step_takes_the_notice_away() -> None:
    harness = lay_out(KILL_SPOT, THREE, Bid(2, 3))
    harness[0].tap(Button.DUDO)
    assert harness[0].notice is Reason.OWN_BID
    harness[0].tap(Button.RIGHT)
    assert harness[0].notice is None


def test_an_arrow_steps_by_faces_and_held_it_runs_by_dice() -> None:
    harness = lay_out(PALO_FIJO, THREE, Bid(3, 3))
    assert harness[1].menu.chosen == Bid(3, 4)
    shown = []
    harness[1].press(Button.RIGHT)
    for _ in range(5):
        shown.append(harness[1].menu.chosen)
        harness.wait(0.25)
    assert shown == [Bid(3, 5), Bid(3, 5), Bid(4, 4), Bid(5, 4), Bid(6, 4)]


def test_held_back_it_runs_down_to_the_least_bid_and_not_into_the_calls() -> None:
    harness = lay_out(PALO_FIJO, THREE, Bid(3, 3), dudo_button=False)
    harness[1].point_at(Bid(9, 4))
    harness[1].hold(Button.LEFT, for_s=10)
    assert harness[1].menu.chosen == Bid(3, 4)


def test_an_arrow_held_on_a_call_walks_along_the_calls() -> None:
    harness = lay_out(PERUDO, THREE, Bid(2, 3), dudo_button=False)
    harness[1].hold(Button.LEFT, for_s=5)
    assert harness[1].menu.chosen is CALZA


def test_where_the_face_cannot_stay_it_runs_to_the_nearest() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(3, 3))
    assert harness[1].menu.chosen == Bid(3, 4)
    harness[1].hold(Button.RIGHT, for_s=0.5)
    assert harness[1].menu.chosen == Bid(4, 3)


def test_forty_dice_are_seconds_away() -> None:
    harness = lay_out(PERUDO, [(2, 3, 4, 5, 6)] * 8)
    harness[0].hold(Button.RIGHT, for_s=5.6)
    assert harness[0].menu.chosen == Bid(40, 4)


def test_what_was_pressed_before_a_new_menu_is_not_where_a_held_arrow_begins() -> None:
    harness = lay_out(PALO_FIJO, THREE, Bid(2, 3))
    harness[2].press(Button.RIGHT)
    harness[1].tap()
    least = harness[2].menu.chosen
    assert isinstance(least, Bid)
    harness.wait(0.35)
    assert harness[2].menu.chosen == Bid(least.quantity + 1, least.face)


def test_an_arrow_is_nobody_elses_business() -> None:
    harness = lay_out(PERUDO, THREE)
    harness[0].tap(Button.RIGHT)
    assert harness[1].menu.cursor == harness[2].menu.cursor == 0
    assert harness.records == []


def test_a_new_turn_begins_at_the_likeliest_item() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].pick(Bid(3, 3))
    assert harness[1].menu.chosen == Bid(3, 4)


@pytest.mark.parametrize(
    ("rules", "dice", "kind", "offered"),
    [
        (PERUDO, (5, 5, 5), RoundKind.NORMAL, Bid(4, 4)),
        (PERUDO, (1, 1, 0), RoundKind.NORMAL, Bid(2, 4)),
        (KILL_SPOT, (5, 5, 5), RoundKind.NORMAL, Bid(3, 4)),
        (KILL_SPOT, (1, 1, 0), RoundKind.NORMAL, Bid(1, 4)),
        (KILL_SPOT, (2, 5, 5), RoundKind.NORMAL, Bid(2, 4)),
        (OBLIGING, (1, 4, 4), RoundKind.FIXED_FACE_NO_WILDS, Bid(1, 4)),
        (BOXED, (1, 5, 5), RoundKind.FIXED_FACE_NO_WILDS, Bid(1, 4)),
        (BOXED, (1, 5, 5), RoundKind.NORMAL, Bid(3, 4)),
    ],
    ids=str,
)
def test_the_first_bid_that_is_offered_is_likely_with_and_without_wild_aces(
    rules: Rules, dice: tuple[int, ...], kind: RoundKind, offered: Bid
) -> None:
    harness = lay_out(rules, [(4,) * count for count in dice], kind=kind)
    assert harness[0].menu.chosen == offered


def test_a_pass_leaves_the_bid_and_asks_the_next() -> None:
    harness = lay_out(PALO_FIJO, THREE, Bid(2, 3))
    harness[1].pick(PASS)
    assert (harness.position.standing, harness.position.passer, harness.position.turn) == (Bid(2, 3), 1, 2)


def test_the_passers_dudo_is_refused() -> None:
    harness = lay_out(PALO_FIJO, THREE, Bid(2, 3))
    harness[1].pick(PASS)
    harness[1].tap(Button.DUDO)
    assert harness[1].notice is Reason.OWN_PASS


# Refusals


def test_a_notice_goes_after_three_seconds() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    harness[2].press(Button.DUDO)
    harness.wait(2.9)
    assert harness[2].notice is Reason.NOT_IN_TURN
    harness.wait(0.1)
    assert harness[2].notice is None


def test_a_second_refusal_stays_for_three_seconds_of_its_own() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    harness[2].tap(Button.DUDO)
    harness.wait(2)
    harness[2].press(Button.DUDO)
    harness.wait(2)
    assert harness[2].notice is Reason.NOT_IN_TURN


def test_a_notice_goes_with_the_next_press_that_counts() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].tap(Button.DUDO)
    harness[0].tap()
    assert harness[0].notice is None


def test_a_stuck_button_is_one_press() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    harness[2].press(Button.DUDO)
    harness.wait(600)
    assert harness.scene is SceneName.BIDDING
    assert harness[2].notice is None


def test_a_press_whose_buttons_are_lost_before_its_release_does_nothing() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].press()
    harness[0].lose()
    harness[0].find()
    harness[0].release()
    assert harness.position.standing is None


def test_a_release_without_a_press_does_nothing() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].release()
    assert harness.position.standing is None


def test_all_four_buttons_at_once_do_one_thing() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    for button in (Button.OK, Button.LEFT, Button.RIGHT, Button.DUDO):
        harness[1].press(button)
    for button in Button:
        harness[1].release(button)
    assert [said.action for said in harness.events_of(ActionTaken)] == [DUDO]
    assert harness.scene is SceneName.CALLED


def test_a_press_begun_before_the_bid_changed_is_refused() -> None:
    harness = lay_out(PERUDO, THREE, Bid(2, 3))
    harness[2].point_at(CALZA)
    harness[2].press()
    harness.wait(0.05)
    harness[1].tap()
    harness[2].release()
    harness.wait(0.05)
    assert harness[2].notice is TableReason.BID_CHANGED
    assert harness.scene is SceneName.BIDDING


def test_an_ok_that_peeked_bids_nothing() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].hold(for_s=0.5)
    assert harness.position.standing is None


# Who is out, who does not play


def with_one_out(rules: Rules) -> TableHarness:
    return lay_out(rules, [(2, 3), (), (4, 5)], Bid(2, 3), fallen=(1,))


@every_rule_set
def test_who_is_out_is_skipped(rules: Rules) -> None:
    assert with_one_out(rules).position.turn == 2


@every_rule_set
@pytest.mark.parametrize("button", [Button.OK, Button.DUDO])
def test_a_press_by_who_is_out_is_refused(rules: Rules, button: Button) -> None:
    harness = with_one_out(rules)
    harness[1].tap(button)
    harness.wait(0.05)
    assert harness[1].notice is Reason.OUT
    assert harness.scene is SceneName.BIDDING


@every_rule_set
def test_a_shake_by_who_is_out_is_refused(rules: Rules) -> None:
    harness = with_one_out(rules)
    harness[1].shake()
    assert harness[1].notice is Reason.OUT


@pytest.mark.parametrize("button", [Button.OK, Button.DUDO])
def test_a_press_at_a_seat_that_does_not_play_is_refused(button: Button) -> None:
    harness = TableHarness(KILL_SPOT, 3).joined(0, 1).dealt()
    harness[2].tap(button)
    harness.wait(0.05)
    assert harness[2].notice is TableReason.NOT_PLAYING


def test_a_shake_in_the_bidding_changes_nothing() -> None:
    harness = lay_out(PYRUDO, THREE)
    before = harness.table.scene
    harness[0].shake()
    assert harness.table.scene == before
    assert harness[0].notice is None


# Lost devices


def test_a_lost_device_is_told_once_and_seen_by_all() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[1].lose(Device.PANEL)
    harness[1].lose(Device.PANEL)
    assert harness.events_of(DeviceLost) == [DeviceLost(1, Device.PANEL, "the cable is out")]
    assert [hand.view.missing for hand in harness] == [(Missing("East", Device.PANEL),)] * 3


def test_a_device_that_is_back_is_told_once_and_seen_by_all() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[1].lose(Device.CUP)
    harness[1].find(Device.CUP)
    harness[1].find(Device.CUP)
    assert harness.events_of(DeviceFound) == [DeviceFound(1, Device.CUP)]
    assert [hand.view.missing for hand in harness] == [()] * 3


def test_a_lost_device_is_no_part_of_the_match() -> None:
    harness = lay_out(PYRUDO, THREE)
    effects = [*harness[1].lose(Device.BOARD), *harness[1].find(Device.BOARD)]
    assert not any(isinstance(effect, Record) for effect in effects)


def test_the_rest_plays_on_without_a_lost_panel() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].lose(Device.PANEL)
    harness[0].tap()
    assert harness.position.standing is not None


def test_an_arrow_held_when_its_board_was_lost_stops_repeating() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].press(Button.RIGHT)
    before = harness[0].menu
    harness[0].lose(Device.BOARD)
    harness.wait(5)
    assert harness[0].menu == before


# Coming up again


def test_a_table_that_comes_up_in_a_round_goes_on_where_it_stood() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    assert harness.records == []
    assert all(hand.view.resumed for hand in harness)
    harness[1].tap()
    assert not any(hand.view.resumed for hand in harness)


def test_that_the_round_was_picked_up_stays_on_the_display_while_a_cursor_moves() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    harness[1].tap(Button.RIGHT)
    assert harness[1].view.resumed


def test_a_fixed_face_stays_for_everybody_with_more_than_one_die() -> None:
    harness = lay_out(OBLIGING, [(2,), (3, 3), (4,)], Bid(1, 3), kind=RoundKind.FIXED_FACE_NO_WILDS, owner=0)
    assert {item.face for item in harness[1].menu.items if isinstance(item, Bid)} == {3}


def test_a_call_under_the_cursor_is_put_down_when_the_bid_changes() -> None:
    harness = lay_out(PERUDO, [(1, 2, 3, 4, 5)] * 4)
    harness.turn.pick(Bid(2, 3))
    third = harness[3]
    third.point_at(CALZA)
    harness.turn.pick(Bid(3, 3))
    assert third.menu.chosen is MenuCommand.WAIT
