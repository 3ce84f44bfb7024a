"""What a hand did with a cup, told from its tilt switch alone, on made-up and awkward traces."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.link.gesture import SETTLE_NS, TILT_NS, GestureDetector
from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

MS = 1_000_000


def gestures_of(trace: list[tuple[int, bool]], until_ms: int = 60_000) -> list[tuple[int, int]]:
    """Feed (ms, tilted) edges and let time pass; return what was told, in whole milliseconds."""
    motion = GestureDetector(False, 0)
    gestures = []
    for at_ms, tilted in trace:
        gestures += motion.edge(at_ms * MS, tilted)
    while motion.due_ns is not None and motion.due_ns <= until_ms * MS:
        gestures += motion.tick(motion.due_ns)
    return [(what, at_ns // MS) for what, at_ns in gestures]


def swings(start_ms: int, count: int, every_ms: int) -> list[tuple[int, bool]]:
    return [(start_ms + number * every_ms, number % 2 == 0) for number in range(count)]


@pytest.mark.parametrize("every_ms", [60, 90, 125, 160])
def test_a_shake_is_shaken_and_then_settles(every_ms: int) -> None:
    trace = swings(1000, 12, every_ms)
    assert gestures_of(trace) == [(SHAKEN, 1000 + 4 * every_ms), (SETTLED, trace[-1][0] + SETTLE_NS // MS)]


def test_a_long_shake_is_one_shake() -> None:
    assert [what for what, _ in gestures_of(swings(1000, 100, 100))] == [SHAKEN, SETTLED]


def test_a_shake_with_a_breath_in_it_is_one_shake() -> None:
    trace = swings(1000, 8, 90) + swings(1000 + 7 * 90 + 350, 8, 90)
    assert [what for what, _ in gestures_of(trace)] == [SHAKEN, SETTLED]


@pytest.mark.parametrize("rattle_ms", [1, 5, 10, 13])
def test_a_bump_is_nothing(rattle_ms: int) -> None:
    assert gestures_of(swings(1000, 10, rattle_ms)) == []


def test_two_knocks_in_a_row_are_nothing() -> None:
    assert gestures_of(swings(1000, 10, 6) + swings(1300, 10, 6)) == []


@pytest.mark.parametrize("every_ms", [280, 330, 400])
def test_a_slow_shake_mouth_up_is_told_though_the_ball_hardly_moves(every_ms: int) -> None:
    chatter = [(at_ms, at_ms % 4 == 2) for at_ms in range(0, 24, 2)]
    trace = [(1000, True), *((2000 + nth * every_ms + at, shut) for nth in range(6) for at, shut in chatter)]
    gestures = gestures_of([*trace, (6000, False)])
    assert [what for what, _ in gestures if what in (SHAKEN, SETTLED)] == [SHAKEN, SETTLED]


@pytest.mark.parametrize("every_ms", [450, 500, 600])
def test_steps_with_a_cup_that_leans_are_no_shake(every_ms: int) -> None:
    steps = [(2000 + nth * every_ms + at, at == 8) for nth in range(20) for at in (0, 8)]
    assert SHAKEN not in [what for what, _ in gestures_of([(1000, True), *steps])]


def test_a_tilt_is_told_once_it_is_held() -> None:
    assert gestures_of([(1000, True)]) == [(TILTED, 1000 + TILT_NS // MS)]


def test_levelled_is_told_by_the_first_edge_back() -> None:
    motion = GestureDetector(False, 0)
    motion.edge(1000 * MS, True)
    motion.tick(2000 * MS)
    assert motion.edge(3000 * MS, False) == [(LEVELLED, 3000 * MS)]


def test_a_bounce_back_into_the_tilt_hides_all_the_same() -> None:
    gestures = gestures_of([(1000, True), (3000, False), (3001, True)])
    assert gestures == [(TILTED, 1200), (LEVELLED, 3000), (TILTED, 3201)]


def test_a_cup_shaken_while_looked_under_is_levelled_first() -> None:
    gestures = gestures_of(
        [(1000, True), *((2000 + at, tilted) for at, tilted in [(0, False), *swings(90, 9, 90)[:8]])]
    )
    assert [what for what, _ in gestures][:3] == [TILTED, LEVELLED, SHAKEN]


def test_a_shake_that_ends_in_the_air_settles_when_the_cup_is_put_down() -> None:
    trace = [*swings(1000, 9, 90), (3000, False)]
    assert gestures_of(trace)[-1] == (SETTLED, 3400)


def test_a_cup_that_starts_tilted_says_so() -> None:
    motion = GestureDetector(True, 0)
    assert motion.tick(motion.due_ns or 0) == [(TILTED, TILT_NS)]


def test_edges_told_late_are_judged_by_their_stamps() -> None:
    motion = GestureDetector(False, 0)
    motion.edge(1000 * MS, True)
    assert motion.edge(2000 * MS, False) == [(TILTED, 1200 * MS), (LEVELLED, 2000 * MS)]


def test_the_stamps_of_a_shake_are_those_of_its_edges() -> None:
    motion = GestureDetector(False, 0)
    for at_ms, tilted in [(100, True), (600, False), *swings(5000, 8, 90)]:
        motion.edge(at_ms * MS, tilted)
    motion.tick(6030 * MS)
    stamps = [int.from_bytes(motion.stamps[at : at + 8], "little") // MS for at in range(0, len(motion.stamps), 8)]
    assert stamps == [5000 + 90 * number for number in range(8)]


def test_a_chattering_contact_fills_no_memory() -> None:
    motion = GestureDetector(False, 0)
    for at_ms in range(1, 20_000):
        motion.edge(at_ms * MS, at_ms % 2 == 1)
    assert len(motion.stamps) <= 4096


@given(st.lists(st.integers(1, 500), max_size=60), st.randoms(use_true_random=False))
def test_whatever_the_hand_does_the_story_makes_sense(gaps_ms: list[int], rng: random.Random) -> None:
    at_ms, tilted, trace = 0, False, []
    for gap_ms in gaps_ms:
        at_ms, tilted = at_ms + gap_ms, not tilted
        trace.append((at_ms, tilted))
    if tilted:
        trace.append((at_ms + rng.randrange(1, 3000), False))
    gestures = gestures_of(trace, until_ms=at_ms + 10_000)
    assert [at for _, at in gestures] == sorted(at for _, at in gestures)
    follower = {TILTED: {LEVELLED}, SHAKEN: {SETTLED}, LEVELLED: {TILTED, SHAKEN}, SETTLED: {TILTED, SHAKEN}}
    kinds = [what for what, _ in gestures]
    assert all(after in follower[before] for before, after in pairwise(kinds))
    assert not kinds or kinds[-1] in (LEVELLED, SETTLED)
