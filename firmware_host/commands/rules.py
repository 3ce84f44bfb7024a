"""`dudo-table rules`: the rule sets there are, and what one says, field by field, in a player's words."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware_host.commands.parser import Commands, Parser, named
from firmware_host.errors import UserError

if TYPE_CHECKING:
    from rich.text import Text

    from engine import Rules

_KEYS = 40  # columns for keys and their values; a longer one stands above its words


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "rules",
        help="list the rule sets, or tell what one says",
        description="List the rule sets; with a name or a file, tell every field of it and what that means.",
    )
    parser.add_argument("name", metavar="NAME", type=named, nargs="?", help="a rule set's name, or a house's file")
    parser.add_argument(
        "--toml", action="store_true", help="as a file to edit: dudo-table rules perudo --toml > our.toml"
    )
    parser.set_defaults(command=_rules)


def _rules(options: argparse.Namespace) -> int:
    from firmware_host.configuration.rules import export, registry
    from firmware_host.util import terminal

    if options.name is None:
        if options.toml:
            raise UserError("dudo-table rules --toml: say of which; dudo-table rules perudo --toml writes that one")
        terminal.print_lines(_list(terminal.width()))
        return 0
    rules = registry.find(options.name)
    if options.toml:
        print(export.written_out(rules), end="")
    else:
        terminal.print_lines(_told(rules, terminal.width()))
    return 0


def _list(width: int) -> "Iterator[Text | str]":
    from engine import RULESETS
    from firmware_host.configuration.rules.descriptions import in_short
    from firmware_host.util.terminal import two_columns, wrapped

    names = max(map(len, RULESETS))
    for name, rules in RULESETS.items():
        yield from two_columns(name, in_short(rules), names + 2, width, style="bold")
    yield ""
    yield from wrapped("dudo-table rules NAME tells one field by field; with --toml, as a file to edit.", width)


def _told(rules: "Rules", width: int) -> "Iterator[Text | str]":
    from rich.text import Text

    from firmware_host.configuration.rules.descriptions import in_short, told
    from firmware_host.util.terminal import two_columns, wrapped

    yield Text(rules.name, "bold")
    yield from wrapped(in_short(rules), width)
    section = ""
    for line in told(rules):
        if line.section != section:
            section = line.section
            yield from ("", Text(section, "bold"))
        table, _, key = line.key.rpartition(".")
        yield from two_columns(f"{'    ' if table else '  '}{key} = {line.value}", line.words, _KEYS, width)
