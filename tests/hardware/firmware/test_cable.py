"""A board's cable: what has come is read, what fits is written, and nothing is waited for."""

import pytest
from support.firmware.pico_usb import BLOCKED_FOR_US, BUFFER, PicoUsb

from hardware.firmware import cable as cable_module
from hardware.firmware.cable import BLOCKED_US, PACKET_BYTES, WRITE_BYTES, Cable
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame


@pytest.fixture
def usb(monkeypatch: pytest.MonkeyPatch) -> PicoUsb:
    usb = PicoUsb()
    usb.connect(cable_module, monkeypatch)
    monkeypatch.setattr(cable_module, "ticks_us", lambda: usb.now_us)
    return usb


def test_what_has_come_is_read_and_nothing_is_waited_for(usb: PicoUsb) -> None:
    cable = Cable()
    usb.waiting += bytes(range(100))
    assert cable
    assert cable.read() == bytes(range(PACKET_BYTES))
    assert cable.read() == bytes(range(PACKET_BYTES, 100))
    assert cable.read() == b""
    assert not cable


@pytest.mark.parametrize("length", [1, 15, 16, 17, 250])
def test_a_frame_that_fits_arrives_whole(length: int, usb: PicoUsb) -> None:
    Cable().write(b"x" * length)
    assert usb.sent.rstrip(b"\0") == b"x" * length


def test_no_write_waits_while_the_host_does_not_read(usb: PicoUsb) -> None:
    cable = Cable()
    pong = b"\0" + frame(link.to_body(0, link.Pong(7, 5, 1_000_000_000)))
    for _ in range(200):
        cable.write(pong)
    assert usb.now_us < 10_000


def test_after_the_host_has_read_frames_arrive_again(usb: PicoUsb) -> None:
    cable = Cable()
    pong = link.Pong(7, 5, 1_000_000_000)
    for _ in range(50):
        cable.write(b"\0" + frame(link.to_body(0, pong)))
    usb.sent.clear()
    cable.write(b"\0" + frame(link.to_body(0, pong)))
    assert [link.from_body(body)[1] for body in FrameParser().feed(bytes(usb.sent))] == [pong]


@pytest.mark.parametrize("printed", range(1, 64))
def test_what_was_printed_before_lets_one_write_wait_at_most(printed: int, usb: PicoUsb) -> None:
    usb.sent += b"M" * printed
    cable = Cable()
    for _ in range(200):
        cable.write(b"\0" + frame(link.to_body(0, link.Pong(7, 5, 1_000_000_000))))
    assert usb.now_us < 2 * BLOCKED_FOR_US
    assert len(usb.sent) >= BUFFER - WRITE_BYTES


def test_the_pieces_divide_what_a_pico_has_room_for() -> None:
    assert BUFFER % WRITE_BYTES == PACKET_BYTES % WRITE_BYTES == 0
    assert BLOCKED_US < BLOCKED_FOR_US
