"""The numbered lines of a table's public events, kept for clients of the public socket that were away.

The journal numbers a record's events and makes their lines durable with it. The socket publishes them, and sends missed
ones again on request. Only public lines are counted: a number reveals no dice.

Numbers are unique within one numbering, which has a random name. Another numbering begins where published numbers may
be missing on disk: with a new file, and when the disk fails. All code here runs on the loop's thread.
"""

import secrets
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from firmware_host.table.events import PublicEvent

MAX_KEPT_MATCHES = 6
"""Number of matches with stored lines: five, and the current one."""
MAX_KEPT_BYTES = 2 << 20
"""Maximum size of stored lines in bytes, for all matches: about five matches of eight."""
_BEGINS_A_MATCH = b'{"type":"match-began"'

new_numbering: Callable[[], str] = partial(secrets.token_hex, 4)
"""Return a unique name for a numbering."""


class LineBatch(NamedTuple):
    """Lines for the journal's file, numbered from `first`. If it `replaces`, they are the file's whole content."""

    numbering: str
    first: int
    lines: Sequence[bytes]
    replaces: bool = False

    @property
    def last(self) -> int:
        """The number of the last line, or the one before `first` for an empty batch."""
        return self.first + len(self.lines) - 1


class LineLog:
    """The latest lines, and the next number. Without an `encode`, set by the socket, events get no lines.

    `stored` are lines published earlier.
    """

    def __init__(self, stored: LineBatch | None = None) -> None:
        stored = stored or LineBatch(new_numbering(), 1, ())
        self.numbering = stored.numbering
        self.encode: Callable[[PublicEvent, int], bytes] | None = None
        self._first = stored.first
        self._lines: list[bytes] = []
        self._bytes = 0
        self._match_starts: deque[int] = deque()
        self._last = stored.last
        self._durable = stored.last
        self._durable_numbering = stored.numbering
        for line in stored.lines:
            self._add(line)

    @property
    def first(self) -> int:
        """The number of the oldest kept line."""
        return self._first

    @property
    def last(self) -> int:
        """The number of the last published line, 0 before the first."""
        return self._last

    @property
    def _prepared(self) -> int:
        """The number of the last line, published or not."""
        return self._first + len(self._lines) - 1

    def prepare(self, events: Sequence[PublicEvent]) -> None:
        """Give events their numbers and lines. Clients get them from `publish` on."""
        if self.encode is not None:
            for event in events:
                self._add(self.encode(event, self._prepared + 1))

    def publish(self, event: PublicEvent) -> bytes:
        """Return an event's line and release it to clients. Events come in the order of `prepare`."""
        if self._last == self._prepared:
            self.prepare([event])
        self._last += 1
        line = self._lines[self._last - self._first]
        self._trim()
        return line

    # For clients that were away

    def has_all_after(self, number: int, numbering: str | None = None) -> bool:
        """Return whether every line published after this number is here."""
        return numbering in (None, self.numbering) and self._first - 1 <= number <= self._last

    def page_after(self, number: int, max_bytes: int) -> Sequence[bytes]:
        """Return published lines after this number: at least one if there is any, and no more than `max_bytes`."""
        lines: list[bytes] = []
        for at in range(number + 1 - self._first, self._last + 1 - self._first):
            max_bytes -= len(self._lines[at])
            if lines and max_bytes < 0:
                break
            lines.append(self._lines[at])
        return lines

    # For the journal

    def unwritten(self) -> LineBatch:
        """Return the lines missing in the journal's file."""
        replaces = self._durable_numbering != self.numbering or self._durable < self._first - 1
        first = self._first if replaces else self._durable + 1
        return LineBatch(self.numbering, first, self._lines[first - self._first :], replaces)

    def written(self, batch: LineBatch) -> None:
        """Note durable lines."""
        if batch.numbering == self.numbering:
            self._durable, self._durable_numbering = batch.last, batch.numbering

    def renumber(self) -> None:
        """Begin another numbering with the next line, and forget the published ones.

        The count goes on, so that connected clients miss no events.
        """
        self.numbering = new_numbering()
        self._forget_before(self._last + 1)

    def _add(self, line: bytes) -> None:
        if line.startswith(_BEGINS_A_MATCH):
            self._match_starts.append(self._prepared + 1)
        self._lines.append(line)
        self._bytes += len(line)

    def _trim(self) -> None:
        first = self._first
        if len(self._match_starts) > MAX_KEPT_MATCHES and self._match_starts[-MAX_KEPT_MATCHES] <= self._last:
            first = self._match_starts[-MAX_KEPT_MATCHES]
        excess = self._bytes - MAX_KEPT_BYTES - sum(map(len, self._lines[: first - self._first]))
        while excess > 0 and first < self._last:  # the last one stays: a restart reads the number from it
            excess -= len(self._lines[first - self._first])
            first += 1
        self._forget_before(first)

    def _forget_before(self, first: int) -> None:
        count = first - self._first
        self._bytes -= sum(map(len, self._lines[:count]))
        del self._lines[:count]
        self._first = first
        while self._match_starts and self._match_starts[0] < first:
            self._match_starts.popleft()

    def __repr__(self) -> str:
        return f"<LineLog {self.numbering} {self._first}..{self._last}>"
