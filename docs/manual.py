"""Prints the page of the manual: `debian/dudo-table.1.in` with each command and its options in the words of its help.

`debian/build` writes it into the package.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from firmware_host.cli import new_parser
from firmware_host.commands.parser import CommandParser

TEMPLATE = Path(__file__).parent.parent / "debian/dudo-table.1.in"
_REPEATED = {argparse.OPTIONAL: "[{}]", argparse.ZERO_OR_MORE: "[{}...]", argparse.REMAINDER: "{} ..."}


def page() -> str:
    """Return the page in the format of man(7)."""
    (commands,) = (action for action in new_parser()._actions if isinstance(action, argparse._SubParsersAction))
    lines = [line for name, parser in commands.choices.items() for line in _command(name, parser)]
    return TEMPLATE.read_text(encoding="utf-8").replace("@COMMANDS@", "\n".join(lines))


def _command(name: str, parser: CommandParser) -> Iterator[str]:
    actions = [action for action in parser._actions if "--help" not in action.option_strings]
    yield _escaped(f".SS dudo-table {_typed(name, parser)}")
    yield _escaped(str(parser.description))
    for action in actions:
        words = [*action.option_strings[-1:], *([rf"\fI{action.metavar}\fR"] if action.nargs != 0 else [])]
        yield from _entry(" ".join(words), action.help)
        if isinstance(action, argparse._SubParsersAction):
            yield ".RS"
            for choice in action._choices_actions:
                yield from _entry(_typed(choice.dest, action.choices[choice.dest]), choice.help)
            yield ".RE"


def _entry(tag: str, text: str | None) -> tuple[str, str, str]:
    """Return a tagged paragraph; a help text begins in lower case and has no full stop."""
    text = _escaped(text or "")
    return ".TP", rf"\fB{_escaped(tag)}\fR", f"{text[:1].upper()}{text[1:]}."


def _typed(name: str, parser: CommandParser) -> str:
    """Return a command as it is typed, with its arguments."""
    arguments = (action for action in parser._actions if not action.option_strings)
    words = (_REPEATED.get(str(each.nargs), "{}").format(each.metavar) for each in arguments)
    return " ".join((name, *words))


def _escaped(text: str) -> str:
    """Return a text with hyphens that roff leaves as they are."""
    return text.replace("-", r"\-")


if __name__ == "__main__":
    print(page(), end="")
