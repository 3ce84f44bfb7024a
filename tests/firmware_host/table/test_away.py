"""Somebody has gone: who is away, what the others can do about it, and what happens when nobody does anything."""

import pytest
from support.table.harness import SECOND, TableHarness, lay_out

from drivers.messages import Button, Device
from engine import KILL_SPOT, OBLIGING, PERUDO, PYRUDO, Bid
from firmware_host.table.events import LeaveReason, RoundBegan
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import Absence, SceneName
from firmware_host.wire import Away, Back, Left, MatchBrokenOff, MatchWon

MINUTE = 60
THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
FOUR = [*THREE, (3, 3)]


def to_seat_one(hands: list[tuple[int, ...]] = THREE) -> TableHarness:
    """Return a table with a bid, waiting for seat 1."""
    return lay_out(PERUDO, hands, Bid(2, 3))


def gone(hands: list[tuple[int, ...]] = THREE) -> TableHarness:
    """Seat 1 is away."""
    harness = to_seat_one(hands)
    harness.wait(5 * MINUTE)
    return harness


def play_on(harness: TableHarness, seat: int) -> None:
    harness[seat].tap(Button.RIGHT)
    assert harness[seat].menu.chosen is MenuCommand.PLAY_ON
    harness[seat].tap()


# Who is away


def test_a_seat_that_the_table_waits_for_and_nobody_touches_for_five_minutes_is_away() -> None:
    harness = to_seat_one()
    harness.wait(5 * MINUTE - 0.1)
    assert harness.events_of(Away) == []
    harness.wait(0.1)
    assert harness.events_of(Away) == [Away(1)]
    assert harness[0].view.absence == harness[1].view.absence == Absence((1,), 0, 2)


def test_who_is_not_awaited_is_not_away_however_long_it_takes() -> None:
    harness = to_seat_one()
    harness.wait(4 * MINUTE)
    harness[1].tap(Button.LEFT)
    harness.wait(4 * MINUTE)
    harness[1].tap(Button.RIGHT)
    assert harness.events_of(Away) == []


def test_who_has_played_is_not_away_when_the_turn_comes_back_after_a_long_time() -> None:
    harness = to_seat_one()
    for seat in (1, 2, 0):
        harness.wait(4 * MINUTE)
        harness[seat].tap()
    harness.wait(4 * MINUTE)
    assert harness.events_of(Away) == []
    harness.wait(MINUTE)
    assert harness.events_of(Away) == [Away(1)]


# Who touches things and does not play


def stalling(hands: list[tuple[int, ...]] = FOUR) -> TableHarness:
    """Seat 1 has pressed buttons for a quarter of an hour and not bid."""
    harness = to_seat_one(hands)
    for _ in range(3):
        harness.wait(4 * MINUTE)
        harness[1].tap(Button.LEFT)
    harness.wait(3 * MINUTE - 1)
    assert harness.events_of(Away) == []
    harness.wait(1)
    return harness


def test_who_presses_buttons_for_a_quarter_of_an_hour_and_does_not_play_is_away() -> None:
    harness = stalling()
    assert harness.events_of(Away) == [Away(1)]
    assert harness[1].view.absence == Absence((1,), 0, 2, stalling=(1,))


@pytest.mark.parametrize("touch", ["press", "tilt", "shake"])
def test_no_touch_ends_that(touch: str) -> None:
    harness = stalling()
    {"press": lambda: harness[1].tap(Button.LEFT), "tilt": harness[1].tilt, "shake": harness[1].shake}[touch]()
    assert harness.events_of(Back) == []


def test_a_call_ends_it_and_the_votes_with_it() -> None:
    harness = stalling()
    play_on(harness, 0)
    harness[1].tap(Button.DUDO)
    assert harness.events_of(Back) == [Back(1)]
    assert harness[0].view.absence is None
    assert harness.events_of(Left) == []


def test_the_others_play_on_without_who_stalls() -> None:
    harness = stalling()
    play_on(harness, 0)
    play_on(harness, 3)
    assert harness.events_of(Left) == [Left(1, LeaveReason.OUTVOTED)]


def test_ten_minutes_later_who_stalls_is_out() -> None:
    harness = stalling()
    harness[0].tap(Button.LEFT)
    for _ in range(3):
        harness.wait(3 * MINUTE)
        harness[1].tap(Button.LEFT)
    harness.wait(MINUTE - 2)
    assert harness.events_of(Left) == []
    harness.wait(2)
    assert harness.events_of(Left) == [Left(1, LeaveReason.AWAY)]


def test_each_turn_has_its_own_quarter_of_an_hour() -> None:
    harness = to_seat_one()
    for seat in (1, 2, 0, 1):
        harness.wait(4 * MINUTE)
        harness[seat].tap(Button.LEFT)
        harness.wait(4 * MINUTE)
        harness[seat].tap(Button.RIGHT)
        harness.wait(4 * MINUTE)
        harness[seat].tap(Button.RIGHT)
        harness[seat].tap()
    assert harness.events_of(Away) == []


def test_who_stalls_at_a_shake_is_back_when_all_have_shaken() -> None:
    harness = TableHarness(PERUDO, 3).joined()
    harness[0].shake()
    harness[1].shake()
    for _ in range(4):
        harness.wait(4 * MINUTE)
        harness[2].tap(Button.LEFT)
    assert harness.events_of(Away) == [Away(2)]
    harness[2].shake()
    harness.wait(1)
    assert harness.events_of(Back) == [Back(2)]


def test_nobody_stalls_in_the_lobby() -> None:
    harness = TableHarness(PERUDO, 3)
    harness[1].tap()
    for _ in range(10):
        harness.wait(4 * MINUTE)
        harness[1].tap(Button.LEFT)
    assert harness.events_of(Left) == []


# Signs of life


@pytest.mark.parametrize("touch", ["press", "tilt", "shake"])
def test_any_touch_of_the_own_seat_is_a_sign_of_life(touch: str) -> None:
    harness = gone()
    {"press": lambda: harness[1].tap(Button.LEFT), "tilt": harness[1].tilt, "shake": harness[1].shake}[touch]()
    assert harness.events_of(Back) == [Back(1)]
    assert harness[0].view.absence is None
    harness.wait(5 * MINUTE - 1)
    assert harness.events_of(Away) == [Away(1)]


def test_the_five_minutes_begin_when_the_table_begins_to_wait() -> None:
    harness = lay_out(PERUDO, THREE)
    harness.wait(4 * MINUTE)
    harness[0].tap()
    harness.wait(4 * MINUTE)
    assert harness.events_of(Away) == []
    harness.wait(MINUTE)
    assert harness.events_of(Away) == [Away(1)]


@pytest.mark.parametrize("device", list(Device))
def test_a_cable_is_no_sign_of_life(device: Device) -> None:
    harness = to_seat_one()
    harness.wait(4 * MINUTE)
    harness[1].lose(device)
    harness.wait(MINUTE / 2)
    harness[1].find(device)
    harness.wait(MINUTE / 2)
    assert harness.events_of(Away) == [Away(1)]


@pytest.mark.parametrize("device", list(Device))
def test_a_neighbour_who_pulls_a_cable_hastens_nothing(device: Device) -> None:
    harness = to_seat_one()
    harness[1].lose(device)
    harness.wait(5 * MINUTE - 1)
    assert harness.events_of(Away) == []


def test_a_cat_that_sits_on_a_button_is_nobody() -> None:
    harness = to_seat_one()
    harness[1].press(Button.LEFT)
    harness.wait(5 * MINUTE)
    assert harness.events_of(Away) == [Away(1)]


def test_who_shakes_is_there_and_the_others_are_away_together() -> None:
    harness = TableHarness(PERUDO, 3).joined()
    harness[1].shake()
    harness.wait(5 * MINUTE)
    assert set(harness.events_of(Away)) == {Away(0), Away(2)}
    assert harness[1].view.absence is not None
    assert harness[1].view.absence.needed == 0  # one alone decides nothing


# To play on without


def test_nobody_is_asked_before_somebody_is_away() -> None:
    harness = to_seat_one(FOUR)
    harness[0].tap(Button.RIGHT)
    assert MenuCommand.PLAY_ON not in harness[0].menu.items


def test_one_alone_sends_nobody_away() -> None:
    harness = gone(FOUR)
    play_on(harness, 0)
    assert harness.events_of(Left) == []
    assert harness[2].view.absence == Absence((1,), 1, 2, out_in_min=10)


def test_more_than_half_of_the_others_play_on_without() -> None:
    harness = gone(FOUR)
    play_on(harness, 0)
    play_on(harness, 3)
    assert harness.events_of(Left) == [Left(1, LeaveReason.OUTVOTED)]
    assert harness.scene is SceneName.SHAKING
    assert harness.position.dice == (5, 0, 2, 2)
    assert harness.position.starting_dice == 20


def test_a_vote_counts_once() -> None:
    harness = gone(FOUR)
    play_on(harness, 0)
    harness[0].tap(Button.RIGHT)
    assert MenuCommand.PLAY_ON not in harness[0].menu.items


def test_who_is_away_has_no_vote() -> None:
    harness = TableHarness(PERUDO, 4).joined()
    for seat in (0, 1):
        harness[seat].shake()
    harness.wait(5 * MINUTE)
    assert [harness[seat].view.may_agree for seat in range(4)] == [True, True, False, False]


def test_who_comes_back_undoes_all_votes() -> None:
    harness = gone(FOUR)
    play_on(harness, 0)
    harness[1].tap(Button.LEFT)
    harness.wait(5 * MINUTE)
    play_on(harness, 3)
    assert harness.events_of(Left) == []


def test_several_who_are_away_leave_together() -> None:
    harness = TableHarness(PERUDO, 4).joined()
    for seat in (0, 1):
        harness[seat].shake()
    harness.wait(5 * MINUTE)
    play_on(harness, 0)
    play_on(harness, 1)
    assert harness.events_of(Left) == [Left(2, LeaveReason.OUTVOTED), Left(3, LeaveReason.OUTVOTED)]
    assert harness.position.living == (0, 1)
    assert len(harness.events_of(RoundBegan)) == 2


def test_two_players_can_not_vote_each_other_out() -> None:
    harness = gone([(1, 2), (3, 4)])
    harness[0].tap(Button.RIGHT)
    assert harness[0].menu.items == (MenuCommand.BACK, MenuCommand.GIVE_UP)


# When nobody does anything


def test_ten_minutes_after_another_came_upon_an_empty_seat_it_is_out() -> None:
    harness = gone([(1, 2), (3, 4)])
    harness.wait(3 * MINUTE)
    harness[0].tilt()
    harness.wait(10 * MINUTE - 1)
    assert harness.events_of(Left) == []
    harness.wait(1)
    assert harness.events_of(Left) == [Left(1, LeaveReason.AWAY)]
    assert harness.events_of(MatchWon) == [MatchWon(0, (0, 1))]


def test_how_long_that_still_takes_is_known_from_the_touch_on() -> None:
    harness = gone([(1, 2), (3, 4)])
    assert harness[0].view.absence == Absence((1,))
    harness[0].tap(Button.LEFT)
    for minutes in range(10, 0, -1):
        assert harness[0].view.absence == Absence((1,), out_in_min=minutes)
        harness.wait(MINUTE)
    assert harness.events_of(Left) == [Left(1, LeaveReason.AWAY)]


def test_several_are_out_when_the_last_of_them_is() -> None:
    harness = TableHarness(PERUDO, 3).joined()
    harness[0].shake()
    harness.wait(4 * MINUTE)
    harness[1].tap(Button.LEFT)
    harness.wait(MINUTE)
    harness[0].tap(Button.LEFT)
    harness.wait(4 * MINUTE)
    assert harness[0].view.absence == Absence((2, 1))
    harness[0].tap(Button.LEFT)
    assert harness[0].view.absence == Absence((2, 1), out_in_min=10)


def test_a_table_at_which_nobody_is_waits_for_an_hour_and_then_breaks_the_match_off() -> None:
    harness = to_seat_one()
    harness.wait(60 * MINUTE - 1)
    assert harness.scene is SceneName.BIDDING
    harness.wait(1)
    assert harness.events_of(MatchBrokenOff) == [MatchBrokenOff("laid")]
    assert harness.events_of(MatchWon) == harness.events_of(Left) == []
    assert harness.lobby == Lobby(broken_off=True)


def test_that_it_was_broken_off_is_known_until_somebody_sits_down() -> None:
    harness = to_seat_one()
    harness.wait(60 * MINUTE)
    harness[2].tap()  # the dark display wakes
    assert [hand.view.broken_off for hand in harness] == [True] * 3
    harness[2].tap()
    assert [hand.view.broken_off for hand in harness] == [False] * 3
    harness[2].pick(MenuCommand.LEAVE)
    assert harness.lobby == Lobby()


def test_who_comes_first_from_a_meal_finds_everybody_still_in() -> None:
    harness = to_seat_one()
    harness.wait(40 * MINUTE)
    harness[2].tilt()
    assert harness.events_of(Left) == []
    harness.wait(9 * MINUTE)
    harness[1].tap()  # the dark display wakes
    harness[1].tap()
    assert harness.events_of(Left) == []
    assert harness.turn.seat == 2


def test_somebody_who_does_not_play_keeps_no_match_alive() -> None:
    harness = TableHarness(PERUDO, 3).joined(0, 1).dealt()
    for _ in range(12):
        harness.wait(5 * MINUTE)
        harness[2].tap()
    assert len(harness.events_of(MatchBrokenOff)) == 1


def test_the_owner_of_a_choice_who_leaves_has_a_normal_round_played() -> None:
    harness = lay_out(KILL_SPOT, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1)
    harness[2].press(Button.DUDO)
    harness.told()
    harness.wait(30)
    assert harness.scene is SceneName.CHOOSING
    harness.wait(5 * MINUTE)
    play_on(harness, 0)
    play_on(harness, 2)
    assert set(harness.position.living) == {0, 2}
    assert harness.scene is SceneName.SHAKING


def test_somebody_leaves_the_roll_for_the_order() -> None:
    harness = TableHarness(OBLIGING, 3).joined()
    for seat in (0, 2):
        harness[seat].shake()
    harness.wait(5 * MINUTE)
    play_on(harness, 0)
    play_on(harness, 2)
    harness.dealt()
    assert set(harness.position.living) == {0, 2}
    assert harness.scene is SceneName.BIDDING


def test_after_a_restart_everybodys_time_begins_again() -> None:
    harness = gone()
    again = TableHarness(PERUDO, 3, scene=harness.table.scene)
    again.wait(5 * MINUTE - 1)
    assert again.events_of(Away) == []


# In the lobby


def test_who_joined_and_went_gets_up_after_five_minutes() -> None:
    harness = TableHarness(seats=3)
    harness[0].tap()
    harness.wait(MINUTE)
    harness[1].tap()
    harness.wait(4 * MINUTE)
    assert harness.events_of(Left) == [Left(0, LeaveReason.AWAY)]
    assert harness.lobby == Lobby(joined=(1,))
    harness[0].tap()
    assert harness.lobby == Lobby(joined=(0, 1))


def test_a_countdown_is_not_disturbed_by_that() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness.wait(5 * MINUTE - 2)
    harness[1].tap()
    harness[1].pick(MenuCommand.START)
    harness.wait(5)
    assert harness.scene is SceneName.SHAKING


def test_an_evening_of_nobody_wakes_for_nothing() -> None:
    harness = TableHarness(PYRUDO, 3).joined()
    harness.wait(3 * 60 * MINUTE)
    assert harness.lobby == Lobby(broken_off=True)
    assert harness.table.deadline_ns is None or harness.table.deadline_ns > harness.now_ns + SECOND
