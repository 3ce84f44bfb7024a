"""The journal's file: SQLite in WAL mode with `synchronous=FULL`, one transaction a record, with mode 0600.

All code here runs on the thread of `journal.Journal`. Failures raise `JournalError`; the journal decides how to go on.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from firmware_host.public.line_log import LineBatch
from firmware_host.store.journal import records
from firmware_host.store.journal.errors import NEW_FILE, JournalError, NewerJournalError, journal_error
from firmware_host.store.journal.quarantine import LOG_SUFFIXES, is_log_damaged, set_aside_orphans
from firmware_host.store.journal.schema import EXPORTED, OPEN, OVER, REOPENED, SCHEMA, migrate, shrink, version
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import Alert
from firmware_host.table.scenes.scene import Scene

BUSY_TIMEOUT_S = 1.0
"""Time for which a record waits for a file locked by another program."""
MAX_EXPORTED_MATCHES = 5
"""Number of exported matches, the newest, kept in the file."""
MAX_WAITING_MATCHES = 100
"""Number of matches, the newest, kept there if they can't be exported."""
_MAX_LOG_BYTES = 1 << 20
_MIN_BYTES = 512
"""SQLite's smallest page. It takes a smaller file for a new one."""
_MAX_FREE_PAGES = 1024
"""Unused pages beyond which the file is shrunk."""


class StateRow(NamedTuple):
    """The row with the latest scene. Its fields are columns."""

    game: str | None
    scene: str
    body: bytes
    heard: str


class MatchLogEntry(NamedTuple):
    """One record's public events. A match's first entry has the `day`; one `ends` it, or `reopens` it then."""

    match: str
    events: bytes
    day: str = ""
    ends: bool = False
    reopens: bool = False


class MatchLog(NamedTuple):
    """A match's public events, and its first day."""

    name: str
    day: str
    entries: Sequence[MatchLogEntry]

    def events(self) -> list[PublicEvent]:
        """Return all events so far."""
        return [event for entry in self.entries for event in records.decode_events(entry.events)]


class Snapshot(NamedTuple):
    """A journal's content at its opening. `match` is its scene's match.

    `lines` are the published lines, None if they can't be read.
    """

    scene: Scene | None = None
    last_events: Mapping[str, int] = MappingProxyType({})
    match: MatchLog | None = None
    lines: LineBatch | None = None


class JournalFile:
    """One file. It is closed until `open`, which creates a missing one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None
        self._inode = 0
        self._game: str | None = None  # of the latest state
        self._numbering = ""  # of the lines in the file

    @property
    def is_open(self) -> bool:
        """Whether the file is open."""
        return self._db is not None

    def open(self) -> Snapshot:
        """Open the file, migrate it to this version, and return its content.

        The file is checked read-only first, to keep a damaged or newer one byte for byte.
        """
        with self._translate_errors("opened"):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            set_aside_orphans(self.path)
        is_new = not self.path.exists()
        try:
            return self._open_checked(is_new)
        except BaseException:
            if is_new:  # else it would be a damaged journal the next time
                with suppress(OSError):
                    self.path.unlink()
            raise

    def _open_checked(self, is_new: bool) -> Snapshot:
        with self._translate_errors("opened"):
            self._secure_file(is_new)
            reader = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)
        # Open until the file is known to be sound: SQLite copies the log into the file with the last connection.
        with closing(reader), self._translate_errors("opened"):
            before = self._check(reader)
            snapshot = _snapshot(reader) if before == SCHEMA else None
            db = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY_TIMEOUT_S)
            try:
                self._prepare(db, before)
                snapshot = snapshot or _snapshot(db)
            except BaseException:
                with suppress(sqlite3.Error):
                    db.close()
                raise
        self._db = db
        self._numbering = "" if snapshot.lines is None else snapshot.lines.numbering
        return snapshot

    def put(
        self,
        state: StateRow | None,
        entries: Sequence[MatchLogEntry],
        lines: LineBatch | None = None,
        *,
        replaces_match: bool = False,
    ) -> None:
        """Make a state, its events and their public lines durable, in one transaction.

        If it `replaces_match`, the entries replace all the file has for the state's match. Without a `state` there are
        only lines.
        """
        with self._transaction("written") as db:
            if lines is not None:
                self._insert_lines(db, lines)
            if state is not None:
                self._insert_state(db, state, entries, replaces_match)
        if state is not None:
            self._game = state.game
        if lines is not None:
            self._numbering = lines.numbering

    def _insert_state(
        self, db: sqlite3.Connection, state: StateRow, entries: Sequence[MatchLogEntry], replaces_match: bool
    ) -> None:
        if replaces_match:
            _delete_matches(db, "SELECT id FROM matches WHERE name IS ?", state.game)
        row = (*state, records.digest(*state))
        db.execute("REPLACE INTO position (id, game, scene, body, heard, digest) VALUES (1, ?, ?, ?, ?, ?)", row)
        for entry in entries:
            _insert_entry(db, entry)
        if state.game != self._game:
            ended = "UPDATE matches SET state = ? WHERE state IN (?, ?) AND name IS NOT ?"
            db.execute(ended, (OVER, OPEN, REOPENED, state.game))

    def _insert_lines(self, db: sqlite3.Connection, batch: LineBatch) -> None:
        if batch.replaces or batch.numbering != self._numbering:
            db.execute("DELETE FROM lines")
            named = (batch.numbering, batch.first - 1)
            named_row = (*named, records.digest(*named))
            db.execute("REPLACE INTO numbering (id, name, before, digest) VALUES (1, ?, ?, ?)", named_row)
        if batch.lines:
            lines = b"".join(batch.lines)
            row = (batch.first, lines, records.digest(batch.numbering, batch.first, lines))
            db.execute("REPLACE INTO lines (number, lines, digest) VALUES (?, ?, ?)", row)

    def finished_matches(self) -> list[tuple[int, MatchLog | None]]:
        """Return matches missing or outdated in the archive, with their row ids; None for a damaged one."""
        with self._translate_errors("read"):
            rows = "SELECT id, name, day, digest FROM matches WHERE state IN (?, ?) ORDER BY id"
            found = self._opened.execute(rows, (OVER, REOPENED)).fetchall()
            return [(row[0], self._match_or_none(row)) for row in found]

    def mark_exported(self, row_ids: Sequence[int]) -> None:
        """Mark matches as exported, and delete matches beyond the limits."""
        with self._transaction("written") as db:
            exported = "UPDATE matches SET state = CASE state WHEN ? THEN ? ELSE ? END WHERE id = ?"
            db.executemany(exported, [(REOPENED, OPEN, EXPORTED, row_id) for row_id in row_ids])
            for state, limit in ((EXPORTED, MAX_EXPORTED_MATCHES), (OVER, MAX_WAITING_MATCHES)):
                old = "SELECT id FROM matches WHERE state = ? ORDER BY id DESC LIMIT -1 OFFSET ?"
                _delete_matches(db, old, state, limit)

    def forget_lines(self, before: int) -> None:
        """Delete the rows with only line numbers below this one."""
        with self._transaction("written") as db:
            db.execute("DELETE FROM lines WHERE number < (SELECT max(number) FROM lines WHERE number <= ?)", (before,))

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the file, to keep the log small."""
        with suppress(sqlite3.Error):  # the records are as safe in the log
            self._opened.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def close(self) -> None:
        """Close the file. It has everything for which `put` has returned."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):  # the log was empty already
                db.close()

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(self.path, "is closed", "try again", Alert.DISK_FAILS)
        return self._db

    def _check(self, db: sqlite3.Connection) -> int:
        """Return a file's schema. Raises `JournalError` for one unusable by this version."""
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
        db.execute("PRAGMA wal_autocheckpoint=0")  # in a commit it would delay a press
        db.execute(f"PRAGMA journal_size_limit={_MAX_LOG_BYTES}")
        if before < SCHEMA:  # a current file is not written, as the first picture waits for this
            migrate(db, before)
        (spare,) = db.execute("PRAGMA freelist_count").fetchone()
        if spare > _MAX_FREE_PAGES:
            shrink(db)

    def _secure_file(self, is_new: bool) -> None:
        descriptor = os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_NONBLOCK, 0o600)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise JournalError(self.path, "is not a file", NEW_FILE)
            os.fchmod(descriptor, 0o600)
            for suffix in LOG_SUFFIXES:  # they have dice too, and may have been restored with another mode
                with suppress(FileNotFoundError):
                    os.chmod(f"{self.path}{suffix}", 0o600)
            if not is_new and found.st_size < _MIN_BYTES:
                raise JournalError(self.path, "was cut short", NEW_FILE)
            self._inode = found.st_ino
        finally:
            os.close(descriptor)

    def _match_or_none(self, row: tuple[int, str, str, bytes]) -> MatchLog | None:
        try:
            return _match_log(self._opened, row)
        except records.RecordError:
            return None

    @contextmanager
    def _transaction(self, action: str) -> Iterator[sqlite3.Connection]:
        db = self._opened
        with self._translate_errors(action):
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
    def _translate_errors(self, action: str) -> Iterator[None]:
        """Raise every failure as `JournalError`."""
        try:
            yield
        except JournalError:
            raise
        except records.RecordError as error:
            raise JournalError(self.path, f"cannot be read: {error}", NEW_FILE) from error
        except (OSError, sqlite3.Error) as error:
            raise journal_error(self.path, action, error) from error
        except (TypeError, ValueError, OverflowError) as error:  # rows that no version writes
            raise JournalError(self.path, f"is damaged: {error}", NEW_FILE) from error


def _insert_entry(db: sqlite3.Connection, entry: MatchLogEntry) -> None:
    if entry.day:
        match = (entry.match, entry.day)
        db.execute("INSERT INTO matches (name, day, digest) VALUES (?, ?, ?)", (*match, records.digest(*match)))
    (row_id,) = db.execute("SELECT max(id) FROM matches WHERE name = ?", (entry.match,)).fetchone()
    if row_id is not None:  # else the beginning of the match is missing
        if entry.ends or entry.reopens:
            db.execute("UPDATE matches SET state = ? WHERE id = ?", (OVER if entry.ends else REOPENED, row_id))
        row = (row_id, entry.events)
        db.execute("INSERT INTO told (match, events, digest) VALUES (?, ?, ?)", (*row, records.digest(*row)))


def _delete_matches(db: sqlite3.Connection, query: str, *values: object) -> None:
    """Delete the matches with row ids from a query."""
    db.execute(f"DELETE FROM told WHERE match IN ({query})", values)
    db.execute(f"DELETE FROM matches WHERE id IN ({query})", values)


def _snapshot(db: sqlite3.Connection) -> Snapshot:
    lines = _lines(db)
    row = db.execute("SELECT game, scene, body, heard, digest FROM position").fetchone()
    if row is None:
        return Snapshot(lines=lines)
    *state, stored_digest = row
    if stored_digest != records.digest(*state):
        raise records.RecordError("its last record has changed")
    game, scene, body, heard = state
    latest = "SELECT id, name, day, digest FROM matches WHERE name = ? ORDER BY id DESC LIMIT 1"
    match_row = db.execute(latest, (game,)).fetchone()
    match = None if match_row is None else _match_log(db, match_row)
    if match is not None:
        match.events()  # raises if they can't be read, before they are relied on
    return Snapshot(records.decode_scene(scene, body), records.decode_last_events(heard), match, lines)


def _lines(db: sqlite3.Connection) -> LineBatch | None:
    """Return the public lines, None for damaged ones: matches do not depend on them."""
    row = db.execute("SELECT name, before, digest FROM numbering").fetchone()
    if row is None or row[2] != records.digest(*row[:2]):
        return None
    name, before, _ = row
    first, lines = before + 1, list[bytes]()
    for number, text, stored_digest in db.execute("SELECT number, lines, digest FROM lines ORDER BY number"):
        if stored_digest != records.digest(name, number, text):
            return None
        if not lines and number > before:
            first = number
        if number != first + len(lines):
            return None
        lines += text.splitlines(keepends=True)
    return LineBatch(name, first, lines)


def _match_log(db: sqlite3.Connection, row: tuple[int, str, str, bytes]) -> MatchLog:
    row_id, name, day, stored_digest = row
    if stored_digest != records.digest(name, day):
        raise records.RecordError("the name of a match has changed")
    entries: list[MatchLogEntry] = []
    for body, stored_digest in db.execute("SELECT events, digest FROM told WHERE match = ? ORDER BY id", (row_id,)):
        if stored_digest != records.digest(row_id, body):
            raise records.RecordError(f"the events of match {name} have changed")
        entries.append(MatchLogEntry(name, body, "" if entries else day))
    return MatchLog(name, day, entries)
