"""The emulated SPI bus: what the D/C and RES lines mean to a panel, and that nobody ever answers."""

from collections.abc import Callable

import pytest

from hardware.emulated.chips.controllers import SSD1306
from hardware.emulated.chips.spi import EmulatedSpiBus

WAKE = bytes([0x8D, 0x14, 0xAF])


class Wire:
    """A line that a test sets."""

    def __init__(self) -> None:
        self.state: bool | int | float = True
        self.moved: Callable[[bool], None] | None = None

    def set(self, level: bool) -> None:
        self.state = level
        if self.moved is not None:
            self.moved(level)


class Bench:
    def __init__(self) -> None:
        self.spent: list[float] = []
        self.bus = EmulatedSpiBus(0, elapse=self.spent.append)
        self.dc, self.reset = Wire(), Wire()
        self.bus.wire(0, self.dc, self.reset)
        self.panel = SSD1306(1)
        self.bus.plug(0, self.panel)
        self.device = self.bus.open(0)

    def command(self, data: bytes) -> None:
        self.dc.set(False)
        self.device.writebytes(data)
        self.dc.set(True)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_with_a_low_dc_line_bytes_are_commands(bench: Bench) -> None:
    bench.command(WAKE)
    assert bench.panel.on


def test_with_a_high_dc_line_bytes_go_to_the_memory(bench: Bench) -> None:
    bench.device.writebytes([1, 2, 3])
    assert bytes(bench.panel.pages[0][:3]) == bytes([1, 2, 3])


def test_a_fall_of_the_reset_line_switches_the_panel_off_and_keeps_its_memory(bench: Bench) -> None:
    bench.command(WAKE)
    bench.device.writebytes([1, 2, 3])
    bench.reset.set(False)
    assert not bench.panel.on
    assert bytes(bench.panel.pages[0][:3]) == bytes([1, 2, 3])


def test_a_panel_in_reset_hears_nothing(bench: Bench) -> None:
    bench.reset.set(False)
    bench.command(WAKE)
    bench.reset.set(True)
    assert not bench.panel.on


def test_who_watches_a_panel_is_told_of_its_reset(bench: Bench) -> None:
    writes = []
    bench.panel.written = lambda: writes.append(1)
    bench.reset.set(False)
    assert writes


def test_nobody_learns_that_a_panel_is_missing(bench: Bench) -> None:
    bench.bus.unplug(0)
    bench.command(WAKE)
    assert bench.bus.transfers == 1


def test_a_thousand_bytes_take_a_millisecond(bench: Bench) -> None:
    bench.device.writebytes(bytes(1000))
    assert bench.spent == [pytest.approx(1e-3)]


def test_what_is_written_is_heard_with_its_control_byte(bench: Bench) -> None:
    received: list[tuple[int, bytes]] = []
    bench.bus.listen = lambda *said: received.append(said)
    bench.command(WAKE)
    bench.device.writebytes([7])
    assert received == [(0, b"\x00" + WAKE), (0, b"\x40\x07")]


def test_more_than_spidevs_buffer_is_refused(bench: Bench) -> None:
    with pytest.raises(OverflowError, match="4096"):
        bench.device.writebytes(bytes(4097))


def test_a_write_of_nothing_is_refused(bench: Bench) -> None:
    with pytest.raises(TypeError, match="length"):
        bench.device.writebytes(b"")


def test_a_chip_select_that_is_not_wired_is_not_there(bench: Bench) -> None:
    with pytest.raises(FileNotFoundError, match=r"/dev/spidev0\.1"):
        bench.bus.open(1)


def test_a_closed_device_takes_nothing(bench: Bench) -> None:
    bench.device.close()
    with pytest.raises(OSError, match="file descriptor"):
        bench.device.writebytes([0])
