"""The real driver and the real program talk on a virtual clock, and all of it is noted: part of `vectors.json`."""

import asyncio
from hashlib import sha256

from PIL import Image

from drivers.link.seat_board import SeatBoard
from drivers.messages import Message
from hardware.emulated.line import EmulatedLine
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Board, Inputs, Program
from hardware.link import messages as link
from hardware.link.framing import FrameParser
from hardware.link.gesture import GestureDetector

BUTTONS = ("left", "right", "ok", "dudo")
BOOT = 7
DEAL, HEAD = sha256(b"an example of a deal").digest(), sha256(b"an example of a head").digest()
SLOW_NUMBER = 3
"""Of the event that takes the host so long to make durable that it is said again."""

Row = dict[str, object]


class FakeBoard(Board):
    """A board on a virtual clock, and a record of the frames on its line."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.rows: list[Row] = []
        self.line = EmulatedLine("BOARD01", loop)
        self.line.listen(self._receive)
        self._loop = loop
        self._began_s = loop.time()
        self._timer: asyncio.TimerHandle | None = None
        fitted = DeviceConfig("BOARD01", buttons=BUTTONS, panel="ssd1309", light=True)
        self._cup = Program(fitted, BOOT, 0, self, GestureDetector(False, 0))
        self._step(Inputs())

    def random(self, count: int) -> bytes:
        return b"\x42" * count

    def write_panel(self, data: bytes) -> None:
        pass

    def set_light(self, is_on: bool) -> None:
        pass

    def move(self, line: str, closed: bool) -> None:
        self.rows.append({"at_us": self._now_us(), "hand": [line, closed]})
        self._step(Inputs(edges=((line, closed, 1000 * self._now_us()),)))

    def _receive(self, received: bytes) -> None:
        self._send_as("host", received)
        self._step(Inputs(received))

    def _step(self, inputs: Inputs) -> None:
        said = b"".join(self._cup.step(1000 * self._now_us(), inputs))
        if said:
            self._send_as("cup", said)
            self.line.send(said)
        if self._timer is not None:
            self._timer.cancel()
        due_ns = self._cup.due_ns
        if due_ns is not None:
            self._timer = self._loop.call_at(self._began_s + due_ns / 1e9, self._step, Inputs())

    def _send_as(self, who: str, said: bytes) -> None:
        kinds = [type(link.from_body(body)[1]).__name__ for body in FrameParser().feed(said)]
        self.rows.append({"at_us": self._now_us(), who: said.hex(), "says": kinds})

    def _now_us(self) -> int:
        return round((self._loop.time() - self._began_s) * 1e6)


def conversation() -> Row:
    loop = VirtualLoop(patience_s=10.0)
    board = FakeBoard(loop)

    def post(message: Message) -> None:
        event = getattr(message, "event", None)
        if event is not None:
            slow = event & 0xFFFF_FFFF == SLOW_NUMBER
            loop.call_later(0.12 if slow else 0.02, driver.acknowledge, event)

    driver = SeatBoard(0, board.line.open, loop=loop, post=post, identity="BOARD01")
    covered, lit = Image.new("1", (128, 64)), Image.new("1", (128, 64))
    covered.paste(1, (8, 8, 24, 16))
    lit.paste(1, (8, 8, 16, 16))
    hands = [(0.2, "ok", True), (0.201, "ok", False), (0.2015, "ok", True), (0.35, "ok", False)]
    hands += [(0.5 + 0.075 * number, "tilt", number % 2 == 0) for number in range(10)]
    hands += [(1.8, "ok", True), (2.3, "ok", False)]
    for at_s, line, closed in hands:
        loop.call_later(at_s, board.move, line, closed)
    loop.call_later(0.05, lambda: driver.show(covered, lamp=True))
    loop.call_later(0.1, lambda: driver.draw(DEAL))
    loop.call_later(1.75, lambda: driver.open_deal(DEAL, HEAD))
    loop.call_later(2.25, lambda: driver.show(lit, dice=[(8, 8, 16, 8)]))
    loop.call_later(2.3, lambda: driver.show(covered, first=True))
    loop.run_until_complete(asyncio.sleep(2.5))
    rows = list(board.rows)
    driver.close()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    return {"identity": "BOARD01", "boot": BOOT, "random": "42", "rows": rows}
