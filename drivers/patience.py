"""A token bucket: a link counts a cup's frames with it, the sockets of the daemon their connections and messages."""


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
