"""MicroPython's USB serial as a Pico has it: it promises room for one byte, and a write that does not fit blocks."""

from collections.abc import Iterator
from types import ModuleType

import pytest

BUFFER = 256
BLOCKED_FOR_US = 500_000


class PicoUsb:
    """Both ends of MicroPython's USB serial on an RP2040; `now_us` is the time that its writes have taken."""

    def __init__(self) -> None:
        self.now_us = 0
        self.waiting = bytearray()
        self.sent = bytearray()

    def readable(self, _: int) -> Iterator[object]:
        return iter([self] if self.waiting else [])

    def writable(self, _: int) -> Iterator[object]:
        return iter([self] if len(self.sent) < BUFFER else [])

    def readinto(self, place: memoryview) -> int:
        assert len(place) <= len(self.waiting), "it waits for bytes that nobody has sent"
        place[:] = self.waiting[: len(place)]
        del self.waiting[: len(place)]
        return len(place)

    def write(self, data: bytes) -> int:
        self.now_us += 50
        if len(data) > BUFFER - len(self.sent):
            self.now_us += BLOCKED_FOR_US
            return 0
        self.sent += data
        return len(data)

    def connect(self, cable: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let `hardware.firmware.cable` find this where it looks for its streams."""
        looks = {cable.select.POLLIN: self.readable, cable.select.POLLOUT: self.writable}
        monkeypatch.setattr(cable, "_looks_for", lambda stream, what: looks[what])
        monkeypatch.setattr(cable, "_unbuffered", lambda stream: self)
