"""Reads a table's public lines from its socket without end, for processes beside the daemon.

    reader = TableReader(address.path_to_listen(state_dir.default()))
    async for read in reader.lines():
        match read:
            case TableAway(why): ...        # once, however often the reader tries again
            case TableBack(): ...
            case ReadLine(is_state=True): draw(read.message())
            case ReadLine(): speak(read.message())

Events come in order and each once, including those from a time without connection. A process that saves
`reader.position` and passes it on at its next start misses no events across restarts either.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple

import msgspec

from drivers.timing import Backoff
from firmware_host.util.system_error import reason_of
from firmware_host.wire import MAX_LINE_BYTES, VERSION, AnyLine, LineError, LineHead, read_head, read_known

MIN_RETRY_S = 0.25
MAX_RETRY_S = 5.0
STEADY_S = 5.0
"""Connection lifetime in seconds after which the reconnection delay starts over."""
FIRST_LINE_TIMEOUT_S = 5.0


class ReadPosition(NamedTuple):
    """The last event read: its number, and that number's journal."""

    journal: str
    seq: int


NOWHERE = ReadPosition("", -1)
"""A position unlike any table's."""


class TableAway(NamedTuple):
    """A lost table: its socket is gone, full, or some other program's."""

    why: str


class TableBack(NamedTuple):
    """A table readable again."""


class ReadLine(NamedTuple):
    """A line as sent, without its newline. `missed` is true for a state with lost events before it."""

    raw: bytes
    is_state: bool
    missed: bool = False

    def message(self) -> AnyLine | None:
        """Return the line as its struct, None for one unreadable by this version."""
        return read_known(self.raw)


class _UnreadableError(Exception):
    """A connection to another program, or to a table of another version."""


class TableReader:
    """A reader of the table at `path` that continues after `position`, None to begin with the current state.

    With `reads_all` it begins with the table's oldest event if its position is missing or older.
    """

    def __init__(self, path: Path, position: ReadPosition | None = None, *, reads_all: bool = False) -> None:
        self.path = path
        self.position = position
        self.greeting = b""
        """The first line of the connection, a state, which may be ahead of the events that are read after it."""
        self._reads_all = reads_all

    async def lines(self) -> AsyncGenerator[ReadLine | TableAway | TableBack, None]:
        """Yield readings until closed, without an end of its own."""
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
        """Yield the new lines of one connection."""
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
        """Ask for missed events before a connection's first line. Return the position to continue from, if any."""
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

    def _oldest(self, head: LineHead) -> ReadPosition | None:
        """Return the position before the first event to read."""
        before = self.position
        if head.oldest is None or head.seq is None:
            return before
        oldest = ReadPosition(head.journal, max(head.oldest - 1, 0))
        return oldest if before is None or before.journal != head.journal else max(before, oldest)

    def _new_line(self, raw: bytes, asked: ReadPosition | None) -> ReadLine | None:
        """Return a line; None for a repeated event, and for a state that includes events still to come."""
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
    """Return the next line without its newline, empty at the end of the connection."""
    try:
        line = await reader.readline()
    except ValueError:
        raise _UnreadableError(f"it sends a line of more than {MAX_LINE_BYTES >> 10} KiB") from None
    return line[:-1] if line.endswith(b"\n") else b""


def _head(raw: bytes) -> LineHead:
    try:
        return read_head(raw)
    except LineError:
        raise _UnreadableError("it sends what is no line of a table") from None
