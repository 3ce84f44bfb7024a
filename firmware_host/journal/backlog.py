"""The records that the journal has not yet made durable, kept in memory while the disk fails.

Of states only the latest is kept; of public events all are kept, up to a limit. All events of the current match are
kept besides, for a new file that begins in the middle of it.
"""

import logging
from typing import NamedTuple

from firmware_host.journal.store import MatchLog, MatchLogEntry, StateRow

MAX_BYTES = 4 << 20
"""About forty long matches. Beyond it the oldest match is lost first."""

log = logging.getLogger("dudo-table")


class Batch(NamedTuple):
    """The records that are written in one attempt, and the events of the current match by then."""

    state: StateRow
    entries: list[MatchLogEntry]
    match: str | None
    match_entries: list[MatchLogEntry]
    match_entry_count: int  # `match_entries` may grow during the attempt

    def with_whole_match(self) -> list[MatchLogEntry]:
        """Return the entries with all those of the current match, for a file that has none of them."""
        others = [entry for entry in self.entries if entry.match != self.match]
        return others + self.match_entries[: self.match_entry_count]


class Backlog:
    """The backlog of one journal. `take` begins an attempt, `written` or `failed` ends it. On the loop's thread."""

    def __init__(self, match: MatchLog | None) -> None:
        self._match = None if match is None else match.name
        self._match_entries = [] if match is None else [*match.entries]
        self._waiting: list[MatchLogEntry] = []
        self._state: StateRow | None = None
        self._attempt: Batch | None = None

    def __bool__(self) -> bool:
        return self._state is not None

    @property
    def current_match(self) -> MatchLog | None:
        """The events so far of the current match, or of the last one. None if its beginning is unknown."""
        if not self._match or not self._match_entries:
            return None
        return MatchLog(self._match, self._match_entries[0].day, self._match_entries[:])

    def add(self, state: StateRow, events: bytes, *, day: str = "", won: bool = False) -> None:
        """Add a state and the events that led to it. With a `day` a match begins with them."""
        if day:
            self._match, self._match_entries = state.game, []
        if events and self._match is not None:
            entry = MatchLogEntry(self._match, events, day, won)
            self._waiting.append(entry)
            self._match_entries.append(entry)
        if state.game is None:
            self._match, self._match_entries = None, []
        self._state = state
        if self._size() > MAX_BYTES:
            self._lose_oldest()

    def take(self) -> Batch:
        """Return what is to be written next."""
        assert self._state is not None
        self._attempt = Batch(self._state, self._waiting, self._match, self._match_entries, len(self._match_entries))
        self._state, self._waiting = None, []
        return self._attempt

    def written(self) -> None:
        """Note that what was taken is durable."""
        self._attempt = None

    def failed(self) -> None:
        """Put back what was taken."""
        assert self._attempt is not None
        self._state = self._state or self._attempt.state
        self._waiting = [*self._attempt.entries, *self._waiting]
        self._attempt = None

    def _size(self) -> int:
        return max(sum(len(entry.events) for entry in entries) for entries in (self._waiting, self._match_entries))

    def _lose_oldest(self) -> None:
        oldest = (self._waiting or self._match_entries)[0].match
        log.error("match %s no longer fits into memory, and its record will be incomplete", oldest)
        self._waiting = [entry for entry in self._waiting if entry.match != oldest]
        if oldest == self._match:
            self._match, self._match_entries = None, []
