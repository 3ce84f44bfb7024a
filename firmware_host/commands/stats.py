"""`dudo-table stats`: print figures from a house's remembered matches."""

import argparse
import re
import sys
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_state, named, state_of

if TYPE_CHECKING:
    import sqlite3

    from firmware_host.store.house.figures import Figures

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MAX_PROBLEMS = 5


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _stats,
        "stats",
        "print the hall of fame and other figures of the kept matches",
        "Figures are in house.sqlite in the state folder, and are made from the files in its matches. An evening ends "
        "at six in the morning.",
    )
    add_state(parser)
    days = parser.add_mutually_exclusive_group()
    days.add_argument("--tonight", action="store_true", help="only the matches of the last evening with one")
    days.add_argument("--since", metavar="DATE", type=_day, help="only the matches since an evening, as in 2026-11-21")
    parser.add_argument("--rules", metavar="RULES", type=named, help="only the matches under one rule set")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print all figures as JSON")
    form.add_argument("--csv", action="store_true", help="print the players' figures as CSV")
    parser.add_argument("--rebuild", action="store_true", help="make house.sqlite from all matches again")


def _day(text: str) -> str:
    with suppress(ValueError):
        if _DAY.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    raise argparse.ArgumentTypeError(f"{text} is not a date, write it as in 2026-11-21")


def _stats(options: argparse.Namespace) -> int:
    from firmware_host.store.house import report
    from firmware_host.store.house.database import problems, remembered
    from firmware_host.store.house.figures import Selection, figures, last_evening
    from firmware_host.util.terminal import print_lines

    def read(house: "sqlite3.Connection") -> "tuple[Figures, list[str]]":
        since = last_evening(house) if options.tonight else options.since or ""
        return figures(house, Selection(since, options.rules or "")), problems(house)

    found, unreadable = remembered(state_of(options), read, rebuild=options.rebuild, progress=report.progress)
    for problem in unreadable[:_MAX_PROBLEMS]:
        print(problem, file=sys.stderr)
    if len(unreadable) > _MAX_PROBLEMS:
        print(f"and {len(unreadable) - _MAX_PROBLEMS} more files that can't be read", file=sys.stderr)
    if options.json:
        print(report.as_json(found))
    elif options.csv:
        print(report.as_csv(found), end="")
    elif found.matches:
        print_lines(report.tables(found))
    else:
        print("No such match was played to the end of a round.")
    return 0
