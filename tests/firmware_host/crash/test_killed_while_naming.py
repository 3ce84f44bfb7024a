"""The daemon, a process of its own, is killed while a player enters a name, and as soon as the name is complete."""

import asyncio
import signal
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from support.crash.boards import KilledSeat, seat_at
from support.crash.processes import Daemons, Running

from firmware_host.store.house.names import FILE_NAME, NameBook
from hardware.emulated.pace import PICO

pytestmark = pytest.mark.slow

LAYOUT = """
name = "killed"
rules = "perudo"
names_days = 30

[[seat]]
name = "Red"
color = "red"
board = "KILLED0"

[[seat]]
name = "Orange"
color = "orange"
board = "KILLED1"
"""
PATIENCE_S = 60.0
"""Everything comes in a fraction of a second; this is for machines that have other things to do."""
STEADY_S = 0.3


class NamingTable:
    """A table of two, whose first player presses OK."""

    def __init__(self, folder: Path, daemons: Daemons, seats: list[KilledSeat]) -> None:
        self.state = folder / "state"
        self.player = seats[0]
        self._folder = folder
        self._daemons = daemons
        self._daemon: Running | None = None

    async def begin(self) -> None:
        """Start a daemon and wait for its picture."""
        board, began_s = self.player.board, asyncio.get_running_loop().time()
        places = {"--layout": "layout.toml", "--state": "state", "--events": "socket"}
        run = ["run", *(word for flag, name in places.items() for word in (flag, str(self._folder / name)))]
        task = {"serial": str(self._folder / "by-id"), "tape": str(self._folder / "tape"), "plant": "", "undo_every": 0}
        self._daemon = await self._daemons.begin(task | {"dies": "", "after": 0, "within_s": 0.0}, run)
        ended = self._daemon.ended
        await until(lambda: ended.done() or (board.is_lit and board.pictured_s >= began_s))
        assert not ended.done(), (self._folder / "daemon.log").read_text()

    async def kill(self) -> None:
        """Kill the daemon."""
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGKILL)
        await self._daemon.ended

    async def tap(self) -> bytes:
        """Press OK, and return the picture that follows, once it stays."""
        board = self.player.board
        shown = len(board.shown)
        self.player.press("ok")
        await asyncio.sleep(0.05)
        self.player.release("ok")
        await until(lambda: len(board.shown) > shown and not board.is_busy and board.acknowledged == max(board.events))
        await until(lambda: asyncio.get_running_loop().time() - board.shown_s > STEADY_S)
        return self.picture

    @property
    def picture(self) -> bytes:
        """What the display shows."""
        return self.player.board.shown[-1].dots


async def until(comes: Callable[[], bool]) -> None:
    """Wait until something comes."""
    limit_s = time.monotonic() + PATIENCE_S
    while not comes():
        assert time.monotonic() < limit_s, "it did not come"
        await asyncio.sleep(0.01)


def test_a_kill_in_the_middle_of_a_name_costs_its_letters_alone(tmp_path: Path) -> None:
    (tmp_path / "layout.toml").write_text(LAYOUT, "utf-8")

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as opened:
            daemons = await opened.enter_async_context(Daemons(tmp_path / "daemon.log"))
            seats = [seat_at(number, name, loop, tmp_path / "by-id") for number, name in enumerate(("Red", "Orange"))]
            for seat in seats:
                opened.callback(seat.close)
            await asyncio.sleep(2 * PICO.boot_us / 1e6)
            table = NamingTable(tmp_path, daemons, seats)
            await table.begin()
            question = await table.tap()  # joins
            letters = [await table.tap(), await table.tap()]
            assert len({question, *letters}) == 3
            await table.kill()
            assert b"AA" not in (table.state / FILE_NAME).read_bytes()

            await table.begin()
            await until(lambda: table.picture == question)
            assert [await table.tap() for _ in range(2)] == letters
            await table.tap()
            named = await table.tap()
            await until(lambda: "AAA" in NameBook(table.state).known())
            await table.kill()

            await table.begin()
            await until(lambda: table.picture == named)
            assert NameBook(table.state).known() == {"AAA": (0, False, True)}
            await table.kill()
        assert "Traceback" not in (tmp_path / "daemon.log").read_text()

    asyncio.run(scenario())
