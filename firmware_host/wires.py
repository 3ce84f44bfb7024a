"""The wires of a real table: pins, I2C buses and serial ports of this computer.

`hardware.emulated.EmulatedTable` offers the same three to the same drivers. Nothing is opened before it is asked for.
"""

import errno
import re
import termios
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import serial

from drivers.serial_link import Port

if TYPE_CHECKING:  # a table of boards has neither pins nor I2C and need not wait for them
    import gpiozero

    from drivers.panel_owner import Bus

SERIAL = Path("/dev/serial/by-id")
PARTING_S = 0.02  # a board that reads takes a parting message within a millisecond


class Wires(Protocol):
    """Where drivers get what they hang on."""

    @property
    def factory(self) -> "gpiozero.Factory":
        """The pins, numbered as BCM does."""

    def open_bus(self, number: int) -> "Bus":
        """`/dev/i2c-number`; raises `OSError` where there is none."""

    def open_port(self, serial_id: str) -> Port:
        """The port of the device with this id; raises `OSError` where it is not plugged in."""


class RealWires:
    """This computer's own."""

    def __init__(self) -> None:
        self._factory: gpiozero.Factory | None = None

    @property
    def factory(self) -> "gpiozero.Factory":
        """The kernel's pins, through lgpio, which stamps edges with the kernel's time."""
        if self._factory is None:
            from firmware_host.kernel_pins import kernel_pins

            self._factory = kernel_pins()
        return self._factory

    def open_bus(self, number: int) -> "Bus":
        """`/dev/i2c-number`."""
        import smbus2

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
