"""The daemon, a process of its own, is killed over and over; `support.crash.examination` says what must hold.

    KILLED_SEED=7 make soak ARGS="tests/firmware_host/crash/test_killed_daemons.py -s -n 2"

The seed chooses the moments; without one it is always the same.
"""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import pytest
from support.crash.table import KilledTable

from engine import KILL_SPOT, PALO_FIJO, PERUDO, PYRUDO, Rules

pytestmark = pytest.mark.slow


SEED = os.environ.get("KILLED_SEED", "1")


class KilledMatches(NamedTuple):
    """A table at which daemons die, one after the other."""

    rules: Rules
    seats: int
    kills: int
    reckless: bool = False
    undo_every: int = 0  # the staff take so many-th actions back

    def run(self, folder: Path) -> KilledTable:
        """Play there, with so many deaths, to the end of the match that is on by then."""

        async def scenario() -> KilledTable:
            seed = f"{SEED}/{self.rules}/{self.seats}"
            async with KilledTable(
                folder / f"{self.rules}-{self.seats}",
                seed=seed,
                seats=self.seats,
                rules=self.rules,
                reckless=self.reckless,
                undo_every=self.undo_every,
            ) as table:
                await table.go(self.kills)
                await table.finish()
            return table

        return asyncio.run(scenario())


def report(table: KilledTable, took_s: float) -> str:
    """Return the counts, the times to come up, and the faults, as text."""
    hundredths = quantiles(table.back_s, n=100)
    figures = [f"{count:7,} {what}" for what, count in sorted(table.counts.items())]
    back = f"up after {hundredths[49]:.2f} s, 95 of 100 within {hundredths[94]:.2f} s"
    return "\n".join((f"seed {SEED}, {took_s:.0f} s", back, *figures, *table.wrong))


def test_a_match_whose_daemon_is_killed_five_times_ends_with_a_verified_record(tmp_path: Path) -> None:
    began_s = time.monotonic()
    rules = replace(PERUDO, name="short", starting_dice=3)
    table = KilledMatches(rules, 2, kills=5, reckless=True, undo_every=4).run(tmp_path)
    print(report(table, time.monotonic() - began_s))
    assert table.wrong == []
    assert table.counts["matches won"] == table.counts["matches verified"] == 1
    assert table.counts["actions taken back"] >= 1


@pytest.mark.system
def test_fifty_kills_lose_nothing(tmp_path: Path) -> None:
    began_s = time.monotonic()
    table = KilledMatches(PYRUDO, 3, kills=50).run(tmp_path)
    print(report(table, time.monotonic() - began_s))
    assert table.wrong == []


@pytest.mark.soak
@pytest.mark.parametrize(
    "matches",
    [
        KilledMatches(PERUDO, 2, kills=250, reckless=True),
        KilledMatches(PYRUDO, 3, kills=250),
        KilledMatches(KILL_SPOT, 4, kills=250, reckless=True),
        KilledMatches(PALO_FIJO, 2, kills=250),
    ],
    ids=lambda matches: matches.rules.name,
)
def test_hundreds_of_kills_lose_nothing(matches: KilledMatches, tmp_path: Path) -> None:
    began_s = time.monotonic()
    table = matches.run(tmp_path)
    print(report(table, time.monotonic() - began_s))
    assert table.wrong == []
    assert table.counts["matches won"] == table.counts["matches verified"] > 0
