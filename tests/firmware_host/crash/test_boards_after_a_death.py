"""A board takes in what a dead daemon has sent before a test looks at its display and starts the next daemon."""

import asyncio
import os
from pathlib import Path

import pytest
from support.crash.boards import seat_at

from hardware.emulated.pace import PICO
from hardware.link.framing import frame
from hardware.link.messages import Ask, to_body

pytestmark = pytest.mark.slow  # a board starts in real time


def test_a_board_is_not_done_while_bytes_wait_in_its_terminal(tmp_path: Path) -> None:
    async def scenario() -> None:
        seat = seat_at(0, "Red", asyncio.get_running_loop(), tmp_path / "by-id")
        board = seat.board
        try:
            await asyncio.sleep(2 * PICO.boot_us / 1e6)
            while not board.is_done:
                await asyncio.sleep(0.005)
            (terminal,) = (tmp_path / "by-id").iterdir()
            daemon = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
            os.write(daemon, frame(to_body(0, Ask())))
            os.close(daemon)
            assert not board.is_busy, "the loop has read them already"
            assert not board.is_done
            while not board.is_done:
                await asyncio.sleep(0.005)
            assert not board.terminal.has_unread
        finally:
            seat.close()

    asyncio.run(scenario())
