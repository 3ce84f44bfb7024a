"""The socket on which the public lines leave the daemon; `run` and `play` open one, docs/events.md is for its readers.

Whoever connects is sent the last state, then every line as it comes. The table never waits for a reader: who falls too
far behind is cut off, and to what a reader sends nobody listens.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from firmware_host.public.address import listen_at
from firmware_host.public.writing import Writer
from firmware_host.table.events import PublicEvent
from firmware_host.table.public import PublicState

READERS = 32
BEHIND_BYTES = 256 * 1024
"""What may wait for one reader here, besides what the kernel holds for it: hundreds of lines."""
HEARD_BYTES = 4096
"""What a reader may send before it is cut off."""

log = logging.getLogger(__name__)


class PublicSocket:
    """The socket of a table whose seats have these names: `async with PublicSocket(path, names) as public`."""

    def __init__(self, path: Path, names: Sequence[str] = ()) -> None:
        self.path = path
        self.seat(names)
        self._readers: dict[_Reader, None] = {}  # in the order in which they came

    def seat(self, names: Sequence[str]) -> None:
        """From now on the table has seats of these names."""
        self._writer = Writer(names)
        self._state: PublicState | None = None

    def tell(self, event: PublicEvent) -> None:
        """Send an event to everybody who has been sent a state."""
        if self._readers and self._state is not None:
            self._send(self._writer.event(event))

    def publish(self, state: PublicState) -> None:
        """Send a state to everybody who is there, and as the first line to whoever comes."""
        self._state = state
        if self._readers:
            self._send(self._writer.state(state))

    def _send(self, line: bytes) -> None:
        for reader in tuple(self._readers):
            reader.send(line)

    def _came(self, reader: "_Reader") -> None:
        if len(self._readers) == READERS:
            reader.cut_off(f"there are {READERS} already")
            return
        self._readers[reader] = None
        if self._state is not None:
            reader.send(self._writer.state(self._state))

    def _went(self, reader: "_Reader") -> None:
        self._readers.pop(reader, None)

    async def __aenter__(self) -> Self:
        """Open it. Raises `PublicSocketError` where that can't be done."""
        listening = listen_at(self.path)
        self._file = self.path.stat()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(lambda: _Reader(self._came, self._went), sock=listening)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Take the file away, unless it is somebody else's by now, and send everybody home."""
        with suppress(OSError):
            if self.path.stat().st_ino == self._file.st_ino:
                self.path.unlink()
        self._server.close()
        for reader in self._readers:
            reader.close()
        await self._server.wait_closed()

    def __repr__(self) -> str:
        return f"<PublicSocket {self.path}, {len(self._readers)} readers>"


class _Reader(asyncio.Protocol):
    """One connection: written to without waiting, never listened to."""

    def __init__(self, came: Callable[["_Reader"], None], went: Callable[["_Reader"], None]) -> None:
        self._came = came
        self._went = went
        self._heard_bytes = 0

    def send(self, line: bytes) -> None:
        """Write a line; what the kernel does not take now waits."""
        self._transport.write(line)

    def close(self) -> None:
        """Let go at once."""
        self._transport.abort()

    def cut_off(self, why: str) -> None:
        """Let go of somebody who did not ask for it."""
        log.warning("a reader of the public lines is cut off: %s", why)
        self._went(self)
        self.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=BEHIND_BYTES)
        self._came(self)

    def pause_writing(self) -> None:
        """More than `BEHIND_BYTES` wait."""
        self.cut_off("it does not read")

    def data_received(self, data: bytes) -> None:
        """Somebody talks to the wall; after a while the wall has enough."""
        self._heard_bytes += len(data)
        if self._heard_bytes > HEARD_BYTES:
            self.cut_off("it talks")

    def connection_lost(self, _: Exception | None) -> None:
        """Nobody is there any more."""
        self._went(self)
