"""Several seats act within a moment: the edge decides, not the time somebody got round to it."""

from dataclasses import replace

import pytest
from support.table.harness import MS, TableHarness, lay_out

from drivers.messages import Button
from engine import (
    BOXED,
    CALZA,
    DUDO,
    KILL,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PERUDO,
    PYRUDO,
    RULESETS,
    SPOT,
    Bid,
    Match,
    Reason,
    RoundKind,
    Rules,
)
from firmware_host.table.effects import Announce, Record
from firmware_host.table.events import ActionTaken
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.bidding import CALL_WINDOW_NS, CallWindow, TimedAction, anyone_may_call
from firmware_host.table.seat.view import SceneName, TableReason

FOUR = [(2, 3, 4, 5, 6)] * 4


def racing(by: int = 0, seats: int = 4) -> TableHarness:
    return lay_out(KILL_SPOT, FOUR[:seats], Bid(2, 3), by=by)


def actions(harness: TableHarness) -> list[ActionTaken]:
    return harness.events_of(ActionTaken)


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO], ids=str)
def test_where_anyone_may_call_an_action_is_held_30_ms(rules: Rules) -> None:
    harness = lay_out(rules, FOUR, Bid(2, 3))
    harness[1].press(Button.DUDO)
    harness.wait(0.029)
    assert harness.scene is SceneName.BIDDING
    harness.wait(0.001)
    assert harness.scene is SceneName.CALLED


@pytest.mark.parametrize("rules", [PYRUDO, OBLIGING, PALO_FIJO], ids=str)
def test_where_nobody_calls_out_of_turn_nothing_is_held(rules: Rules) -> None:
    harness = lay_out(rules, FOUR, Bid(2, 3))
    harness[1].press(Button.DUDO)
    assert harness.scene is SceneName.CALLED


def test_just_three_rule_sets_have_races() -> None:
    assert [name for name, rules in RULESETS.items() if anyone_may_call(rules)] == ["kill-spot", "perudo", "boxed"]


def test_a_held_action_is_neither_recorded_nor_told() -> None:
    harness = racing()
    effects = harness[1].press(Button.DUDO)
    assert not any(isinstance(effect, Record | Announce) for effect in effects)


def test_a_second_press_does_not_hold_the_first_for_longer() -> None:
    harness = racing()
    harness[1].press(Button.DUDO)
    harness.wait(0.02)
    harness[2].press(Button.DUDO)
    harness.wait(0.01)
    assert harness.scene is SceneName.CALLED


def test_the_earliest_stamp_wins_whichever_came_first_through_the_wires() -> None:
    harness = racing()
    stamp_ns = harness.now_ns + 10 * MS
    harness.now_ns += 20 * MS
    harness[2].press(Button.DUDO, at_ns=stamp_ns + 1)
    harness[3].press(Button.DUDO, at_ns=stamp_ns)
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(3, DUDO)]


@pytest.mark.parametrize(("bidder", "winner"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_equal_stamps_go_to_the_seat_next_after_the_bidder(bidder: int, winner: int) -> None:
    harness = racing(bidder)
    for seat in {0, 1, 2, 3} - {bidder}:
        harness[seat].press(Button.DUDO)
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(winner, DUDO)]


def test_equal_stamps_skip_who_did_not_press() -> None:
    harness = racing(1)
    for seat in (0, 3):
        harness[seat].press(Button.DUDO)
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(3, DUDO)]


def test_equal_stamps_go_by_the_order_of_play_and_not_of_the_chairs() -> None:
    order = (2, 0, 3, 1)
    position = Match.start(KILL_SPOT, 4).position.replace(order=order, bidder=0)
    race = CallWindow()
    for player in (1, 3, 2):
        race = race.joined_by(TimedAction(player, DUDO, 5))
    assert [claimed.player for claimed in race.result(position)] == [3, 1, 2]


def test_who_came_too_late_is_told_that_the_bid_has_changed() -> None:
    harness = racing()
    harness[1].press(Button.DUDO)
    harness.now_ns += 1
    harness[2].press(Button.DUDO)
    harness.wait(0.03)
    assert [harness[seat].notice for seat in (1, 2, 3)] == [None, TableReason.BID_CHANGED, None]


def raised_and_called(*, call_first: bool) -> TableHarness:
    """Seat 1 raises; seat 3's DUDO is stamped a millisecond before or after, and comes through later either way."""
    harness = racing()
    harness[1].press()
    harness.wait(0.05)
    harness[1].release()
    stamp_ns = harness.now_ns + (-MS if call_first else MS)
    harness.wait(0.02)
    harness[3].press(Button.DUDO, at_ns=stamp_ns)
    harness.wait(0.01)
    return harness


def test_a_call_stamped_before_a_raise_wins_and_the_raise_is_void() -> None:
    harness = raised_and_called(call_first=True)
    assert actions(harness) == [ActionTaken(3, DUDO)]
    assert harness.scene is SceneName.CALLED
    assert harness.position.standing == Bid(2, 3)
    assert harness[1].notice is TableReason.BID_CHANGED


def test_a_call_stamped_after_a_raise_is_refused_and_costs_nothing() -> None:
    harness = raised_and_called(call_first=False)
    assert [event.seat for event in actions(harness)] == [1]
    assert harness.scene is SceneName.BIDDING
    assert harness[3].notice is TableReason.BID_CHANGED
    assert harness.position.dice == (5, 5, 5, 5)


def test_a_call_that_comes_through_after_the_raise_stands_is_refused() -> None:
    harness = racing()
    harness[1].tap()
    harness[3].press(Button.DUDO, at_ns=harness.now_ns - 80 * MS)
    harness.wait(0.03)
    assert [event.seat for event in actions(harness)] == [1]
    assert harness[3].notice is TableReason.BID_CHANGED


def test_a_call_of_the_new_bid_counts() -> None:
    harness = racing()
    harness[1].tap()
    harness[3].press(Button.DUDO)
    harness.wait(0.03)
    assert actions(harness)[-1] == ActionTaken(3, DUDO)


def test_of_two_calls_of_one_seat_its_first_edge_counts() -> None:
    harness = racing()
    harness[2].point_at(KILL)
    harness[2].press()
    harness.wait(0.05)
    harness[2].release()
    harness.now_ns += MS
    harness[2].press(Button.DUDO)
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(2, KILL)]


def test_dudo_pressed_over_a_held_ok_counts_and_the_ok_does_not() -> None:
    harness = racing()
    harness[2].point_at(SPOT)
    harness[2].press()
    harness[2].press(Button.DUDO)
    harness.now_ns += MS
    harness[2].release()
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(2, DUDO)]


def test_a_calza_out_of_turn_takes_the_turn_away() -> None:
    harness = lay_out(PERUDO, [(2, 3, 4, 5, 5)] * 4, Bid(4, 3))
    harness[3].pick(CALZA)
    assert actions(harness) == [ActionTaken(3, CALZA)]
    harness.wait(40)
    assert harness.position.first == 3


def test_the_time_of_an_ok_is_that_of_its_release() -> None:
    harness = racing()
    harness[2].point_at(KILL)
    harness[2].press()
    harness.wait(0.05)
    harness[3].press(Button.DUDO)
    harness.now_ns += MS
    harness[2].release()
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(3, DUDO)]


def test_an_illegal_press_is_refused_at_once_and_holds_nothing_up() -> None:
    harness = racing()
    harness[0].press(Button.DUDO)
    assert harness[0].notice is Reason.OWN_BID
    assert harness.table.scene.deadline_ns is None


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO, BOXED], ids=str)
def test_an_opening_bid_which_nobody_can_forestall_stands_at_once(rules: Rules) -> None:
    harness = lay_out(rules, FOUR)
    harness[0].press()
    harness[0].release()
    assert harness.position.bidder == 0


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO, BOXED], ids=str)
def test_between_two_players_nothing_is_held(rules: Rules) -> None:
    harness = lay_out(rules, FOUR[:2], Bid(2, 3))
    harness[1].press(Button.DUDO)
    assert harness.scene is SceneName.CALLED


def test_a_player_who_is_out_holds_nobody_up() -> None:
    harness = lay_out(KILL_SPOT, [*FOUR[:2], ()], Bid(2, 3))
    harness[1].press(Button.DUDO)
    assert harness.scene is SceneName.CALLED


@pytest.mark.parametrize(
    ("rules", "kind", "scene"),
    [
        (PERUDO, RoundKind.FIXED_FACE, SceneName.BIDDING),
        (KILL_SPOT, RoundKind.BLIND, SceneName.BIDDING),
        (BOXED, RoundKind.FIXED_FACE_NO_WILDS, SceneName.CALLED),  # nobody calls calza in it
    ],
)
def test_a_special_round_holds_an_action_where_others_may_call_in_it(
    rules: Rules, kind: RoundKind, scene: SceneName
) -> None:
    harness = lay_out(rules, [(2,), *FOUR[1:]], Bid(1, 3), kind=kind, owner=0)
    harness[1].press(Button.DUDO)
    assert harness.scene is scene


def test_a_call_out_of_turn_is_held_for_the_player_in_turn() -> None:
    harness = lay_out(PERUDO, FOUR[:3], Bid(4, 3))
    harness[2].point_at(CALZA)
    harness[2].press()
    harness[2].release()
    assert harness.scene is SceneName.BIDDING
    harness[1].press(Button.DUDO, at_ns=harness.now_ns - MS)
    harness.wait(0.03)
    assert actions(harness) == [ActionTaken(1, DUDO)]


def test_the_last_player_who_could_act_holds_nobody_up_any_longer() -> None:
    harness = racing(seats=3)
    stamp_ns = harness.now_ns
    harness.now_ns += MS
    harness[1].press(Button.DUDO)
    harness[2].press(Button.DUDO, at_ns=stamp_ns)
    assert actions(harness) == [ActionTaken(2, DUDO)]
    assert harness[1].notice is TableReason.BID_CHANGED


def test_a_late_press_is_held_for_as_long_as_any_other() -> None:
    harness = racing()
    pressed_ns = harness.now_ns
    harness.now_ns += 39 * MS  # a seat board that takes in a picture with dice
    harness[1].press(Button.DUDO, at_ns=pressed_ns + 1)
    harness.wait(0.029)
    harness[3].press(Button.DUDO, at_ns=pressed_ns)
    harness.wait(0.001)
    assert actions(harness) == [ActionTaken(3, DUDO)]


def with_robots(*robots: int) -> TableHarness:
    scene = replace(racing().table.scene, robots=tuple((seat, RobotLevel.EASY) for seat in robots))
    return TableHarness(KILL_SPOT, 4, scene=scene)


def test_robots_hold_nobody_up() -> None:
    harness = with_robots(0, 2, 3)
    harness[1].press(Button.DUDO)
    assert harness.scene is SceneName.CALLED


def test_a_robots_action_is_held_for_people() -> None:
    harness = with_robots(2, 3)
    pressed_ns = harness.now_ns
    harness.now_ns += MS
    harness.let_robot_act(2, DUDO)
    harness.now_ns += MS
    harness[1].press(Button.DUDO, at_ns=pressed_ns)
    assert actions(harness) == [ActionTaken(1, DUDO)]


def test_a_race_is_not_kept_over_a_restart() -> None:
    harness = racing()
    harness[2].press(Button.DUDO)
    again = TableHarness(KILL_SPOT, 4, scene=racing().table.scene)
    assert harness.table.scene == again.table.scene
    again.wait(1)
    assert again.scene is SceneName.BIDDING


def test_the_hold_is_thirty_milliseconds() -> None:
    assert CALL_WINDOW_NS == 30 * MS
