"""`dudo-table replay`: print a recorded match as sentences, or step through it in the terminal."""

import argparse
import sys

from firmware_host.commands.parser import CommandParser, Commands, add_command, named
from hardware.config.problems import one_line


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's arguments."""
    parser = add_command(
        commands, _replay, "replay", "step through a recorded match", "With keys in a terminal, else as sentences."
    )
    parser.add_argument("file", metavar="FILE", type=named, help="a score that play or run wrote with --record")
    parser.add_argument("--positions", action="store_true", help="also print the position after each step")


def _replay(options: argparse.Namespace) -> int:
    from firmware_host.store.scores.replay_events import seat_names, steps
    from firmware_host.store.scores.score_file import read_scores

    scores = read_scores(options.file, playable=True)

    if sys.stdin.isatty() and sys.stdout.isatty() and not options.positions:
        from firmware_host.store.scores.replay_screen import browse

        browse([(seat_names(score), step) for score in scores for step in steps(score)])
        return 0
    for score in scores:
        for step in steps(score):
            for line in step.lines:
                print(one_line(line))
            if options.positions:
                print(one_line(f"    {step.position}"))
    return 0
