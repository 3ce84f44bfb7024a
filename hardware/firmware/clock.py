"""The board's clock: nanoseconds since its start, from a counter of microseconds that runs over."""

from hardware.firmware.compat import TICKS, ticks_us


class Clock:
    """Goes only forward. It must be read more often than the counter runs over, which is every 18 minutes."""

    def __init__(self) -> None:
        self._ticks = ticks_us()
        self._us = 0

    def now_ns(self) -> int:
        """Read it."""
        ticks = ticks_us()
        self._us += (ticks - self._ticks) & TICKS
        self._ticks = ticks
        return 1000 * self._us

    def at_ns(self, ticks: int) -> int:
        """Return the moment at which the counter, not long ago, said `ticks`."""
        now_ns = self.now_ns()
        return now_ns - 1000 * ((self._ticks - ticks) & TICKS)
