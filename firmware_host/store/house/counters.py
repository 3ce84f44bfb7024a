"""Table counters in a row of `house.sqlite`: matches, calls, hours, starts.

`daemon.counters` keeps the row, *Figures* in the staff menu and `dudo-table staff figures` show it, the doctor checks
it, and `database` takes it along when it rebuilds the file. A count never depends on a hidden die.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date
from pathlib import Path
from stat import S_ISREG
from typing import Annotated

import msgspec
from msgspec.structs import replace

from firmware_host.table.events import PublicEvent, Revealed, RoundBegan
from firmware_host.util import state_dir
from firmware_host.util.system_error import reason_of, sqlite_code
from firmware_host.wire import Left, MatchBegan, MatchReopened, MatchWon
from hardware.config import toml_file
from hardware.config.problems import FileError, Problem

FILE = "house.sqlite"
OLD_FILE = "counters.toml"
"""The file of older versions; `write` removes it once its counts are in `house.sqlite`."""
MAX_BYTES = 4096
"""Bytes of the old file; it has some 500."""
LOCKED_S = 5.0
"""Seconds to wait for another process writing the file."""
FILE_MODE = 0o640
MAX_COUNT = 10**10
"""The highest count; as seconds it is 300 years."""

Natural = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]


class Count(msgspec.Struct, frozen=True):
    """A count, and its first day."""

    count: Natural
    since: date

    def plus(self, more: int) -> "Count":
        """Return it with more; never below zero."""
        return replace(self, count=min(max(0, self.count + more), MAX_COUNT))


class Tally(msgspec.Struct, frozen=True):
    """One match's share in the counts: its revealed calls, and whether it has a winner.

    If an end does not stand, its round is void, and so is the call that ended the match, as in `house.facts`.
    """

    match: Annotated[str, msgspec.Meta(max_length=64)] = ""
    calls: Natural = 0
    is_won: bool = False
    by_call: bool = False  # whether its last call ended the match

    def after(self, event: PublicEvent) -> "Tally":
        """Return the tally after an event; it starts anew with each match."""
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
    """Return a match's tally after these events."""
    tally = Tally()
    for event in events:
        tally = tally.after(event)
    return tally


class Counters(msgspec.Struct, frozen=True):
    """All of a table's counts. `seconds` is its time switched on; `crashes` are starts without an orderly stop before.

    `last` is the current or last match's share in the counts, so that a kill can't count it twice.
    """

    matches: Count
    calls: Count
    seconds: Count
    starts: Count
    crashes: Natural = 0
    is_on: bool = False  # false only between an orderly stop and the next start
    last: Tally = Tally()

    def caught_up(self, tally: Tally) -> "Counters":
        """Return the counts with the missing part of a match's tally added."""
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
        """Return the counts with one, given by field name, at 0 since today."""
        fresh = replace(self, **{name: Count(0, today)})
        return replace(fresh, crashes=0) if name == "starts" else fresh


def nothing(today: date) -> Counters:
    """Return the counts of a new table."""
    none = Count(0, today)
    return Counters(none, none, none, none)


# The file

_TABLE = "CREATE TABLE IF NOT EXISTS counters(kept TEXT)"
_REMEDY = "all counts begin again at 0; the daemon keeps this file as {}"
_MAX_ATTEMPTS = 3
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # the last: other columns


class CountersError(FileError):
    """An unusable counters file."""


def read(state: Path) -> Counters | None:
    """Return the counters in the state folder, or None. Blocks.

    Raises `CountersError` for a damaged file, and `OSError` for a currently unreadable one.
    """
    house = _row(state / FILE)
    return _old(state / OLD_FILE) if house is None else house


def write(counters: Counters, state: Path) -> None:
    """Save the counters in the state folder, in a new file if it is damaged. Blocks; raises `OSError`."""
    file, kept = state / FILE, msgspec.json.encode(counters).decode()
    for _ in range(_MAX_ATTEMPTS):
        try:
            _put(file, kept)
        except sqlite3.Error as error:
            if _is_damage(error):
                set_aside(file)
            elif getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_READONLY_DBMOVED:  # another took its place
                raise OSError(errno.EIO, reason_of(error)) from error
        else:
            (state / OLD_FILE).unlink(missing_ok=True)
            return
    raise OSError(errno.EIO, "another program replaces it again and again")


def set_aside(file: Path) -> None:
    """Rename an unusable file. Blocks; raises `OSError`."""
    file.replace(damaged_name(file))
    file.with_name(f"{file.name}-journal").unlink(missing_ok=True)  # SQLite would play it into the next file


def damaged_name(file: Path) -> Path:
    """Return an unusable file's new name; the next one replaces it."""
    return file.with_suffix(".damaged")


@contextmanager
def taken_along(file: Path) -> Iterator[bytes | None]:
    """Yield the row of counters, or None, for `put_back` into this file's replacement.

    The file is locked meanwhile. A damaged one is set aside. Raises `sqlite3.Error` or `OSError`.
    """
    if file.name != FILE or not file.exists():  # figures under names have no counters, and are not to be kept
        yield None
        return
    with closing(sqlite3.connect(file, isolation_level=None, timeout=LOCKED_S)) as house:
        kept = None
        try:
            house.execute("BEGIN EXCLUSIVE")
            kept = _text(house)
        except sqlite3.Error as error:
            if sqlite_code(error) == sqlite3.SQLITE_READONLY:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS)) from error
            if not _is_damage(error):
                raise
            set_aside(file)
        yield kept


def put_back(house: sqlite3.Connection, kept: bytes | None) -> None:
    """Insert the row of counters into a new file, unless the daemon has written a later one there."""
    if kept is not None:
        house.execute(_TABLE)
        house.execute("INSERT INTO counters SELECT CAST(? AS TEXT) WHERE NOT EXISTS (SELECT 1 FROM counters)", (kept,))


def _put(file: Path, kept: str) -> None:
    state_dir.create_file(file, FILE_MODE)
    with closing(sqlite3.connect(file, isolation_level=None, timeout=LOCKED_S)) as house:
        house.execute("BEGIN IMMEDIATE")
        house.execute(_TABLE)
        house.execute("DELETE FROM counters")
        house.execute("INSERT INTO counters VALUES (?)", (kept,))
        house.execute("COMMIT")


def _row(file: Path) -> Counters | None:
    with suppress(FileNotFoundError):
        if not S_ISREG(file.lstat().st_mode):
            raise _damaged(file, "is not a file")
        file.open("rb").close()  # says why it can't be read, which SQLite does not
        try:
            with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=LOCKED_S)) as house:
                text = _text(house)
            return None if text is None else msgspec.json.decode(text, type=Counters)
        except sqlite3.Error as error:
            if not _is_damage(error):
                raise OSError(errno.EIO, reason_of(error)) from error
            raise _damaged(file, f"is damaged: {error}") from error
        except msgspec.DecodeError as error:
            raise _damaged(file, f"has damaged counters: {error}") from error
    return None


def _text(house: sqlite3.Connection) -> bytes | None:
    house.text_factory = bytes  # it may be no UTF-8
    if not house.execute("SELECT 1 FROM sqlite_master WHERE name = 'counters'").fetchone():
        return None
    row = house.execute("SELECT CAST(kept AS TEXT) FROM counters").fetchone()
    return None if row is None else row[0] or b""


def _old(path: Path) -> Counters | None:
    if not path.exists() and not path.is_symlink():
        return None
    try:
        text = toml_file.read(path, CountersError, "file of counters", (), max_bytes=MAX_BYTES)
        return msgspec.convert(toml_file.table(text, str(path), CountersError), Counters)
    except CountersError as error:
        remedy = _REMEDY.format(damaged_name(path).name)
        faults = [Problem(fault.key, fault.value, fault.message, remedy) for fault in error.problems]
        raise CountersError(str(path), faults) from error
    except msgspec.ValidationError as error:
        raise _damaged(path, f"is damaged: {error}") from error


def _is_damage(error: sqlite3.Error) -> bool:
    """Return whether the file is at fault, rather than the disk or another program."""
    return sqlite_code(error) in _DAMAGE


def _damaged(path: Path, message: str) -> CountersError:
    return CountersError(str(path), [Problem("", "", message, _REMEDY.format(damaged_name(path).name))])
