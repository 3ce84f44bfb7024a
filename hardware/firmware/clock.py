"""The board's clock: nanoseconds since its start, from an overflowing microsecond counter of either interpreter."""

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


class BoardClock:
    """A monotonic clock. It must be read at least every 18 minutes, before the counter overflows twice."""

    def __init__(self) -> None:
        self._ticks = ticks_us()
        self._us = 0

    def now_ns(self) -> int:
        """Return the time since the start in nanoseconds."""
        ticks = ticks_us()
        self._us += (ticks - self._ticks) & TICKS
        self._ticks = ticks
        return 1000 * self._us

    def at_ns(self, ticks: int) -> int:
        """Return the recent time at which the counter was at `ticks`."""
        now_ns = self.now_ns()
        return now_ns - 1000 * ((self._ticks - ticks) & TICKS)
