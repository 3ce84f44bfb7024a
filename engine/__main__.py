"""`python -m engine`: `check` plays rule cases, `perft` counts bid sequences, `arena` lets opponents play each other.

All of the engine's I/O is here and in `engine.arena`, shipped in a clone only.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from engine.json_field import one_line
from engine.perft import perft
from engine.rule_cases import Case, CaseFormatError, mismatches, read
from engine.rules import RoundKind
from engine.rulesets import RULESETS

ARENA = import_module("engine.arena.command") if find_spec("engine.arena") else None
MAX_COUNT = 1000  # more dice or bids than any table can hold
MAX_PROBLEM_CHARACTERS = 1000
MAX_BYTES = 1 << 18  # size limit for a case file; the longest shipped one has 27 KB


class _OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 1 for a failed case, 2 for unusable input."""
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    if words[:2] == ["arena", "exploit"]:
        words[:2] = ["arena exploit"]
    options = _parser().parse_args(words)
    if options.command == "perft":
        return _perft(options)
    if ARENA and options.command.startswith("arena"):
        return int(options.run(options))
    try:
        cases = [case for file in options.files for case in _read(file)]
    except CaseFormatError as error:
        print(error, file=sys.stderr)
        return 2
    return _check(cases)


def _parser() -> argparse.ArgumentParser:
    description = "The rules of Dudo: play rule cases, count bids, compare opponents."
    parser = _OneLineParser(prog="python -m engine", description=description)
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="check|perft|arena" if ARENA else "check|perft"
    )
    check = commands.add_parser("check", help="play rule cases and say which came out otherwise")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a JSON list of rule cases")
    count = commands.add_parser("perft", help="count the legal bid sequences of one round by their length")
    count.add_argument("rules", metavar="RULES", choices=RULESETS, help=", ".join(RULESETS))
    count.add_argument("--dice", type=_up_to(MAX_COUNT), required=True, metavar="N", help="the highest quantity")
    count.add_argument(
        "--round", choices=[str(kind) for kind in RoundKind], default="normal", metavar="KIND", help="the round"
    )
    count.add_argument("--opener-dice", type=_up_to(MAX_COUNT), metavar="K", help="dice of the opener")
    count.add_argument("--depth", type=_up_to(MAX_COUNT), default=4, metavar="D", help="the longest sequence, in bids")
    if ARENA:
        ARENA.add_to(commands, _up_to)
    return parser


def _up_to(most: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most}")
        return int(text)

    return whole


def _read(file: Path) -> list[Case]:
    try:
        return read(_content(file).decode("utf-8-sig"))
    except OSError as error:
        problem = error.strerror or str(error)
    except UnicodeDecodeError:
        problem = "is not text in UTF-8"
    except CaseFormatError as error:
        problem = str(error)
    raise CaseFormatError(one_line(f"{file}: {problem[:MAX_PROBLEM_CHARACTERS]}"))


def _content(file: Path) -> bytes:
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise CaseFormatError("is a pipe, a socket or a device, not a file")  # it might never end
    with file.open("rb") as opened:
        content = opened.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise CaseFormatError(f"is larger than {MAX_BYTES >> 10} KiB, no file of rule cases is")
    return content


def _check(cases: Sequence[Case]) -> int:
    failed = 0
    for case in cases:
        wrong = [*mismatches(case)]
        failed += bool(wrong)
        for line in wrong:
            print(one_line(str(line)))
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


def _perft(options: argparse.Namespace) -> int:
    kind = RoundKind(options.round)
    counts = perft(
        RULESETS[options.rules], dice=options.dice, kind=kind, opener_dice=options.opener_dice, depth=options.depth
    )
    print(*counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
