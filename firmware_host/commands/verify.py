"""`dudo-table verify`: check that a recorded match's dice come from the host's and cups' entropy."""

import argparse
import sys
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, Commands, add_command, named
from firmware_host.errors import RecordFormatError
from hardware.config import toml_file
from hardware.config.problems import Problem, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware_host.fairness.verify.verdict import Verdict

EXIT_WRONG = 1
EXIT_NOT_PROVEN = 3
_WITHOUT_HEAD = """\
Without --head this says only that the record agrees with itself: its keeper could have made all of it up.
Compare with a head that you saw at the table: --head and at least 8 of its letters."""
_NOT_PROVEN = (
    "no deal of this match was opened, so none of its dice is proven; a record has proofs from its first reveal on"
)


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's arguments."""
    parser = add_command(
        commands,
        _verify,
        "verify",
        "check the dice of a recorded match",
        "Every die, commitment and head is computed again. Exit code 0: nothing is wrong, and dice of every match in "
        "the record are proven. 1: a line is wrong, bytes repeat that must not, or the head of --head is not in it. "
        "2: this is not a record. 3: nothing is wrong, but of a match no deal was opened, so none of its dice is "
        "proven.",
    )
    parser.add_argument("file", metavar="FILE", type=named, help="a record that play or run wrote with --record")
    parser.add_argument(
        "--head", metavar="HEAD", type=_letters, help="the first letters, 8 or more, of a head that a display showed"
    )


def _letters(text: str) -> str:
    from firmware_host.fairness.chain import read_head

    try:
        return read_head(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{error}; write it as the display shows it, without blanks, such as 7K3MQ2ZP9TB"
        ) from None


def _verify(options: argparse.Namespace) -> int:
    verdicts = _verdicts(options.file)
    for verdict in verdicts:
        for line in verdict.lines():
            print(one_line(line))
        if verdict.wrong is not None:
            sys.stdout.flush()
            print(one_line(f"{options.file}:{verdict.wrong.line}: {verdict.wrong.problem}"), file=sys.stderr)
        elif not verdict.is_proven:
            sys.stdout.flush()
            print(one_line(f"{options.file}:{verdict.first}: {_NOT_PROVEN}"), file=sys.stderr)
    right = all(verdict.wrong is None for verdict in verdicts)
    proven = all(verdict.is_proven for verdict in verdicts)
    known = options.head is None or _compare(options.file, verdicts, options.head)
    if options.head is None and right and proven:
        print(_WITHOUT_HEAD)
    if not (known and right):
        return EXIT_WRONG
    return 0 if proven else EXIT_NOT_PROVEN


def _verdicts(file: str) -> "Sequence[Verdict]":
    from firmware_host.fairness.verify.checker import verify
    from firmware_host.fairness.verify.parser import VerificationError
    from firmware_host.store.scores.score_file import MAX_RECORD_BYTES, MAX_RECORD_LINES

    text = toml_file.read(file, RecordFormatError, "record", (), max_bytes=MAX_RECORD_BYTES, max_lines=MAX_RECORD_LINES)
    try:
        return verify(text)
    except VerificationError as wrong:
        remedy = "name a file that play or run wrote with --record"
        raise RecordFormatError(file, [Problem(f"line {wrong.line}", "", wrong.problem, remedy)]) from wrong


def _compare(file: str, verdicts: "Sequence[Verdict]", letters: str) -> bool:
    """Print where the hash is; return whether it is there."""
    from firmware_host.fairness.verify.verdict import find_head

    found = find_head(verdicts, letters)
    if found is None:
        sys.stdout.flush()
        problem = "no head begins so: this is not the record of that match, or it was changed or cut off before it"
        print(one_line(f"{file}: {letters}: {problem}, or a letter was copied wrongly"), file=sys.stderr)
        return False
    for line in found.lines():
        print(one_line(line))
    return True
