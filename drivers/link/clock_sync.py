"""A device's clock as the host sees it: learnt from pings, with a known error."""

from msgspec import Struct

DRIFT_PPM = 100
"""Maximum drift between two quartz clocks in millionths: 30 for a Pico's, 50 for a Pi's, and a margin."""

MAX_DISAGREEMENT_NS = 5_000_000
"""Nanoseconds of error from a bad quartz and a coarse clock; a clock further off has jumped."""


class _Sample(Struct, frozen=True):
    offset_ns: int
    half_trip_ns: int
    taken_ns: int

    def error_ns(self, now_ns: int) -> int:
        return self.half_trip_ns + max(0, now_ns - self.taken_ns) * DRIFT_PPM // 1_000_000


class ClockSync:
    """Maps a device's time stamps to the host's clock. All times are nanoseconds; the caller passes the host's.
    A ping's answer was stamped somewhere within its round trip, so its middle is wrong by at most half of it. The
    mapping uses the sample with the smallest error now, including drift since then.
    """

    def __init__(self) -> None:
        self._best: _Sample | None = None

    def __repr__(self) -> str:
        return f"<ClockSync {self._best}>"

    @property
    def is_known(self) -> bool:
        """Whether any ping has been answered."""
        return self._best is not None

    def sample(self, sent_ns: int, cup_ns: int, received_ns: int) -> bool:
        """Learn from a ping sent and answered at these host times and stamped `cup_ns` by the device.
        Return whether it agrees with earlier samples. If it does not, the device's clock has jumped and only this
        sample counts.
        """
        half_trip_ns = (received_ns - sent_ns + 1) // 2
        fresh = _Sample(sent_ns + half_trip_ns - cup_ns, half_trip_ns, received_ns)
        best = self._best
        agrees = best is None or abs(fresh.offset_ns - best.offset_ns) <= (
            fresh.error_ns(received_ns) + best.error_ns(received_ns) + MAX_DISAGREEMENT_NS
        )
        if best is None or not agrees or fresh.error_ns(received_ns) <= best.error_ns(received_ns):
            self._best = fresh
        return agrees

    def host_ns(self, cup_ns: int, arrived_ns: int) -> int:
        """Return the host time for a stamp received at `arrived_ns`, never later than that."""
        if self._best is None:
            return arrived_ns
        return min(cup_ns + self._best.offset_ns, arrived_ns)

    def error_ns(self, now_ns: int) -> int | None:
        """Return a mapped stamp's largest error now; None before the first answered ping."""
        return None if self._best is None else self._best.error_ns(now_ns)
