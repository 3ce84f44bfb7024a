"""Players take the last action back: one asks, and it happens when all who are there agree."""

import pytest
from support.table.harness import MS, TableHarness, lay_out

from drivers.messages import Button
from engine import PERUDO, Bid
from firmware_host.table.events import Undone, UndoneBy
from firmware_host.table.parts.timeouts import AWAY_TIMEOUT_NS
from firmware_host.table.parts.undo_vote import UNDO_VOTE_NS
from firmware_host.table.scenes.bidding import CALL_WINDOW_NS
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason, UndoAsked
from firmware_host.table.staff.actions import StaffAction, StaffCommand

HANDS = [(2, 2, 2), (5, 5, 5), (4, 4, 4)]
LAPSED_S = UNDO_VOTE_NS / 1e9


def after_a_bid(hands: list[tuple[int, ...]] = HANDS, **options: bool) -> TableHarness:
    harness = lay_out(PERUDO, hands, **options)  # type: ignore[arg-type]
    harness.turn.pick(Bid(2, 2))
    harness.wait(CALL_WINDOW_NS / 1e9)
    return harness


def open_side_menu(harness: TableHarness, seat: int) -> None:
    for _ in range(60):
        harness[seat].tap(Button.RIGHT)
        if harness[seat].menu.chosen is MenuCommand.GIVE_UP:
            return
    raise AssertionError(f"no side menu in {harness[seat].menu}")


def ask(harness: TableHarness, seat: int = 0) -> TableHarness:
    open_side_menu(harness, seat)
    harness[seat].pick(MenuCommand.UNDO)
    return harness


def undone(harness: TableHarness) -> list[UndoneBy | None]:
    return [event.by for event in harness.events_of(Undone)]


def test_it_happens_when_all_agree() -> None:
    harness = ask(after_a_bid())
    harness[1].pick(MenuCommand.AGREE)
    assert undone(harness) == []
    harness[2].pick(MenuCommand.AGREE)
    assert undone(harness) == [UndoneBy.PLAYERS]
    assert harness.position.standing is None
    assert [hand.notice for hand in harness] == [TableReason.TAKEN_BACK, None, None]


def test_the_displays_say_who_asks_and_how_many_agree() -> None:
    harness = ask(after_a_bid())
    assert {hand.view.undo for hand in harness} == {UndoAsked(0, 1, 3)}
    harness[1].pick(MenuCommand.AGREE)
    assert {hand.view.undo for hand in harness} == {UndoAsked(0, 2, 3)}
    harness[2].pick(MenuCommand.AGREE)
    assert {hand.view.undo for hand in harness} == {None}


def test_the_others_are_asked_with_the_cursor_on_no() -> None:
    harness = ask(after_a_bid())
    assert [harness[seat].menu.chosen for seat in (1, 2)] == [MenuCommand.KEEP] * 2
    assert harness[0].menu.chosen is not MenuCommand.KEEP


def test_one_no_ends_it_and_the_own_menus_come_back() -> None:
    harness = after_a_bid()
    before = harness[1].menu
    ask(harness)
    harness[1].tap()
    assert harness[2].view.undo is None
    assert harness[1].menu == before
    assert undone(harness) == []


def test_it_lapses_after_fifteen_seconds() -> None:
    harness = ask(after_a_bid())
    harness[1].pick(MenuCommand.AGREE)
    harness.wait(LAPSED_S)
    assert harness[2].view.undo is None
    assert MenuCommand.AGREE not in harness[2].menu.items


def test_nobody_asks_again_and_again() -> None:
    harness = ask(after_a_bid())
    harness[1].tap()
    open_side_menu(harness, 0)
    assert MenuCommand.UNDO not in harness[0].menu.items
    harness.wait(LAPSED_S)
    ask(harness)
    assert harness[1].menu.chosen is MenuCommand.KEEP


@pytest.mark.parametrize("seat", [1, 2])
def test_dudo_counts_while_it_is_asked(seat: int) -> None:
    harness = ask(after_a_bid())
    harness[1].tap(Button.DUDO)
    assert harness.scene is SceneName.CALLED
    assert harness[seat].view.undo is None
    assert undone(harness) == []


def test_dudo_that_was_pressed_just_before_the_question_came_up_counts() -> None:
    harness = after_a_bid()
    harness.wait(1)
    pressed_ns = harness.now_ns
    harness.wait(0.05)
    ask(harness)
    harness[1].press(Button.DUDO, at_ns=pressed_ns)
    harness.wait(CALL_WINDOW_NS / 1e9)
    assert harness.scene is SceneName.CALLED


def test_ok_that_was_pressed_just_before_the_question_came_up_answers_nothing() -> None:
    harness = after_a_bid()
    harness.wait(1)
    pressed_ns = harness.now_ns
    ask(harness)
    harness[1].press(at_ns=pressed_ns - MS)
    harness[1].release()
    assert harness[1].view.undo is not None
    assert harness[1].notice is TableReason.BID_CHANGED


def test_an_undo_by_the_staff_ends_the_request() -> None:
    harness = ask(after_a_bid())
    harness.send(StaffAction(StaffCommand.UNDO))
    assert harness[1].view.undo is None
    assert undone(harness) == [UndoneBy.STAFF]


def test_a_player_who_is_out_is_not_asked() -> None:
    harness = ask(after_a_bid([*HANDS, ()]))
    assert harness[3].menu.items == ()
    for seat in (1, 2):
        harness[seat].pick(MenuCommand.AGREE)
    assert undone(harness) == [UndoneBy.PLAYERS]


def test_a_player_who_is_away_is_not_asked_and_nobody_decides_alone() -> None:
    harness = after_a_bid()
    harness.wait(AWAY_TIMEOUT_NS / 1e9)
    harness[0].tap(Button.LEFT)
    ask(harness)
    assert harness[1].menu.chosen is not MenuCommand.KEEP
    harness[2].pick(MenuCommand.AGREE)
    assert undone(harness) == [UndoneBy.PLAYERS]
    two = after_a_bid(HANDS[:2])
    two.wait(AWAY_TIMEOUT_NS / 1e9)
    open_side_menu(two, 0)
    assert MenuCommand.UNDO not in two[0].menu.items


def test_there_is_nothing_to_ask_for_before_the_first_bid() -> None:
    harness = lay_out(PERUDO, HANDS)
    open_side_menu(harness, 1)
    assert MenuCommand.UNDO not in harness[1].menu.items


def test_a_restart_forgets_the_request() -> None:
    harness = ask(after_a_bid())
    again = TableHarness(PERUDO, 3, scene=harness.table.scene)
    assert again[1].view.undo is None
