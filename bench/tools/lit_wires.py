"""Emulated wires that print `lit` when the first display shows a picture, for `bench.tools.table_process`."""

import asyncio
import time
from collections.abc import Callable

from hardware.config.layout import Layout
from hardware.emulated.chips.controllers import Controller
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable


def watched(layout: Layout) -> EmulatedTable:
    """Return far ends in this process, with every display watched."""
    began_s = time.perf_counter()
    table = EmulatedTable(layout, asyncio.get_running_loop(), seed=1, cups=_WatchedBoard)
    for bus in table.buses.values():
        bus.listen = _listener(bus)
    light.far_ends_s += time.perf_counter() - began_s
    return table


def apart(layout: Layout) -> EmulatedTable:
    """Return cups and boards as processes of their own; print `ready`."""
    table = EmulatedTable(layout, asyncio.get_running_loop(), seed=1, cups=CupProcess)
    print("ready", flush=True)
    return table


def _listener(bus: EmulatedBus) -> Callable[[int, bytes], None]:
    def listen(address: int, payload: bytes) -> None:
        light.look(bus.panel(address))

    return listen


class _WatchedBoard(EmulatedCup):
    """A seat board whose display is checked after each write."""

    def _write_panel(self, data: bytes) -> None:
        super()._write_panel(data)
        light.look(self.panel)


class _FirstLight:
    """Prints once that a display shows a picture, with the milliseconds that loading the emulated far ends took."""

    told = False
    far_ends_s = 0.0

    def look(self, panel: Controller | None) -> None:
        """Check a display that was written to."""
        if not self.told and panel is not None and panel.on and panel.picture().getbbox():
            self.told = True
            print(f"lit {1000 * self.far_ends_s:.1f}", flush=True)


light = _FirstLight()
