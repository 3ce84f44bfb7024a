"""How long to wait before trying a lost device again; every driver that retries has one."""

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
