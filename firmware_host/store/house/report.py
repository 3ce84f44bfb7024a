"""Match statistics as terminal tables, as JSON and as CSV, and a progress bar while matches are read."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from io import StringIO
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import track
from rich.table import Table
from rich.text import Text

from firmware_host.public.narration import bid_in_words
from firmware_host.store.house.figures import Figures, PlayerFigures
from firmware_host.util.counted import counted
from hardware.config.problems import escaped

NAMED_PLAYERS = 12
"""The players in the table of the terminal. JSON and CSV have all."""


MIN_FILES_WITH_BAR = 200
"""Minimum number of files for a progress bar: fewer take a quarter of a second."""


def progress(names: Sequence[str]) -> Iterator[str]:
    """Yield file names, with a progress bar on stderr if there are many."""
    few = len(names) < MIN_FILES_WITH_BAR
    yield from track(names, "Reading matches", console=Console(stderr=True), transient=True, disable=few)


def tables(figures: Figures) -> Iterator[RenderableType]:
    """Yield the terminal's tables and texts."""
    days = " to ".join(dict.fromkeys((figures.first_day, figures.last_day)))
    broken_off = f", {figures.broken_off} of them broken off" if figures.broken_off else ""
    yield Text(f"{counted(figures.matches, 'match', 'matches')}{broken_off}, {days}")
    yield ""
    yield _player_table(figures)
    if len(figures.players) > NAMED_PLAYERS:
        yield f"and {len(figures.players) - NAMED_PLAYERS} more: --csv has all"
    yield ""
    yield _rules_table(figures)
    if told := list(_told(figures)):
        yield ""
        yield from told


def as_json(figures: Figures) -> str:
    """Return all statistics as a JSON object."""
    parts = asdict(figures)
    for name in ("rules", "players", "robots", "bluffs"):
        parts[name] = [one._asdict() for one in getattr(figures, name)]
    for name in ("longest", "shortest"):
        length = getattr(figures, name)
        parts[name] = length and length._asdict()
    return json.dumps(parts, indent=2, ensure_ascii=False)


def as_csv(figures: Figures) -> str:
    """Return people's and robots' statistics as CSV with a heading; robots have a level in place of a name."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*PlayerFigures._fields, "robot"))
    writer.writerows((*one, "") for one in figures.players)
    writer.writerows(("", *one[1:], one.name) for one in figures.robots)
    return text.getvalue()


def _player_table(figures: Figures) -> Table:
    table = _table("player", "won", "of", "share", "calls", "right", "exact", "best streak")
    for one in figures.players[:NAMED_PLAYERS]:
        table.add_row(
            escaped(one.name),
            str(one.won),
            str(one.matches),
            _percent(one.won / one.matches),
            str(one.calls),
            "" if one.share_right is None else _percent(one.share_right),
            str(one.exact_right or ""),
            str(one.best_streak or ""),
        )
    return table


def _rules_table(figures: Figures) -> Table:
    table = _table("rule set", "matches", "rounds each", "bids and calls each")
    for one in figures.rules:
        table.add_row(escaped(one.rules), str(one.matches), f"{one.rounds:.1f}", f"{one.actions:.0f}")
    return table


def _told(figures: Figures) -> Iterator[str]:
    """Yield memorable moments, a line each."""
    if bluff := next(iter(figures.bluffs), None):
        bid = bid_in_words(bluff.quantity, bluff.face)
        short = counted(bluff.missing, "die", "dice")
        yield f"Boldest bluff: {escaped(bluff.name)} bid {bid} on {bluff.day}, {short} too many, and nobody doubted"
    if best := _best(figures, lambda one: one.share_right or 0):
        share = _percent(best.share_right or 0)
        yield f"Best caller: {escaped(best.name)}, right in {share} of {best.calls} calls"
    if best := _best(figures, lambda one: one.best_streak if one.best_streak >= 2 else 0):
        yield f"Longest streak: {escaped(best.name)} won {best.best_streak} matches one after the other"
    if best := _best(figures, lambda one: one.slain):
        streaks = counted(best.slain, "streak")
        yield f"King Slayer: {escaped(best.name)} ended {streaks} of two wins or more"
    if best := _best(figures, lambda one: one.comebacks):
        wins = counted(best.comebacks, "match", "matches")
        yield f"Comeback: {escaped(best.name)} won {wins} after being down to one die"
    for robot in figures.robots:
        yield f"Robot, {escaped(robot.name)}: won {robot.won} of {counted(robot.matches, 'match', 'matches')}"
    if figures.rules:
        yield f"Favourite rule set: {escaped(figures.rules[0].rules)}"
    if figures.longest and figures.shortest:
        longest, shortest = figures.longest, figures.shortest
        least = f"{shortest.rounds} to " if shortest.rounds < longest.rounds else ""
        yield f"Length of a match: {least}{counted(longest.rounds, 'round')}, the longest on {longest.day}"


def _best(figures: Figures, worth: Callable[[PlayerFigures], float]) -> PlayerFigures | None:
    """Return the player with the greatest value, the first of equals, or None."""
    best = max(figures.players, key=worth, default=None)
    return best if best and worth(best) > 0 else None


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for place, heading in enumerate(headings):
        options: dict[str, Any] = {"justify": "right"} if place else {"overflow": "ellipsis"}
        table.add_column(heading, no_wrap=True, **options)
    return table


def _percent(share: float) -> str:
    return f"{share:.0%}"
