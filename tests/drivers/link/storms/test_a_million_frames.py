"""Boards and cups over a bad line: nothing they say is lost, doubled or wrong, and nothing wrong stays on a panel.

The short form carries ten thousand frames and more, the soak a million on all processors. A failure names its seed.
"""

import multiprocessing
import os

import pytest
from support.link.dongle_storm import run_storm_behind_a_dongle
from support.link.storm_figures import StormFigures, run_storm

pytestmark = pytest.mark.slow


MOST_RATE = 0.05
SHARES = 50
SHARE = 20_000
"""Frames of one storm of the soak."""


@pytest.mark.parametrize("seed", [1, 2])
def test_no_event_is_lost_doubled_or_wrong_and_no_picture_stays_wrong(seed: int) -> None:
    storm = run_storm(seed, 6000)
    assert storm.frames >= 6000
    assert len(storm.faults) >= 8
    assert storm.events > 1000


@pytest.mark.parametrize("seed", [1, 2])
def test_no_event_behind_a_dongle_is_lost_doubled_or_anothers(seed: int) -> None:
    assert run_storm_behind_a_dongle(seed, 2000) > 100


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_no_event_of_many_behind_a_dongle_is_lost_doubled_or_anothers(seed: int) -> None:
    assert run_storm_behind_a_dongle(seed, 20_000) > 1000


@pytest.mark.soak
def test_a_million_frames(capsys: pytest.CaptureFixture[str]) -> None:
    every = StormFigures()
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for storm in pool.imap_unordered(_share, range(1000, 1000 + SHARES)):
            every += storm
            with capsys.disabled():
                print(f"\r{every.frames:,} frames, {every.faults.total():,} hit", end="", flush=True)
    with capsys.disabled():
        print(f"\n{every}")
    assert every.frames >= SHARES * SHARE == 1_000_000
    assert every.faults.total() <= MOST_RATE * every.frames


def _share(seed: int) -> StormFigures:
    return run_storm(seed, SHARE)
