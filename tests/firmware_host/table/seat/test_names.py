"""Names at the table: when a seat is asked, what its buttons enter, and what is made of the name."""

import random

import pytest
from support.table.harness import TableHarness

from drivers.messages import Button
from engine import PERUDO
from firmware_host.table.effects import Announce, Publish
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.names import (
    LETTERS,
    MAX_CHARACTERS,
    NAME_TIMEOUT_NS,
    KeepNames,
    NameItem,
    NameOptions,
    NamesRead,
    NameView,
)
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.wire import ChainEntryAdded

ASKS = NameOptions(asks=True, public=True)


def table(options: NameOptions = ASKS, seats: int = 2) -> TableHarness:
    return TableHarness(PERUDO, seats, names=options)


def joined(harness: TableHarness, seat: int = 0) -> TableHarness:
    harness[seat].pick(MenuCommand.JOIN)
    return harness


def enter(harness: TableHarness, seat: int, letters: str) -> None:
    """Enter these letters, and end with DONE."""
    for place, letter in enumerate(letters):
        walk(harness, seat, LETTERS.index(letter))
        harness[seat].tap()
        assert asked(harness, seat).letters == letters[: place + 1]
    if len(letters) < 3:
        walk(harness, seat, -1)
    harness[seat].tap()


def walk(harness: TableHarness, seat: int, steps: int) -> None:
    for _ in range(abs(steps)):
        harness[seat].tap(Button.RIGHT if steps > 0 else Button.LEFT)


def asked(harness: TableHarness, seat: int) -> NameView:
    naming = harness[seat].view.naming
    assert naming is not None
    return naming


def kept(harness: TableHarness) -> list[KeepNames]:
    return [effect for effect in harness.effects if isinstance(effect, KeepNames)]


def shown(harness: TableHarness) -> list[str]:
    states = [effect.state for effect in harness.effects if isinstance(effect, Publish)]
    return [seat.name for seat in states[-1].seats]


def test_a_table_asks_nobody_unless_its_owner_wants_names() -> None:
    harness = joined(table(NameOptions()))
    assert harness[0].view.naming is None
    assert MenuCommand.NAME not in harness[0].menu.items


def test_a_player_who_joins_enters_three_letters() -> None:
    harness = joined(table())
    enter(harness, 0, "ANA")
    assert kept(harness)[-1] == KeepNames(("ANA", ""), ())
    assert shown(harness) == ["ANA", harness.seat_infos[1].name]
    assert harness[0].view.name == "ANA"


def test_names_are_on_the_displays_alone_unless_the_owner_wants_them_public() -> None:
    harness = joined(joined(table(NameOptions(asks=True))), 1)
    enter(harness, 0, "ANA")
    enter(harness, 1, "EVA")
    harness[0].pick(MenuCommand.START)
    harness.wait(6)
    assert harness[0].view.names == ("ANA", "EVA")
    assert not any("ANA" in repr(effect) for effect in harness.effects if isinstance(effect, Publish | Announce))


@pytest.mark.parametrize("letter", LETTERS)
def test_every_letter_can_be_entered(letter: str) -> None:
    harness = joined(table())
    enter(harness, 0, letter * 3)
    assert shown(harness)[0] == letter * 3


def test_a_name_may_be_shorter_than_three_letters() -> None:
    harness = joined(table())
    enter(harness, 0, "LÉ")
    assert shown(harness)[0] == "LÉ"


def test_a_player_may_skip_and_is_not_asked_again() -> None:
    harness = joined(table())
    walk(harness, 0, -1)
    assert asked(harness, 0).item is NameItem.SKIP
    harness[0].tap()
    assert harness[0].view.naming is None
    assert kept(harness)[-1] == KeepNames(("", ""), (0,))
    joined(harness, 1)
    assert harness[0].view.naming is None


def test_dudo_takes_a_letter_back_and_then_skips() -> None:
    harness = joined(table())
    harness[0].tap()
    harness[0].tap(Button.DUDO)
    assert asked(harness, 0) == NameView("", "A")
    harness[0].tap(Button.DUDO)
    assert harness[0].view.naming is None


def test_after_twenty_seconds_without_a_press_the_player_stays_without_a_name() -> None:
    harness = joined(table())
    harness[0].tap()
    harness.wait(NAME_TIMEOUT_NS / 1e9 - 1)
    assert harness[0].view.naming is not None
    harness.wait(2)
    assert harness[0].view.naming is None
    assert kept(harness)[-1].names[0] == ""


def test_three_letters_count_when_time_runs_out() -> None:
    harness = joined(table())
    for _ in range(3):
        harness[0].tap()
    harness.wait(25)
    assert shown(harness)[0] == "AAA"


def test_ok_that_joined_twice_enters_no_letter() -> None:
    harness = table()
    harness[0].tap()
    pressed_ns = harness.now_ns - 200_000_000  # before the question was on the display
    harness[0].press(at_ns=pressed_ns)
    harness[0].release()
    assert asked(harness, 0).letters == ""


def test_a_match_begins_although_somebody_enters_a_name_and_asks_that_seat_after_it() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 1, "EVA")
    harness[0].tap()
    assert asked(harness, 0).letters == "A"
    harness[1].pick(MenuCommand.START)
    harness.wait(6)
    assert harness[0].view.naming is None
    assert harness[0].view.names == (harness.seat_infos[0].name, "EVA")


def test_the_menu_changes_a_name_and_who_leaves_takes_it_along() -> None:
    harness = joined(table())
    enter(harness, 0, "ANA")
    harness[0].pick(MenuCommand.NAME)
    enter(harness, 0, "EVA")
    assert shown(harness)[0] == "EVA"
    harness[0].pick(MenuCommand.LEAVE)
    assert shown(harness)[0] == harness.seat_infos[0].name
    joined(harness)
    assert asked(harness, 0).letters == ""


def test_two_players_of_one_name_are_told_apart() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 0, "ANA")
    enter(harness, 1, "ANA")
    assert shown(harness) == ["ANA", "ANA2"]


def test_no_player_takes_the_name_of_a_seat() -> None:
    place = table().seat_infos[1].name
    harness = joined(table(NameOptions(asks=True, public=True, regulars=(place.upper(),))))
    harness[0].tap()
    assert shown(harness)[0] == f"{place.upper()}2"
    assert len(shown(harness)[0]) <= MAX_CHARACTERS


def test_a_regular_picks_a_name_that_nobody_has_taken() -> None:
    harness = joined(table(NameOptions(asks=True, public=True, regulars=("Ana", "Guadalupe"))))
    assert asked(harness, 0) == NameView("", "Ana", regulars=True)
    harness[0].tap()
    joined(harness, 1)
    assert asked(harness, 1).choice == "Guadalupe"
    walk(harness, 1, 1)
    harness[1].tap()
    assert asked(harness, 1) == NameView("", "A")


def test_the_chain_has_the_names_of_seats_alone() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 0, "ANA")
    enter(harness, 1, "EVA")
    harness[1].pick(MenuCommand.START)
    harness.wait(6)
    lines = [event.line for event in harness.events_of(ChainEntryAdded)]
    assert lines
    assert not any("ANA" in line or "EVA" in line for line in lines)
    assert "ANA" not in repr(harness.records)


def test_names_that_the_owner_removes_go_at_once() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 0, "ANA")
    harness.send(NamesRead(ASKS))
    assert shown(harness)[0] == harness.seat_infos[0].name


def test_the_winner_is_asked_who_was_cut_off() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 1, "EVA")
    harness[1].pick(MenuCommand.START)
    harness.wait(6)
    harness.until_over(random.Random(1))
    winner = harness.game.standings[0]
    assert (harness[winner].view.naming is not None) is (winner == 0)


def test_the_names_of_a_match_are_kept_with_it_and_go_with_those_who_leave_only_after_it() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 0, "ANA")
    enter(harness, 1, "EVA")
    harness[1].pick(MenuCommand.START)
    harness.wait(6)
    match = harness.game.id
    assert kept(harness)[-1] == KeepNames(("ANA", "EVA"), (), match, (0, 1))
    harness.until_over(random.Random(1))
    harness[0].pick(MenuCommand.LEAVE)
    assert kept(harness)[-1] == KeepNames(("ANA", "EVA"), (), match, (0, 1))
    assert shown(harness) == ["ANA", "EVA"]
    harness[1].pick(MenuCommand.AGAIN)
    assert kept(harness)[-1] == KeepNames(("", "EVA"), ())


def test_the_winner_of_a_match_is_kept_under_the_name_that_is_entered_after_it() -> None:
    harness = joined(joined(joined(table(seats=3)), 1), 2)
    harness[2].tap(Button.DUDO)  # the others do not answer
    harness[2].pick(MenuCommand.START)
    harness.wait(6)
    match = harness.game.id
    harness.until_over(random.Random(2))
    winner = harness.game.standings[0]
    assert winner != 2, "another match is needed here"
    enter(harness, winner, "ANA")
    assert kept(harness)[-1].match == match
    assert kept(harness)[-1].names[winner] == "ANA"


def test_the_host_keeps_what_the_owner_left_even_if_the_table_had_kept_more_meanwhile() -> None:
    harness = joined(table())
    enter(harness, 0, "ANA")
    harness.send(NamesRead(ASKS))
    assert kept(harness)[-1] == KeepNames(("", ""), ())


def test_a_robot_is_not_asked_and_has_no_name_that_was_entered_at_its_seat() -> None:
    harness = joined(table())
    enter(harness, 0, "ANA")
    harness.send(NamesRead(NameOptions(asks=True, public=True, names=("ANA", "EVA"))))
    assert shown(harness) == ["ANA", "EVA"]
    harness[1].pick(RobotLevel.EASY)
    assert harness[1].view.naming is None
    assert shown(harness) == ["ANA", harness.seat_infos[1].name]


def test_a_seat_that_is_handed_over_loses_its_name_and_does_not_ask_in_the_match() -> None:
    harness = joined(joined(table()), 1)
    enter(harness, 0, "ANA")
    enter(harness, 1, "EVA")
    harness[0].pick(MenuCommand.START)
    harness.wait(6)
    harness.send(StaffAction(StaffCommand.HAND_OVER, 0))
    assert kept(harness)[-1].names == ("", "EVA")
    assert kept(harness)[-1].match is not None
    assert harness[1].view.names == (harness.seat_infos[0].name, "EVA")
    assert harness[0].view.naming is None
