"""The wires of a real table: pins, I2C and SPI buses and serial ports of this computer.

`hardware.emulated.EmulatedTable` offers the same four to the same drivers. Nothing is opened before it is asked for.
"""

import asyncio
import errno
import fcntl
import termios
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import serial

from drivers.link.port import Port
from firmware_host.host_io import serial_ports
from firmware_host.host_io.serial_ports import SERIAL, Holder, holder_of
from firmware_host.host_io.timeouts import done_within

if TYPE_CHECKING:  # a table of boards has neither pins nor I2C and need not wait for them
    import gpiozero

    from drivers.display.bus_worker import I2cBus
    from drivers.display.spi import SpiDevice, SpiPort
    from hardware.config.layout import SpiPanel

SPI_HZ = 8_000_000  # what luma drives a panel with; the SSD1306's own limit is 10 MHz
BAUD = 115200  # LINK.md; it matters where a UART is between the cable and the cup, as in a dongle
PARTING_S = 0.02  # a board that reads takes a parting message within a millisecond
PSEUDO = Path("/dev/pts")
"""Pseudo-terminals are shared with who plays the far end, and remember for whom they were even when he was killed."""


class Wires(Protocol):
    """Where drivers get what they hang on."""

    @property
    def factory(self) -> "gpiozero.Factory":
        """The pins, numbered as BCM does."""

    def open_bus(self, number: int) -> "I2cBus":
        """`/dev/i2c-number`; raises `OSError` where there is none."""

    def open_spi(self, number: int, select: int) -> "SpiDevice":
        """`/dev/spidev<number>.<select>`; raises `OSError` where there is none."""

    def open_port(self, serial_id: str) -> Port:
        """The port of the device with this id; raises `OSError` where it is not plugged in."""

    def plugs(self) -> Sequence[tuple[str, int]]:
        """The names of the serial devices that are plugged in, each with a number that is another each time it is."""


class RealWires:
    """This computer's own; `serial` is the folder in which the system names its serial ports.

    `switches` are all pins that a table has switches on (BCM numbers). Made on a running loop, edges come to that.
    """

    def __init__(self, serial: Path = SERIAL, *, switches: Sequence[int] = ()) -> None:
        self._folder = serial
        self._switches = switches
        self._factory: gpiozero.Factory | None = None

    def close(self) -> None:
        """Give the pins back."""
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    @property
    def factory(self) -> "gpiozero.Factory":
        """The kernel's pins, whose edges have the kernel's stamps."""
        if self._factory is None:
            from firmware_host.host_io.gpio import kernel_pins

            self._factory = kernel_pins(self._switches, _running_loop())
        return self._factory

    def open_bus(self, number: int) -> "I2cBus":
        """`/dev/i2c-number`."""
        import smbus2

        return smbus2.SMBus(number)

    def open_spi(self, number: int, select: int) -> "SpiDevice":
        """`/dev/spidev<number>.<select>`."""
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
        """The port of the device with this id or port name; who else has it open is told, and nobody else gets it."""
        name = serial_ports.port_of(serial_id, self._folder)
        open_port: Port = done_within(str(name), partial(_opened_alone, name), too_late=serial.Serial.close)
        return open_port

    def plugs(self) -> Sequence[tuple[str, int]]:
        """What /dev/serial/by-id lists, a device once."""
        return serial_ports.plugs(self._folder)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:  # `blank` has none, and needs none
        return None


def open_panel(wires: Wires, panel: "SpiPanel") -> "SpiPort":
    """A panel's chip select with its two lines; raises `OSError` and what gpiozero raises."""
    from gpiozero import OutputDevice

    from drivers.display.spi import SpiPort

    with ExitStack() as opened:
        device = opened.enter_context(closing(wires.open_spi(panel.spi, panel.select)))
        dc = opened.enter_context(OutputDevice(panel.dc, pin_factory=wires.factory))
        reset = opened.enter_context(OutputDevice(panel.reset, initial_value=True, pin_factory=wires.factory))
        port = SpiPort(device, dc, reset)
        opened.pop_all()
    return port


def _opened_alone(name: Path) -> "_Serial":
    """Open a port that nobody else has open. Looking for who has is bounded, but the kernel may hang in it too."""
    port = name.resolve()
    is_shared = port.parent == PSEUDO
    if not is_shared and (holder := holder_of(port)):  # one that takes no lock and heeds none, as minicom
        raise _taken(port, holder)
    try:
        return _opened(name, is_shared)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EBUSY):
            raise _taken(port, holder_of(port)) from error
        raise


def _opened(name: Path, is_shared: bool) -> "_Serial":
    opened = _Serial(str(name), BAUD, exclusive=True, timeout=0, write_timeout=0)
    if not is_shared:
        opened.keep_to_us()
    return opened


def _taken(port: Path, holder: Holder | None) -> OSError:
    """Who has a port that must not be shared: of two who read each gets half of what is said."""
    if holder is None:
        return OSError(errno.EBUSY, f"another program has it open; sudo fuser -v {port} tells which")
    if holder.lock is not None:
        return OSError(errno.EBUSY, f"{holder.finding}; {holder.remedy}")
    return OSError(errno.EBUSY, f"{holder.finding}; end that, or: {holder.remedy}")


class _Serial(serial.Serial):  # type: ignore[misc]  # pyserial is not typed
    """A port whose close does not wait for a far end that has stopped reading."""

    def keep_to_us(self) -> None:
        """Have the kernel give it to nobody else, root apart: most programs don't look at locks."""
        with suppress(OSError):  # it plays without, too
            fcntl.ioctl(self.fileno(), termios.TIOCEXCL)

    def close(self) -> None:
        """Give the last bytes time to leave, then throw away what did not: else the kernel waits up to 30 s for it."""
        if self.is_open:
            until_s = time.monotonic() + PARTING_S
            with suppress(OSError, termios.error):  # it is unplugged
                while self.out_waiting and time.monotonic() < until_s:
                    time.sleep(PARTING_S / 10)
                if self.out_waiting:
                    self.reset_output_buffer()
                fcntl.ioctl(self.fileno(), termios.TIOCNXCL)  # else it lasts while root has it open too
        with suppress(TimeoutError):  # the next to open it is told
            done_within(str(self.port), super().close)
