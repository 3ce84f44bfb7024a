"""`dudo-table blank`: the panels of a layout made dark from outside, when the daemon could not."""

import argparse
import sys

from firmware_host.commands.parser import Commands, Parser, named, seconds


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flag."""
    parser = commands.add_parser(
        "blank",
        help="make every panel of a table dark, when its daemon is dead",
        description="Switch off every panel of a layout whose daemon is dead; exit code 1 if one can't be reached.",
    )
    parser.add_argument(
        "--layout", metavar="FILE", type=named, required=True, help="the table's layout: a file or a shipped one"
    )
    parser.add_argument("--within", metavar="S", type=seconds, help="give a panel up after S seconds (else 5)")
    parser.set_defaults(command=_blank)


def _blank(options: argparse.Namespace) -> int:
    from firmware_host.blank import WITHIN_S, blank
    from firmware_host.wires import RealWires
    from hardware import layout as layouts

    layout = layouts.find(options.layout)
    left = blank(layout, RealWires(), within_s=options.within or WITHIN_S)
    for seat, why in left.items():
        print(f"{layout.seats[seat].name}: {why}", file=sys.stderr)
    seats = len(layout.seats)
    print(f"{f'{seats - len(left)} of {seats}' if left else seats} panels are dark")
    return 1 if left else 0
