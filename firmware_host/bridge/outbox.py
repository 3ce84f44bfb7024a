"""The events that a venue has not confirmed yet, in an SQLite file, together with how far the table has been read.

An event and the position behind it are one transaction. A power cut may take the last ones; the bridge then reads them
from the table again, whose journal has them. So no transaction waits for the disk.
"""

import logging
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from firmware_host.public.reader import ReadPosition

SCHEMA = 1
MAX_EVENTS = 20_000
"""Events that wait for a venue: some 200 matches. Beyond them the oldest are deleted."""
MAX_RESULTS = 2_000
_SLACK = 500
"""Rows over the limit at which the oldest are deleted, so that it does not happen at each event."""
_CREATE = f"""
PRAGMA user_version = {SCHEMA};
CREATE TABLE rows(number INTEGER PRIMARY KEY AUTOINCREMENT, epoch TEXT, seq INTEGER, topic TEXT, body BLOB,
    gap INTEGER);
CREATE INDEX by_seq ON rows(epoch, seq);
CREATE TABLE state(instance TEXT, epoch TEXT, seq INTEGER, acked INTEGER, match BLOB, last_epoch TEXT,
    last_seq INTEGER);
"""

log = logging.getLogger(__name__)


class Row(NamedTuple):
    """A message that waits: an event, or the result of a match. Before one with a `gap`, events are lost for good."""

    number: int
    epoch: str
    seq: int
    topic: str
    body: bytes
    gap: int


class EventOutbox:
    """The rows in `file`, which is made again if it is damaged. Raises `OSError` and `sqlite3.Error` of the disk."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._file = _opened(file)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            aside = file.with_name(f"{file.stem}.damaged{file.suffix}")
            log.warning("%s: %s; it is now %s, and what waited in it is lost to the venue", file, error, aside.name)
            for suffix in ("-wal", "-shm"):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            file.replace(aside)
            self._file = _opened(file)
        self.instance, epoch, seq, self._acked, self._match, *last = self._file.execute(
            "SELECT * FROM state"
        ).fetchone()
        self._last = tuple(last)  # the epoch and number of the last event that was added
        self.position = None if epoch is None else ReadPosition(epoch, seq)
        """Up to where the table has been read; None before the first state."""
        self._counts = dict(self._file.execute("SELECT topic, count(*) FROM rows GROUP BY topic"))
        # The last row that may have reached a broker: an earlier process may have sent all that was found.
        self._tried = self._file.execute("SELECT coalesce(max(number), 0) FROM rows").fetchone()[0]

    @property
    def match(self) -> bytes:
        """Facts that the bridge keeps about the match that is being played."""
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
        """Note that the table has been read up to here, without an event."""
        if position != self.position:
            self._file.execute("UPDATE state SET epoch = ?, seq = ?", position or (None, None))
            self.position = position

    def add(self, position: ReadPosition, messages: Sequence[tuple[str, bytes]]) -> None:
        """Add the messages of the event at this position, (topic, body) each."""
        epoch, seq = position
        gap = self._last != (epoch, seq - 1)
        with self._file:
            self._file.execute("BEGIN")
            for topic, body in messages:
                self._file.execute("INSERT INTO rows VALUES (NULL, ?, ?, ?, ?, ?)", (epoch, seq, topic, body, gap))
            self._file.execute(
                "UPDATE state SET epoch = ?, seq = ?, acked = ?, last_epoch = ?, last_seq = ?",
                (epoch, seq, self._acked, epoch, seq),
            )
        self.position, self._last = position, (epoch, seq)
        for topic, _ in messages:
            self._counts[topic] = self._counts.get(topic, 0) + 1
        for topic, most in (("event", MAX_EVENTS), ("result", MAX_RESULTS)):
            if self._counts.get(topic, 0) > most + _SLACK:
                self._delete_oldest(topic, most)

    def after(self, number: int, limit: int) -> list[Row]:
        """Return the rows behind the one of this number, the oldest first."""
        found = self._file.execute("SELECT * FROM rows WHERE number > ? ORDER BY number LIMIT ?", (number, limit))
        return [Row(*row) for row in found]

    def is_first(self, row: Row) -> bool:
        """Return whether the venue has confirmed everything before this event."""
        earlier = "SELECT 1 FROM rows WHERE number < ? AND NOT (epoch = ? AND seq = ?) LIMIT 1"
        return self._file.execute(earlier, (row.number, row.epoch, row.seq)).fetchone() is None

    @property
    def acked(self) -> int:
        """The number of the last row that a broker has taken, with all before it."""
        return int(self._acked)

    def note_sending(self, number: int) -> None:
        """Note that the rows up to this one are being sent.

        The venue's word about them may overtake the broker's acknowledgement.
        """
        self._tried = max(self._tried, number)

    def ack(self, number: int) -> None:
        """Note that a broker has taken the rows up to this one. It is on disk with the next event."""
        self._acked = max(self._acked, number)

    def confirm(self, epoch: str, seq: int) -> bool:
        """Delete the rows that the venue has: that of this event and all before it. Return whether there were any."""
        last = self._file.execute("SELECT max(number) FROM rows WHERE epoch = ? AND seq = ?", (epoch, seq)).fetchone()[
            0
        ]
        if last is None or last > self._tried:  # nothing that was sent
            return False
        with self._file:
            self._file.execute("DELETE FROM rows WHERE number <= ?", (last,))
        self._counts = dict(self._file.execute("SELECT topic, count(*) FROM rows GROUP BY topic"))
        return True

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
            file.execute("INSERT INTO state VALUES (?, NULL, NULL, 0, x'', '', -1)", (secrets.token_hex(4),))
        elif version != SCHEMA or file.execute("SELECT count(*) FROM state").fetchone() != (1,):
            raise sqlite3.DatabaseError(f"has schema {version}, this program knows {SCHEMA}")
    except BaseException:
        file.close()
        raise
    return file
