"""Which start of a cup is talking: the one that is known, a new one, or two cups in one place."""

from collections import deque
from enum import Enum, auto

WITHIN_S = 10.0
"""A start that comes back so soon after another is counted; after longer it was a frame that was late."""

RETURNS = 2
"""So many returns are no late frame: two cups answer."""

_REMEMBERED = 8


class Start(Enum):
    """What a hello says about who is there."""

    KNOWN = auto()
    NEW = auto()
    DOUBTFUL = auto()  # another start than the known one: ask again
    LATE = auto()  # of a start that is over
    TWO = auto()


class Starts:
    """Follows the boots of the hellos that come from one place.

    A cup that was started anew says so twice, the second time because it is asked again: a hello that was late, or two
    cups with one address, would else look the same.
    """

    def __init__(self) -> None:
        self.boot = 0
        """Of the start that is known, 0 for none."""
        self._rival = 0
        self._over: deque[int] = deque(maxlen=_REMEMBERED)
        self._returns = 0
        self._returned_s = 0.0

    @property
    def is_in_doubt(self) -> bool:
        """Whether another start has said hello and nothing was decided."""
        return self._rival != 0

    def forget(self) -> None:
        """Whoever says hello next is the one."""
        self.boot = self._rival = self._returns = 0
        self._over.clear()

    def hear(self, boot: int, now_s: float) -> Start:
        """Take the boot of a hello."""
        if boot == self.boot:
            return self._returned(now_s, Start.KNOWN) if self._rival else Start.KNOWN
        if boot in self._over:
            return self._returned(now_s, Start.LATE)
        if self.boot and boot != self._rival:
            self._rival = boot
            return Start.DOUBTFUL
        self._over.append(self.boot)
        self.boot, self._rival = boot, 0
        return Start.NEW

    def _returned(self, now_s: float, otherwise: Start) -> Start:
        self._rival = 0
        self._returns = self._returns + 1 if now_s - self._returned_s < WITHIN_S else 1
        self._returned_s = now_s
        return Start.TWO if self._returns >= RETURNS else otherwise
