"""`python -m bench.table_process LAYOUT STATE`: `dudo-table run` itself, its wires swapped for emulated ones.

`bench.start`, `bench.memory` and `bench.idle` start it as a fresh process and stop it by a signal. It prints `lit` when
the first panel shows its first picture. With `--cups-apart` cups and boards are processes of their own on terminals, so
that what is measured here is the daemon; their panels are then not looked at, and it prints `ready` instead.
"""

import asyncio
import sys
from collections.abc import Callable
from functools import partial

from firmware_host import cli
from firmware_host import run as daemon
from hardware.emulated.controllers import Controller
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.i2c import EmulatedBus
from hardware.emulated.table import EmulatedTable
from hardware.layout import Layout, find

CUPS_APART = "--cups-apart"


def main(name: str, state: str, *flags: str) -> int:
    """Run a table until stopped."""
    layout = find(name)
    wires = _wires_apart if CUPS_APART in flags else _watched_wires
    setattr(daemon, "RealWires", partial(wires, layout))  # noqa: B010  # a class there, to mypy for good
    return cli.main(["run", "--layout", name, "--state", state])


def _watched_wires(layout: Layout) -> EmulatedTable:
    table = EmulatedTable(layout, asyncio.get_running_loop(), seed=1, cups=_WatchedBoard)
    for bus in table.buses.values():
        bus.listen = _listener(bus)
    return table


def _wires_apart(layout: Layout) -> EmulatedTable:
    table = EmulatedTable(layout, asyncio.get_running_loop(), seed=1, cups=CupProcess)
    print("ready", flush=True)
    return table


def _listener(bus: EmulatedBus) -> Callable[[int, bytes], None]:
    def listen(address: int, payload: bytes) -> None:
        _light.look(bus.panel(address))

    return listen


class _WatchedBoard(EmulatedCup):
    """A seat board whose panel is looked at whenever it is written to."""

    def _write_panel(self, data: bytes) -> None:
        super()._write_panel(data)
        _light.look(self.panel)


class _FirstLight:
    """Tells once that there is a picture on a glass."""

    told = False

    def look(self, panel: Controller | None) -> None:
        """Look at a panel that was written to."""
        if not self.told and panel is not None and panel.on and panel.picture().getbbox():
            self.told = True
            print("lit", flush=True)


_light = _FirstLight()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
