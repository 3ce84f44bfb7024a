"""The two small judges of a link: who is talking, and whether it is too much."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.link.handshake import WITHIN_S, Start, Starts
from drivers.timing import Patience


def heard(*boots: int, every_s: float = 0.1) -> list[Start]:
    starts = Starts()
    return [starts.hear(boot, number * every_s) for number, boot in enumerate(boots)]


def test_the_first_is_the_one() -> None:
    assert heard(7, 7) == [Start.NEW, Start.KNOWN]


def test_another_is_believed_when_it_is_heard_twice() -> None:
    assert heard(7, 8, 8, 8) == [Start.NEW, Start.DOUBTFUL, Start.NEW, Start.KNOWN]


def test_two_that_take_turns_are_two() -> None:
    assert heard(7, 8, 7, 8, 7)[-1] is Start.TWO


def test_one_that_returns_once_was_late() -> None:
    assert heard(7, 8, 7, 7, 7)[2:] == [Start.KNOWN] * 3


def test_a_start_that_is_over_does_not_come_back() -> None:
    assert heard(7, 8, 8, 7, 8, 7)[2:] == [Start.NEW, Start.LATE, Start.KNOWN, Start.TWO]


def test_one_that_is_late_again_much_later_is_not_two() -> None:
    assert Start.TWO not in heard(7, 8, 7, 8, 7, every_s=WITHIN_S)


@given(st.lists(st.integers(1, 4), min_size=2))
def test_a_start_is_only_new_when_it_was_the_last_two_that_were_heard(boots: list[int]) -> None:
    told = heard(*boots)
    for number, start in enumerate(told[1:], start=1):
        if start is Start.NEW:
            assert boots[number] == boots[number - 1]


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 10)), max_size=100))
def test_no_more_is_borne_than_at_once_and_in_the_time_since(said: list[tuple[float, float]]) -> None:
    patience, now_s, borne = Patience(50, 5), 0.0, 0.0
    for cost, gap_s in said:
        now_s += gap_s
        if not patience.bears(cost, now_s):
            return
        borne += cost
        assert borne <= 50 + 5 * now_s + 1e-6


def test_as_much_as_may_be_for_ever_is_always_borne() -> None:
    patience = Patience(50, 5)
    assert all(patience.bears(1, number * 0.2) for number in range(10_000))
