"""Serving an aiohttp application within limits, to protect a process's connections and time from its clients.

The workbench serves its pages with it, and `public_page` the audience's page.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from drivers.timing import RateLimiter
from firmware_host.clients.web.frame_count import FrameCount
from firmware_host.clients.web.limits import MAX_DEBT_S, AddressLimits, Limits, OpenPages, is_loopback, peer_address
from firmware_host.public.accepting import accept_connections
from firmware_host.util.log import ErrorCounter
from firmware_host.util.virtual_seconds import virtual_seconds

CLIENT_ERRORS = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""Client errors; aiohttp answers them, and they are not logged."""
ACCEPTED_A_SECOND = 400
"""Maximum number of connections considered in a second, from all addresses: refusing one costs little."""
REQUEST_TIMEOUT_S = 5.0
"""Time limit in seconds for a connection to request and read a file; a WebSocket may stay."""
BACKLOG = 32
PIECES_AT_ONCE, PIECES_A_SECOND, PIECE_BYTES = 300, 120, 128
"""Input limit of a connection: pieces, because each wakes the loop, or frames if these are more, and bytes."""
READ_ABOVE_LIMIT_BYTES = 4096
"""Bytes read from a piece above the rate limit, enough for aiohttp to report a too long message."""
FLOOD_COST = 8
"""Connections charged for one that sends too much, so that a flooding client comes back slowly."""
UNREAD_BYTES = 8 * 1024
"""A connection's receive buffer in the kernel, in bytes: small, so that a flooding client waits."""
CLOSE_TIMEOUT_S = 1.0
"""Time limits in seconds for connections at shutdown, and for a closing connection's last frames."""

log = logging.getLogger(__name__)
errors = ErrorCounter()


def _without_exceptions(record: logging.LogRecord) -> bool:
    """Drop exceptions from aiohttp's log: `errors` counts those beyond a client's control."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and not isinstance(error, CLIENT_ERRORS):
        errors.log("the page", error)
    return error is None


log.addFilter(_without_exceptions)


@asynccontextmanager
async def serving(
    app: web.Application,
    pages: OpenPages[Any],
    listening: socket.socket,
    limits: Limits,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[None]:
    """Serve an application within limits until the block ends; then close its pages. With `tls` it is for HTTPS alone.

    Connections beyond their address's limits are aborted unread.
    """
    is_shared = limits.of_an_address is not None
    admission = AddressLimits(limits) if is_shared else None
    rate = RateLimiter(*(ACCEPTED_A_SECOND,) * 2) if is_shared else RateLimiter(limits.burst, limits.per_s)
    runner = web.AppRunner(app, access_log=None, logger=log, shutdown_timeout=CLOSE_TIMEOUT_S)
    await runner.setup()
    server = cast(web.Server, runner.server)
    loop = asyncio.get_running_loop()

    def flooded(transport: asyncio.BaseTransport) -> None:
        if admission is None:
            rate.charge(FLOOD_COST, loop.time(), MAX_DEBT_S)
        else:
            admission.charge(transport, FLOOD_COST)

    def make_protocol() -> asyncio.Protocol:
        connection = _Connection(server, admission, flooded, loop=loop, access_log=None, logger=log)
        loop.call_later(virtual_seconds(REQUEST_TIMEOUT_S), drop, connection)
        return connection

    def drop(connection: web.RequestHandler) -> bool:
        """Abort a connection, unless it is a page's WebSocket."""
        transport = connection.transport
        if transport is None or pages.has(transport):
            return False
        transport.abort()
        return True

    async def make_room() -> None:
        """At the limit, abort the oldest connection other than a page's WebSocket.

        Connections from this computer go last.
        """
        if len(server.connections) >= limits.connections:
            any(drop(each) for each in sorted(server.connections, key=_is_own))

    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BYTES)  # inherited by connections
    listening.listen(BACKLOG)
    accepting = asyncio.create_task(accept_connections(listening, make_protocol, rate, make_room, tls))
    try:
        yield
    finally:
        await pages.close()
        accepting.cancel()
        await asyncio.wait([accepting])
        listening.close()
        await runner.cleanup()


def _is_own(connection: web.RequestHandler) -> bool:
    return is_loopback(peer_address(connection.transport))


class _Connection(web.RequestHandler):
    """A connection, closed when it sends more than a page does, because parsing takes the loop's time."""

    def __init__(
        self,
        server: web.Server,
        admission: AddressLimits | None,
        on_flood: Callable[[asyncio.BaseTransport], None],
        **words: Any,
    ) -> None:
        super().__init__(server, **words)
        self._on_flood = on_flood
        self._admission = admission
        self._admitted: asyncio.BaseTransport | None = None
        self._rate = RateLimiter(PIECES_AT_ONCE, PIECES_A_SECOND)
        self._frames = FrameCount()
        self._sent_too_much = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or abort a refused connection."""
        super().connection_made(transport)
        if self._admission is None or self._admission.admits(transport):
            self._admitted = transport
        else:
            cast(asyncio.Transport, transport).abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """End."""
        super().connection_lost(exc)
        if self._admission is not None and self._admitted is not None:
            self._admission.closed(self._admitted)

    def data_received(self, data: bytes) -> None:
        """Handle a piece of input; above the rate limit, handle only its beginning and close the connection."""
        if self._sent_too_much:  # aiohttp may have resumed reading
            self._stop_reading()
            return
        frames, counted_bytes = self._frames.count(data, PIECES_AT_ONCE)
        cost = max(1, frames) + len(data) / PIECE_BYTES
        if self._rate.allow(cost, asyncio.get_running_loop().time() / virtual_seconds(1)):
            super().data_received(data)
        else:
            self._sent_too_much = True
            if self.transport is not None:
                self._on_flood(self.transport)
            self._stop_reading()
            super().data_received(data[: min(counted_bytes, READ_ABOVE_LIMIT_BYTES)])

    def _stop_reading(self) -> None:
        if self.transport is not None:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(virtual_seconds(CLOSE_TIMEOUT_S), self.transport.abort)
