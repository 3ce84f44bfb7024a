from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from drivers.gpio.debounce import LOCKOUT_NS, Change, Debounce

MS = 1_000_000


def play(edges: list[tuple[int, bool]], closed: bool = False) -> list[Change]:
    """Feed edges (ms, closed) with the lock-outs' ends in between, as a driver does; then let everything settle."""
    contact, level, changes = Debounce(closed), closed, []
    for at_ms, edge in edges:
        while contact.due_ns is not None and contact.due_ns <= at_ms * MS:
            changes += contact.settle(level, contact.due_ns)
        level = edge
        changes += contact.edge(edge, at_ms * MS)
    while contact.due_ns is not None:
        changes += contact.settle(level, contact.due_ns)
    return changes


def test_the_first_edge_of_a_bouncing_press_counts() -> None:
    assert play([(100, True), (101, False), (102, True), (104, False), (105, True)]) == [Change(True, 100 * MS)]


def test_a_tap_shorter_than_the_lockout_is_still_released() -> None:
    assert play([(100, True), (106, False)]) == [Change(True, 100 * MS), Change(False, 106 * MS)]


def test_two_presses_60_ms_apart_both_count() -> None:
    changes = play([(100, True), (130, False), (160, True), (190, False)])
    assert [change.at_ns // MS for change in changes] == [100, 130, 160, 190]


def test_a_release_bounces_too() -> None:
    assert play([(100, False), (101, True), (103, False)], closed=True) == [Change(False, 100 * MS)]


def test_a_level_that_nobody_heard_the_edge_of_is_told_when_the_lockout_ends() -> None:
    contact = Debounce(False)
    contact.edge(True, 0)
    assert contact.settle(False, LOCKOUT_NS) == [Change(False, LOCKOUT_NS)]


def test_nothing_is_settled_before_its_time() -> None:
    contact = Debounce(False)
    contact.edge(True, 0)
    assert contact.settle(False, LOCKOUT_NS - 1) == []
    assert contact.due_ns == LOCKOUT_NS


def test_an_edge_that_comes_before_a_late_timer_ends_the_lockout_itself() -> None:
    contact = Debounce(False)
    contact.edge(True, 0)
    contact.edge(False, 5 * MS)
    assert contact.edge(True, 60 * MS) == [Change(False, 5 * MS), Change(True, 60 * MS)]


@given(st.lists(st.tuples(st.integers(0, 400), st.booleans())))
def test_changes_alternate_stamps_never_fall_and_the_last_level_is_told(edges: list[tuple[int, bool]]) -> None:
    edges.sort(key=lambda edge: edge[0])
    changes = play(edges)
    assert [change.closed for change in changes] == [number % 2 == 0 for number in range(len(changes))]
    assert all(a.at_ns <= b.at_ns for a, b in pairwise(changes))
    assert (changes[-1].closed if changes else False) == (edges[-1][1] if edges else False)


@given(st.lists(st.tuples(st.integers(0, 2000), st.booleans())))
def test_every_change_has_the_stamp_of_an_edge_of_its_level(edges: list[tuple[int, bool]]) -> None:
    edges.sort(key=lambda edge: edge[0])
    assert {(change.at_ns // MS, change.closed) for change in play(edges)} <= set(edges)
