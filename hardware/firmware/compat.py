"""Functions that differ between MicroPython and CPython; all other firmware code is the same for both."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TICKS = 0x3FFF_FFFF
"""Mask for the microsecond tick counter: it overflows after 18 minutes. A Pico's small integers need no memory."""

_time: "Any" = time  # each interpreter lacks some functions of the other

if hasattr(time, "ticks_us"):  # MicroPython

    def ticks_us() -> int:
        """Return the tick counter in microseconds. It allocates no memory, so interrupts may call it."""
        ticks: int = _time.ticks_us()
        return ticks & TICKS

else:

    def ticks_us() -> int:
        """Return the tick counter in microseconds."""
        now_ns: int = _time.monotonic_ns()
        return now_ns // 1000 & TICKS


def unbuffered(stream: "Any") -> "Any":
    """Return the byte stream of sys.stdin or sys.stdout, without CPython's buffer."""
    return getattr(stream.buffer, "raw", stream.buffer)
