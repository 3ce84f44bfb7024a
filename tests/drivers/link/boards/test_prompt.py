"""A board that sits at MicroPython's prompt: recognised, told, and started again without a hand at its cable."""

import asyncio
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.link.devices import UnassignedDevice
from drivers.link.port import RESTART, Prompt
from drivers.link.seat_board import SeatBoard
from drivers.messages import Device, Found, Lost, Message
from hardware.emulated.cup_process import CupProcess, micropython
from hardware.emulated.line import EmulatedLine
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import frame

WITHIN_S = 10.0
BANNER = b"\r\nMicroPython v1.28.0 on 2026-01-01; Raspberry Pi Pico with RP2040\r\n>>> "
TRACEBACK = (
    b'Traceback (most recent call last):\r\n  File "main.py", line 35, in main\r\n'
    b"ValueError: panel is 'ssd1305'\r\n" + BANNER[2:]
)
SAT = "the board sat at MicroPython's prompt; its program is started again"
needs_micropython = pytest.mark.skipif(micropython() is None, reason="MicroPython's unix port is not installed")


class PromptLine(EmulatedLine):
    """A line with a Pico at its end whose program does not start; it answers every restart with `answer`."""

    def __init__(self, loop: VirtualLoop, answer: bytes) -> None:
        super().__init__("BOARD01", loop)
        self.restarts = 0
        self._answer = answer
        self.listen(self._receive)

    def _receive(self, received: bytes) -> None:
        self.restarts += received.count(RESTART)
        self.send(self._answer)


def test_an_ask_holds_no_byte_that_stops_a_program_or_ends_a_line_at_the_prompt() -> None:
    asked = frame(link.to_body(0, link.Ask()))
    assert not {0x02, 0x03, 0x04, 0x0D} & set(asked)


@pytest.mark.parametrize("byte", range(1, 5))
def test_the_version_is_no_control_byte_of_the_prompt(byte: int) -> None:
    assert byte != link.VERSION


@pytest.mark.parametrize("text", [BANNER, b"raw REPL; CTRL-B to exit\r\n>", TRACEBACK])
def test_the_prompt_is_recognised_however_its_text_is_cut(text: bytes) -> None:
    prompt = Prompt()
    for at in range(len(text)):
        prompt.feed(text[at : at + 1])
    assert prompt.is_seen


def test_a_frame_after_the_text_says_that_the_program_runs() -> None:
    prompt = Prompt()
    prompt.feed(BANNER)
    prompt.clear()
    assert not prompt.is_seen


def test_the_error_is_one_printable_line_of_bounded_length() -> None:
    prompt = Prompt()
    prompt.feed(b"\r\nValueError: \x1b[2Jboo\r\nOSError: " + b"x" * 500 + b"\r\n" + TRACEBACK)
    assert prompt.error == "ValueError: panel is 'ssd1305'"
    prompt.feed(b"\r\nOSError: " + b"x" * 500 + b"\r\n")
    assert prompt.error is not None
    assert prompt.error.startswith("OSError: xxx")
    assert len(prompt.error) < 150
    prompt.feed(b"\r\nKeyboardInterrupt: \r\n>>> ")
    assert prompt.error == "KeyboardInterrupt"


@pytest.mark.usefixtures("unraised")
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            BANNER,
            "the board sits at MicroPython's prompt: its program does not start; "
            "is it of this release, and the paper clip off?",
        ),
        (
            TRACEBACK,
            "the board sits at MicroPython's prompt: its program failed with ValueError: panel is 'ssd1305'; "
            "is it of this release, and the paper clip off?",
        ),
    ],
)
def test_a_board_whose_program_does_not_start_is_told_with_its_error_and_tried_again(
    answer: bytes, why: str, loop: VirtualLoop, inbox: list[Message], wait: Callable[[float], None]
) -> None:
    line = PromptLine(loop, answer)
    with SeatBoard(0, line.open, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(4)
        assert inbox == [Lost(0, Device.BOARD, SAT), Lost(0, Device.BOARD, why)]
        assert line.restarts == 2
        wait(60)
    assert len(inbox) == 2
    assert line.restarts < 20


@pytest.mark.usefixtures("unraised")
def test_a_pico_that_is_nobodys_is_left_at_its_prompt(
    loop: VirtualLoop, inbox: list[Message], wait: Callable[[float], None]
) -> None:
    line = PromptLine(loop, BANNER)
    with UnassignedDevice(line.open, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(20)
    assert line.restarts == 0


@pytest.fixture
def real_loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.SelectorEventLoop()
    yield loop
    loop.close()


@needs_micropython
def test_a_board_at_the_real_prompt_comes_back_by_itself(
    real_loop: asyncio.AbstractEventLoop, inbox: list[Message], tmp_path: Path
) -> None:
    # At the end of this prompt a Pico would start its program: a soft reset. Here that is a process of its own.
    start = tmp_path / "start"
    blocking = f"{sys.executable} -c 'import os, sys; os.set_blocking(0, bool(int(sys.argv[1])))'"
    start.write_text(f'#!/bin/sh\n{blocking} 1\n{micropython()} -i\n{blocking} 0\nexec {micropython()} "$@"\n')
    start.chmod(start.stat().st_mode | stat.S_IXUSR)
    board = CupProcess(
        DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1306"), real_loop, seed=1, interpreter=str(start)
    )
    try:
        with SeatBoard(0, board.open, loop=real_loop, post=inbox, identity="BOARD01") as driver:  # type: ignore[arg-type]
            give_up_s = time.monotonic() + WITHIN_S
            while not driver.is_up and time.monotonic() < give_up_s:
                real_loop.run_until_complete(asyncio.sleep(0.01))
        assert inbox == [Lost(0, Device.BOARD, SAT), Found(0, Device.BOARD)]
    finally:
        board.close()
