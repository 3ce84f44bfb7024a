"""Leaks that tests plant to see whether they are noticed: each tells of one die of another seat."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from support.noninterference.decisions import ROBOT_SEAT
from support.noninterference.forked_round import Round, under_the_cups
from support.noninterference.incidents import INCIDENTS
from support.noninterference.variants import LAYOUTS, Fork, dealt

from engine import PERUDO, RoundKind, Rules

Plant = Callable[[pytest.MonkeyPatch], None]
VICTIM, READER = 1, 0


def is_odd() -> int:
    """Return 1 if the victim's first die is odd: in one of two rounds that are compared it is, in the other not."""
    return under_the_cups[0][VICTIM][0] % 2


class Case(NamedTuple):
    """A table at which something happens, and what a leak there is noticed by."""

    incident: str = "looks"
    layout: str = "wired-4"
    rules: Rules = PERUDO
    seats: int = 3
    sessions: Sequence[type[Round]] = (Round,)

    def __str__(self) -> str:
        sessions = "-".join(session.__name__ for session in self.sessions)
        return f"{self.layout}-{self.seats}-{self.rules.name}-{self.incident}-{sessions}"

    def leak(self, folder: Path) -> str:
        """Return the first thing by which the reader can tell the victim's dice, or nothing."""
        return self.fork(folder).leak(READER)

    def fork(self, folder: Path) -> Fork:
        return Fork(
            folder,
            LAYOUTS[self.layout].first(self.seats),
            dealt(self.rules, RoundKind.NORMAL, self.seats),
            sessions=self.sessions,
            incidents=[INCIDENTS[self.incident]],
            held=(ROBOT_SEAT,),
        )
