"""The wires of this computer, as far as a computer without a table has them: names of ports, how a port ends, SPI."""

import os
import pty
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import serial

from firmware_host import wires
from firmware_host.wires import RealWires


@pytest.fixture
def far_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Give the far end of a port whose name in a folder like /dev/serial/by-id has a lower-case id."""
    far, near = pty.openpty()
    (tmp_path / "usb-MicroPython_Board_in_FS_mode_e6614103e7452d21-if00").symlink_to(os.ttyname(near))
    monkeypatch.setattr(wires, "SERIAL", tmp_path)
    yield far
    os.close(far)
    os.close(near)


@pytest.mark.parametrize("written", ["E6614103E7452D21", "e6614103e7452d21"])
@pytest.mark.usefixtures("far_end")
def test_a_port_is_found_however_its_id_is_written(written: str) -> None:
    RealWires().open_port(written).close()


@pytest.mark.usefixtures("far_end")
def test_part_of_an_id_is_not_an_id(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=f"nothing in {tmp_path} has E6614103 in its name"):
        RealWires().open_port("E6614103")


def test_what_was_written_last_still_leaves_when_a_port_is_closed(far_end: int) -> None:
    port = RealWires().open_port("E6614103E7452D21")
    port.write(b"dark")
    port.close()
    assert os.read(far_end, 16) == b"dark"


@pytest.mark.usefixtures("far_end")
def test_a_far_end_that_reads_nothing_does_not_keep_a_port_from_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown_away = []
    monkeypatch.setattr(serial.Serial, "out_waiting", 7)
    monkeypatch.setattr(serial.Serial, "reset_output_buffer", lambda port: thrown_away.append(port.is_open))
    port = RealWires().open_port("E6614103E7452D21")
    began_s = time.monotonic()
    port.close()
    assert time.monotonic() - began_s < 0.5
    assert thrown_away == [True]


@pytest.mark.usefixtures("far_end")
def test_a_port_may_be_closed_twice() -> None:
    port = RealWires().open_port("E6614103E7452D21")
    port.close()
    port.close()


class SpiDev:
    """What spidev has for a chip select."""

    opened: tuple[int, int] = (-1, -1)
    max_speed_hz = 125_000_000
    mode = 0

    def __init__(self, bus: int, device: int) -> None:
        if bus:
            raise FileNotFoundError(2, "No such file or directory")
        self.opened = bus, device

    def close(self) -> None:
        """Nothing to give back."""


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("spidev")
    module.SpiDev = SpiDev  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)


@pytest.mark.usefixtures("spidev")
def test_a_chip_select_is_opened_at_the_speed_that_luma_has() -> None:
    device = RealWires().open_spi(0, 1)
    assert isinstance(device, SpiDev)
    assert (device.opened, device.max_speed_hz, device.mode) == ((0, 1), 8_000_000, 0)


@pytest.mark.usefixtures("spidev")
def test_an_spi_bus_that_is_not_there_is_an_oserror() -> None:
    with pytest.raises(FileNotFoundError):
        RealWires().open_spi(1, 0)


def test_a_computer_without_spidev_is_told_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(OSError, match="spidev is not installed; it is in the extra spi, or python3-spidev in Debian"):
        RealWires().open_spi(0, 0)
