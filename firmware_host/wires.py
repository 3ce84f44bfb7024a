"""The wires of a real table: pins, I2C buses and serial ports of this computer.

`hardware.emulated.EmulatedTable` offers the same three to the same drivers. Nothing is opened before it is asked for.
"""

import errno
import re
import termios
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import gpiozero
import serial
import smbus2

from drivers.panel import Bus
from drivers.serial_link import Port

SERIAL = Path("/dev/serial/by-id")
PARTING_S = 0.02  # a board that reads takes a parting message within a millisecond


class Wires(Protocol):
    """Where drivers get what they hang on."""

    @property
    def factory(self) -> gpiozero.Factory:
        """The pins, numbered as BCM does."""

    def open_bus(self, number: int) -> Bus:
        """`/dev/i2c-number`; raises `OSError` where there is none."""

    def open_port(self, serial_id: str) -> Port:
        """The port of the device with this id; raises `OSError` where it is not plugged in."""


class RealWires:
    """This computer's own."""

    def __init__(self) -> None:
        self._factory: gpiozero.Factory | None = None

    @property
    def factory(self) -> gpiozero.Factory:
        """The kernel's pins, through lgpio, which stamps edges with the kernel's time."""
        if self._factory is None:
            self._factory = _kernel_pins()
        return self._factory

    def open_bus(self, number: int) -> Bus:
        """`/dev/i2c-number`."""
        return smbus2.SMBus(number)

    def open_port(self, serial_id: str) -> Port:
        """The one port that /dev/serial/by-id names after `serial_id`; nobody else may have it open."""
        own_id = re.compile(rf"(^|[_-]){re.escape(serial_id)}([_-]|$)", re.IGNORECASE)
        found = sorted(port for port in SERIAL.glob("*") if own_id.search(port.name))
        if not found:
            raise FileNotFoundError(errno.ENOENT, f"nothing in {SERIAL} has {serial_id} in its name", str(SERIAL))
        return _Serial(str(found[0]), exclusive=True, timeout=0, write_timeout=0)


class _Serial(serial.Serial):  # type: ignore[misc]  # pyserial is not typed
    """A port whose close does not wait for a far end that has stopped reading."""

    def close(self) -> None:
        """Give the last bytes time to leave, then throw away what did not: else the kernel waits up to 30 s for it."""
        if self.is_open:
            until_s = time.monotonic() + PARTING_S
            with suppress(OSError, termios.error):  # it is unplugged
                while self.out_waiting and time.monotonic() < until_s:
                    time.sleep(PARTING_S / 10)
                if self.out_waiting:
                    self.reset_output_buffer()
        super().close()


class _NoPins(gpiozero.Factory):  # type: ignore[misc]  # gpiozero is not typed
    """Stands where this computer has no pins: asked for one it says why, and the seats that need it are absent."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def reserve_pins(self, requester: object, *pins: object) -> None:
        raise gpiozero.BadPinFactory(self._why)

    def release_all(self, reserver: object) -> None:
        """Nothing was ever reserved."""


def _kernel_pins() -> gpiozero.Factory:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except Exception as error:  # lgpio's own errors are bare Exceptions
        return _NoPins(f"this computer gives no GPIO pins: {error or type(error).__name__}")
