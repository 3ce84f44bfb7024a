"""The numbered lines of a table's public events, kept for clients of the public socket that were away.

The journal numbers the events of a record and makes their lines durable with it. The socket publishes them, and sends
them again to a client that asks for what it missed. Only public lines are counted: a number says nothing of dice.

A number is unique within one numbering, which has a random name. Another numbering begins where numbers may have been
given that no disk remembers: with a new file, and when the disk fails. All of it is on the loop's thread.
"""

import secrets
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from firmware_host.table.events import PublicEvent

MAX_KEPT_MATCHES = 6
"""The number of matches of which lines are kept: five, and the one that is being played."""
MAX_KEPT_BYTES = 2 << 20
"""The bytes of lines kept at most, whatever matches they are of: about five matches of eight."""
_BEGINS_A_MATCH = b'{"type":"match-began"'

new_numbering: Callable[[], str] = partial(secrets.token_hex, 4)
"""Return a name that no other numbering has."""


class LineBatch(NamedTuple):
    """Lines for the journal's file, numbered from `first`. If it `replaces`, they are all that the file is to have."""

    numbering: str
    first: int
    lines: Sequence[bytes]
    replaces: bool = False

    @property
    def last(self) -> int:
        """The number of the last line, that before `first` if there is none."""
        return self.first + len(self.lines) - 1


class LineLog:
    """The latest lines, and the next number. Without an `encode`, which the socket sets, events get none.

    `stored` are lines that were published before.
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
        """The number of the oldest line that is kept."""
        return self._first

    @property
    def last(self) -> int:
        """The number of the last line that was published, 0 before the first."""
        return self._last

    @property
    def _prepared(self) -> int:
        """The number of the last line there is, published or not."""
        return self._first + len(self._lines) - 1

    def prepare(self, events: Sequence[PublicEvent]) -> None:
        """Give events their numbers and lines. They are not for clients before `publish`."""
        if self.encode is not None:
            for event in events:
                self._add(self.encode(event, self._prepared + 1))

    def publish(self, event: PublicEvent) -> bytes:
        """Return the line of an event, which clients may have from now on. Events come as they were prepared."""
        if self._last == self._prepared:
            self.prepare([event])
        self._last += 1
        line = self._lines[self._last - self._first]
        self._trim()
        return line

    # For clients that were away

    def has_all_after(self, number: int, numbering: str | None = None) -> bool:
        """Return whether every line published after that of a number is here."""
        return numbering in (None, self.numbering) and self._first - 1 <= number <= self._last

    def page_after(self, number: int, max_bytes: int) -> Sequence[bytes]:
        """Return published lines after that of a number: at least one if there is any, and no more than `max_bytes`."""
        lines: list[bytes] = []
        for at in range(number + 1 - self._first, self._last + 1 - self._first):
            max_bytes -= len(self._lines[at])
            if lines and max_bytes < 0:
                break
            lines.append(self._lines[at])
        return lines

    # For the journal

    def unwritten(self) -> LineBatch:
        """Return the lines that the journal's file has not."""
        replaces = self._durable_numbering != self.numbering or self._durable < self._first - 1
        first = self._first if replaces else self._durable + 1
        return LineBatch(self.numbering, first, self._lines[first - self._first :], replaces)

    def written(self, batch: LineBatch) -> None:
        """Note that lines are durable."""
        if batch.numbering == self.numbering:
            self._durable, self._durable_numbering = batch.last, batch.numbering

    def renumber(self) -> None:
        """Begin another numbering with the next line, and forget those that were published.

        The numbers go on, so that clients that are connected miss nothing.
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
        while excess > 0 and first < self._last:  # the last one stays: from it a restart learns the number
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
