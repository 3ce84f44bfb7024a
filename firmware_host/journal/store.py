"""The journal's file: SQLite in WAL mode with `synchronous=FULL`, one transaction a record, its owner's alone.

For `journal.Journal`, on whose thread all of it runs. What cannot be done raises `JournalError`; what then happens is
the journal's business.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from firmware_host.journal import records
from firmware_host.journal.errors import NEW_FILE, JournalError, NewerJournalError, journal_error
from firmware_host.journal.quarantine import LOG_SUFFIXES, is_log_damaged, set_aside_orphans
from firmware_host.journal.schema import EXPORTED, OPEN, OVER, SCHEMA, digest, migrate, shrink, version
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import Alert
from firmware_host.table.scenes.scene import Scene

BUSY_TIMEOUT_S = 1.0
"""How long a record waits for another program to let go of the file."""
MAX_EXPORTED_MATCHES = 5
"""So many exported matches stay in the file, the newest."""
MAX_WAITING_MATCHES = 100
"""So many that could not be exported wait there for it, the newest."""
_LOG_BYTES = 1 << 20
_SMALLEST_BYTES = 512
"""A file below SQLite's smallest page, which it would take for a new one."""
_SPARE_PAGES = 1024
"""Pages that nothing uses any more: with more of them the file is made smaller."""


class StateRow(NamedTuple):
    """Where the evening stands, as it is kept."""

    game: str | None
    scene: str
    body: bytes
    heard: str


class MatchLogEntry(NamedTuple):
    """What a record told of a match: the first one has the `day`, the one that ends it is `won`."""

    match: str
    events: bytes
    day: str = ""
    won: bool = False


class MatchLog(NamedTuple):
    """A match of the journal: when it began, and what was told in it so far."""

    name: str
    day: str
    lines: Sequence[MatchLogEntry]

    def told(self) -> list[PublicEvent]:
        """All that the room heard of it."""
        return [event for line in self.lines for event in records.decode_events(line.events)]


@dataclass(frozen=True)
class Snapshot:
    """What a journal says when it is opened; `match` is the one that its scene belongs to."""

    scene: Scene | None = None
    heard: Mapping[str, int] = field(default_factory=dict)
    match: MatchLog | None = None


class JournalFile:
    """One file. Closed until `open`; a file that was not there is made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None
        self._inode = 0
        self._game: str | None = None  # of the position that was put last

    @property
    def is_open(self) -> bool:
        """Whether records can be tried."""
        return self._db is not None

    def open(self) -> Snapshot:
        """Open it, make it one of this version, and read where the evening stands.

        It is looked at first without being written: what turns out damaged, or newer, stays as it was found.
        """
        with self._told("opened"):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            set_aside_orphans(self.path)
        is_new = not self.path.exists()
        try:
            return self._looked_at_and_opened(is_new)
        except BaseException:
            if is_new:  # what could not be begun is no damaged journal the next time
                with suppress(OSError):
                    self.path.unlink()
            raise

    def _looked_at_and_opened(self, is_new: bool) -> Snapshot:
        with self._told("opened"):
            self._make_its_owners(is_new)
            with closing(
                sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)
            ) as db:
                before = self._inspected(db)
                kept = _kept(db) if before == SCHEMA else None
            db = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY_TIMEOUT_S)
        try:
            with self._told("opened"):
                self._prepare(db, before)
                kept = kept or _kept(db)
        except BaseException:
            with suppress(sqlite3.Error):
                db.close()
            raise
        self._db = db
        return kept

    def put(self, position: StateRow, lines: Sequence[MatchLogEntry], *, anew: bool = False) -> None:
        """Make a position durable, and what was told on the way to it: all of it or nothing.

        If it is said `anew`, the lines are all there are of the position's match, whatever stands there of it.
        """
        with self._transaction("written") as db:
            if anew:
                _take_out(db, "SELECT id FROM matches WHERE name IS ?", position.game)
            told = (*position, digest(*position))
            db.execute("REPLACE INTO position (id, game, scene, body, heard, digest) VALUES (1, ?, ?, ?, ?, ?)", told)
            for line in lines:
                _put_line(db, line)
            won = any(line.won for line in lines if line.match == position.game)
            if won or position.game != self._game:
                ended = "UPDATE matches SET state = ? WHERE state = ? AND (? OR name IS NOT ?)"
                db.execute(ended, (OVER, OPEN, won, position.game))
        self._game = position.game

    def over(self) -> list[tuple[int, MatchLog | None]]:
        """The matches that are over or broken off and not exported yet, by number; None for one that is damaged."""
        with self._told("read"):
            rows = "SELECT id, name, day, digest FROM matches WHERE state = ? ORDER BY id"
            return [(row[0], self._whole(row)) for row in self._opened.execute(rows, (OVER,)).fetchall()]

    def exported(self, numbers: Sequence[int]) -> None:
        """These matches are safe elsewhere. What the stated rule has no place for any more is taken out."""
        with self._transaction("written") as db:
            db.executemany("UPDATE matches SET state = ? WHERE id = ?", [(EXPORTED, number) for number in numbers])
            for state, limit in ((EXPORTED, MAX_EXPORTED_MATCHES), (OVER, MAX_WAITING_MATCHES)):
                old = "SELECT id FROM matches WHERE state = ? ORDER BY id DESC LIMIT -1 OFFSET ?"
                _take_out(db, old, state, limit)

    def checkpoint(self) -> None:
        """Bring what is in the write-ahead log into the file, so that the log begins anew and stays small."""
        with suppress(sqlite3.Error):  # the log holds it as well as the file would
            self._opened.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def close(self) -> None:
        """Close it; what `put` has returned from is in it."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):  # nothing was left to write
                db.close()

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(self.path, "is closed", "try again", Alert.DISK_FAILS)
        return self._db

    def _inspected(self, db: sqlite3.Connection) -> int:
        """The schema of a file of which this version can make something."""
        if is_log_damaged(Path(f"{self.path}-wal")):
            raise JournalError(self.path, "its log is damaged", NEW_FILE)
        before = version(db)
        if before > SCHEMA:
            problem = f"written by a newer dudo-table (schema {before}, this one knows {SCHEMA})"
            raise NewerJournalError(self.path, problem, "update dudo-table")
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise JournalError(self.path, "is damaged", NEW_FILE)
        return before

    def _prepare(self, db: sqlite3.Connection, before: int) -> None:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=0")  # in a commit it would keep a press waiting
        db.execute(f"PRAGMA journal_size_limit={_LOG_BYTES}")
        if before < SCHEMA:  # else nothing is written: the first panel waits for the disk
            migrate(db, before)
        (spare,) = db.execute("PRAGMA freelist_count").fetchone()
        if spare > _SPARE_PAGES:
            shrink(db)

    def _make_its_owners(self, is_new: bool) -> None:
        descriptor = os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_NONBLOCK, 0o600)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise JournalError(self.path, "is no file", NEW_FILE)
            os.fchmod(descriptor, 0o600)
            for suffix in LOG_SUFFIXES:  # brought back from elsewhere, the dice are in them as well
                with suppress(FileNotFoundError):
                    os.chmod(f"{self.path}{suffix}", 0o600)
            if not is_new and found.st_size < _SMALLEST_BYTES:
                raise JournalError(self.path, "was cut short", NEW_FILE)
            self._inode = found.st_ino
        finally:
            os.close(descriptor)

    def _whole(self, row: tuple[int, str, str, bytes]) -> MatchLog | None:
        try:
            return _played(self._opened, row)
        except records.RecordError:
            return None

    @contextmanager
    def _transaction(self, done: str) -> Iterator[sqlite3.Connection]:
        db = self._opened
        with self._told(done):
            if not self.path.exists() or self.path.stat().st_ino != self._inode:
                raise JournalError(self.path, "was taken away", "leave it where it is")
            try:
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    with suppress(sqlite3.Error):
                        db.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self, done: str) -> Iterator[None]:
        """Whatever is wrong is told as `JournalError`."""
        try:
            yield
        except JournalError:
            raise
        except records.RecordError as error:
            raise JournalError(self.path, f"cannot be read: {error}", NEW_FILE) from error
        except (OSError, sqlite3.Error) as error:
            raise journal_error(self.path, done, error) from error
        except (TypeError, ValueError, OverflowError) as error:  # rows of other shapes than any version wrote
            raise JournalError(self.path, f"is damaged: {error}", NEW_FILE) from error


def _put_line(db: sqlite3.Connection, line: MatchLogEntry) -> None:
    if line.day:
        begun = (line.match, line.day)
        db.execute("INSERT INTO matches (name, day, digest) VALUES (?, ?, ?)", (*begun, digest(*begun)))
    (number,) = db.execute("SELECT max(id) FROM matches WHERE name = ?", (line.match,)).fetchone()
    if number is not None:  # else nobody knows how it began
        told = (number, line.events)
        db.execute("INSERT INTO told (match, events, digest) VALUES (?, ?, ?)", (*told, digest(*told)))


def _take_out(db: sqlite3.Connection, which: str, *values: object) -> None:
    """Take out the matches that the query `which` finds."""
    db.execute(f"DELETE FROM told WHERE match IN ({which})", values)
    db.execute(f"DELETE FROM matches WHERE id IN ({which})", values)


def _kept(db: sqlite3.Connection) -> Snapshot:
    row = db.execute("SELECT game, scene, body, heard, digest FROM position").fetchone()
    if row is None:
        return Snapshot()
    *position, told = row
    if told != digest(*position):
        raise records.RecordError("its last record has changed")
    game, scene, body, heard = position
    begun = "SELECT id, name, day, digest FROM matches WHERE name = ? ORDER BY id DESC LIMIT 1"
    match = db.execute(begun, (game,)).fetchone()
    played = None if match is None else _played(db, match)
    if played is not None:
        played.told()  # what can't be read must show before anything rests on it
    return Snapshot(records.decode_scene(scene, body), records.decode_last_events(heard), played)


def _played(db: sqlite3.Connection, row: tuple[int, str, str, bytes]) -> MatchLog:
    number, name, day, told = row
    if told != digest(name, day):
        raise records.RecordError("the name of a match has changed")
    lines: list[MatchLogEntry] = []
    for body, told in db.execute("SELECT events, digest FROM told WHERE match = ? ORDER BY id", (number,)):
        if told != digest(number, body):
            raise records.RecordError(f"the events of match {name} have changed")
        lines.append(MatchLogEntry(name, body, "" if lines else day))
    return MatchLog(name, day, lines)
