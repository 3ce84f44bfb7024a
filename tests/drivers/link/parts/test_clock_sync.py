"""A cup's clock mapped to the host's, with an error that holds."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.link.clock_sync import DRIFT_PPM, ClockSync

MS = 1_000_000


def test_before_the_first_ping_nothing_is_known() -> None:
    clock = ClockSync()
    assert (clock.is_known, clock.error_ns(0)) == (False, None)


def test_a_stamp_is_mapped_by_the_middle_of_the_round_trip() -> None:
    clock = ClockSync()
    clock.sample(1000 * MS, 5 * MS, 1002 * MS)
    assert (clock.host_ns(7 * MS, 2000 * MS), clock.error_ns(1002 * MS)) == (1003 * MS, MS)


def test_the_shortest_round_trip_is_kept() -> None:
    clock = ClockSync()
    clock.sample(1000 * MS, 5 * MS, 1002 * MS)
    clock.sample(1100 * MS, 150 * MS, 1140 * MS)
    assert clock.host_ns(7 * MS, 2000 * MS) == 1003 * MS


def test_an_old_sample_gives_way_when_the_clocks_may_have_drifted_further() -> None:
    clock = ClockSync()
    clock.sample(0, 0, 2 * MS)
    later_ns = 2 * MS + 10 * MS * 1_000_000 // DRIFT_PPM
    clock.sample(later_ns - 4 * MS, later_ns, later_ns)
    assert clock.error_ns(later_ns) == 2 * MS


def test_no_stamp_is_later_than_its_arrival() -> None:
    clock = ClockSync()
    clock.sample(1000 * MS, 0, 1002 * MS)
    assert clock.host_ns(50 * MS, 1040 * MS) == 1040 * MS


@given(
    st.integers(-(10**12), 10**12),
    st.integers(-DRIFT_PPM, DRIFT_PPM),
    st.lists(
        st.tuples(st.integers(1, 5000), st.integers(0, 50 * MS), st.integers(0, 50 * MS)), min_size=1, max_size=20
    ),
    st.integers(0, 10_000),
)
def test_the_error_is_never_larger_than_stated(
    offset_ns: int, drift_ppm: int, pings: list[tuple[int, int, int]], wait_ms: int
) -> None:
    def cup_ns(host_ns: int) -> int:
        return host_ns + offset_ns + host_ns * drift_ppm // 1_000_000

    clock, now_ns = ClockSync(), 0
    for gap_ms, there_ns, back_ns in pings:
        sent_ns = now_ns + gap_ms * MS
        answered_ns = sent_ns + there_ns
        now_ns = answered_ns + back_ns
        clock.sample(sent_ns, cup_ns(answered_ns), now_ns)
    now_ns += wait_ms * MS
    error_ns = clock.error_ns(now_ns)
    assert error_ns is not None
    assert abs(clock.host_ns(cup_ns(now_ns), now_ns) - now_ns) <= error_ns + 100_000
