"""Which starts of a device are believed, and how much it may say."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.link.handshake import RETURN_WINDOW_S, Boot, BootTracker
from drivers.timing import RateLimiter


def classified(*boots: int, every_s: float = 0.1) -> list[Boot]:
    tracker = BootTracker()
    return [tracker.classify(boot, number * every_s) for number, boot in enumerate(boots)]


def test_the_first_boot_is_believed() -> None:
    assert classified(7, 7) == [Boot.NEW, Boot.KNOWN]


def test_another_boot_is_believed_when_it_is_heard_twice() -> None:
    assert classified(7, 8, 8, 8) == [Boot.NEW, Boot.UNCONFIRMED, Boot.NEW, Boot.KNOWN]


def test_two_boots_that_take_turns_are_two_devices() -> None:
    assert classified(7, 8, 7, 8, 7)[-1] is Boot.DUPLICATE


def test_a_boot_that_returns_once_was_a_late_hello() -> None:
    assert classified(7, 8, 7, 7, 7)[2:] == [Boot.KNOWN] * 3


def test_a_boot_that_is_over_does_not_come_back() -> None:
    assert classified(7, 8, 8, 7, 8, 7)[2:] == [Boot.NEW, Boot.STALE, Boot.KNOWN, Boot.DUPLICATE]


def test_late_hellos_far_apart_are_not_two_devices() -> None:
    assert Boot.DUPLICATE not in classified(7, 8, 7, 8, 7, every_s=RETURN_WINDOW_S)


@given(st.lists(st.integers(1, 4), min_size=2))
def test_a_boot_is_only_new_when_the_last_two_hellos_had_it(boots: list[int]) -> None:
    found = classified(*boots)
    for number, boot in enumerate(found[1:], start=1):
        if boot is Boot.NEW:
            assert boots[number] == boots[number - 1]


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 10)), max_size=100))
def test_no_more_is_allowed_than_the_burst_and_the_refill(costs: list[tuple[float, float]]) -> None:
    limiter, now_s, charged = RateLimiter(50, 5), 0.0, 0.0
    for cost, gap_s in costs:
        now_s += gap_s
        if not limiter.charge(cost, now_s):
            return
        charged += cost
        assert charged <= 50 + 5 * now_s + 1e-6


def test_the_refill_rate_is_allowed_without_end() -> None:
    limiter = RateLimiter(50, 5)
    assert all(limiter.charge(1, number * 0.2) for number in range(10_000))
