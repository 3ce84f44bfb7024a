"""`dudo-table check`: every fault of some layouts and rules, before a wire is touched or a die rolled."""

import argparse
import sys

from firmware_host.commands.parser import Commands, Parser, named
from hardware.faults import FileError, one_line


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "check",
        help="check layouts and rules",
        description="Tell every fault of some layouts and rules; exit code 2 if there is one.",
    )
    parser.add_argument(
        "files", metavar="FILE", type=named, nargs="+", help="a layout or rules: a file or a shipped one"
    )
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    wrong = 0
    for file in options.files:
        try:
            print(f"{one_line(file)}: right, {_summary(file)}", flush=True)
        except FileError as error:
            print(error, file=sys.stderr)
            wrong += 1
    return 2 if wrong else 0


def _summary(file: str) -> str:
    from firmware_host import papers, rulebook, summaries
    from hardware.layout import Layout

    found = papers.find(file)
    if not isinstance(found, Layout):
        return summaries.of_rules(found)
    rules = rulebook.of_layout(found)
    return f"{summaries.of_layout(found)}, rules {rules}"
