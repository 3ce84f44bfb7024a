"""Which events a record includes: none that the table holds back, all others, each seat's in their order."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import Device as Kind
from drivers.messages import DeviceEvent, Found, Levelled, Message, Tilted
from firmware_host.daemon.inbox import AckTracker

NAMES = ("orange", "blue")


def tilted(seat: int, event: int) -> tuple[Message, DeviceEvent]:
    return Tilted(seat, 0, event), DeviceEvent(NAMES[seat], event)


def test_the_positions_of_an_earlier_run_are_kept() -> None:
    acks = AckTracker({"orange": 7})
    acks.add(*tilted(1, 3))
    acks.complete(lambda seat: False)
    assert acks.positions == {"orange": 7, "blue": 3}


def test_a_message_that_no_device_repeats_is_completed_without_a_position() -> None:
    acks = AckTracker({})
    acks.add(Found(0, Kind.CUP), None)
    acks.add(Levelled(0, 0), None)
    acks.complete(lambda seat: False)
    assert (acks.positions, acks.take_completed()) == ({}, [Found(0, Kind.CUP), Levelled(0, 0)])


def test_a_message_is_completed_once() -> None:
    acks = AckTracker({})
    acks.add(*tilted(0, 1))
    acks.complete(lambda seat: False)
    assert (len(acks.take_completed()), len(acks.take_completed())) == (1, 0)


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(["take", "hold", "let go"])), max_size=60))
def test_a_record_includes_all_of_a_seat_up_to_what_is_held_back(steps: list[tuple[int, str]]) -> None:
    acks, held, taken, free = AckTracker({}), set[int](), [0, 0], [0, 0]
    for seat, step in steps:
        if step == "take":
            taken[seat] += 1
            acks.add(*tilted(seat, taken[seat]))
        (held.add if step == "hold" else held.discard if step == "let go" else id)(seat)
        acks.complete(held.__contains__)
        free = [free[each] if each in held else taken[each] for each in (0, 1)]
        assert acks.positions == {name: event for name, event in zip(NAMES, free, strict=True) if event}
