"""`dudo-table run`: the daemon on real wires."""

import argparse
import gc
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.commands.parser import Commands, Parser, add_layout, file


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "run",
        help="run the table on its real wires",
        description="Run the table that a layout describes, until stopped.",
    )
    add_layout(parser)
    parser.add_argument("--events", metavar="PATH", type=file, help="the socket that tells the public events")
    parser.add_argument("--record", metavar="FILE", type=file, help="write every match to the end of FILE, with proofs")
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    with _nothing_to_collect():
        from firmware_host.daemon.app import run

    return run(options.layout, state=options.state, events=options.events, record=options.record)


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """Let the garbage collector rest while modules are loaded, and never look at them again.

    They stay as long as the process: to look through them over and over is a tenth of a start.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
