"""A cup's clock seen from the host's: learnt from pings, with an error that is known."""

from msgspec import Struct

DRIFT_PPM = 100
"""How far two quartz clocks run apart at most, in millionths: 30 for a Pico's, 50 for a Pi's, and some to spare."""


JUMP_NS = 5_000_000
"""What a bad quartz and a coarse clock may add to that: a clock that is further off than it can be has jumped."""


class _Sample(Struct, frozen=True):
    offset_ns: int
    half_trip_ns: int
    taken_ns: int

    def error_ns(self, now_ns: int) -> int:
        return self.half_trip_ns + max(0, now_ns - self.taken_ns) * DRIFT_PPM // 1_000_000


class CupClock:
    """Maps a cup's stamps to the host's clock. All times are nanoseconds; the host's come from the caller.

    A ping's answer was stamped somewhere within its round trip, so its middle is wrong by at most half of that.
    The sample whose error is smallest now, drift since then included, is the one that is used.
    """

    def __init__(self) -> None:
        self._best: _Sample | None = None

    def __repr__(self) -> str:
        return f"<CupClock {self._best}>"

    @property
    def known(self) -> bool:
        """Whether there was a ping answered yet."""
        return self._best is not None

    def sample(self, sent_ns: int, cup_ns: int, received_ns: int) -> bool:
        """Learn from a ping sent and answered at these host times and stamped `cup_ns` by the cup.

        Return whether that agrees with what is known; if it does not, the cup's clock has jumped, and only what it says
        now counts.
        """
        half_trip_ns = (received_ns - sent_ns + 1) // 2
        fresh = _Sample(sent_ns + half_trip_ns - cup_ns, half_trip_ns, received_ns)
        best = self._best
        agrees = best is None or abs(fresh.offset_ns - best.offset_ns) <= (
            fresh.error_ns(received_ns) + best.error_ns(received_ns) + JUMP_NS
        )
        if best is None or not agrees or fresh.error_ns(received_ns) <= best.error_ns(received_ns):
            self._best = fresh
        return agrees

    def host_ns(self, cup_ns: int, arrived_ns: int) -> int:
        """Return the host time of a cup's stamp that arrived at `arrived_ns`, which it cannot be later than."""
        if self._best is None:
            return arrived_ns
        return min(cup_ns + self._best.offset_ns, arrived_ns)

    def error_ns(self, now_ns: int) -> int | None:
        """Return how wrong a mapped stamp can be now; None before the first ping was answered."""
        return None if self._best is None else self._best.error_ns(now_ns)
