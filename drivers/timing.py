"""How long to wait before trying a lost device again; every driver that retries has one.

When to do what is done again and again, so that all drivers of a table do it at the same moments.

The loop then wakes once for all of them.

A token bucket: a link counts a cup's frames with it, the sockets of the daemon their connections and messages.
"""

FIRST_S = 0.5
LONGEST_S = 5.0


class Backoff:
    """0.5 s, then twice as long each time, up to 5 s; or from and up to what is said."""

    def __init__(self, first_s: float = FIRST_S, longest_s: float = LONGEST_S) -> None:
        self._first_s = first_s
        self._longest_s = longest_s
        self._next_s = first_s

    def __repr__(self) -> str:
        return f"<Backoff, next {self._next_s:g} s>"

    def next_s(self) -> float:
        """Return how many seconds to wait this time."""
        wait_s = self._next_s
        self._next_s = min(2 * wait_s, self._longest_s)
        return wait_s

    def reset(self) -> None:
        """Begin anew: the device answered."""
        self._next_s = self._first_s


EARLY_S = 0.001
"""More than a loop runs a timer too early, which asyncio does by its clock's resolution."""


def next_beat_s(now_s: float, every_s: float) -> float:
    """Return the next moment, in seconds of the loop's clock, that is a multiple of `every_s`."""
    return ((now_s + EARLY_S) // every_s + 1) * every_s


class Patience:
    """Puts up with `most` at once, and with `a_second` for ever."""

    def __init__(self, most: float, a_second: float) -> None:
        self._most = most
        self._a_second = a_second
        self._left = most
        self._at_s = 0.0

    def __repr__(self) -> str:
        return f"<Patience {self._left:.0f} of {self._most:.0f}>"

    def bears(self, cost: float, now_s: float) -> bool:
        """Count what was said; return whether it can still be borne."""
        self._fill(now_s)
        self._left -= cost
        return self._left >= 0

    def allows(self, cost: float, now_s: float) -> bool:
        """Return whether there is room for `cost` more, and count it only then."""
        self._fill(now_s)
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def recover(self) -> None:
        """Begin anew."""
        self._left = self._most

    def _fill(self, now_s: float) -> None:
        self._left = min(self._most, self._left + max(0.0, now_s - self._at_s) * self._a_second)
        self._at_s = now_s
