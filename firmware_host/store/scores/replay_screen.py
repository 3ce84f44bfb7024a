"""A terminal screen for stepping through a match with single keys: each seat's dice, and the sentences so far."""

import os
import re
import sys
import termios
import tty
from collections.abc import Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from engine import Player, Position
from firmware_host.public.narration import bid_in_words
from firmware_host.store.scores.replay_events import ReplayStep
from firmware_host.util.escaping import raw_stdout

NamedSteps = Sequence[tuple[tuple[str, ...], ReplayStep]]
"""Steps, each with the seat names of its match."""

KEYS = "→ Enter on   ← back   ↑ ↓ a round   Home End   q quit"
_KEY = re.compile(rb"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\x00-\xff]")
_ON = {b"\r", b"\n", b" ", b"l", b"\x1b[C", b"\x1bOC"}
_BACK = {b"\x7f", b"\b", b"h", b"\x1b[D", b"\x1bOD"}
_ROUND_ON = {b"j", b"\x1b[B", b"\x1bOB", b"\x1b[6~"}
_ROUND_BACK = {b"k", b"\x1b[A", b"\x1bOA", b"\x1b[5~"}
_START = {b"g", b"\x1b[H", b"\x1bOH", b"\x1b[1~"}
_END = {b"G", b"\x1b[F", b"\x1bOF", b"\x1b[4~"}
_QUIT = {b"q", b"Q", b"\x1b", b"\x04", b""}


def browse(steps: NamedSteps) -> None:
    """Step through a match until a key ends it."""
    console = Console(file=raw_stdout())
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    index = 0
    try:
        tty.setcbreak(terminal)
        with Live(console=console, auto_refresh=False, screen=True) as live:
            while True:
                live.update(render(steps, index, *console.size), refresh=True)
                for key in keys(os.read(terminal, 64)):
                    if key in _QUIT:
                        return
                    index = step_after_key(steps, index, key)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def keys(typed: bytes) -> list[bytes]:
    """Return the keys in a terminal's burst of input. An empty key means that the terminal is gone."""
    return _KEY.findall(typed) or [b""]


def step_after_key(steps: NamedSteps, index: int, key: bytes) -> int:
    """Return the step index after a key, unchanged for other keys and at either end."""
    last = len(steps) - 1
    if key in _ON:
        return min(index + 1, last)
    if key in _BACK:
        return max(index - 1, 0)
    if key in _ROUND_ON:
        return next((to for to in range(index + 1, last) if _opens(steps, to)), last)
    if key in _ROUND_BACK:
        return next((to for to in range(index - 1, 0, -1) if _opens(steps, to)), 0)
    return 0 if key in _START else last if key in _END else index


def render(steps: NamedSteps, index: int, width: int, height: int) -> Group:
    """Return the screen: the table above, the sentences so far, the keys below."""
    names, step = steps[index]
    head = [*_table(names, step.position), ""]
    story = [line for _, shown in steps[: index + 1] for line in shown.lines]
    room = max(1, height - len(head) - 2)
    new = len(story) - len(step.lines)
    shown = [Text(line, style="bold" if at >= new else "dim") for at, line in enumerate(story)][-room:]
    shown += [Text("")] * (room - len(shown))
    foot = f"{index + 1}/{len(steps)}   {KEYS}"
    lines = [*(Text(line) for line in head), *shown, Text(""), Text(foot, style="dim")]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Group(*lines[-height:])


def _table(names: Sequence[str], position: Position) -> list[str]:
    """Return a line for each seat, in order of play: a mark if it is in turn, its dice, its bid."""
    longest = max(map(len, names))
    return [
        f"{'▶' if seat in _awaited(position) else ' '} {names[seat]:{longest}}  "
        f"{'●' * position.dice[seat] or 'out':7}{_claim(position, seat)}".rstrip()
        for seat in position.order
    ]


def _awaited(position: Position) -> tuple[Player, ...]:
    if position.turn is not None:
        return (position.turn,)
    return position.rolling or ((position.owner,) if position.choices and position.owner is not None else ())


def _claim(position: Position, seat: Player) -> str:
    if seat == position.passer:
        return "pass"
    if seat == position.bidder and position.standing is not None:
        return f"{position.standing}  {bid_in_words(*position.standing)}"
    return "wins" if seat == position.winner else ""


def _opens(steps: NamedSteps, index: int) -> bool:
    """Return whether a round begins at a step."""
    return steps[index][1].position.number != steps[index - 1][1].position.number
