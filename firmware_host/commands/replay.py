"""`dudo-table replay`: print a recorded match as sentences, or step through it in the terminal."""

import argparse
import sys
from typing import TYPE_CHECKING

from firmware_host.commands import MAX_RECORD_BYTES, MAX_RECORD_LINES
from firmware_host.commands.parser import Commands, Parser, named
from firmware_host.errors import ScoreFileError
from hardware.config import toml_file
from hardware.config.problems import Problem, one_line

if TYPE_CHECKING:
    from engine import Score


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "replay",
        help="step through a recorded match",
        description="Replay a match from its score: with keys in a terminal, else as sentences.",
    )
    parser.add_argument("file", metavar="FILE", type=named, help="a score that play or run wrote with --record")
    parser.add_argument("--positions", action="store_true", help="also print the position after each step")
    parser.set_defaults(command=_replay)


def _replay(options: argparse.Namespace) -> int:
    scores = _read(options.file)
    from firmware_host.scores.replay_events import seat_names, steps

    if sys.stdin.isatty() and sys.stdout.isatty() and not options.positions:
        from firmware_host.scores.replay_screen import browse

        browse([(seat_names(score), step) for score in scores for step in steps(score)])
        return 0
    for score in scores:
        for step in steps(score):
            for line in step.lines:
                print(one_line(line))
            if options.positions:
                print(one_line(f"    {step.position}"))
    return 0


def _read(file: str) -> "tuple[Score, ...]":
    from engine import NotationError, parse_scores

    text = toml_file.read(file, ScoreFileError, "score", (), max_bytes=MAX_RECORD_BYTES, max_lines=MAX_RECORD_LINES)
    try:
        return parse_scores(text, playable=True)
    except NotationError as error:
        remedy = "correct it there; docs/notation.md describes the format of a score"
        raise ScoreFileError(file, [Problem("", "", str(error), remedy)]) from error
