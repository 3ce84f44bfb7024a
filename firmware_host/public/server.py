"""The socket on which the public lines leave the daemon; `run` and `play` open one, docs/events.md is for its readers.

Whoever connects is sent the last state, then every line as it comes. The table never waits for a reader: who falls too
far behind is cut off, and to what a reader sends nobody listens. Connections beyond `MAX_CLIENTS`, and those that come
faster than `MAX_ACCEPTS_PER_S`, wait in the kernel's backlog.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from drivers.timing import Patience
from firmware_host.public.accepting import accept_connections
from firmware_host.public.address import listen_at
from firmware_host.public.encoder import LineEncoder
from firmware_host.table.events import PublicEvent
from firmware_host.table.public_state import PublicState

MAX_CLIENTS = 32
MAX_ACCEPTS_PER_S = 20
"""How often a connection is accepted in the long run; `MAX_CLIENTS` of them at once."""
WARNINGS, WARNINGS_A_SECOND = 10, 1 / 60
"""How many lines about readers the log gets at once, and in the long run."""
MAX_BACKLOG_BYTES = 256 * 1024
"""What may wait for one reader here, besides what the kernel holds for it: hundreds of lines."""
MAX_RECEIVED_BYTES = 4096
"""What a reader may send before it is cut off."""
MIN_COUNTED_BYTES = 128
"""What each piece counts for, however short: the loop wakes for every one."""

log = logging.getLogger(__name__)


class PublicSocket:
    """The socket of a table whose seats have these names: `async with PublicSocket(path, names) as public`."""

    def __init__(self, path: Path, names: Sequence[str] = ()) -> None:
        self.path = path
        self.seat(names)
        self._readers: dict[_Client, None] = {}  # in the order in which they came
        self._went_away = asyncio.Event()
        self._warnings = Patience(WARNINGS, WARNINGS_A_SECOND)
        self._unsaid = 0

    def seat(self, names: Sequence[str]) -> None:
        """From now on the table has seats of these names."""
        self._writer = LineEncoder(names)
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

    async def _room(self) -> None:
        if len(self._readers) >= MAX_CLIENTS:
            self._warn(
                f"{MAX_CLIENTS} readers of the public lines are connected: the next one waits until one has gone"
            )
        while len(self._readers) >= MAX_CLIENTS:
            self._went_away.clear()
            await self._went_away.wait()

    def _came(self, reader: "_Client") -> None:
        self._readers[reader] = None
        if self._state is not None:
            reader.send(self._writer.state(self._state))

    def _went(self, reader: "_Client", why: str = "") -> None:
        self._readers.pop(reader, None)
        self._went_away.set()
        if why:
            self._warn(f"a reader of the public lines is cut off: {why}")

    def _warn(self, what: str) -> None:
        """Log a warning, or count it for the next one if there were too many of late."""
        now_s = asyncio.get_running_loop().time()
        if not self._warnings.allows(1, now_s):
            self._unsaid += 1
            return
        log.warning("%s%s", what, f" ({self._unsaid} such lines before it were left out)" if self._unsaid else "")
        self._unsaid = 0

    async def __aenter__(self) -> Self:
        """Open it. Raises `PublicSocketError` where that can't be done."""
        self._listening = listen_at(self.path)
        self._file = self.path.stat()
        rate = Patience(MAX_CLIENTS, MAX_ACCEPTS_PER_S)
        accepting = accept_connections(self._listening, lambda: _Client(self._came, self._went), rate, self._room)
        self._accepting = asyncio.create_task(accepting)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Take the file away, unless it is somebody else's by now, and send everybody home."""
        with suppress(OSError):
            if self.path.stat().st_ino == self._file.st_ino:
                self.path.unlink()
        self._accepting.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()
        for reader in self._readers:
            reader.close()

    def __repr__(self) -> str:
        return f"<PublicSocket {self.path}, {len(self._readers)} readers>"


class _Client(asyncio.Protocol):
    """One connection: written to without waiting, never listened to."""

    def __init__(self, came: Callable[["_Client"], None], went: Callable[["_Client", str], None]) -> None:
        self._came = came
        self._went = went
        self._heard_bytes = 0

    def send(self, line: bytes) -> None:
        """Write a line; what the kernel does not take now waits."""
        if not self._transport.is_closing():  # asyncio logs each line that is written after the peer has gone
            self._transport.write(line)

    def close(self) -> None:
        """Let go at once."""
        self._transport.abort()

    def drop(self, why: str) -> None:
        """Let go of somebody who did not ask for it."""
        self._went(self, why)
        self.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=MAX_BACKLOG_BYTES)
        self._came(self)

    def pause_writing(self) -> None:
        """More than `MAX_BACKLOG_BYTES` wait."""
        self.drop("it does not read")

    def data_received(self, data: bytes) -> None:
        """Somebody talks to the wall; after a while the wall has enough."""
        self._heard_bytes += max(len(data), MIN_COUNTED_BYTES)
        if self._heard_bytes > MAX_RECEIVED_BYTES:
            self.drop("it talks")

    def connection_lost(self, _: Exception | None) -> None:
        """Nobody is there any more."""
        self._went(self, "")
