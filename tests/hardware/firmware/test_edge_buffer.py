"""What is between a board's interrupts and its program."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.edge_buffer import ROOM, EdgeBuffer


def taken(edges: EdgeBuffer) -> list[tuple[int, int]]:
    return list(iter(edges.take, None))


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**30 - 1)), max_size=ROOM - 1), max_size=5))
def test_edges_come_out_as_they_went_in(bursts: list[list[tuple[int, int]]]) -> None:
    edges = EdgeBuffer()
    for burst in bursts:
        for what, ticks in burst:
            edges.put(what, ticks)
        assert taken(edges) == burst
    assert not edges.overrun


def test_what_there_is_no_room_for_is_known_to_be_lost() -> None:
    edges = EdgeBuffer()
    for ticks in range(3 * ROOM):
        edges.put(1, ticks)
    assert edges.overrun
    assert taken(edges) == [(1, ticks) for ticks in range(ROOM - 1)]
