"""The Unix socket that sends the public lines. `run` and `play` open one; docs/events.md is for its clients.

A new client gets the last state, then every line as it comes. The table never waits for a client: one that falls too
far behind is disconnected. The socket is output-only. Connections beyond `MAX_CLIENTS`, and those that come faster than
`MAX_ACCEPTS_PER_S`, wait in the kernel's backlog.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from drivers.timing import RateLimiter
from engine import Rules
from firmware_host.public.accepting import accept_connections
from firmware_host.public.address import listen_at
from firmware_host.public.encoder import LineEncoder
from firmware_host.table.events import PublicEvent
from firmware_host.table.public_state import PublicState

MAX_CLIENTS = 32
MAX_ACCEPTS_PER_S = 20
"""Connections accepted a second in the long run; after a pause `MAX_CLIENTS` at once."""
MAX_WARNINGS, MAX_WARNINGS_PER_S = 10, 1 / 60
"""Warnings about clients logged at once, and a second in the long run."""
MAX_BACKLOG_BYTES = 256 * 1024
"""The backlog of one client here, besides what the kernel holds for it: hundreds of lines."""
MAX_RECEIVED_BYTES = 4096
"""The number of bytes that a client may send before it is disconnected."""
MIN_COUNTED_BYTES = 128
"""The number of bytes that each received piece counts for at least, as the loop wakes for it."""

log = logging.getLogger(__name__)


class PublicSocket:
    """The socket of a table whose seats have these names: `async with PublicSocket(path, names, rules) as public`."""

    def __init__(self, path: Path, names: Sequence[str] = (), rules: Rules | None = None) -> None:
        self.path = path
        self.set_table(names, rules)
        self._clients: dict[_Client, None] = {}  # in the order in which they connected
        self._has_room = asyncio.Event()
        self._warnings = RateLimiter(MAX_WARNINGS, MAX_WARNINGS_PER_S)
        self._suppressed = 0

    def set_table(self, names: Sequence[str], rules: Rules | None = None) -> None:
        """Set the names of the seats and the rules that are played, and forget the state."""
        self._encoder = LineEncoder(names, rules)
        self._state: PublicState | None = None

    def announce(self, event: PublicEvent) -> None:
        """Send an event to all clients. They have a state already."""
        if self._clients and self._state is not None:
            self._send(self._encoder.event(event))

    def publish(self, state: PublicState) -> None:
        """Send a state to all clients, and to each new client as its first line."""
        self._state = state
        if self._clients:
            self._send(self._encoder.state(state))

    def _send(self, line: bytes) -> None:
        for client in tuple(self._clients):
            client.send(line)

    async def _wait_for_room(self) -> None:
        if len(self._clients) >= MAX_CLIENTS:
            self._warn(
                f"{MAX_CLIENTS} clients of the public socket are connected: the next one waits until one disconnects"
            )
        while len(self._clients) >= MAX_CLIENTS:
            self._has_room.clear()
            await self._has_room.wait()

    def _connected(self, client: "_Client") -> None:
        self._clients[client] = None
        if self._state is not None:
            client.send(self._encoder.state(self._state))

    def _disconnected(self, client: "_Client", why: str = "") -> None:
        self._clients.pop(client, None)
        self._has_room.set()
        if why:
            self._warn(f"a client of the public socket was disconnected: {why}")

    def _warn(self, warning: str) -> None:
        """Log a warning, or count it for the next one if there were too many recently."""
        now_s = asyncio.get_running_loop().time()
        if not self._warnings.allow(1, now_s):
            self._suppressed += 1
            return
        suppressed = f" ({self._suppressed} such lines before it were left out)" if self._suppressed else ""
        log.warning("%s%s", warning, suppressed)
        self._suppressed = 0

    async def __aenter__(self) -> Self:
        """Open the socket. Raises `PublicSocketError`."""
        self._listening = listen_at(self.path)
        self._file = self.path.stat()
        rate = RateLimiter(MAX_CLIENTS, MAX_ACCEPTS_PER_S)
        client = partial(_Client, self._connected, self._disconnected)
        accepting = accept_connections(self._listening, client, rate, self._wait_for_room)
        self._accepting = asyncio.create_task(accepting)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Remove the file unless another process has replaced it, and disconnect all clients."""
        with suppress(OSError):
            if self.path.stat().st_ino == self._file.st_ino:
                self.path.unlink()
        self._accepting.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()
        for client in self._clients:
            client.close()

    def __repr__(self) -> str:
        return f"<PublicSocket {self.path}, {len(self._clients)} clients>"


class _Client(asyncio.Protocol):
    """One connection. Writing never waits, and input is ignored."""

    def __init__(self, connected: Callable[["_Client"], None], disconnected: Callable[["_Client", str], None]) -> None:
        self._connected = connected
        self._disconnected = disconnected
        self._received_bytes = 0

    def send(self, line: bytes) -> None:
        """Send a line. It waits here until the kernel takes it."""
        if not self._transport.is_closing():  # asyncio logs each line that is written after the peer has closed
            self._transport.write(line)

    def close(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def drop(self, why: str) -> None:
        """Disconnect the client for a reason."""
        self._disconnected(self, why)
        self.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport of a new connection."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=MAX_BACKLOG_BYTES)
        self._connected(self)

    def pause_writing(self) -> None:
        """Disconnect a client for which more than `MAX_BACKLOG_BYTES` wait."""
        self.drop("it does not read")

    def data_received(self, data: bytes) -> None:
        """Disconnect a client that sends more than `MAX_RECEIVED_BYTES`; input is ignored."""
        self._received_bytes += max(len(data), MIN_COUNTED_BYTES)
        if self._received_bytes > MAX_RECEIVED_BYTES:
            self.drop("it sends data")

    def connection_lost(self, _: Exception | None) -> None:
        """Note that the client has disconnected."""
        self._disconnected(self, "")
