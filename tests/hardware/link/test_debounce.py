from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hardware.link.debounce import LOCKOUT_NS, STEADY_NS, BoardDebounce, Debounce, SteadyContact

MS = 1_000_000


def play(edges: list[tuple[int, bool]], closed: bool = False) -> list[tuple[bool, int]]:
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
    assert play([(100, True), (101, False), (102, True), (104, False), (105, True)]) == [(True, 100 * MS)]


def test_a_tap_shorter_than_the_lockout_is_still_released() -> None:
    assert play([(100, True), (106, False)]) == [(True, 100 * MS), (False, 106 * MS)]


def test_two_presses_60_ms_apart_both_count() -> None:
    changes = play([(100, True), (130, False), (160, True), (190, False)])
    assert [at_ns // MS for _, at_ns in changes] == [100, 130, 160, 190]


def test_a_release_bounces_too() -> None:
    assert play([(100, False), (101, True), (103, False)], closed=True) == [(False, 100 * MS)]


def test_a_level_that_nobody_heard_the_edge_of_is_told_when_the_lockout_ends() -> None:
    contact = Debounce(False)
    contact.edge(True, 0)
    assert contact.settle(False, LOCKOUT_NS) == [(False, LOCKOUT_NS)]


def test_nothing_is_settled_before_its_time() -> None:
    contact = Debounce(False)
    contact.edge(True, 0)
    assert contact.settle(False, LOCKOUT_NS - 1) == []
    assert contact.due_ns == LOCKOUT_NS


def test_an_edge_that_comes_before_a_late_timer_ends_the_lockout_itself() -> None:
    contact = Debounce(False)
    contact.edge(True, 0)
    contact.edge(False, 5 * MS)
    assert contact.edge(True, 60 * MS) == [(False, 5 * MS), (True, 60 * MS)]


@given(st.lists(st.tuples(st.integers(0, 400), st.booleans())))
def test_changes_alternate_stamps_never_fall_and_the_last_level_is_told(edges: list[tuple[int, bool]]) -> None:
    edges.sort(key=lambda edge: edge[0])
    changes = play(edges)
    assert [closed for closed, _ in changes] == [number % 2 == 0 for number in range(len(changes))]
    assert all(first <= second for (_, first), (_, second) in pairwise(changes))
    assert (changes[-1][0] if changes else False) == (edges[-1][1] if edges else False)


@given(st.lists(st.tuples(st.integers(0, 2000), st.booleans())))
def test_every_change_has_the_stamp_of_an_edge_of_its_level(edges: list[tuple[int, bool]]) -> None:
    edges.sort(key=lambda edge: edge[0])
    assert {(at_ns // MS, closed) for closed, at_ns in play(edges)} <= set(edges)


def board_changes(*edges: tuple[int, bool]) -> list[tuple[bool, int]]:
    """Return the changes of a board's button that was held at the start, after edges at these milliseconds."""
    button = BoardDebounce()
    changes = [change for at_ms, closed in edges for change in button.edge(closed, at_ms * MS)]
    return changes + button.tick(edges[-1][0] * MS + 2 * LOCKOUT_NS)


def test_a_bouncing_release_of_a_button_held_at_the_start_is_no_press() -> None:
    assert board_changes((100, False), (101, True), (102, False), (103, True), (104, False)) == []


def test_a_press_soon_after_that_release_counts() -> None:
    assert board_changes((100, False), (101, True), (102, False), (109, True)) == [(True, 109 * MS)]


def test_later_presses_have_the_time_of_their_edges() -> None:
    assert board_changes((100, False), (150, True), (180, False)) == [(True, 150 * MS), (False, 180 * MS)]


@given(st.lists(st.tuples(st.integers(1, 40), st.booleans()), max_size=40))
def test_a_boards_button_changes_in_turn_and_ends_with_the_true_level(edges: list[tuple[int, bool]]) -> None:
    button, at_ns, changes, level = BoardDebounce(), 0, [], False
    for gap_ms, closed in edges:
        at_ns, level = at_ns + gap_ms * MS // 4, closed
        changes += button.edge(closed, at_ns)
    for _ in range(3):
        changes += button.tick(at_ns + 5 * LOCKOUT_NS)
    assert [closed for closed, _ in changes] == [number % 2 == 0 for number in range(len(changes))]
    assert (changes[-1][0] if changes else False) == level
    assert [at for _, at in changes] == sorted(at for _, at in changes)


def test_the_service_key_has_turned_at_the_very_moment_that_it_has_held_its_level() -> None:
    key = SteadyContact()
    key.edge(True, 0)
    assert key.tick(STEADY_NS - 1) == []
    assert key.tick(STEADY_NS) == [(True, STEADY_NS)]
