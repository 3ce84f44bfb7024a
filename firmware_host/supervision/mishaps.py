"""What was raised where nobody expected it, for the log: each kind once, then how often by now.

An error's own text is not written down: it may quote what a driver was about to draw, and that may be dice.
"""

import logging
import os
import traceback
from collections import Counter

log = logging.getLogger(__name__)

MOST_KINDS = 100
"""So many are told apart; there are not so many places where anything can go wrong."""


class Mishaps:
    """Told with `tell`; a kind is what was raised, and the line that raised it."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"<Mishaps: {self._counts.total()} of {len(self._counts)} kinds>"

    def tell(self, where: str, error: BaseException) -> None:
        """Something was raised in `where`, the part of the program that it belongs to."""
        kind = f"{where}/{type(error).__name__}/{_line(error)}"
        if kind not in self._counts and len(self._counts) >= MOST_KINDS:
            kind = "others"
        self._counts[kind] += 1
        count = self._counts[kind]
        if count == 1:
            log.error("%s failed: %s\n%s", where, named(error), "".join(traceback.format_tb(error.__traceback__)))
        elif _is_round(count):
            log.error("%s failed for the %dth time: %s", where, count, named(error))


def named(error: BaseException) -> str:
    """An error in a few words that quote nothing."""
    known = isinstance(error, OSError) and error.errno
    return f"{type(error).__name__} ({os.strerror(known)})" if known else type(error).__name__


def _line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _is_round(count: int) -> bool:
    """10, 100, 1000: what goes on for ever fills no disk."""
    return count >= 10 and count == 10 ** (len(str(count)) - 1)
