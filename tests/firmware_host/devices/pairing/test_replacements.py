"""What stands in for a layout's cups and boards, and the file that remembers it."""

import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.daemon.seats import seat_infos
from firmware_host.devices.pairing import replacements
from firmware_host.devices.pairing.replacements import (
    FILE,
    Replacements,
    ReplacementsError,
    differences,
    read,
    remembering,
    seated,
    write,
)
from hardware.config.layout import Layout, SerialDevice, load_builtin

BOARDS = load_builtin("boards-8")
CUPS = load_builtin("wired-8")
RED = "E661410000000001"
ORANGE = "E661410000000002"
NEW = "E6614103E7452D21"


def boards(layout: Layout) -> list[str]:
    return [seat.board.id for seat in layout.seats if seat.board]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write(tmp_path, {RED: NEW, "CUP-1": "a.b:c+d"})
    assert read(tmp_path) == {RED: NEW, "CUP-1": "a.b:c+d"}


def test_the_file_says_how_to_undo_it_and_is_its_owners_alone(tmp_path: Path) -> None:
    write(tmp_path, {RED: NEW})
    assert (tmp_path / FILE).read_text().endswith(f'to undo it.\n"{RED}" = "{NEW}"\n')
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_where_nothing_was_assigned_nothing_is_remembered(tmp_path: Path) -> None:
    assert read(tmp_path) == {}


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {RED: NEW})

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReplacementsError, match=f"{FILE}: can't be written: no space left on device"):
        write(tmp_path, {ORANGE: NEW})
    assert read(tmp_path) == {RED: NEW}


@pytest.mark.parametrize(
    "text",
    [
        "\x00\xff",
        "{",
        f'"{RED}" = 7',
        f'"{RED}" = ["{NEW}"]',
        '"no id" = "X"',
        f'"{RED}" = "../x"',
        f'"{RED}" = "{NEW}"\n"{ORANGE}" = "{NEW.lower()}"',
        f'[{RED}]\nboard = "{NEW}"',
    ],
)
def test_a_damaged_file_is_one_clear_line(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text, "latin-1")
    with pytest.raises(ReplacementsError, match=r"the layout's ids stand; correct the file or delete it$") as caught:
        read(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / FILE}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_may_not_be_read_is_one_clear_line_too(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(ReplacementsError, match="can't be read"):
        read(tmp_path)


def test_a_seat_has_the_board_that_stands_in_for_its_own() -> None:
    assert boards(seated(BOARDS, {RED: NEW})) == [NEW, *boards(BOARDS)[1:]]


def test_a_seat_has_the_cup_that_stands_in_for_its_own() -> None:
    own = CUPS.seats[3].cup
    assert isinstance(own, SerialDevice)
    with_new = seated(CUPS, {own.id.lower(): NEW})
    assert with_new.seats[3].cup == SerialDevice(NEW)
    assert with_new.seats[:3] == CUPS.seats[:3]


def test_ids_of_another_layout_are_nothing_to_this_one() -> None:
    assert seated(BOARDS, {"CUP0009": NEW}) == BOARDS


def test_a_device_that_is_by_now_the_own_of_another_seat_stands_in_for_none() -> None:
    assert seated(BOARDS, {RED: ORANGE.lower()}) == BOARDS


def test_what_differs_from_the_layout_is_told() -> None:
    assert list(differences(BOARDS, seated(BOARDS, {RED: NEW}))) == [
        f"Red’s board is {NEW}, assigned at the table, in place of the layout's {RED}"
    ]
    assert list(differences(BOARDS, BOARDS)) == []


def test_the_last_assignment_holds() -> None:
    assert remembering({RED: NEW}, RED, "E7") == {RED: "E7"}


def test_the_layouts_own_device_needs_no_line() -> None:
    assert remembering({RED: NEW, ORANGE: "E7"}, RED, RED.lower()) == {ORANGE: "E7"}


def test_cups_behind_a_dongle_have_no_replacement_and_the_dongle_is_not_unassigned(tmp_path: Path) -> None:
    shared = tuple(replace(seat, cup=SerialDevice("DONGLE", number)) for number, seat in enumerate(CUPS.seats, start=1))
    layout = replace(CUPS, seats=shared)
    assert seated(layout, {"DONGLE": NEW}) == layout
    table = Replacements(layout, tmp_path)
    assert table.devices == {}
    assert table.knows("usb-Radio_DONGLE-if00")
    assert not any(info.takes_new_cup for info in seat_infos(layout))


def test_cups_without_a_program_have_no_stand_in() -> None:
    wired = load_builtin("wired-4")
    assert [replacements.device_of(seat) for seat in wired.seats] == [None] * 4
