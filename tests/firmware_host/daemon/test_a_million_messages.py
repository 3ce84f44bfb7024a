"""Messages of every kind from every driver in any order, through the real daemon: nothing raises, nothing grows.

The long one is `make soak`'s; it prints what it saw.
"""

import gc
import sys

import pytest
from support.table.message_storm import Storm

from hardware.emulated.virtual_loop import VirtualLoop

A_TABLE = 20_000
"""Messages to one table; the next table has other rules, seats and cups."""
MOST_GROWN = 3000
"""Blocks of memory, of a few dozen bytes each."""


@pytest.mark.parametrize("seed", range(4))
def test_a_storm_of_messages_leaves_a_match_that_is_played_by_its_rules(seed: int, loop: VirtualLoop) -> None:
    storm = Storm(loop, seed, draws=seed == 0)
    storm.run(500 if seed == 0 else 1500)
    storm.close()


@pytest.mark.slow
def test_an_evening_that_goes_on_and_on_holds_no_more_memory_than_before(loop: VirtualLoop) -> None:
    storm = Storm(loop, 6)
    storm.run(2000)
    before = _held()
    storm.run(2000)
    assert _held() - before < MOST_GROWN
    storm.close()


@pytest.mark.soak
def test_a_million_messages(loop: VirtualLoop) -> None:
    held: list[int] = []
    for seed in range(1_000_000 // A_TABLE):
        storm = Storm(loop, seed)
        storm.run(A_TABLE)
        storm.close()
        wins, reveals = storm.counts["told MatchWon"], storm.counts["told Revealed"]
        del storm
        held.append(_held())
        print(f"{(seed + 1) * A_TABLE} messages: {reveals} reveals, {wins} matches won, {held[-1]} blocks held")
    assert held[-1] - held[len(held) // 4] < MOST_GROWN


def _held() -> int:
    gc.collect()
    return sys.getallocatedblocks()
