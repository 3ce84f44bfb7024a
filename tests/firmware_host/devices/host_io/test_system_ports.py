"""The wires of this computer, as far as a computer without a table has them: names of ports, how a port ends, SPI."""

import os
import pty
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
import serial

from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.devices.host_io.serial_ports import plugged_devices

PORT = "usb-MicroPython_Board_in_FS_mode_e6614103e7452d21-if00"


@pytest.fixture
def far_end(tmp_path: Path) -> Iterator[int]:
    """Give the far end of a port whose name in a folder like /dev/serial/by-id has a lower-case id."""
    far, near = pty.openpty()
    (tmp_path / PORT).symlink_to(os.ttyname(near))
    yield far
    os.close(far)
    os.close(near)


@pytest.mark.parametrize("written", ["E6614103E7452D21", "e6614103e7452d21"])
@pytest.mark.usefixtures("far_end")
def test_a_port_is_found_however_its_id_is_written(written: str, tmp_path: Path) -> None:
    SystemPorts(tmp_path).open_port(written).close()


@pytest.mark.usefixtures("far_end")
def test_part_of_an_id_is_not_an_id(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=f"nothing in {tmp_path} has E6614103 in its name"):
        SystemPorts(tmp_path).open_port("E6614103")


def test_what_was_written_last_still_leaves_when_a_port_is_closed(far_end: int, tmp_path: Path) -> None:
    port = SystemPorts(tmp_path).open_port("E6614103E7452D21")
    port.write(b"dark")
    port.close()
    assert os.read(far_end, 16) == b"dark"


@pytest.mark.usefixtures("far_end")
def test_a_far_end_that_reads_nothing_does_not_keep_a_port_from_closing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    thrown_away = []
    monkeypatch.setattr(serial.Serial, "out_waiting", 7)
    monkeypatch.setattr(serial.Serial, "reset_output_buffer", lambda port: thrown_away.append(port.is_open))
    port = SystemPorts(tmp_path).open_port("E6614103E7452D21")
    began_s = time.monotonic()
    port.close()
    assert time.monotonic() - began_s < 0.5
    assert thrown_away == [True]


def test_a_uart_behind_the_cable_is_set_to_the_speed_of_the_link(far_end: int, tmp_path: Path) -> None:
    port = SystemPorts(tmp_path).open_port("E6614103E7452D21")
    assert termios.tcgetattr(far_end)[4:6] == [termios.B115200, termios.B115200]
    port.close()


@pytest.mark.usefixtures("far_end")
def test_a_port_may_be_closed_twice(tmp_path: Path) -> None:
    port = SystemPorts(tmp_path).open_port("E6614103E7452D21")
    port.close()
    port.close()


@pytest.mark.usefixtures("far_end")
def test_a_port_is_found_by_its_whole_name_too(tmp_path: Path) -> None:
    SystemPorts(tmp_path).open_port(PORT).close()


@pytest.mark.usefixtures("far_end")
def test_a_device_that_is_in_another_socket_is_found_by_the_same_id(tmp_path: Path) -> None:
    (tmp_path / PORT).unlink()
    with pytest.raises(FileNotFoundError):
        SystemPorts(tmp_path).open_port("E6614103E7452D21")
    far, near = pty.openpty()
    (tmp_path / PORT).symlink_to(os.ttyname(near))
    port = SystemPorts(tmp_path).open_port("E6614103E7452D21")
    os.write(far, b"here")
    time.sleep(0.01)
    assert port.read(9) == b"here"
    port.close()
    os.close(far)
    os.close(near)


@pytest.mark.usefixtures("far_end")
def test_a_name_whose_port_is_gone_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "usb-Board_CUP7-if00").symlink_to("/dev/ttyACM-none")
    with pytest.raises(FileNotFoundError):
        SystemPorts(tmp_path).open_port("CUP7")
    assert [name for name, _ in SystemPorts(tmp_path).plugged_in()] == [PORT]


@pytest.mark.usefixtures("far_end")
def test_two_devices_with_one_id_are_both_named(tmp_path: Path) -> None:
    other = "usb-Somebody_s_Copy_E6614103E7452D21-if00"
    (tmp_path / other).symlink_to((tmp_path / PORT).resolve())
    with pytest.raises(OSError, match=f"{PORT} and {other} both have E6614103E7452D21 in their names"):
        SystemPorts(tmp_path).open_port("E6614103E7452D21")


@pytest.mark.usefixtures("far_end")
def test_a_device_with_two_ports_is_one_device_and_its_first_port_is_the_links(tmp_path: Path) -> None:
    (tmp_path / PORT.replace("if00", "if02")).symlink_to("/dev/null")
    assert [name for name, _ in SystemPorts(tmp_path).plugged_in()] == [PORT]
    SystemPorts(tmp_path).open_port("E6614103E7452D21").close()


@pytest.mark.usefixtures("far_end")
def test_a_device_that_is_plugged_in_again_is_told_from_one_that_stayed(tmp_path: Path) -> None:
    was = plugged_devices(tmp_path)
    assert plugged_devices(tmp_path) == was
    target = (tmp_path / PORT).readlink()
    (tmp_path / PORT).unlink()
    time.sleep(0.02)  # a kernel's clock of file times has ticks
    (tmp_path / PORT).symlink_to(target)
    (again,) = plugged_devices(tmp_path)
    assert again.name == was[0].name
    assert again != was[0]


def test_where_nothing_was_ever_plugged_in_there_is_nothing(tmp_path: Path) -> None:
    assert plugged_devices(tmp_path / "by-id") == ()


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
    device = SystemPorts().open_spi(0, 1)
    assert isinstance(device, SpiDev)
    assert (device.opened, device.max_speed_hz, device.mode) == ((0, 1), 8_000_000, 0)


@pytest.mark.usefixtures("spidev")
def test_an_spi_bus_that_is_not_there_is_an_oserror() -> None:
    with pytest.raises(FileNotFoundError):
        SystemPorts().open_spi(1, 0)


def test_a_computer_without_spidev_is_told_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(OSError, match="spidev is not installed; it is in the extra spi, or python3-spidev in Debian"):
        SystemPorts().open_spi(0, 0)


@pytest.fixture
def lacks_gpiod(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    for name in ("drivers.gpio.pins", "drivers.gpio.lines"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.fixture
def lacks_lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)


@pytest.mark.usefixtures("lacks_gpiod", "lacks_lgpio")
def test_a_computer_without_the_pins_library_is_told_where_it_is() -> None:
    with pytest.raises(gpiozero.BadPinFactory, match="install gpiod: it is in the extra pi"):
        SystemPorts().factory.reserve_pins(None, 4)


@pytest.mark.usefixtures("lacks_lgpio")
def test_who_asks_for_lgpio_gets_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with pytest.raises(gpiozero.BadPinFactory, match="lgpio is not installed"):
        SystemPorts().factory.reserve_pins(None, 4)


@pytest.mark.usefixtures("lacks_gpiod")
def test_lgpio_serves_where_gpiod_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    through_lgpio = ModuleType("gpiozero.pins.lgpio")
    through_lgpio.LGPIOFactory = lambda: "lgpio's"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", through_lgpio)
    assert SystemPorts().factory == "lgpio's"


def test_the_pins_of_this_computer_are_read_through_gpiod(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gpiod", reason="libgpiod's bindings are for Linux", exc_type=ImportError)
    wires = SystemPorts(switches=[5, 6])
    assert type(wires.factory).__name__ == "GpiodFactory"
    wires.close()
