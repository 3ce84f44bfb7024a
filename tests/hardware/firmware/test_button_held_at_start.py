"""A finger that is on a board's button when the board starts, and goes."""

from hardware.firmware.switch import LOCKOUT_NS, Switch

MS = 1_000_000


def told(switch: Switch, *edges: tuple[int, bool]) -> list[tuple[bool, int]]:
    """What a switch tells of edges at so many milliseconds, and of the time after them."""
    tellings = [telling for at_ms, down in edges for telling in switch.edge(at_ms * MS, down)]
    return tellings + switch.tick(edges[-1][0] * MS + 2 * LOCKOUT_NS)


def test_a_release_that_bounces_is_no_press() -> None:
    assert told(Switch(), (100, False), (101, True), (102, False), (103, True), (104, False)) == []


def test_a_press_soon_after_it_counts() -> None:
    assert told(Switch(), (100, False), (101, True), (102, False), (109, True)) == [(True, 109 * MS)]


def test_presses_later_are_pressed_when_they_are() -> None:
    assert told(Switch(), (100, False), (150, True), (180, False)) == [(True, 150 * MS), (False, 180 * MS)]
