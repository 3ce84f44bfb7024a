"""Somebody has gone: who is away, what the others can do about it, and what happens when nobody does anything."""

import pytest
from support.table.harness import SECOND, Evening, laid

from drivers.messages import Button, Device
from engine import KILL_SPOT, OBLIGING, PERUDO, PYRUDO, Bid
from firmware_host.table.events import Away, Back, LeaveReason, Left, MatchBrokenOff, MatchWon, RoundBegan
from firmware_host.table.menu import MenuCommand
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat_view import Absence, SceneName

MINUTE = 60
THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
FOUR = [*THREE, (3, 3)]


def to_seat_one(hands: list[tuple[int, ...]] = THREE) -> Evening:
    """A bid stands and the table waits for seat 1."""
    return laid(PERUDO, hands, Bid(2, 3))


def gone(hands: list[tuple[int, ...]] = THREE) -> Evening:
    """Seat 1 is away."""
    evening = to_seat_one(hands)
    evening.wait(5 * MINUTE)
    return evening


def play_on(evening: Evening, seat: int) -> None:
    evening[seat].tap(Button.RIGHT)
    assert evening[seat].menu.chosen is MenuCommand.PLAY_ON
    evening[seat].tap()


# Who is away


def test_a_seat_that_the_table_waits_for_and_nobody_touches_for_five_minutes_is_away() -> None:
    evening = to_seat_one()
    evening.wait(5 * MINUTE - 0.1)
    assert evening.told(Away) == []
    evening.wait(0.1)
    assert evening.told(Away) == [Away(1)]
    assert evening[0].view.absence == evening[1].view.absence == Absence((1,), 0, 2)


def test_who_is_not_awaited_is_not_away_however_long_it_takes() -> None:
    evening = to_seat_one()
    for _ in range(10):
        evening.wait(4 * MINUTE)
        evening[1].tap(Button.LEFT)
    assert evening.told(Away) == []


@pytest.mark.parametrize("touch", ["press", "tilt", "shake"])
def test_any_touch_of_the_own_seat_is_a_sign_of_life(touch: str) -> None:
    evening = gone()
    {"press": lambda: evening[1].tap(Button.LEFT), "tilt": evening[1].tilt, "shake": evening[1].shake}[touch]()
    assert evening.told(Back) == [Back(1)]
    assert evening[0].view.absence is None
    evening.wait(5 * MINUTE - 1)
    assert evening.told(Away) == [Away(1)]


def test_the_five_minutes_begin_when_the_table_begins_to_wait() -> None:
    evening = laid(PERUDO, THREE)
    evening.wait(4 * MINUTE)
    evening[0].tap()
    evening.wait(4 * MINUTE)
    assert evening.told(Away) == []
    evening.wait(MINUTE)
    assert evening.told(Away) == [Away(1)]


@pytest.mark.parametrize("device", list(Device))
def test_a_cable_is_no_sign_of_life(device: Device) -> None:
    evening = to_seat_one()
    evening.wait(4 * MINUTE)
    evening[1].lose(device)
    evening.wait(MINUTE / 2)
    evening[1].find(device)
    evening.wait(MINUTE / 2)
    assert evening.told(Away) == [Away(1)]


@pytest.mark.parametrize("device", list(Device))
def test_a_neighbour_who_pulls_a_cable_hastens_nothing(device: Device) -> None:
    evening = to_seat_one()
    evening[1].lose(device)
    evening.wait(5 * MINUTE - 1)
    assert evening.told(Away) == []


def test_a_cat_that_sits_on_a_button_is_nobody() -> None:
    evening = to_seat_one()
    evening[1].press(Button.LEFT)
    evening.wait(5 * MINUTE)
    assert evening.told(Away) == [Away(1)]


def test_who_shakes_is_there_and_the_others_are_away_together() -> None:
    evening = Evening(PERUDO, 3).joined()
    evening[1].shake()
    evening.wait(5 * MINUTE)
    assert set(evening.told(Away)) == {Away(0), Away(2)}
    assert evening[1].view.absence is not None
    assert evening[1].view.absence.needed == 0  # one alone decides nothing


# To play on without


def test_nobody_is_asked_before_somebody_is_away() -> None:
    evening = to_seat_one(FOUR)
    evening[0].tap(Button.RIGHT)
    assert MenuCommand.PLAY_ON not in evening[0].menu.items


def test_one_alone_sends_nobody_away() -> None:
    evening = gone(FOUR)
    play_on(evening, 0)
    assert evening.told(Left) == []
    assert evening[2].view.absence == Absence((1,), 1, 2, out_in_min=10)


def test_more_than_half_of_the_others_play_on_without() -> None:
    evening = gone(FOUR)
    play_on(evening, 0)
    play_on(evening, 3)
    assert evening.told(Left) == [Left(1, LeaveReason.OUTVOTED)]
    assert evening.scene is SceneName.SHAKING
    assert evening.position.dice == (5, 0, 2, 2)
    assert evening.position.starting_dice == 20


def test_a_vote_counts_once() -> None:
    evening = gone(FOUR)
    play_on(evening, 0)
    evening[0].tap(Button.RIGHT)
    assert MenuCommand.PLAY_ON not in evening[0].menu.items


def test_who_is_away_has_no_vote() -> None:
    evening = Evening(PERUDO, 4).joined()
    for seat in (0, 1):
        evening[seat].shake()
    evening.wait(5 * MINUTE)
    assert [evening[seat].view.may_agree for seat in range(4)] == [True, True, False, False]


def test_who_comes_back_undoes_all_votes() -> None:
    evening = gone(FOUR)
    play_on(evening, 0)
    evening[1].tap(Button.LEFT)
    evening.wait(5 * MINUTE)
    play_on(evening, 3)
    assert evening.told(Left) == []


def test_several_who_are_away_leave_together() -> None:
    evening = Evening(PERUDO, 4).joined()
    for seat in (0, 1):
        evening[seat].shake()
    evening.wait(5 * MINUTE)
    play_on(evening, 0)
    play_on(evening, 1)
    assert evening.told(Left) == [Left(2, LeaveReason.OUTVOTED), Left(3, LeaveReason.OUTVOTED)]
    assert evening.position.living == (0, 1)
    assert len(evening.told(RoundBegan)) == 2


def test_two_players_can_not_vote_each_other_out() -> None:
    evening = gone([(1, 2), (3, 4)])
    evening[0].tap(Button.RIGHT)
    assert evening[0].menu.items == (MenuCommand.BACK, MenuCommand.GIVE_UP)


# When nobody does anything


def test_ten_minutes_after_another_came_upon_an_empty_seat_it_is_out() -> None:
    evening = gone([(1, 2), (3, 4)])
    evening.wait(3 * MINUTE)
    evening[0].tilt()
    evening.wait(10 * MINUTE - 1)
    assert evening.told(Left) == []
    evening.wait(1)
    assert evening.told(Left) == [Left(1, LeaveReason.AWAY)]
    assert evening.told(MatchWon) == [MatchWon(0, (0, 1))]


def test_how_long_that_still_takes_is_known_from_the_touch_on() -> None:
    evening = gone([(1, 2), (3, 4)])
    assert evening[0].view.absence == Absence((1,))
    evening[0].tap(Button.LEFT)
    for minutes in range(10, 0, -1):
        assert evening[0].view.absence == Absence((1,), out_in_min=minutes)
        evening.wait(MINUTE)
    assert evening.told(Left) == [Left(1, LeaveReason.AWAY)]


def test_several_are_out_when_the_last_of_them_is() -> None:
    evening = Evening(PERUDO, 3).joined()
    evening[0].shake()
    evening.wait(4 * MINUTE)
    evening[1].tap(Button.LEFT)
    evening.wait(MINUTE)
    evening[0].tap(Button.LEFT)
    evening.wait(4 * MINUTE)
    assert evening[0].view.absence == Absence((2, 1))
    evening[0].tap(Button.LEFT)
    assert evening[0].view.absence == Absence((2, 1), out_in_min=10)


def test_a_table_at_which_nobody_is_waits_for_an_hour_and_then_breaks_the_match_off() -> None:
    evening = to_seat_one()
    evening.wait(60 * MINUTE - 1)
    assert evening.scene is SceneName.BIDDING
    evening.wait(1)
    assert evening.told(MatchBrokenOff) == [MatchBrokenOff("laid")]
    assert evening.told(MatchWon) == evening.told(Left) == []
    assert evening.table.scene == Lobby(broken_off=True)


def test_that_it_was_broken_off_is_known_until_somebody_sits_down() -> None:
    evening = to_seat_one()
    evening.wait(60 * MINUTE)
    evening[2].tap()  # the dark display wakes
    assert [hand.view.broken_off for hand in evening] == [True] * 3
    evening[2].tap()
    assert [hand.view.broken_off for hand in evening] == [False] * 3
    evening[2].pick(MenuCommand.LEAVE)
    assert evening.table.scene == Lobby()


def test_who_comes_first_from_a_meal_finds_everybody_still_in() -> None:
    evening = to_seat_one()
    evening.wait(40 * MINUTE)
    evening[2].tilt()
    assert evening.told(Left) == []
    evening.wait(9 * MINUTE)
    evening[1].tap()  # the dark display wakes
    evening[1].tap()
    assert evening.told(Left) == []
    assert evening.turn.seat == 2


def test_somebody_who_does_not_play_keeps_no_match_alive() -> None:
    evening = Evening(PERUDO, 3).joined(0, 1).dealt()
    for _ in range(12):
        evening.wait(5 * MINUTE)
        evening[2].tap()
    assert len(evening.told(MatchBrokenOff)) == 1


def test_the_owner_of_a_choice_who_leaves_has_a_normal_round_played() -> None:
    evening = laid(KILL_SPOT, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1)
    evening[2].press(Button.DUDO)
    evening.revealed()
    evening.wait(30)
    assert evening.scene is SceneName.CHOOSING
    evening.wait(5 * MINUTE)
    play_on(evening, 0)
    play_on(evening, 2)
    assert set(evening.position.living) == {0, 2}
    assert evening.scene is SceneName.SHAKING


def test_somebody_leaves_the_roll_for_the_order() -> None:
    evening = Evening(OBLIGING, 3).joined()
    for seat in (0, 2):
        evening[seat].shake()
    evening.wait(5 * MINUTE)
    play_on(evening, 0)
    play_on(evening, 2)
    evening.dealt()
    assert set(evening.position.living) == {0, 2}
    assert evening.scene is SceneName.BIDDING


def test_after_a_restart_everybodys_time_begins_again() -> None:
    evening = gone()
    again = Evening(PERUDO, 3, scene=evening.table.scene)
    again.wait(5 * MINUTE - 1)
    assert again.told(Away) == []


# In the lobby


def test_who_joined_and_went_gets_up_after_five_minutes() -> None:
    evening = Evening(seats=3)
    evening[0].tap()
    evening.wait(MINUTE)
    evening[1].tap()
    evening.wait(4 * MINUTE)
    assert evening.told(Left) == [Left(0, LeaveReason.AWAY)]
    assert evening.table.scene == Lobby(joined=(1,))
    evening[0].tap()
    assert evening.table.scene == Lobby(joined=(0, 1))


def test_a_countdown_is_not_disturbed_by_that() -> None:
    evening = Evening()
    evening[0].tap()
    evening.wait(5 * MINUTE - 2)
    evening[1].tap()
    evening[1].pick(MenuCommand.START)
    evening.wait(5)
    assert evening.scene is SceneName.SHAKING


def test_an_evening_of_nobody_wakes_for_nothing() -> None:
    evening = Evening(PYRUDO, 3).joined()
    evening.wait(3 * 60 * MINUTE)
    assert evening.table.scene == Lobby(broken_off=True)
    assert evening.table.deadline_ns is None or evening.table.deadline_ns > evening.now_ns + SECOND
