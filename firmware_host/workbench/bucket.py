"""How often a page may say something: a bucket that fills with time, and each message takes a drop."""

import time


class Bucket:
    """`burst` messages at once, `a_second` in the long run, by the clock on the wall."""

    def __init__(self, a_second: float, burst: int) -> None:
        self._a_second = a_second
        self._burst = burst
        self._drops = float(burst)
        self._at_s = time.monotonic()

    def take(self) -> bool:
        """Take a drop; False if there is none."""
        now_s = time.monotonic()
        self._drops = min(self._burst, self._drops + (now_s - self._at_s) * self._a_second)
        self._at_s = now_s
        if self._drops < 1:
            return False
        self._drops -= 1
        return True
