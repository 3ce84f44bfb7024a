"""What MicroPython and CPython spell differently; the rest of the cup's program is the same to both."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TICKS = 0x3FFF_FFFF
"""Ticks run over after so many microseconds, 18 minutes: what a Pico counts in without taking memory."""

_time: "Any" = time  # each interpreter lacks what the other has

if hasattr(time, "ticks_us"):  # MicroPython

    def ticks_us() -> int:
        """Read a counter of microseconds that goes round within TICKS. Takes no memory, so interrupts may."""
        ticks: int = _time.ticks_us()
        return ticks & TICKS

else:

    def ticks_us() -> int:
        """Read a counter of microseconds that goes round within TICKS."""
        now_ns: int = _time.monotonic_ns()
        return now_ns // 1000 & TICKS


def unbuffered(stream: "Any") -> "Any":
    """Return the bytes behind sys.stdin or sys.stdout, without what CPython keeps back of them."""
    return getattr(stream.buffer, "raw", stream.buffer)
