"""What a record rests on: nothing that is held back, all else, each seat's in its order."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import Device as Kind
from drivers.messages import Found, Levelled, Message, Tilted
from firmware_host.daemon.event_acks import Heard, Told

NAMES = ("orange", "blue")


def tilted(seat: int, event: int) -> tuple[Message, Told]:
    return Tilted(seat, 0, event), Told(NAMES[seat], event)


def test_what_an_earlier_run_heard_is_kept() -> None:
    heard = Heard({"orange": 7})
    heard.take(*tilted(1, 3))
    heard.settle(lambda seat: False)
    assert heard.upto == {"orange": 7, "blue": 3}


def test_a_message_that_nobody_tells_again_is_settled_and_leaves_no_trace() -> None:
    heard = Heard({})
    heard.take(Found(0, Kind.CUP), None)
    heard.take(Levelled(0, 0), None)
    heard.settle(lambda seat: False)
    assert (heard.upto, heard.settled()) == ({}, [Found(0, Kind.CUP), Levelled(0, 0)])


def test_a_message_is_settled_once() -> None:
    heard = Heard({})
    heard.take(*tilted(0, 1))
    heard.settle(lambda seat: False)
    assert (len(heard.settled()), len(heard.settled())) == (1, 0)


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(["take", "hold", "let go"])), max_size=60))
def test_a_record_rests_on_all_of_a_seat_up_to_what_is_held_back(steps: list[tuple[int, str]]) -> None:
    heard, held, taken, free = Heard({}), set[int](), [0, 0], [0, 0]
    for seat, step in steps:
        if step == "take":
            taken[seat] += 1
            heard.take(*tilted(seat, taken[seat]))
        (held.add if step == "hold" else held.discard if step == "let go" else id)(seat)
        heard.settle(held.__contains__)
        free = [free[each] if each in held else taken[each] for each in (0, 1)]
        assert heard.upto == {name: event for name, event in zip(NAMES, free, strict=True) if event}
