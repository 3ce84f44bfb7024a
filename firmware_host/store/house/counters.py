"""The counts that a table keeps in `counters.toml` of the state folder: matches, calls, the time it was on, its starts.

`daemon.counters` keeps the file, *Figures* of the staff menu and `dudo-table staff figures` show it, the doctor checks
it. Pure but for `read`, `write` and `set_aside`. A count never depends on a die that was not shown.
"""

import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import replace

from firmware_host.table.events import Left, MatchBegan, MatchReopened, MatchWon, PublicEvent, Revealed, RoundBegan
from firmware_host.util import atomic_file
from hardware.config import toml_file
from hardware.config.problems import FileError, Problem

FILE = "counters.toml"
DAMAGED_FILE = "counters.damaged"
"""The name that a file gets which can't be read; the next one takes its place."""
MAX_BYTES = 4096
"""Bytes of the file; it has some 500."""
MAX_COUNT = 10**10
"""The highest count; as seconds it is 300 years."""

Natural = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]


class Count(msgspec.Struct, frozen=True):
    """A count, and the day since which it counts."""

    count: Natural
    since: date

    def plus(self, more: int) -> "Count":
        """Return it with more; never less than nothing."""
        return replace(self, count=min(max(0, self.count + more), MAX_COUNT))


class Tally(msgspec.Struct, frozen=True):
    """The share of one match in the counts: its calls that were revealed, and whether somebody has won it.

    The round of an end that does not stand is void, and so is the call that ended the match, as in `house.facts`.
    """

    match: Annotated[str, msgspec.Meta(max_length=64)] = ""
    calls: Natural = 0
    is_won: bool = False
    by_call: bool = False  # nothing but the end of the match has followed its last call

    def after(self, event: PublicEvent) -> "Tally":
        """Return the tally after an event: that of another match once one begins."""
        match event:
            case MatchBegan(match):
                return Tally(match)
            case Revealed():  # a call that is taken back never comes so far
                return replace(self, calls=self.calls + 1, by_call=True)
            case RoundBegan() | Left() if not self.is_won:
                return replace(self, by_call=False)
            case MatchWon():
                return replace(self, is_won=True)
            case MatchReopened():  # always the last match
                void = self.is_won and self.by_call
                return replace(self, calls=max(0, self.calls - void), is_won=False, by_call=False)
        return self


def tally_of(events: Iterable[PublicEvent]) -> Tally:
    """Return the tally of a match after these events."""
    tally = Tally()
    for event in events:
        tally = tally.after(event)
    return tally


class Counters(msgspec.Struct, frozen=True):
    """All counts of a table. `seconds` is the time that it was on; `crashes` are the starts after no orderly stop.

    `last` is what the match that is played, or the last one, has in the counts: so nothing counts twice after a kill.
    """

    matches: Count
    calls: Count
    seconds: Count
    starts: Count
    crashes: Natural = 0
    is_on: bool = False  # false only between an orderly stop and the next start
    last: Tally = Tally()

    def caught_up(self, tally: Tally) -> "Counters":
        """Return the counts with what a match has by now and they have not."""
        before = self.last if self.last.match == tally.match else Tally(tally.match)
        return replace(
            self,
            matches=self.matches.plus(tally.is_won - before.is_won),
            calls=self.calls.plus(tally.calls - before.calls),
            last=tally,
        )

    def after(self, event: PublicEvent) -> "Counters":
        """Return the counts after an event."""
        tally = self.last.after(event)
        return self if tally is self.last else self.caught_up(tally)

    def started(self) -> "Counters":
        """Return the counts after a start."""
        return replace(self, starts=self.starts.plus(1), crashes=self.crashes + self.is_on, is_on=True)

    def reset(self, name: str, today: date) -> "Counters":
        """Return the counts with one of them, a field's name, at 0 since today."""
        fresh = replace(self, **{name: Count(0, today)})
        return replace(fresh, crashes=0) if name == "starts" else fresh


def nothing(today: date) -> Counters:
    """Return the counts of a table that has counted nothing yet."""
    none = Count(0, today)
    return Counters(none, none, none, none)


# The file

_REMEDY = f"all counts begin again at 0; the daemon keeps this file as {DAMAGED_FILE}"


class CountersError(FileError):
    """A file of counters that can't be used."""


def read(state: Path) -> Counters | None:
    """Return the counters in the state folder, None if there are none. Blocks; raises `CountersError`."""
    path = state / FILE
    if not path.exists() and not path.is_symlink():
        return None
    try:
        text = toml_file.read(path, CountersError, "file of counters", (), max_bytes=MAX_BYTES)
        return msgspec.convert(toml_file.table(text, str(path), CountersError), Counters)
    except CountersError as error:
        faults = [Problem(fault.key, fault.value, fault.message, _REMEDY) for fault in error.problems]
        raise CountersError(str(path), faults) from error
    except msgspec.ValidationError as error:
        raise CountersError(str(path), [Problem("", "", f"is damaged: {error}", _REMEDY)]) from error


def write(counters: Counters, state: Path) -> None:
    """Keep the counters in the state folder. Blocks; raises `OSError`."""
    last = counters.last
    lines = [
        "# What the table counts: sudo dudo-table staff figures",
        f"crashes = {counters.crashes}",
        f"is_on = {str(counters.is_on).lower()}",
        *(
            f"{name} = {{ count = {count.count}, since = {count.since} }}"
            for name in ("matches", "calls", "seconds", "starts")
            if isinstance(count := getattr(counters, name), Count)
        ),
        f"last = {{ match = {json.dumps(last.match)}, calls = {last.calls}, is_won = {str(last.is_won).lower()}, "
        f"by_call = {str(last.by_call).lower()} }}",
    ]
    atomic_file.write_atomic(state / FILE, "\n".join(lines) + "\n")


def set_aside(state: Path) -> None:
    """Rename a file that can't be used. Blocks; raises `OSError`."""
    (state / FILE).replace(state / DAMAGED_FILE)
