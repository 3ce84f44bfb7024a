"""`python -m bench.tools.table_process LAYOUT STATE`: `dudo-table run` on emulated wires.

The sections `start`, `memory` and `idle` start it as a fresh process and stop it by a signal. When the first display
shows a picture, it prints `lit` and the milliseconds for loading the emulated far ends. With `--cups-apart` cups and
boards are separate processes on terminals, and this one is the daemon alone; it prints `ready` when they have started.
With `--soon-dark` its displays go dark after seconds, not a quarter-hour. With `--boards-run` its boards have started
before, as at a real table; without, they are plugged in when it opens its ports.
"""

import asyncio
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from firmware_host import cli
from firmware_host.devices.host_io import ports

if TYPE_CHECKING:
    from hardware.emulated.seat import EmulatedSeat
    from hardware.emulated.table import EmulatedTable

CUPS_APART = "--cups-apart"
SOON_DARK = "--soon-dark"
BOARDS_RUN = "--boards-run"
SOON_S = 2


def main(name: str, state: str, *flags: str) -> int:
    """Run a table until a signal stops it."""
    if SOON_DARK in flags:
        _shorten_rest()
    setattr(ports, "SystemPorts", lambda **switches: _far_ends(name, flags))  # noqa: B010  # a class there, to mypy
    return cli.main(["run", "--layout", name, "--state", state])


def _shorten_rest() -> None:
    from firmware_host.table.parts import dimmer

    dimmer.DIM_AFTER_NS, dimmer.DARK_AFTER_NS = SOON_S * 10**9, 2 * SOON_S * 10**9


def _far_ends(name: str, flags: tuple[str, ...]) -> "EmulatedTable":
    """Make the far ends when the daemon opens its ports: the start before is as at a real table."""
    # The daemon needs these modules next: they do not count for the far ends.
    if name.startswith("boards"):
        import drivers.link.seat_board
    else:
        import drivers.display.bus
        import drivers.link.devices  # noqa: F401
    began_s = time.perf_counter()
    from hardware.config.layout import find
    from hardware.emulated.cup import EmulatedCup
    from hardware.emulated.cup_process import CupProcess
    from hardware.emulated.pace import PICO
    from hardware.emulated.table import EmulatedTable

    cups = CupProcess if CUPS_APART in flags else EmulatedCup
    pace = PICO._replace(boot_us=0) if BOARDS_RUN in flags else PICO
    table = EmulatedTable(find(name), asyncio.get_running_loop(), seed=1, cups=cups, pace=pace)
    if CUPS_APART in flags:
        print("ready", flush=True)
    else:
        far_ends_ms = 1000 * (time.perf_counter() - began_s)
        for seat in table.seats:
            seat.watch(partial(_look, table.seats, seat, f"lit {far_ends_ms:.1f}"))
    return table


def _look(seats: "tuple[EmulatedSeat, ...]", seat: "EmulatedSeat", lit: str) -> None:
    """Report the first picture on any display."""
    if seat.picture().getbbox():
        print(f"{lit}\n", end="", flush=True)  # in one write: another display may be lit in the same moment
        for other in seats:
            other.watch(lambda: None)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
