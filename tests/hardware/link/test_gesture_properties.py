"""What holds of the reading of a cup whatever is felt, by either sensor."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.link.accelerometer_gesture import PERIOD_NS, AccelerometerGestureDetector
from hardware.link.gesture import MAX_SHAKE_NS, MAX_TILT_NS, GestureDetector
from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

pytestmark = pytest.mark.slow


MS = 1_000_000
AFTER_NS = MAX_SHAKE_NS + MAX_TILT_NS
FOLLOWERS = {
    None: {SHAKEN, TILTED},
    SHAKEN: {SETTLED},
    SETTLED: {SHAKEN, TILTED},
    TILTED: {LEVELLED},
    LEVELLED: {SHAKEN, TILTED},
}
Felt = tuple[int, bool, bool, bool]
"""(at_ns, tilted, jolt, slam)"""

Gestures = list[tuple[int, int]]

gaps_ms = st.one_of(st.integers(0, 30), st.integers(50, 250), st.integers(0, 3000), st.just(70_000))
sensations = st.lists(st.tuples(gaps_ms, st.booleans(), st.booleans(), st.integers(0, 9).map(lambda n: n == 0)))
swings = st.lists(st.tuples(st.integers(50, 200), st.booleans(), st.just(True), st.just(False)), min_size=8)
traces = st.lists(sensations | swings, max_size=4).map(lambda parts: [felt for part in parts for felt in part])


def stamped(trace: list[tuple[int, bool, bool, bool]]) -> list[Felt]:
    stamps_ms = accumulate(gap_ms for gap_ms, *_ in trace)
    return [(at_ms * MS, *felt) for at_ms, (_, *felt) in zip(stamps_ms, trace, strict=True)]  # type: ignore[misc]


def detected(felt: list[Felt], ticks_ns: list[int] | None = None) -> Gestures:
    """Feed a trace, let time pass at `ticks_ns`, too, and for two minutes after it."""
    motion = GestureDetector(False, 0)
    found: Gestures = []
    ticks = sorted(ticks_ns or [])
    for at_ns, tilted, jolt, slam in felt:
        while ticks and ticks[0] <= at_ns:
            found += motion.tick(ticks.pop(0))
        found += motion.sample(at_ns, tilted, jolt, slam)
    end_ns = felt[-1][0] if felt else 0
    for tick_ns in ticks:
        if end_ns <= tick_ns <= end_ns + AFTER_NS:
            found += motion.tick(tick_ns)
    return found + motion.tick(end_ns + AFTER_NS)


def is_consistent(found: Gestures) -> bool:
    kinds = [None, *(what for what, _ in found)]
    return all(after in FOLLOWERS[before] for before, after in pairwise(kinds))


@given(traces)
def test_whatever_begins_ends_and_nothing_begins_within(trace: list[tuple[int, bool, bool, bool]]) -> None:
    found = detected(stamped(trace))
    assert is_consistent(found)
    assert not found or found[-1][0] in (SETTLED, LEVELLED)


@given(traces)
def test_stamps_never_go_back(trace: list[tuple[int, bool, bool, bool]]) -> None:
    stamps = [at_ns for _, at_ns in detected(stamped(trace))]
    assert stamps == sorted(stamps)


@given(traces, st.lists(st.integers(0, 20_000).map(lambda ms: ms * MS), max_size=30))
def test_it_does_not_matter_into_what_ticks_time_is_split(
    trace: list[tuple[int, bool, bool, bool]], ticks_ns: list[int]
) -> None:
    felt = stamped(trace)
    assert detected(felt, ticks_ns) == detected(felt)


@given(traces)
def test_everything_is_told_at_the_moment_it_is_due(trace: list[tuple[int, bool, bool, bool]]) -> None:
    motion = GestureDetector(False, 0)
    for at_ns, tilted, jolt, slam in stamped(trace):
        due_ns = motion.due_ns
        while due_ns is not None and due_ns <= at_ns:
            assert motion.tick(due_ns - 1) == []
            assert all(told_ns == due_ns for _, told_ns in motion.tick(due_ns))
            due_ns = motion.due_ns
        assert all(told_ns == at_ns for _, told_ns in motion.sample(at_ns, tilted, jolt, slam))


@given(traces, st.sampled_from([1 << 30, 1 << 31, (1 << 40) * 1000]))
def test_it_does_not_matter_when_an_evening_begins(trace: list[tuple[int, bool, bool, bool]], start_ns: int) -> None:
    felt = stamped(trace)
    motion = GestureDetector(False, start_ns)
    found: Gestures = []
    for at_ns, *rest in felt:
        found += motion.sample(start_ns + at_ns, *rest)
    found += motion.tick(start_ns + (felt[-1][0] if felt else 0) + AFTER_NS)
    assert [(what, at_ns - start_ns) for what, at_ns in found] == detected(felt)


@given(traces, st.integers(-5000, 0))
def test_late_samples_and_equal_stamps_make_a_story_too(
    trace: list[tuple[int, bool, bool, bool]], late_ms: int
) -> None:
    felt = [(max(0, at_ns + number % 3 * late_ms * MS), *rest) for number, (at_ns, *rest) in enumerate(stamped(trace))]
    found = detected(felt)  # type: ignore[arg-type]
    assert is_consistent(found)
    assert [at_ns for _, at_ns in found] == sorted(at_ns for _, at_ns in found)


@given(traces, st.sets(st.integers(0, 200)))
def test_a_story_with_samples_lost_is_a_story(trace: list[tuple[int, bool, bool, bool]], lost: set[int]) -> None:
    assert is_consistent(detected([felt for number, felt in enumerate(stamped(trace)) if number not in lost]))


@given(st.lists(gaps_ms, max_size=100))
def test_quiet_in_nothing_out(gaps: list[int]) -> None:
    assert detected(stamped([(gap_ms, False, False, False) for gap_ms in gaps])) == []


@given(st.lists(st.tuples(st.integers(1, 400), st.booleans()), max_size=80), st.integers(1, 40))
def test_edges_tell_the_same_as_levels(levels: list[tuple[int, bool]], every_ms: int) -> None:
    edges, sampled = GestureDetector(False, 0), GestureDetector(False, 0)
    by_edges: Gestures = []
    by_levels: Gestures = []
    at_ms = 0
    was = False
    for gap_ms, tilted in levels:
        for looked_ms in range(at_ms + every_ms, at_ms + gap_ms, every_ms):
            by_levels += sampled.edge(looked_ms * MS, was)
        at_ms += gap_ms
        by_levels += sampled.edge(at_ms * MS, tilted)
        if tilted != was:
            by_edges += edges.edge(at_ms * MS, tilted)
        was = tilted
    assert by_edges + edges.tick(at_ms * MS) == by_levels
    assert edges.stamps == sampled.stamps


@given(st.lists(st.tuples(st.integers(-8192, 8191), st.integers(-8192, 8191), st.integers(-8192, 8191)), max_size=300))
def test_whatever_an_accelerometer_says_is_a_story(samples: list[tuple[int, int, int]]) -> None:
    motion = AccelerometerGestureDetector("+z", 0)
    found: Gestures = []
    for number, sample in enumerate(samples):
        found += motion.acceleration(number * PERIOD_NS, *sample)
    assert is_consistent(found)


@given(st.tuples(*[st.integers(-16, 16)] * 3), st.lists(st.tuples(*[st.integers(-60, 60)] * 3), max_size=300))
def test_a_noisy_sensor_in_a_standing_cup_says_nothing(
    zero: tuple[int, int, int], noise: list[tuple[int, int, int]]
) -> None:
    motion = AccelerometerGestureDetector("-x", 0)
    for number, (x, y, z) in enumerate(noise):
        assert motion.acceleration(number * PERIOD_NS, zero[0] + x - 1000, zero[1] + y, zero[2] + z) == []


@given(st.lists(st.integers(1, 12), min_size=1, max_size=400))
def test_a_switch_that_chatters_for_ever_is_one_shake_and_holds_up_nobody(gaps: list[int]) -> None:
    motion = GestureDetector(False, 0)
    found: Gestures = []
    at_ns, closed = 0, False
    while at_ns < 3 * MAX_SHAKE_NS:
        for gap_ms in gaps:
            at_ns += gap_ms * 10 * MS
            closed = not closed
            found += motion.edge(at_ns, closed)
    found += motion.tick(at_ns + AFTER_NS)
    kinds = [what for what, _ in found]
    assert kinds.count(SHAKEN) <= 1
    assert is_consistent(found)
