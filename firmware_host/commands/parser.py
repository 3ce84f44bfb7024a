"""argparse with this project's manners: one line that says what to do, and values checked where they are named."""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from hardware.faults import closest, one_line

Commands = argparse._SubParsersAction  # argparse has no public name for what add_subparsers returns


class Parser(argparse.ArgumentParser):
    """Refuses abbreviations, and says what is wrong in one line on stderr with exit code 2."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options, allow_abbrev=False)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2."""
        print(one_line(f"{self.prog}: {message}; {self.prog} --help tells what there is"), file=sys.stderr)
        sys.exit(2)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, but refuse here what is unknown: a command knows its own flags best."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            meant = closest(unknown[0], self._option_string_actions)
            self.error(f"{unknown[0]} is not known" + (f", did you mean {meant}?" if meant else ""))
        return options, unknown


def seats(text: str) -> int:
    """A number of seats, 2 to 8."""
    if text.isascii() and text.isdecimal() and 2 <= int(text[:9]) <= 8:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is no number of seats, write 2 to 8")


def seed(text: str) -> int:
    """A whole number, zero or more, of at most 18 digits."""
    if text.isascii() and text.isdecimal() and len(text) <= 18:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is no seed, write a whole number such as 7")


def speed(text: str) -> float:
    """How many seconds of the table pass in one of ours: more than zero."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if value > 0 and math.isfinite(value):
        return value
    raise argparse.ArgumentTypeError(f"{text} is no speed, write a number above zero such as 4 or 0.5")


def directory(text: str) -> Path:
    """A directory that is there or can be made."""
    path = Path(text)
    if not text or (path.exists() and not path.is_dir()):
        raise argparse.ArgumentTypeError(f"{text or 'an empty name'} is no directory, name one or a new one")
    return path
