"""What the journal has yet to make durable, kept in memory while the disk fails: for `journal`.

The position is the latest alone; of what was told all is kept, up to a limit. All of the match that is being played is
at hand too, for a file that has to begin anew in its midst.
"""

import logging
from typing import NamedTuple

from firmware_host.journal.store import MatchLog, MatchLogEntry, StateRow

MAX_BYTES = 4 << 20
"""Some forty long matches: what does not fit any more is lost, the oldest match first."""

log = logging.getLogger("dudo-table")


class Batch(NamedTuple):
    """What is tried in one go, and what stood of its match by then, for a file that has nothing of it."""

    position: StateRow
    lines: list[MatchLogEntry]
    match: str | None
    all: list[MatchLogEntry]
    known: int  # so many of `all` were there

    def whole(self) -> list[MatchLogEntry]:
        """The lines with all of the match that is played."""
        return [line for line in self.lines if line.match != self.match] + self.all[: self.known]


class Backlog:
    """Filled record by record, emptied by `take` and `written`. On the loop's thread."""

    def __init__(self, match: MatchLog | None) -> None:
        self._match = None if match is None else match.name
        self._all = [] if match is None else [*match.lines]  # of the match that is being played
        self._lines: list[MatchLogEntry] = []  # that wait
        self._position: StateRow | None = None
        self._tried: Batch | None = None

    def __bool__(self) -> bool:
        return self._position is not None

    @property
    def played(self) -> MatchLog | None:
        """The match that is being played, or was last, as far as it was told."""
        return MatchLog(self._match, self._all[0].day, self._all[:]) if self._match and self._all else None

    def add(self, position: StateRow, told: bytes, *, day: str = "", won: bool = False) -> None:
        """The evening stands in another position; a match begins on the way to it if there is a `day`."""
        if day:
            self._match, self._all = position.game, []
        if told and self._match is not None:
            line = MatchLogEntry(self._match, told, day, won)
            self._lines.append(line)
            self._all.append(line)
        if position.game is None:
            self._match, self._all = None, []
        self._position = position
        if self._size() > MAX_BYTES:
            self._lose_oldest()

    def take(self) -> Batch:
        """What is to be tried; `written` or `failed` says what came of it."""
        assert self._position is not None
        self._tried = Batch(self._position, self._lines, self._match, self._all, len(self._all))
        self._position, self._lines = None, []
        return self._tried

    def written(self) -> None:
        """What was taken is durable."""
        self._tried = None

    def failed(self) -> None:
        """It is not."""
        assert self._tried is not None
        self._position = self._position or self._tried.position
        self._lines = [*self._tried.lines, *self._lines]
        self._tried = None

    def _size(self) -> int:
        return max(sum(len(line.events) for line in lines) for lines in (self._lines, self._all))

    def _lose_oldest(self) -> None:
        oldest = (self._lines or self._all)[0].match
        log.error("match %s has no room in memory any more, and will not be among the matches whole", oldest)
        self._lines = [line for line in self._lines if line.match != oldest]
        if oldest == self._match:
            self._match, self._all = None, []
