"""How much `RateLimiter` allows at once and in the long run."""

from drivers.timing import RateLimiter


def test_it_allows_its_most_at_once_and_fills_again() -> None:
    rate = RateLimiter(3, 10)
    assert [rate.allow(1, 5.0) for _ in range(4)] == [True, True, True, False]
    assert [rate.allow(1, 5.15), rate.allow(1, 5.15)] == [True, False]
    assert [rate.allow(1, 60) for _ in range(4)] == [True, True, True, False]


def test_it_survives_a_clock_that_was_set_back() -> None:
    rate = RateLimiter(3, 10)
    rate.allow(1, 100.0)
    assert rate.allow(1, 25.0)


def test_what_was_refused_is_not_counted() -> None:
    rate = RateLimiter(1, 1)
    assert [rate.allow(1, 5.0 + asked / 1000) for asked in range(1000)].count(True) == 1
    assert rate.allow(1, 6.0)
