"""The wires of a table of boards, each the real program as a process on a terminal of its own; bytes are counted."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gpiozero

from bench.tapped_port import TappedPort
from drivers.display.bus import Bus
from drivers.link.port import Port
from hardware.config.layout import Layout
from hardware.emulated.chips.spi import EmulatedSpiDevice
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable


@dataclass
class Traffic:
    """What has gone over all links so far, in bytes with all framing."""

    to_boards: int = 0
    to_host: int = 0

    def copy(self) -> "Traffic":
        """What it is now."""
        return Traffic(**vars(self))


class CountedLinks:
    """What `Devices` needs. `boards` are in the order of the seats."""

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
        """Pins, which boards need none of."""
        return self.table.factory

    def open_bus(self, number: int) -> Bus:
        """An I2C bus, which there is none of."""
        return self.table.open_bus(number)

    def open_spi(self, number: int, select: int) -> EmulatedSpiDevice:
        """An SPI device, which there is none of."""
        return self.table.open_spi(number, select)

    def open_port(self, serial_id: str) -> Port:
        """A terminal that counts."""
        return TappedPort(self.table.open_port(serial_id), heard=self._heard, sent=self._sent)

    def plugged_in(self) -> Sequence[tuple[str, int]]:
        """What is plugged in."""
        return self.table.plugged_in()

    def _heard(self, data: bytes) -> None:
        self.traffic.to_host += len(data)

    def _sent(self, data: bytes, written: int) -> None:
        self.traffic.to_boards += written
