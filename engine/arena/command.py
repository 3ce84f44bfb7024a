"""`python -m engine arena`: its flags, the progress on stderr, and the result tables."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from engine.arena import exploit, tournament
from engine.arena.tournament import ArenaResults, Result
from engine.errors import NotationError
from engine.json_field import one_line
from engine.opponents import OPPONENTS, OpponentError, find
from engine.rules import DICE
from engine.rulesets import RULESETS, parse_rules, write_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.rules import Rules

MAX_MATCHES = 10_000_000
MAX_JOBS = 256
MAX_DRAWS = 10_000
MAX_LIMIT_MS = 3_600_000
LIMIT_MS = 10_000
"""Time limit for one decision in milliseconds; a slower opponent loses its match."""
MAX_SEED_CHARACTERS = 100
EXIT_INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 + SIGINT, as a shell reports it."""
PROGRESS_INTERVAL_S = {True: 0.5, False: 30.0}
"""Seconds between progress lines: on a terminal, where each replaces the last one, and elsewhere."""


def add_to(commands: Any, whole: Callable[[int], Callable[[str], int]]) -> None:
    """Declare the command's flags; `whole` makes an argument type for whole numbers from one up."""
    arena = commands.add_parser(
        "arena",
        help="let opponents play each other",
        description="Play a round-robin: at more than two seats one opponent against several of another.",
    )
    arena.add_argument(
        "opponents", nargs="+", metavar="OPPONENT", help=f"{', '.join(OPPONENTS)}, or your own as module:function"
    )
    arena.add_argument(
        "--rules", nargs="+", type=_rules, default=[RULESETS["perudo"]], metavar="RULES",
        help=f"{', '.join(RULESETS)}, or a text such as ours=perudo(to_aces=half) (default: perudo)",
    )  # fmt: skip
    arena.add_argument("--seats", nargs="+", type=_seats, default=[2], metavar="N", help="2 to 8 (default: 2)")
    arena.add_argument(
        "--matches", type=whole(MAX_MATCHES), default=1000, metavar="M", help="of every lineup (default: 1000)"
    )
    arena.add_argument("--only", metavar="NAME", help="only the lineups of this one against the others")
    arena.add_argument("--seed", type=_seed, default="0", help="the same seed gives the same results (default: 0)")
    arena.add_argument(
        "--jobs", type=whole(MAX_JOBS), metavar="J", default=len(os.sched_getaffinity(0)),
        help="matches at a time (default: as many as there are cores)",
    )  # fmt: skip
    arena.add_argument(
        "--limit", type=whole(MAX_LIMIT_MS), metavar="MS", default=LIMIT_MS,
        help=f"milliseconds for one decision, after which the match is lost (default: {LIMIT_MS})",
    )  # fmt: skip
    arena.add_argument("--json", action="store_true", help="print the results as JSON")
    arena.set_defaults(run=run)
    response = commands.add_parser(
        "arena exploit",
        prog="python -m engine arena exploit",
        description="Compute how often a player who knows an opponent exactly wins against it, at two seats.",
    )
    response.add_argument("opponent", metavar="OPPONENT")
    response.add_argument("--rules", type=_rules, default=RULESETS["perudo"], metavar="RULES", help="(default: perudo)")
    response.add_argument(
        "--dice", nargs=2, type=whole(DICE), default=[2, 2], metavar=("A", "B"),
        help="dice of the best response and of the opponent (default: 2 2)",
    )  # fmt: skip
    response.add_argument("--seed", type=_seed, default="0", help="of the drawn decisions (default: 0)")
    response.add_argument(
        "--draws", type=whole(MAX_DRAWS), default=exploit.DRAWS, metavar="N",
        help=f"decisions of an opponent that draws, by situation and hand (default: {exploit.DRAWS})",
    )  # fmt: skip
    response.set_defaults(run=_exploit)


def _exploit(options: argparse.Namespace) -> int:
    sys.path[:0] = [""]
    try:
        return exploit.run(options, find(options.opponent))
    except OpponentError as error:
        print(f"python -m engine arena exploit: {one_line(str(error))}", file=sys.stderr)
        return 2


def run(options: argparse.Namespace) -> int:
    """Play the tournament and print it; return exit code 0, 1 after an opponent's fault, 2 for bad input.
    Ctrl-C ends it early: it prints the results so far and returns 130.
    """
    names = options.opponents
    if problem := _problem(names, options.only):
        print(f"python -m engine arena: {problem}", file=sys.stderr)
        return 2
    sys.path[:0] = [""]  # modules in the current folder can be opponents
    try:
        opponents = [find(name) for name in names]
    except OpponentError as error:
        print(f"python -m engine arena: {one_line(str(error))}", file=sys.stderr)
        return 2
    lineups = tournament.lineups(names, _once(options.rules), _once(options.seats), options.only)
    wanted = len(lineups) * options.matches
    progress = _Progress(wanted)
    with _interrupts() as is_interrupted:

        def tick(played: ArenaResults) -> None:
            progress.show(played)
            if is_interrupted():
                raise _InterruptedError(played)

        try:
            played = tournament.run(
                lineups,
                opponents,
                matches=options.matches,
                seed=options.seed,
                jobs=options.jobs,
                limit_s=options.limit / 1000,
                tick=tick,
            )
        except _InterruptedError as interrupted:
            played = interrupted.played
    progress.end()
    if is_early := len(played) < wanted:
        played.results = [result for result in played.results if result.matches]
        print(f"interrupted after {len(played)} of {wanted} matches", file=sys.stderr)
    if played.results:
        print(json.dumps(_as_json(played), indent=2) if options.json else _as_text(played))
    return EXIT_INTERRUPTED if is_early else 1 if played.faults else 0


class _InterruptedError(Exception):
    """Ctrl-C between two matches."""

    def __init__(self, played: ArenaResults) -> None:
        super().__init__()
        self.played = played


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that reports a Ctrl-C; a second Ctrl-C ends the program at once."""
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _problem(names: list[str], only: str | None) -> str | None:
    if len(names) < 2:
        return "expected at least two opponents"
    if len(set(names)) < len(names):
        return "expected each opponent once: against itself one wins its fair share"
    if only is not None and only not in names:
        return f"--only {only!r}: expected one of {', '.join(names)}"
    return None


def _once(values: list[Any]) -> list[Any]:
    return [*dict.fromkeys(values)]


def _rules(text: str) -> Rules:
    try:
        return parse_rules(text)
    except NotationError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _seats(text: str) -> int:
    if text not in map(str, range(2, 9)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seats, 2 to 8")
    return int(text)


def _seed(text: str) -> str:
    if len(text) > MAX_SEED_CHARACTERS:
        raise argparse.ArgumentTypeError(f"is longer than {MAX_SEED_CHARACTERS} characters")
    return text


class _Progress:
    """Progress on stderr: one line that overwrites itself on a terminal, elsewhere a line now and then."""

    def __init__(self, matches: int) -> None:
        self._matches = matches
        self._began = self._shown = monotonic()
        self._on_terminal = sys.stderr.isatty()

    def show(self, played: ArenaResults) -> None:
        """Show the tournament's progress if a line is due."""
        now, done = monotonic(), len(played)
        if not done or now - self._shown < PROGRESS_INTERVAL_S[self._on_terminal]:
            return
        self._shown = now
        left_s = (now - self._began) * (self._matches - done) / done
        line = f"{done} of {self._matches} matches, {left_s:.0f} s left"
        print(f"\r\033[K{line}" if self._on_terminal else line, end="" if self._on_terminal else "\n", file=sys.stderr)
        sys.stderr.flush()

    def end(self) -> None:
        """Clear the terminal's line."""
        if self._on_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


# Results


def _as_text(played: ArenaResults) -> str:
    rows = [("rules", "seats", "opponent", "against", "matches", "won", "95 %", "fair share")]
    for result in played.results:
        lineup, (low, high) = result.lineup, result.interval
        others = lineup.others if lineup.seats == 2 else f"{lineup.seats - 1} {lineup.others}"
        share, interval = f"{result.share:.3f}", f"{low:.3f}–{high:.3f}"
        fair = f"{result.share * lineup.seats:.2f} x {1 / lineup.seats:.3f}"
        played_by = str(lineup.rules), str(lineup.seats), lineup.one, others
        rows.append((*played_by, str(result.matches), share, interval, fair))
    lines = _table(rows)
    lines.append("")
    times = [("opponent", "decisions", "a second", "median ms")]
    for name, clock in played.clocks.items():
        a_second = clock.decisions / clock.seconds if clock.seconds else 0.0
        times.append((name, str(clock.decisions), f"{a_second:.0f}", f"{clock.median_ms:.3g}"))
    lines += _table(times)
    if void := sum(result.void for result in played.results):
        lines += ["", f"{void} matches had no end and were stopped; nobody won them."]
    lines += ["", *_faults(played)] if played.faults else []
    return "\n".join(lines)


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


MAX_FAULTS = 5
"""Faults listed for each opponent; the rest are only counted."""


def _faults(played: ArenaResults) -> list[str]:
    lines = []
    for name in played.clocks:
        own = sorted((-count, kind) for kind, count in played.faults.items() if kind[0] == name)
        if own:
            lines.append(f"{name} lost matches by a fault, {-sum(count for count, _ in own)} in all:")
        for count, kind in own[:MAX_FAULTS]:
            position = played.examples[kind][1]
            lines.append(f"  {-count}: {kind[1]}{f'; the first time in: {position}' if position else ''}")
        if len(own) > MAX_FAULTS:
            lines.append(f"  and {len(own) - MAX_FAULTS} other faults")
    return lines


def _as_json(played: ArenaResults) -> dict[str, Any]:
    return {
        "results": [_result_as_json(result) for result in played.results],
        "opponents": {
            name: {"decisions": clock.decisions, "seconds": clock.seconds, "median_ms": clock.median_ms}
            for name, clock in played.clocks.items()
        },
        "faults": [
            {"opponent": kind[0], "problem": kind[1], "matches": count, "position": played.examples[kind][1]}
            for kind, count in sorted(played.faults.items())
        ],
    }


def _result_as_json(result: Result) -> dict[str, Any]:
    lineup, (low, high) = result.lineup, result.interval
    return {
        "rules": write_rules(lineup.rules),
        "seats": lineup.seats,
        "opponent": lineup.one,
        "against": lineup.others,
        "matches": result.matches,
        "won": result.won,
        "void": result.void,
        "rounds": result.rounds,
        "share": result.share,
        "low": low,
        "high": high,
    }
