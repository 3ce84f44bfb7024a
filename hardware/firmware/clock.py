"""The board's clock: nanoseconds since its start, from an overflowing microsecond counter."""

from hardware.firmware.compat import TICKS, ticks_us


class Clock:
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
