"""Counted serial links to boards, each the real program as a process on a terminal of its own."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gpiozero

from drivers.display.bus_worker import I2cBus
from drivers.link.port import Port
from hardware.config.layout import Layout
from hardware.emulated.chips.spi import EmulatedSpiDevice
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable


class TappedPort:
    """A port that calls `heard(data)` after every read and `sent(data, written)` after every write."""

    def __init__(self, port: Port, *, heard: Callable[[bytes], None], sent: Callable[[bytes, int], None]) -> None:
        self._port = port
        self._heard = heard
        self._sent = sent

    @property
    def in_waiting(self) -> int:
        """As the port's."""
        return self._port.in_waiting

    def fileno(self) -> int:
        """As the port's."""
        return self._port.fileno()

    def read(self, size: int = 1, /) -> bytes:
        """Read, and report it."""
        data = self._port.read(size)
        self._heard(data)
        return data

    def write(self, data: bytes, /) -> int | None:
        """Write, and report it."""
        written = self._port.write(data)
        self._sent(data, written or 0)
        return written

    def close(self) -> None:
        """As the port's."""
        self._port.close()


@dataclass
class Traffic:
    """The traffic of all links so far, in bytes with all framing."""

    to_boards: int = 0
    to_host: int = 0

    def copy(self) -> "Traffic":
        """Return a copy."""
        return Traffic(**vars(self))


class CountedLinks:
    """The ports of a table for `Devices`. `boards` are in the order of the seats."""

    def __init__(self, layout: Layout, loop: asyncio.AbstractEventLoop) -> None:
        self.traffic = Traffic()
        self.boards: list[CupProcess] = []
        boards = self.boards

        class KeptBoard(CupProcess):
            def __init__(self, *arguments: Any, **words: Any) -> None:
                boards.append(self)
                super().__init__(*arguments, **words)

        self.table = EmulatedTable(layout, loop, seed=1, cups=KeptBoard)

    @property
    def factory(self) -> gpiozero.Factory:
        """The pins, of which boards need none."""
        return self.table.factory

    def open_bus(self, number: int) -> I2cBus:
        """Open an I2C bus; a table of boards has none."""
        return self.table.open_bus(number)

    def open_spi(self, number: int, select: int) -> EmulatedSpiDevice:
        """Open an SPI device; a table of boards has none."""
        return self.table.open_spi(number, select)

    def open_port(self, serial_id: str) -> Port:
        """Open a counted terminal."""
        return TappedPort(self.table.open_port(serial_id), heard=self._heard, sent=self._sent)

    def plugged_in(self) -> Sequence[tuple[str, int]]:
        """Return what is plugged in."""
        return self.table.plugged_in()

    def _heard(self, data: bytes) -> None:
        self.traffic.to_host += len(data)

    def _sent(self, data: bytes, written: int) -> None:
        self.traffic.to_boards += written
