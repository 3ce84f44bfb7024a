"""The part of a cup's program that has to do with a deal, for tests of a `Table` without devices.

Its messages wait in `answers` until the harness sends them; while it `keeps_silent`, it sends nothing.
"""

import random

from drivers.messages import Drawn, Opened
from firmware_host.fairness.commitments import cup_commitment


class ProgramCup:
    """The cup at one seat, switched on."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self.seat = seat
        self.keeps_silent = False
        self._rng = rng
        self.start()

    def start(self) -> None:
        """Begin again, as after every loss of power."""
        self.answers: list[Drawn | Opened] = []
        self.deal = self.entropy = b""
        self.is_shaken = self.is_opened = False

    def draw(self, deal: bytes) -> None:
        """Hear `Draw`."""
        if deal != self.deal or self.is_opened:
            self.deal, self.entropy = deal, self._rng.randbytes(32)
            self.is_shaken = self.is_opened = False
        self.answers.append(Drawn(self.seat, deal, cup_commitment(deal, self.entropy)))

    def settle(self) -> None:
        """Stand still again after a shake."""
        self.is_shaken = True

    def open(self, deal: bytes) -> None:
        """Hear `Open`."""
        if deal == self.deal and self.is_shaken:
            self.is_opened = True
            self.answers.append(Opened(self.seat, deal, self.entropy))
