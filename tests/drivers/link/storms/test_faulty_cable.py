"""The cable of the million frames: what goes in comes out, except what is hit, and that is counted."""

import random
import socket
from collections.abc import Callable, Iterator

import pytest
import serial
from support.link.faulty_cable import FaultyCable
from support.link.line_faults import FAULTS

from hardware.emulated.line import EmulatedPort
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link.framing import FramingError, frame, unframe

Wait = Callable[[float], None]


class FarEnd:
    """Two ends of a line: the cable opens `port`, what is at the far end of it is `end`."""

    def __init__(self) -> None:
        here, self.end = socket.socketpair()
        self.end.setblocking(False)
        self.port = EmulatedPort(here)

    def read(self) -> bytes:
        try:
            return self.end.recv(1 << 20)
        except BlockingIOError:
            return b""


@pytest.fixture
def far() -> Iterator[FarEnd]:
    far = FarEnd()
    yield far
    far.end.close()


@pytest.fixture
def cable(loop: VirtualLoop, far: FarEnd) -> Iterator[FaultyCable]:
    cable = FaultyCable(lambda: far.port, loop, random.Random(1))
    yield cable
    cable.close()


def frames(count: int) -> list[bytes]:
    rng = random.Random(2)
    return [frame(rng.randbytes(rng.randint(1, 300))) for _ in range(count)]


def test_a_sound_cable_carries_every_byte_in_order_both_ways(far: FarEnd, cable: FaultyCable, wait: Wait) -> None:
    port, sent = cable.open(), frames(300)
    came, went = b"", b""
    for each in sent:
        port.write(each)
        far.end.send(each)
        wait(0.0005)
        came, went = came + port.read(1 << 20), went + far.read()
    wait(0.1)
    assert came + port.read(1 << 20) == went + far.read() == b"".join(sent)
    assert (cable.frames, cable.faults.total()) == (600, 0)


def test_what_was_sent_in_pieces_is_still_one_frame(far: FarEnd, cable: FaultyCable, wait: Wait) -> None:
    port = cable.open()
    for byte in frame(b"piece by piece"):
        port.write(bytes([byte]))
        wait(0.001)
    wait(0.1)
    assert far.read() == frame(b"piece by piece")
    assert cable.frames == 1


def test_about_as_many_frames_are_hit_as_was_asked_for_and_in_every_way(
    far: FarEnd, cable: FaultyCable, wait: Wait
) -> None:
    port = cable.open()
    cable.set_rate(0.05)
    for each in frames(20_000):
        port.write(each)
        wait(0)
        far.read()
    assert 0.03 < cable.faults.total() / cable.frames < 0.07
    assert set(cable.faults) == {*FAULTS, "echo", "outage"}


def test_a_cable_is_sound_again_at_once(far: FarEnd, cable: FaultyCable, wait: Wait) -> None:
    port, sent = cable.open(), frames(100)
    cable.set_rate(1.0)
    for each in sent:
        port.write(each)
        wait(0.01)
    hit = cable.faults.total()
    cable.set_rate(0.0)
    wait(0.1)
    port.write(b"\0")
    wait(0.1)
    far.read()
    for each in sent:
        port.write(each)
        wait(0.01)
    assert far.read() == b"".join(sent)
    assert cable.faults.total() == hit


def test_nothing_comes_through_a_blackout_and_everything_after_it(
    far: FarEnd, cable: FaultyCable, loop: VirtualLoop, wait: Wait
) -> None:
    port = cable.open()
    cable.black_out(True)
    port.write(frame(b"lost"))
    wait(1)
    cable.black_out(False)
    port.write(frame(b"there"))
    wait(1)
    assert far.read() == frame(b"there")
    assert (cable.frames, cable.faults["blackout"]) == (2, 1)
    assert cable.fault_s < loop.time() - 1.5


def test_a_far_end_that_goes_is_read_as_such(far: FarEnd, cable: FaultyCable, wait: Wait) -> None:
    port = cable.open()
    far.end.close()
    wait(0.1)
    with pytest.raises(serial.SerialException):
        port.read(1)


def test_a_port_that_was_closed_can_be_opened_again(loop: VirtualLoop, wait: Wait) -> None:
    far = [FarEnd(), FarEnd()]
    ports = iter([end.port for end in far])
    cable = FaultyCable(lambda: next(ports), loop, random.Random(1))
    cable.open().close()
    wait(0.1)
    cable.open().write(frame(b"again"))
    wait(0.1)
    assert far[1].read() == frame(b"again")
    assert not far[0].port.is_open
    cable.close()


@pytest.mark.parametrize("fault", [name for name in FAULTS if name not in ("dropped", "repeated", "zeros_out")])
def test_hardly_a_damaged_frame_can_still_be_read(fault: str) -> None:
    """A hit on the closing zeros alone leaves the frame as it is."""
    rng, read = random.Random(3), 0
    for each in frames(400):
        for piece in FAULTS[fault](each, rng).split(b"\0"):
            try:
                read += bool(piece) and frame(unframe(piece)).rstrip(b"\0") == each.rstrip(b"\0")
            except FramingError:
                continue
    assert read < 40
