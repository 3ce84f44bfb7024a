"""Devices that belong to no seat at emulated wires: offered while one is missed, taken in by a shake, remembered."""

import asyncio
import logging
from pathlib import Path

import pytest
from support.wires.moments import MOMENTS, is_right
from support.wires.table_at_wires import AtWires
from support.wires.unassigned import MET_S, NEW, hold_and_shake, met_board, new_board, new_cup, remembered, run, tap

from drivers.messages import Device
from firmware_host.devices.pairing import replacements, scanner
from firmware_host.screens import draw_peek
from firmware_host.screens.idle import UnassignedBoardView, draw_unassigned_board
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.wire import DeviceReplaced
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedPort
from hardware.emulated.virtual_loop import VirtualLoop

RED, ORANGE, YELLOW, GREEN = (f"E66141000000000{number}" for number in range(1, 5))


def offers(board: EmulatedCup, *names: str, chosen: int = 0) -> bool:
    """Return whether the board's display shows for which of these seats it would be."""
    seen = board.picture().tobytes()
    return seen == draw_unassigned_board(UnassignedBoardView(board.fitted.identity, names, chosen)).tobytes()


def missing(table: AtWires) -> list[str]:
    """Return the seats with a missing device, as the first seat's display has them."""
    return [device.name for device in table.seen[0][-1][0].missing]


def raised_on(loop: VirtualLoop) -> list[type[BaseException]]:
    """Return the kinds of errors that reach the loop, as they come."""
    raised: list[type[BaseException]] = []
    loop.set_exception_handler(lambda _, context: raised.append(type(context["exception"])))
    return raised


def fails(*_: object) -> None:
    raise MemoryError


# A board.


def test_a_new_board_shows_whose_it_would_be_and_becomes_that_seat(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        table.seats[1].unplug("board")
        board = await met_board(table, 3)
        assert offers(board, "Orange", "Green")
        await tap(board, "right")
        assert offers(board, "Orange", "Green", chosen=1)
        await hold_and_shake(board)
        await asyncio.sleep(0.5)
        assert missing(table) == ["Orange"]
        assert remembered(tmp_path) == {GREEN: NEW}
        assert [event for event in table.events if isinstance(event, DeviceReplaced)] == [
            DeviceReplaced(3, Device.BOARD)
        ]
        await tap(board, "ok")
        assert isinstance(table.table.scene, Lobby)
        assert table.table.scene.joined == (0, 1, 3), "its buttons are the seat's"

    run(loop, "boards-8", tmp_path, test)


def test_a_board_that_takes_over_in_mid_round_shows_the_seats_dice(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        board = await met_board(table, 0)
        await hold_and_shake(board)
        await asyncio.sleep(0.5)
        board.hand.press("ok")
        await asyncio.sleep(1)
        view, menu, look = table.seen[0][-1]
        assert look is not None
        assert look.own is not None
        assert board.picture().tobytes() == draw_peek(view, menu, look).tobytes()

    run(loop, "boards-8", tmp_path, test, MOMENTS["in turn"].scene)


def test_the_shake_that_makes_a_board_a_seats_is_no_throw(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        board = await met_board(table, 0)
        await hold_and_shake(board)
        await asyncio.sleep(1)
        assert missing(table) == []
        for seat in table.seats[1:]:
            seat.shake()
        await asyncio.sleep(3)
        assert table.table.scene.name == "shaking"
        board.hand.shake()
        await asyncio.sleep(3)
        assert table.table.scene.name == "bidding"

    run(loop, "boards-8", tmp_path, test, MOMENTS["before the shake"].scene)


def test_a_board_that_was_gone_for_a_moment_is_not_taken_the_place_of(loop: VirtualLoop, tmp_path: Path) -> None:
    """Although a spare one, which another seat's absence made known, waits for that moment with OK held."""

    async def test(table: AtWires) -> None:
        board = await met_board(table, 3)
        board.hand.press("ok")
        await asyncio.sleep(0.2)
        table.seats[0].unplug("board")
        board.hand.shake()
        await asyncio.sleep(scanner.GRACE_S - 0.1)
        table.seats[0].plug("board")
        await asyncio.sleep(scanner.GRACE_S + 1.0)
        assert remembered(tmp_path) == {GREEN: NEW}, "it is what it showed that it would be"
        assert table.seen[1][-1][0].missing == ()
        assert is_right(table, 0)

    run(loop, "boards-8", tmp_path, test, MOMENTS["in turn"].scene)


def test_boards_that_come_and_go_in_turn_are_missed_no_sooner(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(table: AtWires) -> None:
        opened = Opened(new_board(table), monkeypatch)
        for _ in range(20):
            for seat in table.seats[:2]:
                seat.unplug("board")
                await asyncio.sleep(scanner.GRACE_S - 0.7)
                seat.plug("board")
                await asyncio.sleep(0.6)
        assert opened.times == 0

    run(loop, "boards-8", tmp_path, test)


def test_a_board_that_nobody_misses_any_more_goes_dark_and_is_let_go(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        board = await met_board(table, 1)
        table.seats[1].plug("board")
        await asyncio.sleep(1)
        assert is_right(table, 1)
        assert board.picture().getbbox() is None
        board.open().close()  # nobody has it open

    run(loop, "boards-8", tmp_path, test)


def test_the_old_board_that_comes_back_is_a_spare_one(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        board = await met_board(table, 1)
        await hold_and_shake(board)
        table.seats[1].plug("board")
        await asyncio.sleep(MET_S)
        assert missing(table) == []
        assert table.seats[1].picture().getbbox() is None, "nobody opens it"
        board.unplug()
        await asyncio.sleep(MET_S)
        assert table.seats[1].shows(draw_unassigned_board(UnassignedBoardView(ORANGE, ("Orange",))))
        table.seats[1].press("ok")
        table.seats[1].shake()
        await asyncio.sleep(2)
        table.seats[1].release("ok")
        await asyncio.sleep(0.5)
        assert is_right(table, 1)
        assert remembered(tmp_path) == {}, "the layout's own needs no line"

    run(loop, "boards-8", tmp_path, test)


def test_what_was_assigned_is_taken_up_at_the_next_start(
    loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    replacements.write(tmp_path, {ORANGE: NEW})
    caplog.set_level(logging.INFO)

    async def test(table: AtWires) -> None:
        assert missing(table) == ["Orange"]
        board = new_board(table)
        await asyncio.sleep(1)
        assert missing(table) == []
        assert not offers(board, "Orange")

    run(loop, "boards-8", tmp_path, test)
    assert (
        f"Orange’s board is {NEW}, assigned at the table, in place of the layout's {ORANGE} "
        f"({tmp_path}/stand-ins.toml)" in caplog.messages
    )


def test_a_damaged_file_is_one_line_and_the_layout_stands(
    loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "stand-ins.toml").write_text("{")

    async def test(table: AtWires) -> None:
        assert missing(table) == []

    run(loop, "boards-8", tmp_path, test)
    (line,) = (record.message for record in caplog.records if "stand-ins" in record.message)
    assert line.endswith("the layout's ids stand; correct the file or delete it")


def test_a_disk_that_is_full_does_not_keep_a_board_from_its_seat(
    loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise replacements.ReplacementsError("stand-ins.toml: can't be written: no space left on device")

    async def test(table: AtWires) -> None:
        board = await met_board(table, 1)
        monkeypatch.setattr(replacements, "write", full)
        await hold_and_shake(board)
        await asyncio.sleep(0.5)
        assert missing(table) == []

    run(loop, "boards-8", tmp_path, test)
    assert any("the assignment is lost when" in message for message in caplog.messages)


# A cup.


def test_a_new_cup_goes_to_the_seat_that_holds_ok(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        for seat in (0, 2):
            table.seats[seat].unplug("cup")
        cup = new_cup(table)
        await asyncio.sleep(MET_S)
        table.seats[2].press("ok")
        cup.hand.shake()
        await asyncio.sleep(2)
        table.seats[2].release("ok")
        assert missing(table) == ["Red"]
        assert list(remembered(tmp_path).values()) == [NEW]
        assert is_right(table, 2)

    run(loop, "wired-8", tmp_path, test)


def test_who_holds_ok_to_look_takes_in_no_cup_that_another_shakes(loop: VirtualLoop, tmp_path: Path) -> None:
    """It would be a hand of another's under the cup: who has it can lift it when nobody looks."""

    async def test(table: AtWires) -> None:
        table.seats[0].unplug("cup")
        cup = new_cup(table)
        await asyncio.sleep(MET_S)
        table.seats[0].press("ok")
        cup.hand.shake()
        await asyncio.sleep(2)
        assert table.dice_on(0)
        table.seats[0].release("ok")
        await asyncio.sleep(0.5)
        cup.hand.tilt()
        await asyncio.sleep(1)
        assert not table.dice_on(0)
        assert remembered(tmp_path) == {}

    run(loop, "wired-8", tmp_path, test, MOMENTS["in turn"].scene)


def test_the_seat_without_its_cup_reads_how_it_gets_a_new_one(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires) -> None:
        table.seats[0].unplug("cup")
        await asyncio.sleep(1)
        assert table.seen[0][-1][0].takes_new_cup

    run(loop, "wired-8", tmp_path, test)


# Whose ports are opened, and when.


class Opened:
    """How often a device's port is opened."""

    def __init__(self, device: EmulatedCup, patch: pytest.MonkeyPatch) -> None:
        self.times = 0
        self._open = device.open
        patch.setattr(device, "open", self)

    def __call__(self) -> EmulatedPort:
        self.times += 1
        return self._open()


def test_nobodys_port_is_opened_while_nobody_misses_anything(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(table: AtWires) -> None:
        opened = Opened(new_board(table), monkeypatch)
        await asyncio.sleep(60)
        table.seats[1].unplug("board")
        await asyncio.sleep(scanner.GRACE_S - 1.0)
        table.seats[1].plug("board")
        await asyncio.sleep(60)
        assert opened.times == 0

    run(loop, "boards-8", tmp_path, test)


def test_an_unassigned_port_is_opened_once_however_long_a_device_is_missing(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(table: AtWires) -> None:
        opened = Opened(new_cup(table), monkeypatch)
        table.seats[1].unplug("board")
        await asyncio.sleep(300)
        assert opened.times == 1

    run(loop, "boards-8", tmp_path, test)


def test_an_unassigned_device_that_is_pulled_is_no_news(
    loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(table: AtWires) -> None:
        board = new_board(table)
        table.seats[3].unplug("board")
        await asyncio.sleep(MET_S)
        board.unplug()
        await asyncio.sleep(3)
        board.plug()
        await asyncio.sleep(MET_S)
        assert offers(board, "Green")

    run(loop, "boards-8", tmp_path, test)
    assert [message for message in caplog.messages if NEW in message] == []


def test_an_unassigned_device_whose_driver_fails_is_left_alone_and_nobody_at_the_table_notices(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    raised = raised_on(loop)

    async def test(table: AtWires) -> None:
        board = await met_board(table, 0)
        before = len(table.events)
        with monkeypatch.context() as patched:
            patched.setattr("drivers.link.devices.UnassignedDevice._handle_event", fails, raising=False)
            await tap(board, "left")
        assert raised == [MemoryError]
        assert len(table.events) == before
        assert f"{NEW} belongs to no seat and is ignored" in caplog.text
        raised.clear()

    run(loop, "boards-8", tmp_path, test)


def test_an_error_in_the_scanner_keeps_no_message_from_the_table(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = raised_on(loop)

    async def test(table: AtWires) -> None:
        monkeypatch.setattr(scanner.UnassignedScanner, "_on_seat_message", fails)
        table.seats[2].tap("ok")
        await asyncio.sleep(1.0)
        assert len(table.events) == 1, "who pressed has joined"
        assert {*raised} == {MemoryError}
        raised.clear()

    run(loop, "boards-8", tmp_path, test, Lobby())


# The owner's page


def test_the_page_finds_a_board_at_a_whole_table_and_is_told_where_ok_is_pressed(
    loop: VirtualLoop, tmp_path: Path
) -> None:
    async def test(table: AtWires) -> None:
        board, _ = new_board(table), new_cup(table, "CUP0001")
        await asyncio.sleep(MET_S)
        await tap(board, "ok")
        looking = table.scanner
        assert (looking.look(), looking.pressed, looking.presses) == ((), "", 0)
        await asyncio.sleep(MET_S)
        assert looking.look() == (NEW,)
        await tap(board, "ok")
        assert (looking.pressed, looking.presses) == (NEW, 1)
        table.seats[2].tap("ok")
        await asyncio.sleep(0.5)
        assert (looking.pressed, looking.presses) == (2, 2)
        await tap(board, "left")
        await asyncio.sleep(scanner.LOOKING_S + scanner.SCAN_INTERVAL_S)
        await tap(board, "ok")
        assert looking.presses == 2
        assert repr(looking) == "<UnassignedScanner: none>", "its ports are closed again"

    run(loop, "boards-8", tmp_path, test)
