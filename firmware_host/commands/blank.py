"""`dudo-table blank`: switch off the displays after a daemon has died.

It blanks the displays in the state directory's last good layout, and those in the layout file if that differs.
"""

import argparse
import sys

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_layout, layout_of, seconds


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _blank,
        "blank",
        "switch off every display of a table whose daemon is dead",
        "Exit code 1: one can't be reached.",
    )
    add_layout(parser)
    parser.add_argument("--within", metavar="SECONDS", type=seconds, help="give up after SECONDS (default: 5)")


def _blank(options: argparse.Namespace) -> int:
    from firmware_host.configuration import layout_in_force
    from firmware_host.devices.host_io.blank import TIMEOUT_S, blank
    from firmware_host.devices.host_io.ports import SystemPorts

    name = layout_of(options)
    found = layout_in_force.candidates(name, layout_in_force.state_of(name, options.state))
    failed = False
    for layout in found:
        failures = blank(layout, SystemPorts(), timeout_s=options.within or TIMEOUT_S)
        for seat, why in failures.items():
            print(f"{layout.seats[seat].name}: {why}", file=sys.stderr)
        seats = len(layout.seats)
        print(f"{f'{seats - len(failures)} of {seats}' if failures else seats} displays are dark")
        failed |= bool(failures)
    return 1 if failed else 0
