"""A cup's events come out once each and in order, whatever is lost, doubled or late."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.link.event_sequence import EventSequence

BOOT = 5


def event(number: int, boot: int = BOOT) -> int:
    return boot << 32 | number


def begun(oldest: int = 1) -> EventSequence:
    order = EventSequence()
    order.begin(BOOT, oldest)
    return order


@given(st.lists(st.integers(1, 12), max_size=80))
def test_events_are_taken_once_each_and_without_gaps(numbers: list[int]) -> None:
    order = begun()
    taken = [found for number in numbers if (found := order.accept(number)) is not None]
    assert taken == [event(number) for number in range(1, len(taken) + 1)]


@given(st.permutations(range(1, 9)))
def test_the_cup_may_forget_up_to_the_first_that_is_not_durable(sequence: list[int]) -> None:
    order, settled = begun(), set()
    for number in range(1, 9):
        order.accept(number)
    for number in sequence:
        order.acknowledge(event(number))
        settled.add(number)
        assert order.durable == next(n for n in range(9) if n + 1 not in settled)


def test_an_acknowledgement_of_an_earlier_start_is_passed_over() -> None:
    order = begun()
    order.accept(1)
    order.begin(BOOT + 1, 1)
    order.accept(1)
    assert (order.acknowledge(event(1)), order.durable) == (False, 0)


def test_an_acknowledgement_of_what_never_came_is_passed_over() -> None:
    assert begun().acknowledge(event(3)) is False


def test_a_cup_that_comes_back_goes_on_where_it_was() -> None:
    order = begun()
    order.accept(1)
    assert (order.begin(BOOT, 1), order.accept(1), order.accept(2)) == (False, None, event(2))


def test_a_new_start_numbers_from_one() -> None:
    order = begun()
    order.accept(1)
    assert (order.begin(BOOT + 1, 1), order.accept(1)) == (True, event(1, BOOT + 1))


def test_a_host_that_was_restarted_begins_with_what_the_cup_still_has() -> None:
    assert begun(oldest=40).accept(40) == event(40)


def test_what_an_earlier_run_made_durable_is_not_taken_again() -> None:
    order = EventSequence(after=event(6))
    order.begin(BOOT, 5)
    assert (order.accept(5), order.accept(6), order.accept(7), order.durable) == (None, None, event(7), 6)


def test_an_event_may_come_again_until_it_is_durable() -> None:
    order = begun()
    for number in (1, 2, 3):
        order.accept(number)
    order.acknowledge(event(1))
    order.acknowledge(event(3))
    assert [order.is_retransmittable(event(number)) for number in (1, 2, 3)] == [False, True, True]


def test_an_event_of_an_earlier_start_does_not_come_again() -> None:
    order = begun()
    order.accept(1)
    order.begin(BOOT + 1, 1)
    assert not order.is_retransmittable(event(1))


@given(st.integers(0, 8), st.integers(0, 8), st.permutations(range(1, 9)))
def test_what_a_dead_driver_took_and_never_told_is_taken_again(taken: int, delivered: int, sequence: list[int]) -> None:
    """Every event is told once, whatever of it the dead one had taken, and the cup may forget all of them at last."""
    taken, delivered = max(taken, delivered), min(taken, delivered)
    order = begun()
    for number in range(1, taken + 1):
        order.accept(number)
    settled_before = [number for number in sequence if number <= delivered][: delivered // 2]
    for number in settled_before:
        order.acknowledge(event(number))
    order.rewind_to(event(delivered) if delivered else 0)
    assert [number for number in range(1, 9) if order.accept(number) is not None] == list(range(delivered + 1, 9))
    for number in sequence:
        order.acknowledge(event(number))
    assert order.durable == 8


def test_what_was_told_of_an_earlier_start_says_nothing_of_this_one() -> None:
    order = begun(oldest=4)
    order.accept(4)
    order.rewind_to(event(9, boot=BOOT - 1))
    assert order.accept(4) == event(4)
