"""The thread's side of a panel wire: the one place that touches its buses.

`PanelWire` calls it on the wire's own thread and nowhere else, so a bus never sees two writers.
"""

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

from smbus2 import i2c_msg

from drivers.display.commands import NOP, OFF
from drivers.display.spi import Select, SpiPort

BLOCK_BYTES = 32
"""What SMBus allows in a block."""

IS_OFF = 0x40
"""In the status byte: the glass is switched off (SSD1306 data sheet 8.1.5 and table 9-1, SH1106 "Read Status")."""


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


class Frame(NamedTuple):
    """What to write to a panel."""

    bus: BusName
    address: int
    payloads: Sequence[bytes]

    def __repr__(self) -> str:
        # dice may be in it
        return f"<Frame {place(self.bus, self.address)}>"


class Question(NamedTuple):
    """What to tell a panel that is asked for its status; nothing if it `stays_on` and is off all the same."""

    bus: BusName
    address: int
    payloads: Sequence[bytes]
    stays_on: bool

    def __repr__(self) -> str:
        return f"<Question {place(self.bus, self.address)}>"


class WireOwner:
    """Opens a wire's buses when they are needed and writes to panels on them."""

    def __init__(self, buses: Openers) -> None:
        self._openers = dict[BusName, Callable[[], Bus | SpiPort]](buses.items())
        self._opened: dict[BusName, Bus | SpiPort] = {}
        self.transfers = 0
        """How many began or ended so far: while nothing more does, the wire hangs."""
        self.is_abandoned = False
        """Whether somebody else has the wire by now, so that nothing more may be sent."""

    def send(self, number: BusName, address: int, payloads: Sequence[bytes]) -> None:
        """Write payloads to the panel at an address of a bus. Raises PanelError; the bus is opened anew next time."""
        bus = self._open(number, address)
        try:
            for payload in payloads:
                self._check_owned()
                _write(bus, address, payload)
                self.transfers += 1
        except Exception as error:
            self._close(number)
            # The room hears why: what is no error of the bus may quote what was to be written, dice among it.
            reason = _reason(error) if isinstance(error, OSError) else type(error).__name__
            raise PanelError(f"the panel {place(number, address)} does not answer ({reason})") from error

    def _check_owned(self) -> None:
        if self.is_abandoned:
            raise OSError(errno.ECANCELED, "another thread has the wire")

    def draw(self, frames: Sequence[Frame], is_overtaken: Callable[[], bool]) -> tuple[int, PanelError | None]:
        """Write frames until one fails or, after the first, others are wanted; return how many were written."""
        for written, frame in enumerate(frames):
            if written and is_overtaken():
                return written, None
            try:
                self.send(*frame)
            except PanelError as error:
                return written, error
        return len(frames), None

    def ask(self, questions: Sequence[Question]) -> tuple[list[int | None], PanelError | None]:
        """Ask panels; return their status bytes, None where it can't be read, up to the first that didn't answer.

        It ends there, because a panel that holds the wire costs an adapter's time-out and a picture may wait for it.
        """
        answers: list[int | None] = []
        for question in questions:
            try:
                answers.append(self._ask(question))
            except PanelError as error:
                return answers, error
        return answers, None

    def _ask(self, question: Question) -> int | None:
        number, address, payloads, stays_on = question
        status = self._status(number, address)
        if status is None and not payloads:
            payloads = [NOP]
        if not (stays_on and status is not None and status & IS_OFF):
            self.send(number, address, payloads)
        return status

    def _status(self, number: BusName, address: int) -> int | None:
        """Read a status byte; None where nothing is read, be it for want of an answer, which `send` then finds out."""
        bus = self._open(number, address)
        if isinstance(bus, SpiPort) or not hasattr(bus, "i2c_rdwr"):
            return None
        answer = i2c_msg.read(address, 1)
        try:
            self._check_owned()
            bus.i2c_rdwr(answer)
        except Exception as error:
            self.transfers += 1
            if not isinstance(error, OSError) or error.errno in (errno.ETIMEDOUT, errno.ECANCELED):
                self._close(number)
                reason = _reason(error) if isinstance(error, OSError) else type(error).__name__
                raise PanelError(f"the panel {place(number, address)} does not answer ({reason})") from error
            return None
        self.transfers += 1
        return int.from_bytes(bytes(answer), "little")

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
            self._check_owned()
            if number not in self._opened:
                self._opened[number] = self._openers[number]()
        except Exception as error:
            panel = "its panel" if isinstance(number, Select) else f"the panel at {address:#04x}"
            raise PanelError(f"{named(number)} with {panel} can't be opened ({_reason(error)})") from error
        return self._opened[number]

    def _close(self, number: BusName) -> None:
        with suppress(Exception):  # it is gone all the same
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
