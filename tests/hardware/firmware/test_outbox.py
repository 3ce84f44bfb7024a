"""What waits at a cup for its acknowledgement, and when it is said again."""

from support.firmware.cup_bench import BOOT, MS, Bench, events_in

from hardware.firmware.outbox import CAPACITY, FAST_NS, LONGEST_REPEAT_NS, REPEAT_NS, WINDOW, UnacknowledgedEvents
from hardware.link import messages as link


def full() -> UnacknowledgedEvents:
    outbox = UnacknowledgedEvents(BOOT)
    for _ in range(CAPACITY // 2):
        outbox.put(link.PRESSED, 0, b"\x00", 0)
        outbox.put(link.RELEASED, 0, b"\x00", 0)
    return outbox


def test_an_outbox_that_is_full_refuses_whole_pairs() -> None:
    outbox, events = UnacknowledgedEvents(BOOT), []
    for _ in range(2 * CAPACITY):
        events += outbox.put(link.PRESSED, 0, b"\x00", 0) + outbox.put(link.RELEASED, 0, b"\x00", 0)
    assert [event.what for event in events] == [link.PRESSED, link.RELEASED] * (CAPACITY // 2)


def test_a_full_outbox_keeps_a_place_for_the_end_of_what_it_told() -> None:
    outbox = UnacknowledgedEvents(BOOT)
    outbox.put(link.TILTED, 0, b"", 0)
    for _ in range(CAPACITY):
        outbox.put(link.PRESSED, 0, b"\x00", 0)
        outbox.put(link.RELEASED, 0, b"\x00", 0)
    assert outbox.put(link.LEVELLED, 0, b"", 0) != []


def test_a_cup_holds_what_the_link_says() -> None:
    assert CAPACITY == link.EVENTS_HELD


def test_events_are_repeated_every_50_ms_while_the_host_is_heard() -> None:
    bench = Bench()
    bench.edge("ok", True)
    for _ in range(100):
        assert 1 <= len(events_in(bench.ping(100))) <= 2


def test_a_board_with_no_host_repeats_ever_more_slowly() -> None:
    bench = Bench()
    bench.edge("ok", True)
    lively = FAST_NS // REPEAT_NS
    assert len(events_in(bench.let_pass(80_000))) < lively + 80_000 * MS / LONGEST_REPEAT_NS + 6


def test_a_host_that_is_heard_again_hears_what_waits_within_50_ms() -> None:
    bench = Bench()
    bench.edge("ok", True)
    bench.let_pass(60_000)
    bench.send(link.Ping(1, 500))
    assert events_in(bench.let_pass(50)) == [1]


def test_all_that_wait_are_through_within_200_ms_of_the_last_fault() -> None:
    outbox, acknowledged = full(), 0
    now_ns = 10_000 * MS
    outbox.speed_up(now_ns)  # the first frame that came through again
    while acknowledged < CAPACITY:
        assert outbox.due_ns is not None
        now_ns = max(now_ns, outbox.due_ns)
        for event in outbox.repeat(now_ns):
            acknowledged = max(acknowledged, event.number)
        now_ns += 10 * MS  # there, on the disk, and back
        outbox.acknowledge(acknowledged, now_ns)
    assert now_ns - 10_000 * MS <= 200 * MS


def test_a_window_that_is_taken_brings_the_next_at_once() -> None:
    outbox = full()
    window = outbox.repeat(60 * MS)
    outbox.acknowledge(window[-1].number, 61 * MS)
    assert outbox.due_ns == 61 * MS
    assert [event.number for event in outbox.repeat(61 * MS)] == list(range(WINDOW + 1, 2 * WINDOW + 1))


def test_an_acknowledgement_amid_fresh_events_repeats_nothing_at_once() -> None:
    outbox = UnacknowledgedEvents(BOOT)
    for at_ms in range(3):
        outbox.put(link.PRESSED, at_ms * MS, bytes([at_ms]), at_ms * MS)
    outbox.acknowledge(1, 5 * MS)
    assert outbox.due_ns == 55 * MS
