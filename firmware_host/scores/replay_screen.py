"""Steps through a match in a terminal with single keys: the dice each holds, the story so far, where one is."""

import os
import re
import sys
import termios
import tty
from collections.abc import Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from engine import Position
from firmware_host.public.narration import bid_in_words
from firmware_host.scores.replay_events import Step
from firmware_host.util.escaping import raw_stdout

NamedSteps = Sequence[tuple[tuple[str, ...], Step]]
"""The names of a step's match, and the step."""

KEYS = "→ Enter on   ← back   ↑ ↓ a round   Home End   q quit"
_KEY = re.compile(rb"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\x00-\xff]")
_ON = {b"\r", b"\n", b" ", b"l", b"\x1b[C", b"\x1bOC"}
_BACK = {b"\x7f", b"\b", b"h", b"\x1b[D", b"\x1bOD"}
_ROUND_ON = {b"j", b"\x1b[B", b"\x1bOB", b"\x1b[6~"}
_ROUND_BACK = {b"k", b"\x1b[A", b"\x1bOA", b"\x1b[5~"}
_START = {b"g", b"\x1b[H", b"\x1bOH", b"\x1b[1~"}
_END = {b"G", b"\x1b[F", b"\x1bOF", b"\x1b[4~"}
_QUIT = {b"q", b"Q", b"\x1b", b"\x04", b""}


def walk(steps: NamedSteps) -> None:
    """Step through a match until the reader has had enough."""
    console = Console(file=raw_stdout())
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    place = 0
    try:
        tty.setcbreak(terminal)
        with Live(console=console, auto_refresh=False, screen=True) as live:
            while True:
                live.update(page(steps, place, *console.size), refresh=True)
                for key in keys(os.read(terminal, 64)):
                    if key in _QUIT:
                        return
                    place = moved(steps, place, key)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def keys(typed: bytes) -> list[bytes]:
    """The keys in what a terminal sent at once; none at all means that the terminal is gone."""
    return _KEY.findall(typed) or [b""]


def moved(steps: NamedSteps, place: int, key: bytes) -> int:
    """The step that a key leads to; where there is none, and for keys of no meaning, the same."""
    last = len(steps) - 1
    if key in _ON:
        return min(place + 1, last)
    if key in _BACK:
        return max(place - 1, 0)
    if key in _ROUND_ON:
        return next((to for to in range(place + 1, last) if _opens(steps, to)), last)
    if key in _ROUND_BACK:
        return next((to for to in range(place - 1, 0, -1) if _opens(steps, to)), 0)
    return 0 if key in _START else last if key in _END else place


def page(steps: NamedSteps, place: int, width: int, height: int) -> Group:
    """What stands in the terminal: the table above, the story as far as it has come, the keys below."""
    names, step = steps[place]
    head = [*_table(names, step.position), ""]
    story = [line for _, told in steps[: place + 1] for line in told.lines]
    room = max(1, height - len(head) - 2)
    new = len(story) - len(step.lines)
    told = [Text(line, style="bold" if at >= new else "dim") for at, line in enumerate(story)][-room:]
    told += [Text("")] * (room - len(told))
    foot = f"{place + 1}/{len(steps)}   {KEYS}"
    lines = [*(Text(line) for line in head), *told, Text(""), Text(foot, style="dim")]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Group(*lines[-height:])


def _table(names: Sequence[str], position: Position) -> list[str]:
    """A line a seat, in order of play: who is in turn, the dice held, what was last bid."""
    longest = max(map(len, names))
    return [
        f"{'▶' if seat in _awaited(position) else ' '} {names[seat]:{longest}}  "
        f"{'●' * position.dice[seat] or 'out':7}{_claim(position, seat)}".rstrip()
        for seat in position.order
    ]


def _awaited(position: Position) -> tuple[int, ...]:
    if position.turn is not None:
        return (position.turn,)
    return position.rolling or ((position.owner,) if position.choices and position.owner is not None else ())


def _claim(position: Position, seat: int) -> str:
    if seat == position.passer:
        return "pass"
    if seat == position.bidder and position.standing is not None:
        return f"{position.standing}  {bid_in_words(position.standing)}"
    return "wins" if seat == position.winner else ""


def _opens(steps: NamedSteps, place: int) -> bool:
    """Whether a round begins at a step."""
    return steps[place][1].position.number != steps[place - 1][1].position.number
