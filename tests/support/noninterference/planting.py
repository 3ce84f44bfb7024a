"""Leaks that tests plant to see whether they are noticed: each tells of one die of another seat."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from support.noninterference.decisions import ROBOT_SEAT
from support.noninterference.forked_round import Round, under_the_cups
from support.noninterference.incidents import INCIDENTS
from support.noninterference.variants import LAYOUTS, Family, dealt

from engine import PERUDO, RoundKind, Rules

Plant = Callable[[pytest.MonkeyPatch], None]
VICTIM, READER = 1, 0
NEIGHBOUR = 1
"""The reader of leaks about `die()`."""


def is_odd() -> int:
    """Return 1 if the victim's first die is odd: in one of two rounds that are compared it is, in the other not."""
    return under_the_cups[0][VICTIM][0] % 2


def die() -> int:
    """Return the die of seat 0, for a reader elsewhere; in the fork it is odd where it was even."""
    return under_the_cups[0][0][0]


class Case(NamedTuple):
    """A table at which something happens, and the reader of a leak there."""

    incident: str = "looks"
    layout: str = "wired-4"
    rules: Rules = PERUDO
    seats: int = 3
    sessions: Sequence[type[Round]] = (Round,)
    kind: RoundKind = RoundKind.NORMAL
    reader: int = READER
    counts_work: bool = False  # of the threads

    def __str__(self) -> str:
        sessions = "-".join(session.__name__ for session in self.sessions)
        table = f"{self.layout}-{self.seats}-{self.rules.name}-{self.kind}-{self.incident}-{sessions}"
        return table + "-work" * self.counts_work

    def leak(self, folder: Path) -> str:
        """Return the first thing by which the reader can tell another seat's dice, or nothing."""
        return self.family(folder).leak(self.reader)

    def family(self, folder: Path) -> Family:
        return Family(
            folder,
            LAYOUTS[self.layout].first(self.seats),
            dealt(self.rules, self.kind, self.seats),
            sessions=self.sessions,
            incidents=[INCIDENTS[self.incident]],
            held=(ROBOT_SEAT,) if self.reader == READER else (),
            counts_work=self.counts_work,
        )


WIRED_PAIR, BOARD_PAIR = (Case(layout=layout, seats=2, reader=NEIGHBOUR) for layout in ("wired-4", "boards-8"))


def leak_tests(leaks: Sequence[tuple[Plant, Case]]) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return two tests: each leak is noticed in its case, and without a leak none is."""

    @pytest.mark.parametrize(("plant", "case"), leaks, ids=lambda value: getattr(value, "__name__", str(value)))
    def test_leak(plant: Plant, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        plant(monkeypatch)
        assert case.leak(tmp_path)

    @pytest.mark.parametrize("case", dict.fromkeys(case for _, case in leaks), ids=str)
    def test_without(case: Case, tmp_path: Path) -> None:
        leak = case.leak(tmp_path)
        assert not leak, leak

    return test_leak, test_without
