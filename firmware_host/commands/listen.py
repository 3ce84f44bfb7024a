"""`dudo-table listen`: print a local table's public events, as docs/events.md describes them."""

import argparse
import json
import socket
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from firmware_host.commands.parser import MAX_DIGITS, CommandParser, Commands, add_command, add_socket, socket_of, whole
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of
from firmware_host.wire import MAX_LINE_BYTES

FIRST_LINE_TIMEOUT_S = 5.0
"""Seconds until a table's first line: every new client gets its state, but a starting table opens its ports first."""
SIGNAL_CHECK_S = 1.0
"""Longest wait in one call: Python sees a signal that comes just before a call only after it."""


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's argument."""
    parser = add_command(
        commands,
        _listen,
        "listen",
        "print the public events of a running table",
        "Each line is a JSON object. It ends with the table.",
    )
    add_socket(parser)
    parser.add_argument(
        "--since",
        metavar="NUMBER",
        type=whole(0, 10**MAX_DIGITS - 1, "{}: is no number of an event, which is 0 or more"),
        help="begin with the event after that of this number (its seq)",
    )


def _listen(options: argparse.Namespace) -> int:
    path = socket_of(options)
    with socket.socket(socket.AF_UNIX) as table:
        table.settimeout(FIRST_LINE_TIMEOUT_S)
        try:
            table.connect(str(path))
        except OSError as error:
            why = reason_of(error)
            remedy = "start one with dudo-table run, or name the socket that it prints"
            if isinstance(error, PermissionError):
                remedy = "run sudo adduser $USER dudo-table, then log out and in again"
            raise UserError(f"{path}: no table sends events there: {why}; {remedy}") from error
        lines = _lines(table, path)
        for line in lines if options.since is None else _after(options.since, lines, table, path):
            print(_shown(line), flush=True)
    return 0


def _after(since: int, lines: Iterable[str], table: socket.socket, path: Path) -> Iterator[str]:
    """Request a table's lines after event number `since`, and yield from there on."""
    last, is_first, is_answered = since, True, False
    for line in lines:
        message = {} if is_answered else _object(line)
        if is_first:
            if "seq" not in message:
                raise UserError(f"{path}: this table has no numbers of events; update dudo-table, or leave out --since")
            table.sendall(json.dumps({"since": since}).encode() + b"\n")
            is_first = False
        elif is_answered:
            yield line
        elif message.get("since") is not None:  # the state that ends the answer
            is_answered = True
            if message["since"] != since:
                print(f"dudo-table: the table has no events after {since} to send again", file=sys.stderr)
            yield line
        elif message.get("seq") == last + 1:  # others came before the answer and come again in it
            last += 1
            yield line


def _object(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    return message if isinstance(message, dict) else {}


def _lines(table: socket.socket, path: Path) -> Iterator[str]:
    """Yield each line. Raises `UserError` for input no table sends."""
    unread, is_known = bytearray(), False
    while True:
        try:
            chunk = table.recv(1 << 16)
        except TimeoutError:
            if is_known:
                continue
            raise _no_table(path, f"sends nothing for {FIRST_LINE_TIMEOUT_S:g} s") from None
        except OSError as error:
            raise UserError(f"{path}: the table closed the connection: {reason_of(error)}; listen again") from error
        if not chunk:
            break
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield from ((bytes(unread) + whole).decode("utf-8", "backslashreplace").split("\n"))
            unread.clear()
            is_known = True
            table.settimeout(SIGNAL_CHECK_S)
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
    """Return `line` with control characters as JSON escapes; the JSON keeps its meaning."""
    return line if line.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in line)


def _escape(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else json.dumps(character)[1:-1]
