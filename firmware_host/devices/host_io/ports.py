"""This computer's ports for drivers: GPIO pins, I2C and SPI buses, serial ports.

`Ports` is the interface, `SystemPorts` opens the real ones, `hardware.emulated.EmulatedTable` offers emulated ones to
the same drivers. Each port stays closed until a driver asks for it.
"""

import asyncio
import errno
import fcntl
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import serial

from drivers.link.port import Port
from firmware_host.devices.host_io import serial_ports
from firmware_host.devices.host_io.serial_ports import SERIAL, Holder, holder_of
from firmware_host.devices.host_io.timeouts import run_with_timeout
from hardware.config.layout import PHONE

if TYPE_CHECKING:  # a table of boards has neither pins nor I2C and need not wait for them
    import gpiozero

    from drivers.display.bus_worker import I2cBus
    from drivers.display.spi import SpiDevice, SpiPort
    from hardware.config.layout import SpiDisplay

SPI_HZ = 8_000_000
"""SPI clock in Hz, as set by luma; the SSD1306 allows 10 MHz."""
BAUD = 115200
"""Bits per second, LINK.md. It matters only where a UART is between the cable and the cup, as in a dongle."""
DRAIN_TIMEOUT_S = 0.02
"""Seconds for the last bytes to leave a port; a reading board takes them within a millisecond."""
PSEUDO_TERMINALS = Path("/dev/pts")
"""Folder of pseudo-terminals. Tests have the far end open too, and exclusive access would outlive a killed process."""


class Ports(Protocol):
    """The pins, buses and serial ports opened by drivers."""

    @property
    def factory(self) -> "gpiozero.Factory":
        """The factory for pins, by BCM numbers."""

    def open_bus(self, number: int) -> "I2cBus":
        """Open `/dev/i2c-<number>`. Raises `OSError`."""

    def open_spi(self, number: int, select: int) -> "SpiDevice":
        """Open `/dev/spidev<number>.<select>`. Raises `OSError`."""

    def open_port(self, serial_id: str) -> Port:
        """Open a device's port by its id. Raises `OSError`, also for an unplugged device."""

    def plugged_in(self) -> Sequence[tuple[str, int]]:
        """Return the names of plugged-in serial devices, each with a number changing at every plug."""


class SystemPorts:
    """This computer's ports. `serial` is the system's folder of serial port names.

    `switches` are all pins with switches (BCM numbers). An instance made on a running loop reports edges to that loop.
    `open_phone` opens a guest's phone's port by its number, None for a computer without any.
    """

    def __init__(
        self,
        serial: Path = SERIAL,
        *,
        switches: Sequence[int] = (),
        open_phone: Callable[[int], Port] | None = None,
    ) -> None:
        self._folder = serial
        self._switches = switches
        self._open_phone = open_phone
        self._factory: gpiozero.Factory | None = None

    def close(self) -> None:
        """Release the pins."""
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    @property
    def factory(self) -> "gpiozero.Factory":
        """The factory for pins; their edges have the kernel's timestamps."""
        if self._factory is None:
            from firmware_host.devices.host_io.gpio import pin_factory

            self._factory = pin_factory(self._switches, _running_loop())
        return self._factory

    def open_bus(self, number: int) -> "I2cBus":
        """Open `/dev/i2c-<number>`. Raises `OSError`."""
        import smbus2

        return smbus2.SMBus(number)

    def open_spi(self, number: int, select: int) -> "SpiDevice":
        """Open `/dev/spidev<number>.<select>`. Raises `OSError`."""
        try:
            import spidev
        except ImportError as error:
            raise OSError("spidev is not installed; it is in the extra spi, or python3-spidev in Debian") from error
        with ExitStack() as opened:
            device: SpiDevice = opened.enter_context(closing(spidev.SpiDev(number, select)))
            device.max_speed_hz = SPI_HZ
            opened.pop_all()
        return device

    def open_port(self, serial_id: str) -> Port:
        """Open a device's port, by id or port name, for exclusive use; a phone's by its id.

        The `OSError` names the program holding it open.
        """
        if self._open_phone is not None and serial_id.startswith(PHONE):
            return self._open_phone(int(serial_id.removeprefix(PHONE)))
        name = serial_ports.port_of(serial_id, self._folder)
        open_port: Port = run_with_timeout(str(name), partial(_open_unshared, name), on_late_result=serial.Serial.close)
        return open_port

    def plugged_in(self) -> Sequence[tuple[str, int]]:
        """Return the devices in /dev/serial/by-id, each once."""
        return serial_ports.plugged_devices(self._folder)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:  # `blank` runs without a loop
        return None


def open_spi_display(ports: Ports, panel: "SpiDisplay") -> "SpiPort":
    """Open a display's chip select with its DC and reset lines. Raises `OSError` and gpiozero's errors."""
    from gpiozero import OutputDevice

    from drivers.display.spi import SpiPort

    with ExitStack() as opened:
        device = opened.enter_context(closing(ports.open_spi(panel.spi, panel.select)))
        dc = opened.enter_context(OutputDevice(panel.dc, pin_factory=ports.factory))
        reset = opened.enter_context(OutputDevice(panel.reset, initial_value=True, pin_factory=ports.factory))
        port = SpiPort(device, dc, reset)
        opened.pop_all()
    return port


def _open_unshared(name: Path) -> "_Serial":
    """Open a port unless another program has it open. Blocks; the kernel may hang in the search for the program too."""
    port = name.resolve()
    is_shared = port.parent == PSEUDO_TERMINALS
    if not is_shared and (holder := holder_of(port)):  # a program may ignore locks, as minicom does
        raise _taken(port, holder)
    try:
        return _open(name, is_shared)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EBUSY):
            raise _taken(port, holder_of(port)) from error
        raise


def _open(name: Path, is_shared: bool) -> "_Serial":
    opened = _Serial(str(name), BAUD, exclusive=True, timeout=0, write_timeout=0)
    if not is_shared:
        opened.make_exclusive()
    return opened


def _taken(port: Path, holder: Holder | None) -> OSError:
    """Return the error for a port held open elsewhere: each of two readers would get half the bytes."""
    if holder is None:
        return OSError(errno.EBUSY, f"another program has it open; sudo fuser -v {port} shows which")
    if holder.lock is not None:
        return OSError(errno.EBUSY, f"{holder.finding}; {holder.remedy}")
    return OSError(errno.EBUSY, f"{holder.finding}; end that, or: {holder.remedy}")


class _Serial(serial.Serial):  # type: ignore[misc]  # pyserial is not typed
    """A serial port with a `close` that does not wait for a stalled peer."""

    def make_exclusive(self) -> None:
        """Let the kernel refuse the port to other programs, except root's: most programs ignore locks."""
        with suppress(OSError):  # the port works without it
            fcntl.ioctl(self.fileno(), termios.TIOCEXCL)

    def close(self) -> None:
        """Wait briefly for the last bytes to leave and discard the rest: the kernel would wait up to 30 s."""
        if self.is_open:
            until_s = time.monotonic() + DRAIN_TIMEOUT_S
            with suppress(OSError, termios.error):  # unplugged
                while self.out_waiting and time.monotonic() < until_s:
                    time.sleep(DRAIN_TIMEOUT_S / 10)
                if self.out_waiting:
                    self.reset_output_buffer()
                fcntl.ioctl(self.fileno(), termios.TIOCNXCL)  # else it stays exclusive while root has it open too
        with suppress(TimeoutError):  # the next attempt to open it reports that
            run_with_timeout(str(self.port), super().close)
