"""`dudo-table check`: find every fault in layouts, rule sets and Pico wiring without touching a device."""

import argparse
import sys
from pathlib import Path

from firmware_host.commands.parser import (
    CommandParser,
    Commands,
    add_command,
    add_state,
    completed_with,
    layout_names,
    named,
)
from firmware_host.commands.rules import rules_names
from firmware_host.configuration import DEFAULT_LAYOUT
from hardware.config.problems import FileError, one_line


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's arguments."""
    parser = add_command(
        commands,
        _check,
        "check",
        "find every fault in layouts, rule sets and Pico wiring",
        "Exit code 2: there is one.",
    )
    files = parser.add_argument(
        "files",
        metavar="LAYOUT",
        type=named,
        nargs="*",
        help=f"a layout: a file or a shipped one; also a rule set, or a Pico's wiring.py (default: {DEFAULT_LAYOUT})",
    )
    flag = parser.add_argument(
        "--layout", dest="files_flag", metavar="LAYOUT", type=named, action="append", help="the same as a flag"
    )
    for each in (files, flag):
        completed_with(each, lambda: (*layout_names(), *rules_names()))
    add_state(parser)


def _check(options: argparse.Namespace) -> int:
    wrong = 0
    for file in (*options.files, *(options.files_flag or ())) or (DEFAULT_LAYOUT,):
        try:
            print(f"{one_line(file)}: right, {_summary(file, options.state)}", flush=True)
        except FileError as error:
            print(error, file=sys.stderr)
            wrong += 1
    return 2 if wrong else 0


def _summary(file: str, state: Path | None) -> str:
    from firmware_host.configuration import layout_in_force, lookup, settings, summary
    from hardware.boards import pico_wiring
    from hardware.config.layout import Layout

    if file.endswith(".py"):
        return summary.of_wiring(pico_wiring.load(file))
    found = lookup.find(file)
    if not isinstance(found, Layout):
        return summary.of_rules(found)
    rules = lookup.rules_of(found)
    seated, replacements = layout_in_force.seated(found, file, state)
    here = f"{summary.of_layout(seated)}, rules {rules}"
    changed = settings.of_table(file, state).changed()
    by_staff = [f"changed by staff: {', '.join(f'{name} = {value}' for name, value in changed.items())}"]
    return "; ".join((here, *replacements, *(by_staff if changed else ())))
