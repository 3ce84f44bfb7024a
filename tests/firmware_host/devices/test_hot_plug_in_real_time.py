"""Boards as processes on terminals, found in a folder like /dev/serial/by-id, change sockets while a match goes on.

The machine's clock, the kernel's terminals, the real program under MicroPython where it is installed.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.wires.moments import MOMENTS, is_right, seconds_until_right
from support.wires.table_at_wires import AtWires, at_wires

from firmware_host.devices.pairing import replacements
from firmware_host.screens import draw
from firmware_host.wire import DeviceLost
from hardware.emulated.cup_process import CupProcess
from hardware.firmware.device_config import DeviceConfig

pytestmark = pytest.mark.slow


BACK_S = 1.0
YELLOW = "E661410000000003"
NEW = "E6614103E7452D21"
ALL = ("left", "right", "ok", "dudo")


class Sockets:
    """What the system does when a device is plugged in or pulled: its name comes and goes, wherever it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._used: set[str] = set()
        self._taken: list[int] = []
        folder.mkdir()

    def plug(self, board: CupProcess) -> None:
        """Put a board into another socket than before."""
        board.plug()
        while board.path in self._used:
            board.unplug()
            self._taken += os.openpty()  # its number is not given again
            board.plug()
        self._used.add(board.path)
        self._name(board).symlink_to(board.path)

    def pull(self, board: CupProcess) -> None:
        """Pull it out."""
        self._name(board).unlink(missing_ok=True)
        board.unplug()

    def close(self) -> None:
        """Give the terminals back that kept a number from being used again."""
        for descriptor in self._taken:
            os.close(descriptor)

    def _name(self, board: CupProcess) -> Path:
        return self.folder / f"usb-MicroPython_Board_in_FS_mode_{board.fitted.identity.lower()}-if00"


@pytest.fixture
def sockets(tmp_path: Path) -> Iterator[Sockets]:
    sockets = Sockets(tmp_path / "by-id")
    yield sockets
    sockets.close()


async def plugged(table: AtWires, sockets: Sockets) -> list[CupProcess]:
    boards = [port for port in table.wires.ports.values() if isinstance(port, CupProcess)]
    for board in boards:
        sockets.plug(board)
    for seat in range(len(boards)):
        assert await seconds_until_right(table, seat) < 5
    return boards


def test_a_board_is_itself_within_a_second_in_whichever_socket(tmp_path: Path, sockets: Sockets) -> None:
    async def scenario() -> None:
        async with at_wires("boards-8", MOMENTS["in turn"].scene, tmp_path, real=sockets.folder) as table:
            boards = await plugged(table, sockets)
            was = boards[0].path
            for away_s in (0.1, 0.9, 1.7):
                sockets.pull(boards[0])
                await asyncio.sleep(away_s)
                assert [missing.name for missing in table.seen[1][-1][0].missing] == ["Red"]
                sockets.plug(boards[0])
                took_s = await seconds_until_right(table, 0)
                print(f"{boards[0].path}: {took_s:.2f} s from the plug to the right picture")
                assert took_s <= BACK_S
            assert boards[0].path != was
            table.seats[0].press("ok")
            await asyncio.sleep(1)
            assert table.dice_on(0)
            table.seats[0].release("ok")

    asyncio.run(scenario())


def test_boards_that_swap_their_sockets_are_still_who_they_were(tmp_path: Path, sockets: Sockets) -> None:
    async def scenario() -> None:
        async with at_wires("boards-8", MOMENTS["in turn"].scene, tmp_path, real=sockets.folder) as table:
            boards = await plugged(table, sockets)
            for board in boards[:2]:
                sockets.pull(board)
            await asyncio.sleep(0.2)
            for board in reversed(boards[:2]):
                sockets.plug(board)
            for seat in (0, 1):
                assert await seconds_until_right(table, seat) <= BACK_S
            table.seats[0].press("ok")
            await asyncio.sleep(1)
            assert table.dice_on(0)
            assert not table.dice_on(1)

    asyncio.run(scenario())


def test_two_boards_with_one_id_are_both_named_and_one_of_them_is_enough(tmp_path: Path, sockets: Sockets) -> None:
    async def scenario() -> None:
        async with at_wires("boards-8", MOMENTS["in turn"].scene, tmp_path, real=sockets.folder) as table:
            boards = await plugged(table, sockets)
            sockets.pull(boards[0])
            await asyncio.sleep(0.7)
            twin = sockets.folder / f"usb-Somebodys_Copy_{boards[0].fitted.identity}-if00"
            twin.symlink_to(boards[1].path)
            sockets.plug(boards[0])
            await asyncio.sleep(1)
            whys = [event.why for event in table.events if isinstance(event, DeviceLost) and event.seat == 0]
            assert twin.name in whys[-1]
            assert "usb-MicroPython" in whys[-1]
            assert is_right(table, 1)
            twin.unlink()
            assert await seconds_until_right(table, 0) <= BACK_S

    asyncio.run(scenario())


def test_a_new_board_in_any_socket_becomes_the_seat_it_is_shaken_for(tmp_path: Path, sockets: Sockets) -> None:
    async def scenario() -> None:
        async with at_wires("boards-8", MOMENTS["in turn"].scene, tmp_path, real=sockets.folder) as table:
            boards = await plugged(table, sockets)
            sockets.pull(boards[2])
            new = CupProcess(DeviceConfig(NEW, buttons=ALL, panel="ssd1309"), asyncio.get_running_loop(), seed=1)
            opened.callback(new.close)
            sockets.plug(new)
            async with asyncio.timeout(10):
                while new.picture().getbbox() is None:
                    await asyncio.sleep(0.05)
            new.hand.press("ok")
            await asyncio.sleep(0.2)
            new.hand.shake()
            await asyncio.sleep(2)
            new.hand.release("ok")
            async with asyncio.timeout(5):
                while table.seen[0][-1][0].missing:
                    await asyncio.sleep(0.05)
            assert replacements.read(tmp_path) == {YELLOW: NEW}
            view, menu, _ = table.seen[2][-1]
            async with asyncio.timeout(5):
                while new.picture().tobytes() != draw(view, menu).tobytes():
                    await asyncio.sleep(0.05)

    with ExitStack() as opened:
        asyncio.run(scenario())
