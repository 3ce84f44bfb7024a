"""Every seed of the house is what the kernel gave for that deal alone, whether `run` or `play` assembles the table."""

import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.noninterference.variants import LAYOUTS, dealt
from support.noninterference.void_rounds import GivesUp

from engine import PERUDO, RoundKind
from firmware_host import play
from firmware_host.daemon import session_runner
from hardware.config.layout import load_builtin

SEED_BYTES = 32
token_bytes = session_runner.token_bytes


def play_void_round(folder: Path) -> GivesUp:
    """Return a match with two deals, conducted as `run` does."""
    table = GivesUp(LAYOUTS["boards-8"].first(3), dealt(PERUDO, RoundKind.NORMAL, 3))
    table.play(folder)
    return table


@pytest.mark.slow
def test_the_seeds_of_a_service_are_the_kernels_and_none_is_used_twice(tmp_path: Path) -> None:
    table = play_void_round(tmp_path)
    assert len(table.seeds) == 2
    assert table.seeds == table.given[:2]


def of_the_clock(count: int) -> bytes:
    return time.time_ns().to_bytes(count, "big")


def of_the_clock_as_well(count: int) -> bytes:
    return token_bytes(count - 8) + of_the_clock(8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "planted",
    [of_the_clock, of_the_clock_as_well, random.Random(1).randbytes, cache(token_bytes)],
    ids=["of the clock", "of the clock as well", "of a pseudorandom generator", "the same again"],
)
def test_a_seed_from_anywhere_else_is_noticed(
    planted: Callable[[int], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_runner, "token_bytes", planted)
    with pytest.raises(AssertionError, match="what the kernel gave"):
        play_void_round(tmp_path)


def test_the_seeds_of_people_at_a_page_are_the_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs: list[Any] = []
    given = (bytes([number]) * SEED_BYTES for number in range(256))
    monkeypatch.setattr(play, "_play_on_page", lambda run, *_: runs.append(run))
    play.play(
        load_builtin("boards-8"),
        rules=PERUDO,
        seed=None,
        mode="page",
        humans=1,
        port=None,
        browser=False,
        screen=False,
        events=None,
        record=None,
        pictures=None,
        speed=None,
        real_time=False,
        host=None,
        state=tmp_path,
        fresh=False,
    )
    monkeypatch.setattr(random, "_urandom", lambda count: next(given)[:count])
    host_seeds = runs[0].session.host_seeds
    assert [host_seeds(), host_seeds()] == [bytes(SEED_BYTES), b"\1" * SEED_BYTES]
