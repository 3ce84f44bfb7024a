"""Before a match: who plays, and how it starts."""

import pytest
from support.table.harness import SECOND, TableHarness

from drivers.messages import Button
from engine import KILL_SPOT, OBLIGING, PERUDO
from firmware_host.table.effects import Effect, Record
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import HandsRead
from firmware_host.table.scenes.deal import RequestSeed
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import Joined, Left, MatchBegan

JOIN, START, LEAVE, WAIT = MenuCommand.JOIN, MenuCommand.START, MenuCommand.LEAVE, MenuCommand.WAIT


def test_an_empty_seat_may_join_learn_or_be_taken_by_a_robot() -> None:
    offered = (JOIN, MenuCommand.LEARN, *RobotLevel)
    assert [hand.menu.items for hand in TableHarness(seats=3)] == [offered] * 3


def test_a_seat_with_buttons_shows_the_way_in_for_phones_and_a_phone_does_not() -> None:
    harness = TableHarness(seats=3, phones=(2,))
    offered = (JOIN, MenuCommand.LEARN, *RobotLevel)
    shows = (JOIN, MenuCommand.LEARN, MenuCommand.PHONE, *RobotLevel)
    assert [hand.menu.items for hand in harness] == [shows, shows, offered]
    for hand in harness:
        hand.tap()
    buttons = START, LEAVE, MenuCommand.PHONE, MenuCommand.LANGUAGE
    assert [hand.menu.items for hand in harness] == [buttons, buttons, (START, LEAVE)]
    harness[0].pick(MenuCommand.PHONE)
    assert harness[0].menu.chosen is MenuCommand.PHONE, "OK has no effect there"
    assert harness.table.scene == Lobby(joined=(0, 1, 2))


def test_ok_joins() -> None:
    harness = TableHarness(seats=3)
    harness[1].tap()
    assert harness.events_of(Joined) == [Joined(1)]
    assert harness[0].view.names == ("East",)
    assert (harness[0].view.me, harness[1].view.me) == (None, 0)


def test_joining_is_durable() -> None:
    harness = TableHarness(seats=3)
    harness[1].tap()
    assert harness.records == [Lobby(joined=(1,))]


def test_one_alone_can_not_start() -> None:
    harness = TableHarness()
    harness[0].tap()
    assert START not in harness[0].menu.items


def test_a_stray_ok_of_who_waits_alone_neither_starts_nor_leaves() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[0].tap()
    assert harness.table.scene == Lobby(joined=(0,))


def test_two_can_start() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[1].tap()
    assert harness[0].menu.items == harness[1].menu.items == (START, LEAVE, MenuCommand.LANGUAGE)


def test_who_joined_may_leave() -> None:
    harness = TableHarness(seats=3)
    for hand in harness:
        hand.tap()
    harness[1].pick(LEAVE)
    assert harness.events_of(Left) == [Left(1)]
    assert harness[0].view.names == ("North", "South")


def test_players_sit_in_the_order_of_the_layout_whoever_joins_first() -> None:
    harness = TableHarness(seats=4).joined(3, 0, 2)
    assert harness.game.players == (0, 2, 3)


def test_a_start_counts_down_from_five_second_by_second() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[1].tap()
    harness[0].press()
    harness[0].release()
    seen = [harness[1].view.countdown_s]
    while harness.scene is SceneName.LOBBY:
        harness.wait(1)
        seen.append(harness[1].view.countdown_s)
    assert seen == [5, 4, 3, 2, 1, None]


def test_a_countdown_is_shown_on_time_after_a_busy_moment() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[1].tap()
    harness[0].pick(START)
    started_ns = harness.now_ns - SECOND // 20
    harness.now_ns = started_ns + 5 * SECOND  # a message comes when the tick is due, or overdue
    harness[1].press(Button.LEFT)
    assert harness.table.deadline_ns == started_ns + 5 * SECOND
    assert harness[1].view.countdown_s == 0
    harness.wait(0)
    assert harness.scene is SceneName.SHAKING


def test_a_late_joiner_in_the_countdown_plays_too() -> None:
    harness = TableHarness(seats=3)
    harness[0].tap()
    harness[1].tap()
    harness[0].pick(START)
    harness.wait(2)
    harness[2].tap()
    harness.wait(3)
    assert harness.events_of(MatchBegan)[0].players == (0, 1, 2)


def test_a_late_joiner_does_not_put_the_start_off() -> None:
    harness = TableHarness(seats=3)
    harness[0].tap()
    harness[1].tap()
    harness[0].pick(START)
    due_ns = harness.table.scene.deadline_ns
    harness[2].tap()
    assert harness.table.scene.deadline_ns == due_ns


def test_a_second_start_in_the_countdown_is_not_offered() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[1].tap()
    harness[0].pick(START)
    assert harness[1].menu.items == (WAIT, LEAVE)


def test_the_countdown_is_cancelled_when_one_is_left() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[1].tap()
    harness[0].pick(START)
    harness[1].pick(LEAVE)
    assert harness[0].view.countdown_s is None
    harness.wait(60)
    assert harness.table.scene == Lobby(joined=(0,))


def test_the_countdown_goes_on_when_one_of_three_leaves() -> None:
    harness = TableHarness(seats=3)
    for hand in harness:
        hand.tap()
    harness[0].pick(START)
    harness[2].pick(LEAVE)
    harness.wait(5)
    assert harness.events_of(MatchBegan)[0].players == (0, 1)


def counted_down(seats: int = 2) -> TableHarness:
    """Return a table whose countdown is over and whose seed has not come yet."""
    harness = TableHarness(seats=seats, seeds_at_once=False)
    for hand in harness:
        hand.tap()
    harness[0].pick(START)
    harness.wait(5)
    assert harness.seeds_wanted == 1
    return harness


def test_the_match_waits_for_its_seed() -> None:
    harness = counted_down()
    assert harness.scene is SceneName.LOBBY
    harness.give_seed()
    assert harness.scene is SceneName.SHAKING


def test_that_a_seed_is_awaited_is_durable_before_it_is_asked_for() -> None:
    harness = counted_down()
    *_, record, want = [effect for effect in harness.effects if isinstance(effect, Record | RequestSeed)]
    assert record == Record(Lobby(joined=(0, 1), starting=True))
    assert want == RequestSeed()


def test_who_leaves_while_the_seed_is_on_its_way_stops_a_match_of_one() -> None:
    harness = counted_down()
    harness[1].pick(LEAVE)
    harness.give_seed()
    assert harness.table.scene == Lobby(joined=(0,))


def test_three_of_whom_one_leaves_while_the_seed_is_on_its_way_still_play() -> None:
    harness = counted_down(seats=3)
    harness[1].pick(LEAVE)
    harness.give_seed()
    assert harness.game.players == (0, 2)


def test_a_second_start_while_the_seed_is_on_its_way_is_not_offered() -> None:
    assert START not in counted_down()[0].menu.items


def test_a_seed_that_nobody_wants_any_more_starts_nothing() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[1].tap()
    harness.seeds_wanted = 1
    harness.give_seed()
    assert harness.table.scene == Lobby(joined=(0, 1))


def test_a_table_that_comes_up_after_the_countdown_asks_for_its_seed_again() -> None:
    harness = TableHarness(scene=Lobby(joined=(0, 1), starting=True))
    assert harness.scene is SceneName.SHAKING


def test_with_fixed_seats_the_first_player_is_drawn_from_the_seed() -> None:
    firsts = {TableHarness(PERUDO, 4, seed=seed).joined().position.first for seed in range(40)}
    assert firsts == {0, 1, 2, 3}


def test_where_seats_are_rolled_for_nobody_is_first_before_the_roll() -> None:
    assert TableHarness(OBLIGING, 4).joined().position.first is None


def test_the_match_goes_by_the_rules_of_the_table() -> None:
    harness = TableHarness(KILL_SPOT).joined()
    assert harness.position.rules is KILL_SPOT
    assert harness.events_of(MatchBegan)[0].rules == "kill-spot"


def test_a_dudo_or_a_shake_in_the_lobby_does_nothing() -> None:
    harness = TableHarness()
    harness[0].tap(Button.DUDO)
    harness[0].shake()
    assert harness.records == []
    assert harness[0].notice is None


def test_a_press_begun_on_another_menu_is_refused() -> None:
    harness = TableHarness()
    harness[0].tap()
    harness[0].press()
    harness.wait(0.1)
    harness[1].tap()  # now the first seat's OK would mean START
    harness[0].release()
    assert harness.table.scene.deadline_ns is None
    assert harness[0].notice is TableReason.MENU_CHANGED


@pytest.mark.parametrize("seats", [2, 8])
def test_a_match_can_be_started_by_anybody_who_joined(seats: int) -> None:
    harness = TableHarness(seats=seats)
    for hand in harness:
        hand.tap()
    harness[seats - 1].pick(START)
    harness.wait(5)
    assert harness.scene is SceneName.SHAKING


def test_nobody_peeks_in_the_lobby() -> None:
    harness = TableHarness()
    gates: list[Effect] = harness[0].tilt()
    assert gates == []


def test_a_person_in_the_place_of_a_robots_hand_joins_or_learns_first() -> None:
    harness = TableHarness(seats=3)
    harness.send(HandsRead({1: RobotLevel.MIDDLE, 2: RobotLevel.MIDDLE}))
    for hand in harness:
        hand.tap()
    harness.send(HandsRead({2: RobotLevel.MIDDLE}))
    assert harness.table.scene == Lobby(joined=(0, 2))
    assert harness[1].menu.items[:2] == (JOIN, MenuCommand.LEARN)
    harness.send(HandsRead({1: RobotLevel.MIDDLE, 2: RobotLevel.MIDDLE}))
    harness[1].tap()
    harness[0].pick(START)
    harness.send(HandsRead({2: RobotLevel.MIDDLE}))
    harness.wait(5)
    assert harness.game.players == (0, 1, 2), "a match that is about to begin has them in"
