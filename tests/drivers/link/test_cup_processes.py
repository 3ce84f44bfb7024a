"""Cups as processes on pseudo-terminals, under every interpreter there is, with pyserial at the host's end."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator

import pytest
import serial
from PIL import Image

from drivers.link.seat_board import SeatBoard
from drivers.messages import Device, Found, Lost, Message, Pressed, Settled, Shaken
from hardware.emulated.cup_process import CupProcess, micropython
from hardware.firmware.device_config import DeviceConfig

WITHIN_S = 10.0
INTERPRETERS = [path for path in (sys.executable, micropython()) if path]
BOARD = DeviceConfig("BOARD01", buttons=("left", "right", "ok", "dudo"), panel="ssd1306")


@pytest.fixture
def real_loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.SelectorEventLoop()
    yield loop
    loop.close()


@pytest.fixture(params=INTERPRETERS, ids=["cpython", "micropython"][: len(INTERPRETERS)])
def board(request: pytest.FixtureRequest, real_loop: asyncio.AbstractEventLoop) -> Iterator[CupProcess]:
    board = CupProcess(BOARD, real_loop, seed=1, interpreter=request.param)
    yield board
    board.close()


@pytest.fixture
def driver(board: CupProcess, real_loop: asyncio.AbstractEventLoop, inbox: list[Message]) -> Iterator[SeatBoard]:
    with SeatBoard(0, board.open, loop=real_loop, post=inbox, identity="BOARD01") as driver:  # type: ignore[arg-type]
        until(real_loop, lambda: driver.is_up and driver.is_shown)
        assert isinstance(inbox.pop(), Found)
        inbox.clear()  # on a slow machine the board is lost before it has started
        yield driver


def until(loop: asyncio.AbstractEventLoop, holds: Callable[[], bool]) -> None:
    """Run the loop until something holds; it fails when that takes too long."""
    give_up_s = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < give_up_s
        loop.run_until_complete(asyncio.sleep(0.005))


def test_a_board_on_a_terminal_is_lost_found_and_shows_its_picture(
    board: CupProcess, driver: SeatBoard, real_loop: asyncio.AbstractEventLoop, inbox: list[Message]
) -> None:
    picture = Image.effect_noise((128, 64), 90).convert("1")
    driver.show(picture)
    until(real_loop, lambda: driver.is_shown)
    assert board.picture().tobytes() == picture.tobytes()
    board.unplug()
    until(real_loop, lambda: not driver.is_up)
    board.plug()
    until(real_loop, lambda: driver.is_up and driver.is_shown)
    assert [type(message) for message in inbox] == [Lost, Found]
    assert board.picture().tobytes() == picture.tobytes()


@pytest.mark.usefixtures("driver")
def test_a_press_and_a_shake_reach_the_host(
    board: CupProcess, real_loop: asyncio.AbstractEventLoop, inbox: list[Message]
) -> None:
    board.hand.press("ok")
    board.hand.shake(0.6)
    until(real_loop, lambda: any(isinstance(message, Settled) for message in inbox))
    assert [type(message) for message in inbox] == [Pressed, Shaken, Settled]


@pytest.mark.usefixtures("driver")
def test_a_port_that_is_open_is_nobody_elses(board: CupProcess) -> None:
    with pytest.raises(serial.SerialException):
        board.open()


def test_a_port_that_is_not_there_is_told(real_loop: asyncio.AbstractEventLoop, inbox: list[Message]) -> None:
    def open_port() -> serial.Serial:
        return serial.Serial("/dev/serial/by-id/none-such", exclusive=True, timeout=0, write_timeout=0)

    with SeatBoard(0, open_port, loop=real_loop, post=inbox):  # type: ignore[arg-type]
        until(real_loop, lambda: bool(inbox))
    lost = inbox[0]
    assert isinstance(lost, Lost)
    assert lost.device is Device.BOARD
    assert "No such file" in lost.why
