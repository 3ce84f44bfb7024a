"""Events waiting for a venue's confirmation, and the bridge's read position in the table's journal, in an SQLite file.

An event and the position behind it are one transaction. If a power cut takes the last ones, the bridge reads them again
from the table's journal. So no transaction waits for the disk.

An event's epoch is the name of the table's journal. When the table or this file continues from an older state, the same
numbers come again for other events. Those get their own epoch: the journal's name with a random suffix.
"""

import logging
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from firmware_host.clients.bridge.topics import Seen, digest_of, journal_of
from firmware_host.public.reader import ReadPosition

SCHEMA = 2
MAX_EVENTS = 20_000
"""Maximum number of events waiting for a venue: some 200 matches. Beyond it the oldest are deleted."""
MAX_RESULTS = 2_000
_SLACK = 500
"""Excess rows before the oldest are deleted, so that this does not happen at each event."""
_CREATE = f"""
PRAGMA user_version = {SCHEMA};
CREATE TABLE rows(number INTEGER PRIMARY KEY AUTOINCREMENT, epoch TEXT, seq INTEGER, topic TEXT, body BLOB,
    gap INTEGER);
CREATE INDEX by_seq ON rows(epoch, seq);
CREATE TABLE state(instance TEXT, epoch TEXT, seq INTEGER, acked INTEGER, match BLOB, last_epoch TEXT,
    last_seq INTEGER, newest TEXT, machine TEXT);
"""
_MIGRATE = {
    1: """
ALTER TABLE state ADD COLUMN newest TEXT;
ALTER TABLE state ADD COLUMN machine TEXT;
UPDATE state SET newest = '', machine = '';
PRAGMA user_version = 2;
"""
}
"""SQL to upgrade each schema version to the next."""

log = logging.getLogger(__name__)


class Row(NamedTuple):
    """A waiting message: an event or a match result. A `gap` marks events before it as lost for good."""

    number: int
    epoch: str
    seq: int
    topic: str
    body: bytes
    gap: int


class EventOutbox:
    """The rows in `file`; a damaged file is made again. Raises `OSError` and `sqlite3.Error` for disk failures.

    `machine` identifies this computer. A file from another one is a copy, and its original may still be in use.
    """

    def __init__(self, file: Path, machine: str = "") -> None:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._file = _opened(file)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            aside = file.with_name(f"{file.stem}.damaged{file.suffix}")
            log.warning("%s: %s; it is now %s, and the table's journal is read again", file, error, aside.name)
            for suffix in ("-wal", "-shm"):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            file.replace(aside)
            self._file = _opened(file)
        state = self._file.execute("SELECT * FROM state").fetchone()
        instance, epoch, seq, self._acked, self._match, last_epoch, last_seq, self._newest, made_at = state
        self.instance = f"{instance}{machine}"
        """This bridge's unique name."""
        self._last = (last_epoch, last_seq)  # of the latest added event
        self.position = None if epoch is None else ReadPosition(epoch, seq)
        """The last event read from the table; None before the first state."""
        if machine and made_at != machine:
            self._file.execute("UPDATE state SET machine = ?", (machine,))
            if made_at and self.position is not None:
                log.warning("%s: is the copy of another computer; its events go on under another epoch", file)
                self.begin_epoch()
        self._counts = dict(self._file.execute("SELECT topic, count(*) FROM rows GROUP BY topic"))
        self._tried = 0  # the last row sent by this process

    @property
    def match(self) -> bytes:
        """The bridge's facts about the current match."""
        return bytes(self._match)

    @match.setter
    def match(self, kept: bytes) -> None:
        if kept != self._match:
            self._file.execute("UPDATE state SET match = ?", (kept,))
            self._match = kept

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._file.execute("UPDATE state SET acked = ?", (self._acked,))
        self._file.close()

    def note_position(self, position: ReadPosition | None) -> None:
        """Note the read position of a line without an event."""
        if position != self.position:
            self._file.execute("UPDATE state SET epoch = ?, seq = ?", position or (None, None))
            self.position = position

    def epoch_of(self, journal: str) -> str:
        """Return the current epoch for events read from a journal."""
        return self._newest if journal_of(self._newest) == journal else journal

    def begin_epoch(self) -> None:
        """Begin an epoch with the next event, because its number was used before."""
        if self.position is not None:
            self._set_newest(f"{self.position.journal}-{secrets.token_hex(4)}")

    def rename_epoch(self, epoch: str, first: int) -> bool:
        """Move an epoch's events from this number on into a new epoch; return whether there are any.

        The venue has other events under their numbers.
        """
        found = self._file.execute("SELECT min(seq) FROM rows WHERE epoch = ? AND seq >= ?", (epoch, first)).fetchone()
        if found[0] is None:
            return False
        self._rename(epoch, f"{journal_of(epoch)}-{secrets.token_hex(4)}", first, found[0])
        return True

    def _rename(self, epoch: str, other: str, first: int, gap: int | None = None) -> None:
        """Move an epoch's events from `first` on into another one; number `gap` follows a gap."""
        with self._file:
            self._file.execute("BEGIN")
            self._file.execute("UPDATE rows SET epoch = ?, gap = gap OR seq = ? WHERE epoch = ? AND seq >= ?",
                               (other, gap, epoch, first))  # fmt: skip
            if self._last[0] == epoch:
                self._file.execute("UPDATE state SET last_epoch = ?", (other,))
        if self._last[0] == epoch:
            self._last = (other, self._last[1])
        if self.position is not None and epoch == self.epoch_of(self.position.journal):
            self._set_newest(other)

    def _set_newest(self, epoch: str) -> None:
        self._file.execute("UPDATE state SET newest = ?", (epoch,))
        self._newest = epoch

    def add(self, position: ReadPosition, messages: Sequence[tuple[str, bytes]]) -> None:
        """Add the event's messages at this position, as (topic, body) pairs."""
        epoch, seq = self.epoch_of(position.journal), position.seq
        gap = self._last != (epoch, seq - 1)
        with self._file:
            self._file.execute("BEGIN")
            for topic, body in messages:
                self._file.execute("INSERT INTO rows VALUES (NULL, ?, ?, ?, ?, ?)", (epoch, seq, topic, body, gap))
            self._file.execute(
                "UPDATE state SET epoch = ?, seq = ?, acked = ?, last_epoch = ?, last_seq = ?",
                (*position, self._acked, epoch, seq),
            )
        self.position, self._last = position, (epoch, seq)
        for topic, _ in messages:
            self._counts[topic] = self._counts.get(topic, 0) + 1
        for topic, most in (("event", MAX_EVENTS), ("result", MAX_RESULTS)):
            if self._counts.get(topic, 0) > most + _SLACK:
                self._delete_oldest(topic, most)

    def after(self, number: int, limit: int) -> list[Row]:
        """Return the rows after this number, oldest first."""
        found = self._file.execute("SELECT * FROM rows WHERE number > ? ORDER BY number LIMIT ?", (number, limit))
        return [Row(*row) for row in found]

    def is_first(self, row: Row, seen: Seen | None = None) -> bool:
        """Return whether the venue, by its confirmations and its latest message, has everything before this event."""
        epoch, seq = (seen.epoch, seen.seq) if seen else ("", -1)
        lacks = "NOT (epoch = ? AND seq = ?) AND NOT (epoch = ? AND seq <= ?)"
        earlier = f"SELECT 1 FROM rows WHERE number < ? AND {lacks} LIMIT 1"
        return self._file.execute(earlier, (row.number, row.epoch, row.seq, epoch, seq)).fetchone() is None

    @property
    def acked(self) -> int:
        """The last row acknowledged by a broker."""
        return int(self._acked)

    def note_sending(self, number: int) -> None:
        """Note that rows up to this one are being sent. The venue may confirm them before the broker acknowledges."""
        self._tried = max(self._tried, number)

    def ack(self, number: int) -> None:
        """Note the broker's acknowledgement up to this row. The next event's transaction saves it."""
        self._acked = max(self._acked, number)

    def confirm(self, seen: Seen) -> bool:
        """Delete the rows up to this confirmed event. Return whether there were any.

        Only rows sent by this process qualify: an older message may be about other events with the same numbers.
        """
        found = self._event(seen.epoch, seen.seq)
        if found is None or found[0] > self._tried or (seen.digest and digest_of(found[1]) != seen.digest):
            return False
        self._delete(found[0])
        return True

    def adopt(self, seen: Seen) -> None:
        """Continue after the venue's last event, where a deleted outbox left off."""
        journal = journal_of(seen.epoch)
        found = self._event(journal, seen.seq)
        if found is not None and seen.digest == digest_of(found[1]):
            self._delete(found[0])
            if seen.epoch != journal:
                self._rename(journal, seen.epoch, seen.seq + 1)

    def _event(self, epoch: str, seq: int) -> tuple[int, bytes] | None:
        """Return a waiting event's row number and body."""
        chosen = "SELECT number, body FROM rows WHERE epoch = ? AND seq = ? AND topic = 'event'"
        found: tuple[int, bytes] | None = self._file.execute(chosen, (epoch, seq)).fetchone()
        return found

    def _delete(self, last: int) -> None:
        with self._file:
            self._file.execute("DELETE FROM rows WHERE number <= ?", (last,))
        self._counts = dict(self._file.execute("SELECT topic, count(*) FROM rows GROUP BY topic"))

    def __len__(self) -> int:
        return sum(self._counts.values())

    def _delete_oldest(self, topic: str, most: int) -> None:
        count = self._counts[topic] - most
        log.warning("the venue has not confirmed %d messages (%s): the oldest are deleted", self._counts[topic], topic)
        oldest = "SELECT number FROM rows WHERE topic = ? ORDER BY number LIMIT ?"
        self._file.execute(f"DELETE FROM rows WHERE number IN ({oldest})", (topic, count))
        if topic == "event":
            self._file.execute(f"UPDATE rows SET gap = 1 WHERE number IN ({oldest})", (topic, 1))
        self._counts[topic] = most


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, timeout=1.0)
    try:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        version = file.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            file.executescript(_CREATE)
            file.execute("INSERT INTO state VALUES (?, NULL, NULL, 0, x'', '', -1, '', '')", (secrets.token_hex(4),))
        elif version in _MIGRATE:
            file.executescript(_MIGRATE[version])
        elif version != SCHEMA or file.execute("SELECT count(*) FROM state").fetchone() != (1,):
            raise sqlite3.DatabaseError(f"has schema {version}, this program knows {SCHEMA}")
    except BaseException:
        file.close()
        raise
    return file
