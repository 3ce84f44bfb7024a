"""Timing rules shared by drivers and sockets: retry delays, aligned wakeups, rate limits.
Pure: the caller passes the time, in seconds on the loop's clock.
"""

from math import inf

FIRST_S = 0.5
MAX_S = 5.0
TIMER_SLACK_S = 0.001
"""Seconds; more than asyncio's early timers, which come early by its clock's resolution."""


class Backoff:
    """Seconds to wait before the next attempt: `first_s`, then twice as long each time, up to `max_s`."""

    def __init__(self, first_s: float = FIRST_S, max_s: float = MAX_S) -> None:
        self._first_s = first_s
        self._max_s = max_s
        self._next_s = first_s

    def __repr__(self) -> str:
        return f"<Backoff, next {self._next_s:g} s>"

    def next_s(self) -> float:
        """Return this attempt's wait in seconds."""
        wait_s = self._next_s
        self._next_s = min(2 * wait_s, self._max_s)
        return wait_s

    def reset(self) -> None:
        """Start again with the first wait, because the device answered."""
        self._next_s = self._first_s


def align_up(now_s: float, interval_s: float) -> float:
    """Return the next multiple of `interval_s`.
    All drivers at a table align their periodic work, so the loop wakes once for all of them.
    """
    return ((now_s + TIMER_SLACK_S) // interval_s + 1) * interval_s


class RateLimiter:
    """A token bucket: `burst` tokens at once, refilled with `per_s` tokens a second.
    A link counts a device's frames with it, the daemon's sockets their connections and messages.
    """

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst = burst
        self._per_s = per_s
        self._tokens = burst
        self._filled_s = 0.0

    def __repr__(self) -> str:
        return f"<RateLimiter {self._tokens:.0f} of {self._burst:.0f}>"

    def charge(self, cost: float, now_s: float, max_debt_s: float = inf) -> bool:
        """Take `cost` tokens even if there are fewer; return whether there were enough.
        It counts events that can't be prevented: a sender that goes on after the limit stays over it, at most until
        `max_debt_s` have passed.
        """
        self._fill(now_s)
        self._tokens = max(self._tokens - cost, min(self._tokens, -max_debt_s * self._per_s))
        return self._tokens >= 0

    def allow(self, cost: float, now_s: float) -> bool:
        """Take `cost` tokens if available; return whether they were."""
        self._fill(now_s)
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True

    def reset(self) -> None:
        """Fill the bucket."""
        self._tokens = self._burst

    def _fill(self, now_s: float) -> None:
        self._tokens = min(self._burst, self._tokens + max(0.0, now_s - self._filled_s) * self._per_s)
        self._filled_s = now_s
