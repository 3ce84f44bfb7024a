"""The cup's program as a process on a terminal: the file that goes on a Pico, above a `machine` that stands in for it.

In real time, so there are few of these and they are short.
"""

import asyncio
import binascii
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from hardware.emulated.cup_process import BOOT, ROOT, CupProcess, micropython
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.oled import DisplayMode

BOARD = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1306", light=True)
INTERPRETERS = [sys.executable, *filter(None, [micropython()])]
LIT = b"\xff" * 1024
WITHIN_S = 10.0


@pytest.fixture
def real_loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


class Host:
    """A board in a process and the host's end of its terminal."""

    def __init__(self, board: CupProcess, loop: asyncio.AbstractEventLoop) -> None:
        self.board = board
        self._loop = loop
        self._port = board.open()
        self._parser = FrameParser()
        self.received: list[link.LinkMessage] = []

    def send(self, *messages: link.LinkMessage) -> None:
        self._port.write(b"".join(frame(link.to_body(0, message)) for message in messages))

    def until(self, is_so: Callable[[], bool]) -> None:
        """Let time pass until something is so."""
        end_s = time.monotonic() + WITHIN_S
        while not is_so():
            assert time.monotonic() < end_s, self.received
            self._loop.run_until_complete(asyncio.sleep(0.002))
            for body in self._parser.feed(self._port.read(1 << 16)):
                message = link.from_body(body)[1]
                assert message is not None
                self.received.append(message)

    def event_kinds(self) -> list[int]:
        kinds = {m.number: m.what for m in self.received if isinstance(m, link.Event)}
        return [kinds[number] for number in sorted(kinds)]


@pytest.fixture(params=INTERPRETERS, ids=lambda path: "MicroPython" if "micropython" in path else "CPython")
def interpreter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def host(interpreter: str, real_loop: asyncio.AbstractEventLoop) -> Iterator[Host]:
    board = CupProcess(BOARD, real_loop, seed=1, interpreter=interpreter)
    yield Host(board, real_loop)
    board.close()


def test_a_board_in_a_process_is_pressed_and_shows_and_is_lit(host: Host) -> None:
    host.send(link.Ask())
    host.until(lambda: any(isinstance(m, link.Hello) and m.identity == "BOARD01" for m in host.received))
    host.board.hand.press("ok")
    host.until(lambda: host.event_kinds() == [link.PRESSED])
    host.send(link.Ping(1, 60_000))
    host.send(link.Picture(1, 0, binascii.crc32(LIT), DisplayMode(), link.whole_picture(LIT), False, True))
    host.until(lambda: host.board.picture().tobytes() == LIT and host.board.lamp)


def test_a_panel_that_stops_answering_is_told(host: Host) -> None:
    host.send(link.Ask(), link.Ping(1, 60_000))
    host.until(lambda: any(isinstance(m, link.PictureAck) and m.lit for m in host.received))
    host.board.panel_answers = False
    host.board.hand.press("ok")  # over the same wires: when it is told, the panel is gone
    host.until(lambda: host.event_kinds() == [link.PRESSED])
    host.send(link.Picture(2, 0, binascii.crc32(LIT), DisplayMode(), link.whole_picture(LIT)))
    host.until(lambda: any(isinstance(m, link.PictureAck) and not m.lit for m in host.received))
    host.board.panel_answers = True
    host.until(lambda: host.board.picture().tobytes() == LIT)


@pytest.mark.slow
def test_a_cup_with_an_accelerometer_in_a_process_feels_a_shake(
    interpreter: str, real_loop: asyncio.AbstractEventLoop
) -> None:
    cup = CupProcess(DeviceConfig("CUP01"), real_loop, seed=1, interpreter=interpreter, accelerometer=True)
    try:
        host = Host(cup, real_loop)
        cup.hand.shake(1.0)
        host.until(lambda: host.event_kinds() == [link.SHAKEN, link.SETTLED])
    finally:
        cup.close()


def test_a_cup_that_is_lifted_when_it_gets_power_is_tilted(
    interpreter: str, real_loop: asyncio.AbstractEventLoop
) -> None:
    cup = CupProcess(DeviceConfig("CUP01"), real_loop, seed=1, interpreter=interpreter)
    try:
        cup.unplug()
        cup.hand.tilt()
        cup.plug()
        host = Host(cup, real_loop)
        host.until(lambda: host.event_kinds() == [link.TILTED])
    finally:
        cup.close()


def ended(
    interpreter: str, *said: bytes, otherwise: str = "{}", is_cut: bool = True
) -> subprocess.CompletedProcess[bytes]:
    """Run a board whose far end says something over the wires and cuts them; return how it ended."""
    near, far = socket.socketpair()
    with near, far:
        far.setblocking(False)
        near.sendall(b"".join(said))
        if is_cut:
            near.shutdown(socket.SHUT_WR)
        return subprocess.run(
            [interpreter, str(BOOT), str(far.fileno()), otherwise, "null"],
            pass_fds=[far.fileno()],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=WITHIN_S,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MICROPYPATH": f"{ROOT}:.frozen"},
        )


def test_a_board_whose_wires_are_cut_ends_without_a_word(interpreter: str) -> None:
    done = ended(interpreter)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("otherwise", "said"), [('{"ACCELEROMETER": 24}', b"has both"), ('{"PANEL": "ssd1305"}', b"must be one of")]
)
def test_a_wrong_wiring_is_told_at_the_prompt(interpreter: str, otherwise: str, said: bytes) -> None:
    done = ended(interpreter, otherwise=otherwise, is_cut=False)
    assert done.returncode == 1
    assert said in done.stdout + done.stderr
