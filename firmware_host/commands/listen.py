"""`dudo-table listen`: the public lines of a table that runs here, as docs/events.md tells them."""

import argparse
import socket

from firmware_host.commands import Refusal
from firmware_host.commands.parser import Commands, Parser, file


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's argument."""
    parser = commands.add_parser(
        "listen",
        help="print what a running table tells everybody",
        description="Print the public events of a table that runs here, one JSON object a line, until it ends.",
    )
    parser.add_argument("path", metavar="PATH", nargs="?", type=file, help="the table's socket (else the usual one)")
    parser.set_defaults(command=_listen)


def _listen(options: argparse.Namespace) -> int:
    from firmware_host import state_folder
    from firmware_host.public import address

    path = options.path or address.to_hear(state_folder.usual())
    with socket.socket(socket.AF_UNIX) as table:
        try:
            table.connect(str(path))
        except OSError as error:
            why = error.strerror or str(error)  # Python's own word on a path that is too long has no strerror
            remedy = "start one with dudo-table run, or name the socket that it says"
            if isinstance(error, PermissionError):
                remedy = "sudo adduser $USER dudo-table lets you, from your next login on"
            raise Refusal(f"{path}: no table tells anything there: {why.lower()}; {remedy}") from error
        for line in table.makefile(encoding="utf-8"):
            if not line.endswith("\n"):
                raise Refusal(f"{path}: the table let go, as its lines were not read fast enough; listen again")
            print(line, end="", flush=True)
    return 0
