"""`dudo-table blank`: every panel dark from outside, whatever it hangs on, and whatever else hangs."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import serial
from PIL import Image

from drivers.link.seat_board import SeatBoard
from firmware_host import cli
from firmware_host.devices.host_io import ports
from firmware_host.devices.host_io.blank import blank, blank_board
from hardware.config.layout import Layout, parse
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable
from hardware.link import messages as link
from hardware.link.framing import frame

ROOT = Path(cli.__file__).parent.parent
WIRED = """\
name = "test"
wires = [[30, 31]]

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13 }
panel = { chip = "ssd1309", bus = 30, address = 0x3c }
cup = { tilt = 26 }

[[seat]]
name = "East"
color = "green"
buttons = { left = 14, right = 15, ok = 16 }
panel = { chip = "sh1106", bus = 31, address = 0x3c }
cup = { tilt = 17 }

[[seat]]
name = "South"
color = "yellow"
buttons = { left = 18, right = 19, ok = 20 }
panel = { chip = "ssd1306", bus = 1, address = 0x3d }
cup = { tilt = 21 }

[[seat]]
name = "West"
color = "blue"
buttons = { left = 4, right = 12, ok = 27 }
panel = { chip = "ssd1309", spi = 0, select = 0, dc = 24, reset = 25 }
cup = { tilt = 22 }
"""
BOARD = """\
[[seat]]
name = "Board"
color = "white"
board = "BOARD1"
"""
LIT = bytes([0x00, 0x8D, 0x14, 0xA7, 0xAF])
BLACK = bytes(1024)


@pytest.fixture
def layout() -> Layout:
    return parse(WIRED, "test.toml")


@pytest.fixture
def table(layout: Layout):  # type: ignore[no-untyped-def]
    """Give the table as a dead daemon left it: every panel shines, and all white."""
    loop = asyncio.new_event_loop()
    with EmulatedTable(layout, loop, seed=1) as table:
        for number, bus in {**table.buses, **table.spi_buses}.items():
            for place in (0x3C, 0x3D, 0):
                if (panel := bus.panel(place)) is not None:
                    panel.write(LIT)
                    assert panel.on, number
        yield table
    loop.close()


def dark(table: EmulatedTable) -> list[bool]:
    return [not seat.picture().getbbox() for seat in table.seats]


def test_every_panel_is_dark_and_shows_black_as_black_when_it_is_on_again(layout: Layout, table: EmulatedTable) -> None:
    assert blank(layout, table) == {}
    assert dark(table) == [True] * 4
    panels = [table.buses[30].panel(0x3C), table.buses[31].panel(0x3C), table.buses[1].panel(0x3D)]
    assert [panel.registers.inverted for panel in panels if panel] == [False] * 3


@pytest.mark.parametrize("cut_short", [b"\x21", b"\x22\x00", b"\x81", b"\xd3"])
def test_a_panel_that_waits_for_the_end_of_a_command_is_dark_too(
    layout: Layout, table: EmulatedTable, cut_short: bytes
) -> None:
    for number, bus in table.buses.items():
        panel = bus.panel(0x3D if number == 1 else 0x3C)
        assert panel is not None
        panel.write(b"\x00" + cut_short)
    assert blank(layout, table) == {}
    assert dark(table) == [True] * 4


def test_a_panel_that_does_not_answer_is_told_and_the_others_are_dark(layout: Layout, table: EmulatedTable) -> None:
    table.buses[30].fail(0x3C, times=1000)
    assert blank(layout, table) == {0: "the display at 0x3c on I2C bus 30 does not answer (Remote I/O error)"}
    assert dark(table) == [False, True, True, True]


def test_a_panel_that_fails_once_is_asked_again(layout: Layout, table: EmulatedTable) -> None:
    table.buses[30].fail(0x3C, times=1)
    assert blank(layout, table) == {}
    assert dark(table) == [True] * 4


def test_a_bus_that_is_not_there_is_told(layout: Layout, table: EmulatedTable) -> None:
    del table.buses[1]  # type: ignore[attr-defined]
    left = blank(layout, table)
    assert left == {2: "I2C bus 1 with the display at 0x3d can't be opened (No such file or directory)"}


def test_a_bus_that_hangs_costs_no_more_than_the_time_there_is(layout: Layout, table: EmulatedTable) -> None:
    table.buses[30].hang(0x3C, times=1000, hold_s=1.0)
    began_s = time.monotonic()
    left = blank(layout, table, timeout_s=0.4)
    assert time.monotonic() - began_s < 0.9
    assert left == dict.fromkeys((0, 1), "its display did not answer within 0.4 s")
    assert dark(table)[2:] == [True, True]


def test_a_wire_that_hangs_for_a_while_still_gets_its_other_panels_dark(layout: Layout, table: EmulatedTable) -> None:
    table.buses[30].hang(0x3C, times=1000, hold_s=0.2)
    left = blank(layout, table, timeout_s=2.0)
    assert left == {0: "the display at 0x3c on I2C bus 30 does not answer (Connection timed out)"}
    assert dark(table) == [False, True, True, True]


# Seat boards: a daemon showed a picture, and was killed.


def with_a_board(cups: type[EmulatedCup] | type[CupProcess], then: Callable[[Layout, EmulatedTable], None]) -> bool:
    """Let a board shine, do something on a thread, and return whether the board's display is dark then."""

    async def scenario() -> bool:
        layout = parse(f'name = "test"\n{BOARD}{BOARD.replace("Board", "Other").replace("BOARD1", "BOARD2")}', "")
        loop = asyncio.get_running_loop()
        with EmulatedTable(layout, loop, seed=1, cups=cups) as table:
            table.seats[1].unplug("board")
            await _shine(table, loop)
            await asyncio.to_thread(then, layout, table)
            for _ in range(100):
                if not table.seats[0].picture().getbbox():
                    return True
                await asyncio.sleep(0.01)
            return False

    return asyncio.run(scenario())


async def _shine(table: EmulatedTable, loop: asyncio.AbstractEventLoop) -> None:
    driver = SeatBoard(0, partial(table.open_port, "BOARD1"), loop=loop, post=lambda _: None)
    driver.show(Image.new("1", (128, 64), 1))
    for _ in range(500):
        await asyncio.sleep(0.01)
        if driver.is_shown and table.seats[0].picture().getbbox():
            break
    assert table.seats[0].picture().getbbox()
    driver._line.release(0)  # as when the process is killed: nothing is said any more


@pytest.mark.parametrize("cups", [EmulatedCup, CupProcess])
def test_a_board_is_dark_and_one_that_is_not_plugged_in_is_told(
    cups: type[EmulatedCup] | type[CupProcess],
) -> None:
    left: dict[int, str] = {}
    assert with_a_board(cups, lambda layout, table: left.update(blank(layout, table)))
    assert left == {1: "its board is not there: BOARD2 is not plugged in"}


def test_a_boards_display_is_switched_off() -> None:
    is_on: list[bool] = []

    def act(layout: Layout, table: EmulatedTable) -> None:
        blank(layout, table)
        cup = table.ports["BOARD1"]
        assert isinstance(cup, EmulatedCup)
        assert cup.panel is not None
        is_on.append(cup.panel.on)

    assert with_a_board(EmulatedCup, act)
    assert is_on == [False]


@pytest.mark.slow
def test_a_board_whose_panel_does_not_answer_is_told() -> None:
    left: dict[int, str] = {}

    def act(layout: Layout, table: EmulatedTable) -> None:
        cup = table.ports["BOARD1"]
        assert isinstance(cup, EmulatedCup)
        cup.panel_answers = False
        left.update(blank(layout, table, timeout_s=1.5))

    with_a_board(EmulatedCup, act)
    assert left[0] == "its board's display does not answer; check its four wires"


@pytest.fixture
def terminal():  # type: ignore[no-untyped-def]
    far, near = os.openpty()
    yield far, os.ttyname(near)
    os.close(far)
    os.close(near)


def test_a_board_that_says_nothing_is_given_up_in_time(terminal: tuple[int, str]) -> None:
    began_s = time.monotonic()
    why = blank_board(partial(serial.Serial, terminal[1], timeout=0, write_timeout=0), began_s + 0.3)
    assert why == "its board does not answer"
    assert time.monotonic() - began_s < 0.8


def test_a_board_with_another_version_of_the_link_is_told(terminal: tuple[int, str]) -> None:
    def open_port() -> serial.Serial:
        port = serial.Serial(terminal[1], timeout=0, write_timeout=0)
        os.write(terminal[0], frame(link.to_body(0, link.Hello(1, 0, 1, "X", version=99))))
        return port

    why = blank_board(open_port, time.monotonic() + 5)
    assert why == f"its board speaks version 99 of the link, this host {link.VERSION}"


def test_a_port_that_a_daemon_still_has_open_is_told(terminal: tuple[int, str]) -> None:
    opener = partial(serial.Serial, terminal[1], exclusive=True, timeout=0, write_timeout=0)
    with closing(opener()):
        why = blank_board(opener, time.monotonic() + 5)
    assert why == "another program has its board's port open; stop the daemon first"


# The command.


def test_the_command_ends_with_0_when_all_are_dark(
    table: EmulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ports, "SystemPorts", lambda: table)
    assert cli.main(["blank", "--layout", _file(tmp_path, WIRED)]) == 0
    assert capsys.readouterr() == ("4 displays are dark\n", "")
    assert dark(table) == [True] * 4


def test_the_command_ends_with_1_and_a_line_for_each_that_is_not(
    table: EmulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ports, "SystemPorts", lambda: table)
    table.buses[1].fail(0x3D, times=1000)
    assert cli.main(["blank", "--layout", _file(tmp_path, WIRED)]) == 1
    reported = "South: the display at 0x3d on I2C bus 1 does not answer (Remote I/O error)\n"
    assert capsys.readouterr() == ("3 of 4 displays are dark\n", reported)


def test_it_needs_neither_luma_nor_pillow_nor_the_engine(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "for absent in ('luma', 'PIL', 'engine'): sys.modules[absent] = None\n"
        "from firmware_host import cli\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    file = _file(tmp_path, WIRED + BOARD)
    done = subprocess.run(
        [sys.executable, "-c", program, "blank", "--layout", file], cwd=ROOT, capture_output=True, text=True, timeout=20
    )
    assert (done.returncode, done.stdout) == (1, "0 of 5 displays are dark\n")
    reported = [line.partition(": ")[0] for line in done.stderr.splitlines()]
    assert reported == ["North", "East", "South", "West", "Board"]


def _file(folder: Path, text: str) -> str:
    file = folder / "table.toml"
    file.write_text(text)
    return str(file)
