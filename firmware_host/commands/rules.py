"""`dudo-table rules`: list the rule sets, or describe one field by field in sentences for players."""

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, Commands, add_command, completed_with, named
from firmware_host.errors import UserError

if TYPE_CHECKING:
    from rich.text import Text

    from engine import Rules

_KEY_COLUMNS = 40
"""Columns for keys and values; a longer one stands above its sentence."""


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's arguments."""
    parser = add_command(
        commands,
        _rules,
        "rules",
        "list the rule sets, or describe one",
        "With a name or a file it prints each field and its meaning.",
    )
    name = parser.add_argument(
        "name", metavar="NAME", type=named, nargs="?", help="a rule set's name, or a custom one's file"
    )
    completed_with(name, rules_names)
    parser.add_argument(
        "--toml", action="store_true", help="print a file to edit: dudo-table rules perudo --toml > our.toml"
    )


def rules_names() -> Iterable[str]:
    """Return the names of the shipped rule sets."""
    from engine import RULESETS

    return RULESETS


def _rules(options: argparse.Namespace) -> int:
    from firmware_host.configuration import lookup
    from firmware_host.configuration.rules import descriptions
    from firmware_host.util import terminal

    if options.name is None:
        if options.toml:
            raise UserError("dudo-table rules --toml: name a rule set; dudo-table rules perudo --toml prints that one")
        terminal.print_lines(_list(terminal.width()))
        return 0
    rules = lookup.rules(options.name)
    if options.toml:
        print(descriptions.to_commented_toml(rules), end="")
    else:
        terminal.print_lines(_describe(rules, terminal.width()))
    return 0


def _list(width: int) -> "Iterator[Text | str]":
    from engine import RULESETS
    from firmware_host.configuration.rules.descriptions import summarise
    from firmware_host.util.terminal import two_columns, wrapped

    names = max(map(len, RULESETS))
    for name, rules in RULESETS.items():
        yield from two_columns(name, summarise(rules), names + 2, width, style="bold")
    yield ""
    yield from wrapped("dudo-table rules NAME describes one field by field; --toml prints a file to edit.", width)


def _describe(rules: "Rules", width: int) -> "Iterator[Text | str]":
    from rich.text import Text

    from firmware_host.configuration.rules.descriptions import describe, summarise
    from firmware_host.util.terminal import two_columns, wrapped

    yield Text(rules.name, "bold")
    yield from wrapped(summarise(rules), width)
    section = ""
    for line in describe(rules):
        if line.section != section:
            section = line.section
            yield from ("", Text(section, "bold"))
        table, _, key = line.key.rpartition(".")
        yield from two_columns(f"{'    ' if table else '  '}{key} = {line.value}", line.words, _KEY_COLUMNS, width)
