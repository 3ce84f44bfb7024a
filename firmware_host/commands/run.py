"""`dudo-table run`: run the daemon on the real hardware."""

import argparse
import gc
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_layout, file, layout_of


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands, _run, "run", "run the table on its real hardware", "As a service it is dudo-table.service."
    )
    add_layout(parser)
    parser.add_argument("--events", metavar="PATH", type=file, help="a Unix socket for the public events")
    parser.add_argument("--record", metavar="FILE", type=file, help="append every match to FILE, with proofs")


def _run(options: argparse.Namespace) -> int:
    with _paused_garbage_collection():
        from firmware_host.daemon.app import run

    return run(layout_of(options), state=options.state, events=options.events, record=options.record)


@contextmanager
def _paused_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector while modules are loaded, and exempt them from later collections.

    Modules stay as long as the process; scanning them again and again takes a tenth of the start.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
