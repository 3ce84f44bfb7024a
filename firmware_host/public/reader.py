"""Reads a table's public lines from its socket for as long as it takes, for processes beside the daemon.

    reader = TableReader(address.path_to_listen(state_dir.default()))
    async for read in reader.lines():
        match read:
            case TableAway(why): ...        # once, however often the reader tries again
            case TableBack(): ...
            case ReadLine(is_state=True): draw(read.message())
            case ReadLine(): speak(read.message())

Events come in order and each once, also those that happened while the connection was down. `reader.position` tells how
far that is: a process that keeps it and passes it on at its next start misses nothing either.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from drivers.timing import Backoff
from firmware_host.public import MAX_LINE_BYTES, VERSION, Number
from firmware_host.util.system_error import reason_of

MIN_RETRY_S = 0.25
MAX_RETRY_S = 5.0
STEADY_S = 5.0
"""Seconds after which a connection that ends is no reason to wait longer than the first time."""
FIRST_LINE_TIMEOUT_S = 5.0


class ReadPosition(NamedTuple):
    """The last event that was read: its number, and the journal that it is a number of."""

    journal: str
    seq: int


NOWHERE = ReadPosition("", -1)
"""A position at which no table is."""


class TableAway(NamedTuple):
    """The table can't be read: its socket is gone, full, or no table's."""

    why: str


class TableBack(NamedTuple):
    """The table can be read again."""


class ReadLine(NamedTuple):
    """A line as it was sent, without its newline. `missed` is true of a state before which events are lost."""

    raw: bytes
    is_state: bool
    missed: bool = False

    def message(self) -> dict[str, Any]:
        """Return the line's JSON object, as docs/events.md describes it."""
        message: dict[str, Any] = msgspec.json.decode(self.raw)
        return message


class _Head(msgspec.Struct):
    type: str
    version: Number = VERSION
    seq: Number | None = None  # None is of a table from before there were numbers
    journal: str = ""
    oldest: Number | None = None  # None is of a table of an earlier version
    since: Number | None = None


class _UnreadableError(Exception):
    """A connection to something that is no table, or one of another version."""


_HEAD = msgspec.json.Decoder(_Head)


class TableReader:
    """A reader of the table at `path` that goes on after `position`, None to begin with the state that there is.

    One that `reads_all` begins with the oldest event that the table keeps, if it has no position or an older one.
    """

    def __init__(self, path: Path, position: ReadPosition | None = None, *, reads_all: bool = False) -> None:
        self.path = path
        self.position = position
        self.greeting = b""
        """The first line of the connection, a state, which may be ahead of the events that are read after it."""
        self._reads_all = reads_all

    async def lines(self) -> AsyncGenerator[ReadLine | TableAway | TableBack, None]:
        """Yield what is read, until closed. It never ends by itself."""
        loop = asyncio.get_running_loop()
        is_away, backoff = False, Backoff(MIN_RETRY_S, MAX_RETRY_S)
        while True:
            began_s = loop.time()
            try:
                async with aclosing(self._connection()) as connection:
                    async for line in connection:
                        if is_away:
                            is_away = False
                            yield TableBack()
                        yield line
                why = "the table closed the connection"
            except _UnreadableError as error:
                why = str(error)
            except TimeoutError:
                why = f"it sends nothing for {FIRST_LINE_TIMEOUT_S:g} s"
            except OSError as error:
                why = reason_of(error)
            if not is_away:
                is_away = True
                yield TableAway(f"{self.path}: {why}")
            if loop.time() - began_s >= STEADY_S:
                backoff.reset()
            await asyncio.sleep(backoff.next_s())

    async def _connection(self) -> AsyncGenerator[ReadLine, None]:
        """Yield the lines of one connection that are new."""
        reader, writer = await asyncio.open_unix_connection(self.path, limit=MAX_LINE_BYTES)
        try:
            async with asyncio.timeout(FIRST_LINE_TIMEOUT_S):
                raw = await _next_line(reader)
            asked = self._begin(raw, writer) if raw else None
            while raw:
                if line := self._new_line(raw, asked):
                    asked = None if line.is_state else asked
                    yield line
                raw = await _next_line(reader)
        finally:
            writer.close()

    def _begin(self, raw: bytes, writer: asyncio.StreamWriter) -> ReadPosition | None:
        """Ask for what was missed before the first line of a connection. Return the position from which, if any."""
        head = _head(raw)
        if head.type != "state" or head.version != VERSION:
            raise _UnreadableError(
                f"it sends no state of version {VERSION}; update dudo-table, or name a table's socket"
            )
        self.greeting = raw
        before = self.position = self._oldest(head) if self._reads_all else self.position
        if before is None or (before.seq == head.seq and before.journal == head.journal):
            return None
        if before.journal != head.journal or head.seq is None or before.seq > head.seq:
            self.position = NOWHERE
            return None
        writer.write(msgspec.json.encode({"since": before.seq, "journal": before.journal}) + b"\n")
        return before

    def _oldest(self, head: _Head) -> ReadPosition | None:
        """Return the position before the first event to read."""
        before = self.position
        if head.oldest is None or head.seq is None:
            return before
        oldest = ReadPosition(head.journal, max(head.oldest - 1, 0))
        return oldest if before is None or before.journal != head.journal else max(before, oldest)

    def _new_line(self, raw: bytes, asked: ReadPosition | None) -> ReadLine | None:
        """Return a line; None for an event that is a double, and for a state that includes events still to come."""
        head, before = _head(raw), self.position
        if head.type != "state":
            if head.seq is not None:
                if before is None or head.seq != before.seq + 1:
                    return None
                self.position = ReadPosition(before.journal, head.seq)
            return ReadLine(raw, is_state=False)
        if asked is not None and head.since is None:
            return None
        self.position = None if head.seq is None else ReadPosition(head.journal, head.seq)
        if asked is not None:
            return ReadLine(raw, is_state=True, missed=ReadPosition(head.journal, head.since or 0) != asked)
        return ReadLine(raw, is_state=True, missed=before is not None and before.seq != head.seq)


async def _next_line(reader: asyncio.StreamReader) -> bytes:
    """Return the next line without its newline, nothing at the end of the connection."""
    try:
        line = await reader.readline()
    except ValueError:
        raise _UnreadableError(f"it sends a line of more than {MAX_LINE_BYTES >> 10} KiB") from None
    return line[:-1] if line.endswith(b"\n") else b""


def _head(raw: bytes) -> _Head:
    try:
        return _HEAD.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise _UnreadableError("it sends what is no line of a table") from None
