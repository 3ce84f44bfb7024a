"""`dudo-table listen`: print the public events of a table that runs here, as docs/events.md describes them."""

import argparse
import json
import socket
from collections.abc import Iterator
from pathlib import Path

from firmware_host.commands.parser import Commands, Parser, file
from firmware_host.errors import UserError

MAX_LINE_BYTES = 1 << 18
"""Bytes of a line. A table disconnects a client with a longer backlog, so it never sends a longer line."""
FIRST_LINE_TIMEOUT_S = 5.0
"""Seconds. A table sends its state to every new client; after its start it opens its ports first."""


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's argument."""
    parser = commands.add_parser(
        "listen",
        help="print the public events of a running table",
        description="Print the public events of a table that runs here, one JSON object a line, until it ends.",
    )
    parser.add_argument(
        "path", metavar="PATH", nargs="?", type=file, help="the table's socket (default: the usual one)"
    )
    parser.set_defaults(command=_listen)


def _listen(options: argparse.Namespace) -> int:
    from firmware_host.public import address
    from firmware_host.util import state_dir

    path = options.path or address.path_to_listen(state_dir.default())
    with socket.socket(socket.AF_UNIX) as table:
        table.settimeout(FIRST_LINE_TIMEOUT_S)
        try:
            table.connect(str(path))
        except OSError as error:
            why = error.strerror or str(error)  # Python's error for a path that is too long has no strerror
            remedy = "start one with dudo-table run, or name the socket that it prints"
            if isinstance(error, PermissionError):
                remedy = "run sudo adduser $USER dudo-table, then log out and in again"
            raise UserError(f"{path}: no table sends events there: {why.lower()}; {remedy}") from error
        for line in _lines(table, path):
            print(_shown(line), flush=True)
    return 0


def _lines(table: socket.socket, path: Path) -> Iterator[str]:
    """Yield each line. Raises `UserError` for anything that no table sends."""
    unread = bytearray()
    while True:
        try:
            chunk = table.recv(1 << 16)
        except TimeoutError:
            raise _no_table(path, f"sends nothing for {FIRST_LINE_TIMEOUT_S:g} s") from None
        except OSError as error:
            raise UserError(
                f"{path}: the table closed the connection: {(error.strerror or str(error)).lower()}; listen again"
            ) from error
        if not chunk:
            break
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield from ((bytes(unread) + whole).decode("utf-8", "backslashreplace").split("\n"))
            unread.clear()
            table.settimeout(None)
        unread += rest
        if len(unread) > MAX_LINE_BYTES:
            raise _no_table(path, f"sends a line of more than {MAX_LINE_BYTES >> 10} KiB")
    if unread:
        raise UserError(
            f"{path}: the table closed the connection, because its events were read too slowly; listen again"
        )


def _no_table(path: Path, problem: str) -> UserError:
    return UserError(f"{path}: not the socket of a table: it {problem}; name the socket that dudo-table run prints")


def _shown(line: str) -> str:
    """Return `line` with control characters as JSON escapes, which leaves the JSON the same."""
    return line if line.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in line)


def _escape(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else json.dumps(character)[1:-1]
