"""Whether a cup draws once for each deal it is asked for, and opens what it had committed to."""

import random
from hashlib import sha256

from drivers.link.seat_board import SeatBoard
from drivers.messages import Drawn, Opened


class DealWatch:
    """Asks a cup to draw and to open through its driver, and takes what comes back."""

    def __init__(self, rng: random.Random) -> None:
        self.commitments: dict[bytes, bytes] = {}
        """By deal."""
        self.is_opened = False
        """Whether the latest deal is."""
        self._rng = rng
        self._asked: set[bytes] = set()
        self._deal = b""

    @property
    def is_drawn(self) -> bool:
        """Whether the cup has committed for the latest deal."""
        return self._deal in self.commitments

    def draw(self, driver: SeatBoard) -> None:
        """Another deal."""
        self._deal, self.is_opened = self._rng.randbytes(32), False
        self._asked.add(self._deal)
        driver.draw(self._deal)

    def open(self, driver: SeatBoard) -> None:
        """Have the latest deal opened."""
        driver.open_deal(self._deal, sha256(self._deal).digest())

    def posted(self, message: Drawn | Opened) -> None:
        """The driver posted it."""
        if isinstance(message, Drawn):
            assert message.deal in self._asked, "a cup drew for a deal that there is none"
            before = self.commitments.setdefault(message.deal, message.commitment)
            assert before == message.commitment, "a cup drew twice for one deal"
        else:
            commitment = sha256(b"dudo cup\0" + message.deal + message.entropy).digest()
            assert self.commitments[message.deal] == commitment, "a cup opened what it had not committed to"
            self.is_opened = self.is_opened or message.deal == self._deal
