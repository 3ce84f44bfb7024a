"""Robots at the table: how they take seats, what they are asked, and that nobody else acts or looks at their seats."""

import random

import pytest
from support.table.harness import SECOND, TableHarness

from drivers.messages import Button
from engine import DUDO, PERUDO, Bid
from engine.opponents import CHARACTERS, LEVELS
from engine.opponents.middle import choose
from firmware_host.fairness.chain import player_name, read_match_line, split_player_name
from firmware_host.store.journal.records import decode_scene, encode_scene, scene_name
from firmware_host.table.parts.timeouts import AWAY_TIMEOUT_NS
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import RobotAction
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MATCH_OVER_TIMEOUT_NS
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.wire import ChainEntryAdded, Joined, Left


def with_robots(people: int = 1, robots: int = 2, *, seed: int = 0) -> TableHarness:
    """Return a table in the lobby with people at the first seats and robots at the next ones."""
    harness = TableHarness(PERUDO, people + robots, seed=seed, programs=range(people + robots))
    for seat in range(people):
        harness[seat].pick(MenuCommand.JOIN)
    for seat in range(people, people + robots):
        harness[seat].pick(RobotLevel.HARD)
    return harness


def started(people: int = 1, robots: int = 2) -> TableHarness:
    """Return the same table after the shake."""
    harness = with_robots(people, robots)
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    shaken(harness)
    return harness


def shaken(harness: TableHarness) -> None:
    """Have everybody shake."""
    for hand in harness:
        if harness.robots.get(hand.seat) is not None:
            harness.let_robot_act(hand.seat)
        elif hand.awaited:
            hand.shake()


def in_bidding(people: int = 1, robots: int = 2) -> TableHarness:
    """Return a table at which the first bid is awaited."""
    harness = started(people, robots)
    while harness.scene is SceneName.SHAKING:
        shaken(harness)
    return harness


def test_a_robot_takes_a_seat_from_the_menu_of_that_seat() -> None:
    harness = with_robots()
    assert harness.table.scene.robots == ((1, RobotLevel.HARD), (2, RobotLevel.HARD))
    assert harness.events_of(Joined)[-1] == Joined(2, RobotLevel.HARD)
    assert harness[1].view.robot is RobotLevel.HARD


@pytest.mark.parametrize("level", RobotLevel)
def test_each_level_and_character_is_an_item_of_a_free_seat_and_an_opponent(level: RobotLevel) -> None:
    harness = TableHarness(PERUDO, 2)
    harness[0].pick(MenuCommand.JOIN)
    harness[1].pick(level)
    assert harness[1].view.robot is level
    assert level in (*LEVELS, *CHARACTERS)
    assert split_player_name(player_name("East", level)) == ("East", level)


def test_its_level_is_changed_and_it_is_removed_from_the_same_menu() -> None:
    harness = with_robots()
    harness[1].pick(RobotLevel.EASY)
    assert harness[1].view.robot is RobotLevel.EASY
    harness[1].pick(MenuCommand.LEAVE)
    assert harness[1].view.robot is None
    assert harness[1].view.me is None


def test_no_robot_sits_down_before_a_person_has_joined() -> None:
    harness = TableHarness(PERUDO, 3)
    harness[1].pick(RobotLevel.EASY)
    assert harness[1].notice is TableReason.PERSON_FIRST
    assert harness.table.scene.robots == ()
    harness[0].pick(MenuCommand.JOIN)
    harness[1].pick(RobotLevel.EASY)
    assert harness.table.scene.robots == ((1, RobotLevel.EASY),)


def test_who_joins_at_the_same_moment_as_another_joins() -> None:
    harness = TableHarness(PERUDO, 3)
    at_ns = harness.now_ns
    for hand in harness:
        hand.press(at_ns=at_ns)
        hand.release(at_ns=at_ns)
    assert harness.table.scene == Lobby(joined=(0, 1, 2))


def test_the_robots_leave_with_the_last_person() -> None:
    harness = with_robots()
    harness[0].pick(MenuCommand.LEAVE)
    assert [event.seat for event in harness.events_of(Left)] == [0, 1, 2]
    assert harness.table.scene.robots == ()


def test_a_person_at_a_robots_seat_can_neither_start_nor_act_nor_look() -> None:
    harness = with_robots()
    assert MenuCommand.START not in harness[1].menu.items
    harness = in_bidding()
    robot = harness[1]
    before = harness.table.scene
    robot.tap()
    robot.tap(Button.DUDO)
    robot.hold(for_s=1)
    robot.tilt()
    harness.wait(1)
    assert not robot.is_peeking
    assert robot.show.look is None
    robot.level()
    robot.shake()
    assert harness.table.scene == before


def test_a_robots_dice_come_from_the_host_and_its_cup_commits_to_nothing() -> None:
    harness = started()
    lines = [event.line for event in harness.events_of(ChainEntryAdded)]
    assert [line.split()[2:4] for line in lines if " cup " in line] == [["cup", "0"]]
    assert {line.split()[3] for line in lines if " button " in line} == {"1", "2"}


def test_a_robot_is_asked_with_the_view_of_its_own_seat_alone() -> None:
    harness = in_bidding()
    while (seat := harness.turn.seat) == 0:
        harness[0].pick(harness[0].menu.chosen or DUDO)
        harness.wait(0.1)
    turn = harness.robots[seat]
    assert turn is not None
    assert turn.view is not None
    assert turn.view.seat == harness.game.player(seat)
    assert [hand is None for hand in turn.view.hands] == [other != turn.view.seat for other in range(3)]
    assert str(turn.view.own) not in repr(turn)


def test_a_robots_action_about_something_else_comes_too_late() -> None:
    harness = in_bidding(people=1, robots=2)
    while harness.turn.seat == 0:
        harness[0].pick(harness[0].menu.chosen or DUDO)
        harness.wait(0.1)
    seat = harness.turn.seat
    turn = harness.robots[seat]
    assert turn is not None
    assert turn.view is not None
    bid = next(action for action in turn.view.legal if isinstance(action, Bid))
    action = RobotAction(seat, bid, turn.subject, harness.now_ns)
    harness.send(action)
    harness.wait(0.1)
    before = harness.table.scene
    harness.send(action)
    assert harness.table.scene == before


def test_a_pause_ends_what_a_robot_is_about_to_do_and_its_end_asks_again() -> None:
    harness = started()
    asked = dict(harness.robots)
    harness.send(StaffAction(StaffCommand.PAUSE))
    assert not any(harness.robots.values())
    harness.send(StaffAction(StaffCommand.RESUME))
    assert harness.robots == asked


def test_the_robots_are_there_after_a_restart_and_asked_again() -> None:
    before = in_bidding()
    scene = before.table.scene
    harness = TableHarness(PERUDO, 3, scene=decode_scene(scene_name(scene), encode_scene(scene)), programs=range(3))
    assert harness.table.scene.robots == scene.robots
    assert {seat: turn for seat, turn in before.robots.items() if turn} == harness.robots


def test_a_robot_is_never_away_and_has_no_say_in_an_undo() -> None:
    harness = in_bidding(people=2, robots=1)
    while harness.turn.seat != 2:
        harness.turn.pick(harness.turn.menu.chosen or DUDO)
        harness.wait(0.1)
    harness.wait(2 * AWAY_TIMEOUT_NS / SECOND)
    assert harness[0].view.absence is None


def test_robots_press_ok_after_a_reveal_is_told_and_hurry_for_people() -> None:
    harness = in_bidding(people=1, robots=2)
    while harness.turn.seat != 0 or DUDO not in harness[0].menu.items:
        seat = harness.turn.seat
        if seat == 0:
            harness[0].pick(harness[0].menu.chosen or DUDO)
        else:
            turn = harness.robots[seat]
            assert turn is not None
            assert turn.view is not None
            bid = next(action for action in turn.view.legal if isinstance(action, Bid))
            harness.let_robot_act(seat, bid)
        harness.wait(0.1)
        if harness[0].awaited:
            break
    harness[0].press(Button.DUDO)
    harness.revealed()
    assert not any(harness.robots.values())
    harness.told()
    turns = [turn for turn in harness.robots.values() if turn]
    assert {turn.item for turn in turns} == {MenuCommand.GO_ON}
    assert not any(turn.is_hurried for turn in turns)
    harness[0].tap()
    assert all(turn.is_hurried for turn in harness.robots.values() if turn)


def test_the_name_in_the_proofs_says_who_is_a_robot() -> None:
    harness = started()
    line = harness.events_of(ChainEntryAdded)[0].line
    assert read_match_line(line)[1] == ("North", "East [robot hard]", "South [robot hard]")


def test_staff_seat_a_robot_and_give_it_another_level() -> None:
    harness = TableHarness(PERUDO, 3)
    action = StaffAction(StaffCommand.ROBOT, 1, level=RobotLevel.EASY)
    assert StaffAnswer(0, StaffRefusal.PERSON_FIRST) in harness.send(action)
    harness[0].pick(MenuCommand.JOIN)
    assert StaffAnswer(0) in harness.send(action)
    assert harness[1].view.robot is RobotLevel.EASY
    assert StaffAnswer(0) in harness.send(StaffAction(StaffCommand.ROBOT, 1, level=RobotLevel.HARD))
    assert harness[1].view.robot is RobotLevel.HARD
    assert StaffAnswer(0, StaffRefusal.NOT_FREE) in harness.send(StaffAction(StaffCommand.ROBOT, 0))
    assert StaffAnswer(0) in harness.send(StaffAction(StaffCommand.REMOVE, 1))
    assert harness.table.scene.robots == ()


def test_a_match_with_two_robots_is_played_to_its_end_and_they_stay_for_the_next() -> None:
    harness, rng = with_robots(people=2, robots=2), random.Random(3)
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    while harness.scene is not SceneName.OVER:
        turns = {seat: turn for seat, turn in harness.robots.items() if turn and turn.is_in_turn}
        people = [hand for hand in harness if hand.awaited and hand.view.robot is None]
        if turns:
            seat, turn = rng.choice(sorted(turns.items(), key=lambda pair: pair[0]))
            harness.let_robot_act(seat, None if turn.view is None else choose(turn.view, rng))
            harness.wait(0.1)
        elif people:
            rng.choice(people).does_something(rng)
        else:
            harness.wait(1)
    harness[0].pick(MenuCommand.AGAIN)
    assert dict(harness.table.scene.robots) == {2: RobotLevel.HARD, 3: RobotLevel.HARD}


def test_a_match_that_is_reopened_has_the_robots_with_which_it_began() -> None:
    harness = in_bidding(people=2, robots=1)
    harness.send(StaffAction(StaffCommand.END_MATCH))
    harness[2].pick(MenuCommand.LEAVE)
    harness[2].pick(MenuCommand.JOIN)
    scene = decode_scene(scene_name(harness.table.scene), encode_scene(harness.table.scene))
    harness = TableHarness(PERUDO, 3, scene=scene, programs=range(3))
    harness.send(StaffAction(StaffCommand.REOPEN))
    assert harness.table.scene.robots == ((2, RobotLevel.HARD),)
    assert harness[2].view.robot is RobotLevel.HARD
    shaken(harness)
    assert harness.scene is SceneName.BIDDING


def test_the_match_can_be_reopened_after_the_robots_have_left_with_the_last_person() -> None:
    harness = in_bidding(people=1, robots=2)
    harness.send(StaffAction(StaffCommand.END_MATCH))
    harness[0].pick(MenuCommand.LEAVE)
    assert harness.table.scene.robots == ()
    harness.send(StaffAction(StaffCommand.REOPEN))
    assert dict(harness.table.scene.robots) == {1: RobotLevel.HARD, 2: RobotLevel.HARD}


def test_the_robots_play_on_to_the_end_when_the_last_person_is_out() -> None:
    harness, rng = in_bidding(people=1, robots=2), random.Random(5)
    harness.send(StaffAction(StaffCommand.REMOVE, 0))
    while harness.scene is not SceneName.OVER:
        turns = {seat: turn for seat, turn in harness.robots.items() if turn and turn.is_in_turn}
        for seat, turn in turns.items():
            harness.let_robot_act(seat, None if turn.view is None else choose(turn.view, rng))
            break
        harness.wait(0.1 if turns else 1)
    harness.wait(MATCH_OVER_TIMEOUT_NS / SECOND + 1)
    assert harness.table.scene.robots == ()
