"""The thread's side of a panel wire: the one place that touches its buses.

`PanelWire` calls it on the wire's own thread and nowhere else, so a bus never sees two writers.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from smbus2 import i2c_msg

from drivers.panel_codes import OFF
from drivers.spi_port import Select, SpiPort

BLOCK_BYTES = 32
"""What SMBus allows in a block."""


BusName = int | Select
"""What a wire calls its buses: an I2C bus by its number; a chip select is a bus of its own, with one panel on it."""

Openers = Mapping[int, Callable[[], "Bus"]] | Mapping[Select, Callable[[], SpiPort]]
"""What opens each bus of a wire."""


class PanelError(Exception):
    """A panel can't be reached; the text is one sentence that names bus and address."""


class Bus(Protocol):
    """The part of `smbus2.SMBus` that panels need."""

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        """Carry out transfers of any length. Where a bus has no such method, frames go in SMBus blocks."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write at most 32 bytes after a first one."""

    def close(self) -> None:
        """Close the bus."""


class WireOwner:
    """Opens a wire's buses when they are needed and writes to panels on them."""

    def __init__(self, buses: Openers) -> None:
        self._openers = dict[BusName, Callable[[], Bus | SpiPort]](buses.items())
        self._opened: dict[BusName, Bus | SpiPort] = {}

    def send(self, number: BusName, address: int, payloads: Sequence[bytes]) -> None:
        """Write payloads to the panel at an address of a bus. Raises PanelError; the bus is opened anew next time."""
        bus = self._open(number, address)
        try:
            for payload in payloads:
                _write(bus, address, payload)
        except Exception as error:
            self._close(number)
            # The room hears why: what is no error of the bus may quote what was to be written, dice among it.
            reason = _reason(error) if isinstance(error, OSError) else type(error).__name__
            raise PanelError(f"the panel {place(number, address)} does not answer ({reason})") from error

    def ask(self, panels: Sequence[tuple[BusName, int, Sequence[bytes]]]) -> tuple[int, PanelError | None]:
        """Tell panels (bus, address, payloads) what they know; return how many answered before the first that didn't.

        It ends there, because a panel that holds the wire costs an adapter's time-out and a picture may wait for it.
        """
        for answered, (number, address, payloads) in enumerate(panels):
            try:
                self.send(number, address, payloads)
            except PanelError as error:
                return answered, error
        return len(panels), None

    def part(self, panels: Sequence[tuple[BusName, int, Sequence[bytes]]]) -> None:
        """Switch off panels (bus, address, payloads that make it dark), then empty their memory; close the buses."""
        off = [panel for panel in panels if self._answers(*panel[:2], [OFF])]
        for panel in off:
            self._answers(*panel)
        for number in list(self._opened):
            self._close(number)

    def _answers(self, number: BusName, address: int, payloads: Sequence[bytes]) -> bool:
        with suppress(PanelError):
            self.send(number, address, payloads)
            return True
        return False

    def _open(self, number: BusName, address: int) -> Bus | SpiPort:
        try:
            if number not in self._opened:
                self._opened[number] = self._openers[number]()
        except Exception as error:
            panel = "its panel" if isinstance(number, Select) else f"the panel at {address:#04x}"
            raise PanelError(f"{named(number)} with {panel} can't be opened ({_reason(error)})") from error
        return self._opened[number]

    def _close(self, number: BusName) -> None:
        with suppress(OSError):
            self._opened.pop(number).close()


def place(number: BusName, address: int) -> str:
    """Where a panel is, in words: `at 0x3c on I2C bus 1` or `on SPI 0.1`."""
    return f"on {named(number)}" if isinstance(number, Select) else f"at {address:#04x} on {named(number)}"


def named(number: BusName) -> str:
    """A bus in words: `I2C bus 1` or `SPI 0.1`."""
    return str(number) if isinstance(number, Select) else f"I2C bus {number}"


def _write(bus: Bus | SpiPort, address: int, payload: bytes) -> None:
    if isinstance(bus, SpiPort):
        bus.write(payload)
        return
    if hasattr(bus, "i2c_rdwr"):
        bus.i2c_rdwr(i2c_msg.write(address, payload))
        return
    for start in range(1, len(payload), BLOCK_BYTES):
        bus.write_i2c_block_data(address, payload[0], list(payload[start : start + BLOCK_BYTES]))


def _reason(error: Exception) -> str:
    known = isinstance(error, OSError) and error.errno
    return os.strerror(known) if known else str(error) or type(error).__name__
