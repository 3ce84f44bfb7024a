"""`dudo-table check`: every fault of some layout files, before a wire is touched."""

import argparse
import sys

from firmware_host import rulebook
from firmware_host.commands.parser import Commands, Parser
from hardware.faults import FileError
from hardware.layout import Layout, SerialDevice, TiltSwitch, find


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "check", help="check layout files", description="Tell every fault of some layouts; exit code 2 if there is one."
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a layout file, or the name of a shipped layout")
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    wrong = 0
    for file in options.files:
        try:
            layout = find(file)
            rulebook.of_layout(layout)
            print(f"{file}: right, {summary(layout)}")
        except FileError as error:
            print(error, file=sys.stderr)
            wrong += 1
    return 2 if wrong else 0


def summary(layout: Layout) -> str:
    """A layout in a few words: its seats and what they hang on."""
    seats = layout.seats
    pins = sum(len(seat.buttons or ()) + isinstance(seat.cup, TiltSwitch) for seat in seats)
    cups = sum(isinstance(seat.cup, SerialDevice) for seat in seats)
    boards = sum(seat.board is not None for seat in seats)
    wires = len(layout.panel_wires())
    parts = {
        f"{boards} seat boards": boards,
        f"{pins} pins": pins,
        f"{cups} serial cups": cups,
        f"panels on {wires} I2C wire{'s' if wires > 1 else ''}": wires,
    }
    return f"{len(seats)} seats: {', '.join(words for words, count in parts.items() if count)}"
