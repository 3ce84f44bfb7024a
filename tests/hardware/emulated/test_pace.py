"""An emulated board takes as long as a Pico: it is held to measurements of the program on MicroPython 1.28.

They were made on an emulated RP2040 whose flash cache was calibrated on a published benchmark of a real chip.
"""

import asyncio
import binascii
import random
from collections.abc import Sequence

import pytest

from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import Parser, frame
from hardware.link.oled import DisplayMode

NOISE = random.Random(1).randbytes(1024)
TEXT = bytes(NOISE[at] & NOISE[at - 3] if at % 128 < 80 and at // 128 % 2 else 0 for at in range(1024))
PARTS = 0.1
"""The share by which an emulated board may be faster or slower."""


def picture(windows: Sequence[link.Window], *, peek: bool = False) -> link.Picture:
    held = bytearray(1024)
    for window in windows:
        held[128 * window.page + window.column :][: len(window.columns)] = window.columns
    return link.Picture(1, link.NO_BASE, binascii.crc32(held), DisplayMode(True), list(windows), peek)


def windows(count: int, width: int) -> list[link.Window]:
    return [link.Window(2 * number, 8, NOISE[128 * number :][:width]) for number in range(count)]


def whole(shown: bytes, *, peek: bool = False) -> link.Picture:
    return picture(link.whole_picture(shown), peek=peek)


MEASURED_MS = {
    "Ping": (link.Ping(1, 500), 7.8),
    "Ask": (link.Ask(), 8.8),
    "Draw": (link.Draw(b"d" * 32), 10.0),
    "how alone": (picture([]), 9.9),
    "a window of 8": (picture(windows(1, 8)), 11.3),
    "a window of 128": (picture([link.Window(2, 0, NOISE[:128])]), 21.5),
    "2 windows of 60": (picture(windows(2, 60)), 21.6),
    "4 windows of 60": (picture(windows(4, 60)), 34.0),
    "whole, dark": (whole(bytes(1024)), 107.7),
    "whole, text": (whole(TEXT), 111.9),
    "whole, lit": (whole(b"\xff" * 1024), 107.1),
    "whole, noise": (whole(NOISE), 104.4),
    "whole with dice, dark": (whole(bytes(1024), peek=True), 127.5),
    "whole with dice, noise": (whole(NOISE, peek=True), 130.4),
}
LAST_ANSWER = {link.Ping: link.Pong, link.Draw: link.Drawn}


@pytest.mark.parametrize("name", MEASURED_MS)
def test_a_message_is_answered_as_fast_as_by_a_pico(name: str, loop: VirtualLoop) -> None:
    message, measured_ms = MEASURED_MS[name]
    assert loop.run_until_complete(_answered_ms(loop, message)) == pytest.approx(measured_ms, rel=PARTS)


async def _answered_ms(loop: VirtualLoop, message: link.LinkMessage) -> float:
    board = EmulatedCup(DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309", light=True), loop, seed=1)
    await asyncio.sleep(1)
    port, parser = board.open(), Parser()
    await asyncio.sleep(0.01)
    port.read(1 << 16)
    began_s = loop.time()
    port.write(b"\0" + frame(link.to_body(0, message)))
    awaited = LAST_ANSWER.get(type(message), link.PictureAck)
    while True:
        await asyncio.sleep(0.0001)
        if any(isinstance(link.from_body(body)[1], awaited) for body in parser.feed(port.read(1 << 16))):
            board.close()
            return 1000 * (loop.time() - began_s)
