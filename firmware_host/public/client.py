"""One client of the public socket: its outgoing lines, its one request, and the reasons to disconnect it.

`server.PublicSocket` makes one for each connection.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import cast

import msgspec

from firmware_host.wire import MAX_LINE_BYTES, Request

MAX_BACKLOG_BYTES = MAX_LINE_BYTES
"""One client's backlog here, besides the kernel's: hundreds of lines."""
MAX_PAGED_BYTES = 64 * 1024
"""The same while the client catches up; then the next page waits, and the client stays."""
MAX_RECEIVED_BYTES = 4096
"""Maximum number of bytes from a client before it is disconnected."""
MIN_COUNTED_BYTES = 128
"""Minimum number of bytes charged for each received piece, because the loop wakes for it."""
_MAX_QUOTED_BYTES = 60


class SocketClient(asyncio.Protocol):
    """One connection. Writing never waits.

    `on_asked` is called with its one request. While it `is_catching_up`, it gets pages of missed events instead of new
    lines. `on_room` is called when there is room for a page again.
    """

    def __init__(
        self,
        on_connected: Callable[["SocketClient"], None],
        on_disconnected: Callable[["SocketClient", str], None],
        on_asked: Callable[["SocketClient", Request], None],
        on_room: Callable[[], None],
        warn: Callable[[str], None],
    ) -> None:
        self._on_connected = on_connected
        self._on_disconnected = on_disconnected
        self._on_asked = on_asked
        self._on_room = on_room
        self._warn = warn
        self._received_bytes = 0
        self._received = bytearray()  # of an incomplete line
        self._has_asked = False
        self._skipped_bytes = 0
        self.is_catching_up = False
        self.is_paused = False
        """Whether it has no room for another page."""

    def send(self, line: bytes) -> None:
        """Send a line, kept here until the kernel takes it. A client catching up gets it later."""
        if not self.is_catching_up:
            self._write(line)
            return
        self._skipped_bytes += len(line) if self.is_paused else 0
        if self._skipped_bytes > MAX_BACKLOG_BYTES:
            self.drop("it does not read")

    def begin_to_catch_up(self) -> None:
        """Send pages from now on."""
        self.is_catching_up = True
        self._transport.set_write_buffer_limits(high=MAX_PAGED_BYTES)

    def send_page(self, lines: Sequence[bytes]) -> None:
        """Send missed lines."""
        self._skipped_bytes = 0
        self._write(b"".join(lines))

    def end_catching_up(self, state: bytes) -> None:
        """Send a state, and from now on every line as it comes. The client must not be paused."""
        self.is_catching_up = False
        self._transport.set_write_buffer_limits(high=MAX_BACKLOG_BYTES)
        self._write(state)

    def close(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def drop(self, why: str) -> None:
        """Disconnect the client for a reason."""
        self._on_disconnected(self, why)
        self.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a new connection's transport."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=MAX_BACKLOG_BYTES)
        self._on_connected(self)

    def pause_writing(self) -> None:
        """Disconnect a client with a backlog above `MAX_BACKLOG_BYTES`; hold back the next page."""
        if self.is_catching_up:
            self.is_paused = True
        else:
            self.drop("it does not read")

    def resume_writing(self) -> None:
        """Request the next page."""
        self.is_paused = False
        self._on_room()

    def data_received(self, data: bytes) -> None:
        """Handle the client's request; disconnect it above `MAX_RECEIVED_BYTES`."""
        self._received_bytes += max(len(data), MIN_COUNTED_BYTES)
        if self._received_bytes > MAX_RECEIVED_BYTES:
            self.drop("it sends data")
            return
        *lines, rest = (self._received + data).split(b"\n")
        self._received = rest
        for line in lines:
            if self._transport.is_closing():
                return
            self._handle(bytes(line))

    def connection_lost(self, _: Exception | None) -> None:
        """Note the end of the connection."""
        self._on_disconnected(self, "")

    def _handle(self, line: bytes) -> None:
        try:
            request = msgspec.json.decode(line, type=Request)
            if request.since is None and not (request.record or request.verdict or request.figures):
                raise ValueError("it requests nothing")
        except (msgspec.MsgspecError, ValueError, RecursionError):
            quoted = repr(line[:_MAX_QUOTED_BYTES])[2:-1]
            self._warn(f"a client of the public socket sent what is no request, which is ignored: {quoted}")
            return
        if self._has_asked:
            self.drop("it sends a second request")
            return
        self._has_asked = True
        self._on_asked(self, request)

    def _write(self, data: bytes) -> None:
        if not self._transport.is_closing():  # asyncio logs each line written after the peer has closed
            self._transport.write(data)
