"""An emulated board takes as long as a Pico: it is held to measurements of the program on MicroPython 1.28.

They were made on an emulated RP2040 whose flash cache was calibrated on a published benchmark of a real chip.
"""

import asyncio
import binascii
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.oled import DisplayMode, Window

NOISE = random.Random(1).randbytes(1024)
TEXT = bytes(NOISE[at] & NOISE[at - 3] if at % 128 < 80 and at // 128 % 2 else 0 for at in range(1024))
PARTS = 0.1
"""The share by which an emulated board may be faster or slower."""


def picture(windows: Sequence[Window], *, peek: bool = False) -> link.Picture:
    held = bytearray(1024)
    for window in windows:
        held[128 * window.page + window.column :][: len(window.columns)] = window.columns
    return link.Picture(1, link.NO_BASE, binascii.crc32(held), DisplayMode(True), list(windows), peek)


def windows(count: int, width: int) -> list[Window]:
    return [Window(2 * number, 8, NOISE[128 * number :][:width]) for number in range(count)]


def whole(shown: bytes, *, peek: bool = False) -> link.Picture:
    return picture(link.whole_picture(shown), peek=peek)


MEASURED_MS = {
    "Ping": (link.Ping(1, 500), 7.8),
    "Ask": (link.Ask(), 8.8),
    "Draw": (link.Draw(b"d" * 32), 10.0),
    "how alone": (picture([]), 9.9),
    "a window of 8": (picture(windows(1, 8)), 11.3),
    "a window of 128": (picture([Window(2, 0, NOISE[:128])]), 21.5),
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


@pytest.mark.parametrize("released_after_s", [None, 0.02, 0.08, 0.085, 0.0901])
def test_whatever_dice_come_a_board_is_busy_for_the_same_times(
    released_after_s: float | None, loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its looks at the switches is a timer here, and what they find is sent and stamped."""
    set_s, call_at = list[float](), loop.call_at

    def timed(when_s: float, callback: Callable[..., object], *more: object, **options: Any) -> asyncio.TimerHandle:
        set_s.append(when_s)
        return call_at(when_s, callback, *more, **options)

    monkeypatch.setattr(loop, "call_at", timed)
    runs = bytes([*bytes(8), 1]) * 113 + bytes(7)
    times = [
        loop.run_until_complete(_busy_s(loop, dice, released_after_s, set_s))
        for dice in (bytes(1024), b"\xff" * 1024, b"\x81\x00" * 512, runs, NOISE, TEXT)
    ]
    assert len(times[0]) > 40
    assert all(each == times[0] for each in times)


async def _busy_s(loop: VirtualLoop, dice: bytes, released_after_s: float | None, set_s: list[float]) -> list[float]:
    board = EmulatedCup(DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309", light=True), loop, seed=1)
    await asyncio.sleep(1)
    port = board.open()
    board.hand.press("ok")
    port.write(b"\0" + b"".join(frame(link.to_body(0, each)) for each in (link.Ping(1, 500), whole(TEXT, peek=True))))
    await asyncio.sleep(0.3)
    began_s = loop.time()
    set_s.clear()
    port.write(b"\0" + b"".join(frame(link.to_body(0, each)) for each in (whole(dice, peek=True), link.Ping(2, 500))))
    if released_after_s is not None:
        loop.call_later(released_after_s, board.hand.release, "ok")
    await asyncio.sleep(1)
    board.close()
    return [round(each - began_s, 9) for each in set_s]


async def _answered_ms(loop: VirtualLoop, message: link.LinkMessage) -> float:
    board = EmulatedCup(DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309", light=True), loop, seed=1)
    await asyncio.sleep(1)
    port, parser = board.open(), FrameParser()
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
