"""A week of play in virtual time: the daemon holds no more memory on the last day than on the first."""

from pathlib import Path

import pytest
from support.wires.week_of_play import Day, Week

from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


MOST_GROWN = 1000
"""Blocks of memory, of a few dozen bytes each, between two days."""


def check(days: list[Day], settled: int) -> None:
    """After `settled` days nothing grows: no memory, no task, no timer."""
    early, late = days[settled], days[-1]
    assert late.blocks - early.blocks < MOST_GROWN, days
    assert late.tasks == early.tasks
    assert late.timers <= early.timers + 20


@pytest.mark.parametrize("layout", ["boards-8", "wired-4"])
def test_short_days_leave_nothing_behind(layout: str, tmp_path: Path, loop: VirtualLoop) -> None:
    week = Week(layout, 2, tmp_path, loop)
    days = loop.run_until_complete(week.live(days=3, matches=1, day_s=1800.0))
    assert [day.matches for day in days] == [1, 1, 1]
    assert week.errors._counts.total() == 0
    check(days, settled=1)


@pytest.mark.soak
@pytest.mark.parametrize("layout", ["boards-8", "wired-4"])
def test_a_week_leaves_nothing_behind(layout: str, tmp_path: Path, loop: VirtualLoop) -> None:
    week = Week(layout, 3, tmp_path, loop)
    days = loop.run_until_complete(week.live(days=7, matches=12))
    for number, day in enumerate(days, 1):
        print(f"{layout}, day {number}: {day}")
    assert week.errors._counts.total() == 0
    check(days, settled=2)
