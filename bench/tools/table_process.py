"""`python -m bench.tools.table_process LAYOUT STATE`: `dudo-table run` on emulated wires.

The sections `start`, `memory` and `idle` start it as a fresh process and stop it by a signal. It prints `lit` and the
milliseconds until then that loading the emulated far ends took. With `--cups-apart` cups and boards are processes of
their own on terminals, so that this process is the daemon alone; it prints `ready` when they have started. With
`--soon-dark` its displays go dark after seconds instead of a quarter of an hour.
"""

import sys
import time
from typing import TYPE_CHECKING

from firmware_host import cli
from firmware_host.devices.host_io import ports

if TYPE_CHECKING:
    from hardware.config.layout import Layout
    from hardware.emulated.table import EmulatedTable

CUPS_APART = "--cups-apart"
SOON_DARK = "--soon-dark"
SOON_S = 2


def main(name: str, state: str, *flags: str) -> int:
    """Run a table until a signal stops it."""
    if SOON_DARK in flags:
        _shorten_rest()
    setattr(ports, "SystemPorts", lambda **switches: _far_ends(name, flags))  # noqa: B010  # a class there, to mypy for good
    return cli.main(["run", "--layout", name, "--state", state])


def _shorten_rest() -> None:
    from drivers.link import keepalive
    from firmware_host.table.parts import dimmer

    dimmer.DIM_AFTER_NS, dimmer.DARK_AFTER_NS = SOON_S * 10**9, 2 * SOON_S * 10**9
    keepalive.ASLEEP_AFTER_S = 2.0 * SOON_S


def _far_ends(name: str, flags: tuple[str, ...]) -> "EmulatedTable":
    """Make the far ends when the daemon opens its ports, so that the start before is as at a real table."""
    from hardware.config.layout import find

    began_s = time.perf_counter()
    layout = find(name)
    read_s = time.perf_counter() - began_s
    _load_drivers(layout)
    began_s = time.perf_counter()
    from bench.tools import lit_wires

    lit_wires.light.far_ends_s = read_s + time.perf_counter() - began_s
    return lit_wires.apart(layout) if CUPS_APART in flags else lit_wires.watched(layout)


def _load_drivers(layout: "Layout") -> None:
    """Load the modules that the daemon needs next, so that they do not count for the far ends."""
    if any(seat.board for seat in layout.seats):
        import drivers.link.seat_board
    else:
        import drivers.display.bus
        import drivers.gpio.switches
        import drivers.link.devices  # noqa: F401


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
