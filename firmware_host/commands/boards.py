"""`dudo-table boards`: list a running table's cups and boards with their programs, or update these."""

import argparse

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_events
from firmware_host.commands.staff import ask, control_socket, print_reply


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's arguments."""
    parser = add_command(
        commands,
        _boards,
        "boards",
        "list the cups and boards of a running table: seat, id, release, wiring, last error",
        "Programs are updated over the cables while nobody plays. Without a table, dudo-table doctor --all lists them.",
    )
    add_events(parser)
    parser.add_argument(
        "what", metavar="WHAT", nargs="?", choices=("update",), help="update: update them now, also after a failure"
    )


def _boards(options: argparse.Namespace) -> int:
    return print_reply(ask(control_socket(options.events), {"ask": "boards", "update": options.what == "update"}))
