"""Lines for a terminal: coloured where possible, plain where stdout is a file. Callers wrap them."""

import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from textwrap import wrap

from rich.console import Console, RenderableType
from rich.text import Text

from firmware_host.util.escaping import raw_stdout
from hardware.config.problems import escaped

MIN_COLUMNS = 40
_MIN_TEXT_COLUMNS = 36
"""Columns that a text needs to stand beside something."""


def width() -> int:
    """Return the terminal's columns, 80 if stdout is not a terminal."""
    return max(Console(file=sys.stdout).width, MIN_COLUMNS)


def is_ascii() -> bool:
    """Return whether stdout takes only ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "●─’".encode(encoding)
    except UnicodeEncodeError:
        return True
    return False


def print_lines(lines: Iterable[RenderableType]) -> None:
    """Print lines without wrapping, cutting or markup, and with control characters escaped.

    A table among them fits the terminal's width; its maker has escaped its cells.
    """
    drawn = StringIO()  # rich would handle a broken pipe in its own way
    is_terminal = sys.stdout.isatty()
    console = Console(file=drawn, force_terminal=is_terminal, highlight=False, markup=False, emoji=False)
    for line in lines:
        if isinstance(line, str | Text):
            plain = str(line)
            console.print(line if plain.isprintable() else escaped(plain), soft_wrap=True)
        else:
            console.print(line)
    print(drawn.getvalue(), end="", file=raw_stdout())


def wrapped(text: str, columns: int) -> list[str]:
    """Wrap a text at blanks only: a hyphen is part of a name here."""
    return wrap(text, columns, break_on_hyphens=False, break_long_words=False)


def two_columns(left: str, text: str, column: int, columns: int, style: str = "") -> Iterator[Text]:
    """Yield `left` with `text` wrapped in a column beside it, or below it if space is short."""
    if columns < column + _MIN_TEXT_COLUMNS:
        column = len(left) - len(left.lstrip()) + 4
    rows = wrapped(text, columns - column)
    if len(left) < column:
        first, *rows = rows
        yield Text.assemble((f"{left:{column}}", style), first)
    else:
        yield Text(left, style)
    yield from (Text(" " * column + row) for row in rows)
