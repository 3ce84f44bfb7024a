"""The workbench over HTTP: the files of the page and its WebSocket at `/live`, and the connections that it may cost.

`serve_pages` serves the page of this computer on loopback; `guest_app` serves that of guests.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, cast

from aiohttp import WSCloseCode, web
from aiohttp.http_exceptions import HttpProcessingError

from drivers.timing import RateLimiter
from firmware_host.play.virtual_seconds import virtual_seconds
from firmware_host.public.accepting import accept_connections
from firmware_host.supervision.error_log import ErrorCounter
from firmware_host.workbench.access import access_check, own_hosts, security_headers
from firmware_host.workbench.connection import ClientConnection
from firmware_host.workbench.protocol import MESSAGE_BYTES
from firmware_host.workbench.workbench import Workbench

FILES = Path(__file__).parent / "page"
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
CLIENT_ERRORS = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""Errors that a client can cause; aiohttp answers them, and they are not logged."""
CONNECTIONS = 64
"""Connections at once, enough for every page and its files; each takes a descriptor that the table may need."""
CONNECTIONS_A_SECOND = 32
"""Connections accepted a second in the long run; a burst may be twice `CONNECTIONS`. A page takes about twenty."""
REQUEST_TIMEOUT_S = 5.0
"""Seconds that a connection may take to request and read a file; a WebSocket may stay."""
BACKLOG = 32
PIECES_AT_ONCE, PIECES_A_SECOND, PIECE_BYTES = 300, 120, 128
"""Rate limit of what one connection sends: in pieces, because each wakes the loop, and in bytes."""
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


@asynccontextmanager
async def serve_pages(workbench: Workbench, listening: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket from `access.bind` until the block ends, and then close every page with that reason."""
    pages = Pages()

    async def live(request: web.Request) -> web.StreamResponse:
        return await pages.run(ClientConnection(workbench), request)

    hosts = own_hosts(listening.getsockname()[1])
    app = web.Application(middlewares=[access_check(hosts)])
    app.on_response_prepare.append(security_headers(hosts))
    app.router.add_get("/live", live)
    app.router.add_get("/{name:.*}", page_file)
    async with serving(app, pages, listening, RateLimiter(2 * CONNECTIONS, CONNECTIONS_A_SECOND)):
        yield


class Admission(Protocol):
    """What limits the connections of single peers."""

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; return whether its peer may have it."""

    def closed(self, transport: asyncio.BaseTransport) -> None:
        """Count a connection that was admitted as closed."""


class Pages:
    """The WebSockets of an application."""

    def __init__(self) -> None:
        self._open: set[ClientConnection] = set()

    async def run(self, page: ClientConnection, request: web.Request) -> web.StreamResponse:
        """Run the WebSocket of a request until it is closed."""
        self._open.add(page)
        try:
            return await page.run(request)
        finally:
            self._open.discard(page)

    def has(self, transport: asyncio.BaseTransport) -> bool:
        """Return whether one of them uses a transport."""
        return transport in [page.transport for page in self._open]

    async def close(self) -> None:
        """Close them, because the session is over."""
        ending = [page.close(WSCloseCode.GOING_AWAY, "The session is over.") for page in self._open]
        await asyncio.gather(*ending, return_exceptions=True)


@asynccontextmanager
async def serving(
    app: web.Application,
    pages: Pages,
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
        if transport is None or pages.has(transport):
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
        await pages.close()
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
            super().data_received(data[:MESSAGE_BYTES])  # enough for aiohttp to report that a message is too long

    def _stop_reading(self) -> None:
        if self.transport is not None:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(virtual_seconds(CLOSE_TIMEOUT_S), self.transport.abort)


async def page_file(request: web.Request) -> web.Response:
    """Return a file of the page by its exact name."""
    return read_page_file(request.match_info["name"] or "index.html")


def read_page_file(name: str, status: int = 200) -> web.Response:
    """Return a file of the page as a response. Raises `web.HTTPNotFound`."""
    files = {file.relative_to(FILES).as_posix(): file for file in FILES.rglob("*") if file.suffix in KINDS}
    if name not in files:
        raise web.HTTPNotFound
    kind = KINDS[files[name].suffix]
    charset = "utf-8" if kind.startswith(("text/", "image/")) else None
    return web.Response(status=status, body=files[name].read_bytes(), content_type=kind, charset=charset)
