"""Lines for a terminal, wrapped by whoever made them: in colour where there is some, plain where stdout is a file."""

import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from firmware_host.util.escaping import bare_stdout
from hardware.config.problems import escaped

NARROWEST = 40
_WORDS = 36  # columns that words need to stand beside something


def width() -> int:
    """Columns of the terminal, 80 where stdout is none."""
    return max(Console(file=sys.stdout).width, NARROWEST)


def plain() -> bool:
    """Whether stdout takes nothing but ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "●─’".encode(encoding)
    except UnicodeEncodeError:
        return True
    return False


def show(lines: Iterable[Text | str]) -> None:
    """Print lines as they are: not wrapped, not cut, and nothing in them taken for markup or obeyed."""
    drawn = StringIO()  # rich has ways of its own with a reader that goes away
    is_terminal = sys.stdout.isatty()
    console = Console(file=drawn, force_terminal=is_terminal, highlight=False, markup=False, emoji=False)
    for line in lines:
        plain = str(line)
        console.print(line if plain.isprintable() else escaped(plain), soft_wrap=True)
    print(drawn.getvalue(), end="", file=bare_stdout())


def wrapped(words: str, columns: int) -> list[str]:
    """Words in rows of so many columns, broken at blanks alone: a hyphen is part of a name here."""
    return wrap(words, columns, break_on_hyphens=False, break_long_words=False)


def beside(left: str, words: str, column: int, columns: int, style: str = "") -> Iterator[Text]:
    """`words` wrapped in a column of their own beside `left`, or under it where there is no room."""
    if columns < column + _WORDS:
        column = len(left) - len(left.lstrip()) + 4
    rows = wrapped(words, columns - column)
    if len(left) < column:
        first, *rows = rows
        yield Text.assemble((f"{left:{column}}", style), first)
    else:
        yield Text(left, style)
    yield from (Text(" " * column + row) for row in rows)
