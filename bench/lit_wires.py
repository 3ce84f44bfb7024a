"""Emulated wires that say so when the first panel shows a picture; `bench.table_process` hangs a table on them."""

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
    """Far ends in this process, every panel looked at."""
    began_s = time.perf_counter()
    table = EmulatedTable(layout, asyncio.get_running_loop(), seed=1, cups=_WatchedBoard)
    for bus in table.buses.values():
        bus.listen = _listener(bus)
    light.far_ends_s += time.perf_counter() - began_s
    return table


def apart(layout: Layout) -> EmulatedTable:
    """Cups and boards as processes of their own; prints `ready`."""
    table = EmulatedTable(layout, asyncio.get_running_loop(), seed=1, cups=CupProcess)
    print("ready", flush=True)
    return table


def _listener(bus: EmulatedBus) -> Callable[[int, bytes], None]:
    def listen(address: int, payload: bytes) -> None:
        light.look(bus.panel(address))

    return listen


class _WatchedBoard(EmulatedCup):
    """A seat board whose panel is looked at whenever it is written to."""

    def _write_panel(self, data: bytes) -> None:
        super()._write_panel(data)
        light.look(self.panel)


class _FirstLight:
    """Tells once that there is a picture on a glass, and the milliseconds that the emulated far ends took before."""

    told = False
    far_ends_s = 0.0

    def look(self, panel: Controller | None) -> None:
        """Look at a panel that was written to."""
        if not self.told and panel is not None and panel.on and panel.picture().getbbox():
            self.told = True
            print(f"lit {1000 * self.far_ends_s:.1f}", flush=True)


light = _FirstLight()
