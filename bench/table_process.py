"""`python -m bench.table_process LAYOUT STATE`: `dudo-table run` itself, its wires swapped for emulated ones.

`bench.start`, `bench.memory` and `bench.idle` start it as a fresh process and stop it by a signal. It prints `lit` and
how many milliseconds the emulated far ends took of the way there. With `--cups-apart` cups and boards are processes of
their own on terminals, so that what is measured here is the daemon; it prints `ready` when they are started.
"""

import sys
import time
from functools import partial

from firmware_host import cli
from firmware_host import run as daemon
from hardware.layout import Layout, find

CUPS_APART = "--cups-apart"


def main(name: str, state: str, *flags: str) -> int:
    """Run a table until stopped."""
    layout = find(name)
    _load_drivers(layout)
    began_s = time.perf_counter()
    from bench import lit_wires

    lit_wires.light.far_ends_s = time.perf_counter() - began_s
    wires = lit_wires.apart if CUPS_APART in flags else lit_wires.watched
    setattr(daemon, "RealWires", partial(wires, layout))  # noqa: B010  # a class there, to mypy for good
    return cli.main(["run", "--layout", name, "--state", state])


def _load_drivers(layout: Layout) -> None:
    """Load what the daemon would a moment later, so that nothing of it is booked on the far ends."""
    if any(seat.board for seat in layout.seats):
        import drivers.seat_board
    else:
        import drivers.buttons
        import drivers.panel
        import drivers.serial_cup  # noqa: F401


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
