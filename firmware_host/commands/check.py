"""`dudo-table check`: every fault of layouts, rules and Picos' wiring, before a wire is touched or a die rolled."""

import argparse
import sys

from firmware_host.commands.parser import Commands, Parser, named
from hardware.faults import FileError, one_line


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "check",
        help="check layouts, rules and what is wired to a Pico",
        description="Tell every fault of some layouts, rules and Picos' wiring; exit code 2 if there is one.",
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        type=named,
        nargs="+",
        help="a layout or rules, shipped or a file, or a Pico's wiring.py",
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
    from hardware import pico_wiring
    from hardware.layout import Layout

    if file.endswith(".py"):
        return summaries.of_wiring(pico_wiring.load(file))
    found = papers.find(file)
    if not isinstance(found, Layout):
        return summaries.of_rules(found)
    rules = rulebook.of_layout(found)
    return f"{summaries.of_layout(found)}, rules {rules}"
