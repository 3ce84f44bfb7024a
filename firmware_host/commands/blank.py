"""`dudo-table blank`: the panels of a table made dark from outside, when the daemon could not.

Those of the layout that was last in force, which `--state` knows, and of the one in the file where that is another.
"""

import argparse
import sys

from firmware_host.commands.parser import Commands, Parser, add_layout, seconds


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "blank",
        help="make every panel of a table dark, when its daemon is dead",
        description="Switch off every panel of a layout whose daemon is dead; exit code 1 if one can't be reached.",
    )
    add_layout(parser)
    parser.add_argument("--within", metavar="S", type=seconds, help="give a panel up after S seconds (else 5)")
    parser.set_defaults(command=_blank)


def _blank(options: argparse.Namespace) -> int:
    from firmware_host.configuration import layout_file
    from firmware_host.host_io.blank import TIMEOUT_S, blank
    from firmware_host.host_io.ports import SystemPorts

    found = layout_file.in_force(options.layout, layout_file.state_of(options.layout, options.state))
    failed = False
    for layout in found:  # the one that was in force, and the one that was to be
        left = blank(layout, SystemPorts(), timeout_s=options.within or TIMEOUT_S)
        for seat, why in left.items():
            print(f"{layout.seats[seat].name}: {why}", file=sys.stderr)
        seats = len(layout.seats)
        print(f"{f'{seats - len(left)} of {seats}' if left else seats} panels are dark")
        failed |= bool(left)
    return 1 if failed else 0
