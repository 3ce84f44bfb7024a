"""How often a page may say something: a bucket that fills with time, and each message takes a drop."""


class Bucket:
    """`burst` messages at once, `a_second` in the long run. Seconds are passed in."""

    def __init__(self, a_second: float, burst: int) -> None:
        self._a_second = a_second
        self._burst = burst
        self._drops = float(burst)
        self._at_s: float | None = None

    def take(self, now_s: float) -> bool:
        """Take a drop; False if there is none."""
        passed_s = 0.0 if self._at_s is None else max(0.0, now_s - self._at_s)
        self._at_s = now_s
        self._drops = min(self._burst, self._drops + passed_s * self._a_second)
        if self._drops < 1:
            return False
        self._drops -= 1
        return True
