"""Serving an aiohttp application within limits, so that no client can use up the connections or the time of a process.

The workbench serves its pages with it, and `public_page` the page for the room.
"""

import asyncio
import logging
import socket
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from drivers.timing import RateLimiter
from firmware_host.public.accepting import accept_connections
from firmware_host.supervision.error_log import ErrorCounter
from firmware_host.util.virtual_seconds import virtual_seconds

CLIENT_ERRORS = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""Errors that a client can cause; aiohttp answers them, and they are not logged."""
CONNECTIONS = 64
"""Connections at once, enough for every page and its files; each takes a descriptor that the table may need."""
CONNECTIONS_A_SECOND = 32
"""Connections accepted a second in the long run; a burst may be twice `CONNECTIONS`. A page takes about twenty."""
CONNECTIONS_OF_AN_ADDRESS = 32
"""Connections of one address at once. A browser has six at most, and two WebSockets for each of its guests."""
MAX_ADDRESSES = 256
"""Addresses whose connections are counted; the one that was quiet for longest is forgotten first."""
CONNECTIONS_OF_ALL = 4 * CONNECTIONS
ACCEPTED_A_SECOND = 400
"""Connections of all addresses that are looked at a second: refusing one costs little."""
REQUEST_TIMEOUT_S = 5.0
"""Seconds that a connection may take to request and read a file; a WebSocket may stay."""
BACKLOG = 32
PIECES_AT_ONCE, PIECES_A_SECOND, PIECE_BYTES = 300, 120, 128
"""Rate limit of what one connection sends: in pieces, because each wakes the loop, and in bytes."""
READ_ABOVE_LIMIT_BYTES = 4096
"""Bytes of a piece above the rate limit that are read, enough for aiohttp to report that a message is too long."""
CLOSE_TIMEOUT_S = 1.0
"""Seconds that shutting down waits for connections, and that closing one waits for its last frames."""

log = logging.getLogger(__name__)
errors = ErrorCounter()


def _without_exceptions(record: logging.LogRecord) -> bool:
    """Filter exceptions out of aiohttp's log: `errors` counts those that no client can cause."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and not isinstance(error, CLIENT_ERRORS):
        errors.log("the page", error)
    return error is None


log.addFilter(_without_exceptions)


class Admission(Protocol):
    """What limits the connections of single peers."""

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; return whether its peer may have it."""

    def closed(self, transport: asyncio.BaseTransport) -> None:
        """Count a connection that was admitted as closed."""


class OpenSockets(Protocol):
    """The WebSockets of an application, which are not requests that may time out."""

    def has(self, transport: asyncio.BaseTransport) -> bool:
        """Return whether one of them uses a transport."""

    async def close(self) -> None:
        """Close them, because the server ends."""


@asynccontextmanager
async def serving(
    app: web.Application,
    sockets: OpenSockets,
    listening: socket.socket,
    rate: RateLimiter,
    *,
    connections: int = CONNECTIONS,
    admission: Admission | None = None,
) -> AsyncIterator[None]:
    """Serve an application until the block ends, within the limits of its connections.

    A connection that `admission` refuses is aborted before anything is read.
    """
    runner = web.AppRunner(app, access_log=None, logger=log, shutdown_timeout=CLOSE_TIMEOUT_S)
    await runner.setup()
    server = cast(web.Server, runner.server)
    loop = asyncio.get_running_loop()

    def make_protocol() -> asyncio.Protocol:
        connection = _Connection(server, admission, loop=loop, access_log=None, logger=log)
        loop.call_later(virtual_seconds(REQUEST_TIMEOUT_S), drop, connection)
        return connection

    def drop(connection: web.RequestHandler) -> bool:
        """Abort a connection, unless it is a page's WebSocket."""
        transport = connection.transport
        if transport is None or sockets.has(transport):
            return False
        transport.abort()
        return True

    async def make_room() -> None:
        """Abort the oldest connection that is no page's WebSocket, if there are as many as there may be."""
        if len(server.connections) >= connections:
            any(drop(connection) for connection in server.connections)

    listening.listen(BACKLOG)
    accepting = asyncio.create_task(accept_connections(listening, make_protocol, rate, make_room))
    try:
        yield
    finally:
        await sockets.close()
        accepting.cancel()
        await asyncio.wait([accepting])
        listening.close()
        await runner.cleanup()


class _Connection(web.RequestHandler):
    """A connection that is closed when it sends more than a page does, because parsing takes the loop's time."""

    def __init__(self, server: web.Server, admission: Admission | None, **words: Any) -> None:
        super().__init__(server, **words)
        self._admission = admission
        self._admitted: asyncio.BaseTransport | None = None
        self._rate = RateLimiter(PIECES_AT_ONCE, PIECES_A_SECOND)
        self._sent_too_much = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or abort a connection that is refused."""
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
        """Handle a piece of input; above the rate limit only its beginning, and then close the connection."""
        if self._sent_too_much:  # aiohttp may have resumed reading
            self._stop_reading()
        elif self._rate.allow(1 + len(data) / PIECE_BYTES, asyncio.get_running_loop().time() / virtual_seconds(1)):
            super().data_received(data)
        else:
            self._sent_too_much = True
            self._stop_reading()
            super().data_received(data[:READ_ABOVE_LIMIT_BYTES])

    def _stop_reading(self) -> None:
        if self.transport is not None:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(virtual_seconds(CLOSE_TIMEOUT_S), self.transport.abort)


class AddressLimits:
    """The limits of the connections of each address, so that no guest takes all of them: an `Admission`."""

    def __init__(
        self,
        connections: int = CONNECTIONS_OF_AN_ADDRESS,
        at_once: float = 2 * CONNECTIONS,
        per_s: float = CONNECTIONS_A_SECOND,
    ) -> None:
        self._connections, self._at_once, self._per_s = connections, at_once, per_s
        self._rates: OrderedDict[str, RateLimiter] = OrderedDict()
        self._open: Counter[str] = Counter()

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; return whether its address may have it."""
        address, now_s = _address(transport), asyncio.get_running_loop().time() / virtual_seconds(1)
        rate = self._rates.pop(address, None) or RateLimiter(self._at_once, self._per_s)
        self._rates[address] = rate
        if len(self._rates) > MAX_ADDRESSES:
            self._rates.popitem(last=False)
        if self._open[address] >= self._connections or not rate.allow(1, now_s):
            return False
        self._open[address] += 1
        return True

    def closed(self, transport: asyncio.BaseTransport) -> None:
        """Count a connection that was admitted as closed."""
        address = _address(transport)
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


def _address(transport: asyncio.BaseTransport) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""  # none of a peer that has gone already
