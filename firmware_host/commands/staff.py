"""`dudo-table staff`: manage a running table: pause, end a match, take a seat out, change settings."""

import argparse
import json
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_events, language, whole
from firmware_host.errors import UserError
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.staff.items import FIGURES, StaffItem, StaffKind
from hardware.config.languages import ONE_OF_LANGUAGES
from hardware.config.layout_schema import NAMES_DAYS, TURN_CLOCK_S

TIMEOUT_S = 8.0
"""Seconds to wait for the table, which answers within 5."""
MAX_REPLY_BYTES = 1 << 16
LAYOUT = "layout"
"""The value that gives a setting back to the layout."""


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's own commands."""
    parser = add_command(
        commands,
        _staff,
        "staff",
        "pause or end a match, take a seat out, change settings of a running table",
        "Settings are kept over restarts; the word layout gives one back to the layout. For an export, an update or a "
        "power-off, which systemd does as root, the command waits.",
    )
    add_events(parser)
    what = parser.add_subparsers(
        metavar="WHAT",
        dest="what",
        help="what to do; dudo-table staff --help lists it (default: status)",
    )
    what.add_parser("status", help="print the state of the table and its settings").set_defaults(ask={"ask": "status"})
    figures = what.add_parser("figures", help="print the counts of the table: matches, calls, hours, starts")
    figures.add_argument("--json", action="store_true", help="print them for programs")
    reset = what.add_parser("reset", help="set one of these counts to 0")
    reset.add_argument("figure", metavar="FIGURE", choices=FIGURES, help=", ".join(FIGURES))
    for item in StaffItem:
        if item.row.help:
            _ADD[item.row.kind](what, item)
    parser.set_defaults(ask={"ask": "status"})


def _add_action(what: "Commands[CommandParser]", item: StaffItem) -> None:
    word = what.add_parser(item.command_word, help=item.row.help)
    word.set_defaults(ask={"ask": "act", "what": item.value})
    if item.row.of_seat:
        word.add_argument("seat", metavar="SEAT", type=_short, help="the seat's name")
    if item is StaffItem.ROBOT:
        levels, default = [*RobotLevel], RobotLevel.MIDDLE
        word.add_argument("level", metavar="LEVEL", nargs="?", choices=levels, default=default, help=", ".join(levels))


def _add_setting(what: "Commands[CommandParser]", item: StaffItem) -> None:
    bounds = _BOUNDS.get(item, range(1))
    told = item.row.help.format(least=bounds[0], most=bounds[-1], languages=ONE_OF_LANGUAGES)
    word = what.add_parser(item.command_word, help=told)
    kind = _or_layout(language if item is StaffItem.LANGUAGE else _NUMBERS.get(item.row.value, _short))
    word.add_argument("value", metavar=item.row.value, type=kind, help=f"or {LAYOUT}, for the layout's own")
    word.set_defaults(setting=item.value)


def _add_job(what: "Commands[CommandParser]", item: StaffItem) -> None:
    word = what.add_parser(item.command_word, help=f"{item.row.help}, and say what came of it")
    word.set_defaults(job=item.value)


def _add_fact(what: "Commands[CommandParser]", item: StaffItem) -> None:
    what.add_parser(item.command_word, help=item.row.help).set_defaults(ask={"ask": "fact", "fact": item.value})


_BOUNDS = {StaffItem.TURN_CLOCK: TURN_CLOCK_S, StaffItem.NAMES_DAYS: NAMES_DAYS}
_ADD = {
    StaffKind.ACTION: _add_action,
    StaffKind.SETTING: _add_setting,
    StaffKind.JOB: _add_job,
    StaffKind.FACT: _add_fact,
}


def _short(text: str) -> str:
    if 0 < len(text) <= 64:
        return text
    raise argparse.ArgumentTypeError("write a name of 1 to 64 characters")


def _or_layout(read: Callable[[str], int | str]) -> Callable[[str], int | str]:
    return lambda text: text if text == LAYOUT else read(text)


_NUMBERS: Mapping[str, Callable[[str], int | str]] = {
    "SECONDS": whole(0, 9999, "{} is not a time in seconds, write a whole number such as 60, or 0"),
    "DAYS": whole(0, 9999, "{} is not a number of days, write a whole number such as 365, or 0"),
    "PERCENT": whole(0, 9999, "{} is not a volume, write a whole number such as 60, or 0"),
}
"""Readers for numeric arguments, by their names in help."""


def _staff(options: argparse.Namespace) -> int:
    path = control_socket(options.events)
    return _have_done(path, options.job) if "job" in options else print_reply(ask(path, _request(options)))


def _have_done(path: Path, name: str) -> int:
    """Have root do a job, and wait for its result: the daemon may be another one by then."""
    import asyncio

    from firmware_host.daemon.service import jobs
    from firmware_host.table.staff.machine import DONE, Job, JobOutcome

    job, places = Job(name), jobs.Places.beside(path)
    before = places.mark(job)
    reply = ask(path, {"ask": "job", "job": name})
    if not reply["done"]:
        return print_reply(reply)
    result = asyncio.run(jobs.result_of(places, job, before))
    is_done = result.outcome in DONE or (job is Job.POWER_OFF and result.outcome is JobOutcome.BEGUN)
    return print_reply({"done": is_done, "lines": jobs.lines_of(job, result)})


def print_reply(reply: dict[str, Any]) -> int:
    """Print a reply; return the exit code."""
    for line in reply["lines"]:
        print(line, file=sys.stdout if reply["done"] else sys.stderr)
    return 0 if reply["done"] else 2


def _request(options: argparse.Namespace) -> dict[str, Any]:
    if "setting" in options:
        value = None if options.value == LAYOUT else options.value
        return {"ask": "change", "setting": options.setting, "value": value}
    if options.what == "figures":
        return {"ask": "figures", "json": options.json}
    if options.what == "reset":
        return {"ask": "reset", "figure": options.figure}
    more = {name: getattr(options, name) for name in ("seat", "level") if name in options}
    ask: dict[str, Any] = options.ask
    return ask | more


def control_socket(events: Path | None, state: Path | None = None) -> Path:
    """Return the control socket of the table with this public socket, or with this state folder."""
    from firmware_host.public import address
    from firmware_host.util import state_dir

    return address.path_beside(events or address.path_to_listen(state or state_dir.default()))


def ask(path: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Return the table's reply. Raises `UserError` if it does not answer."""
    from firmware_host.public.address import why_unreachable

    with socket.socket(socket.AF_UNIX) as table:
        table.settimeout(TIMEOUT_S)
        try:
            table.connect(str(path))
        except OSError as error:
            raise UserError(f"{path}: {why_unreachable(error)}") from error
        try:
            table.sendall(json.dumps(request).encode() + b"\n")
            line = table.makefile("rb").readline(MAX_REPLY_BYTES)
            reply = json.loads(line)
        except (OSError, ValueError, RecursionError) as error:
            raise UserError(f"{path}: the table gave no answer; look at its log, and ask again") from error
    if not isinstance(reply, dict) or not isinstance(reply.get("lines"), list) or "done" not in reply:
        raise UserError(f"{path}: this is not the control socket of a table; name the table's socket with --events")
    return reply
