"""The workbench over HTTP, on loopback alone: the files of the page, and its WebSocket at `/live`."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from aiohttp import WSCloseCode, web
from aiohttp.http_exceptions import HttpProcessingError

from drivers.timing import RateLimiter
from firmware_host.play.virtual_seconds import virtual_seconds
from firmware_host.public.accepting import accept_connections
from firmware_host.supervision.error_log import ErrorCounter
from firmware_host.workbench.access import access_check, add_security_headers
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
    pages: set[ClientConnection] = set()

    async def live(request: web.Request) -> web.StreamResponse:
        page = ClientConnection(workbench)
        pages.add(page)
        try:
            return await page.run(request)
        finally:
            pages.discard(page)

    app = web.Application(middlewares=[access_check(listening.getsockname()[1])])
    app.on_response_prepare.append(add_security_headers)
    app.router.add_get("/live", live)
    app.router.add_get("/{name:.*}", _file)
    runner = web.AppRunner(app, access_log=None, logger=log, shutdown_timeout=CLOSE_TIMEOUT_S)
    await runner.setup()
    server = cast(web.Server, runner.server)
    loop = asyncio.get_running_loop()

    def make_protocol() -> asyncio.Protocol:
        connection = _Connection(server, loop=loop, access_log=None, logger=log)
        loop.call_later(virtual_seconds(REQUEST_TIMEOUT_S), drop, connection)
        return connection

    def drop(connection: web.RequestHandler) -> bool:
        """Abort a connection, unless it is a page's WebSocket."""
        transport = connection.transport
        if transport is None or transport in [page.transport for page in pages]:
            return False
        transport.abort()
        return True

    async def make_room() -> None:
        """Abort the oldest connection that is no page's WebSocket, if there are `CONNECTIONS`."""
        if len(server.connections) >= CONNECTIONS:
            any(drop(connection) for connection in server.connections)

    listening.listen(BACKLOG)
    rate = RateLimiter(2 * CONNECTIONS, CONNECTIONS_A_SECOND)
    accepting = asyncio.create_task(accept_connections(listening, make_protocol, rate, make_room))
    try:
        yield
    finally:
        ending = [page.close(WSCloseCode.GOING_AWAY, "The session is over.") for page in pages]
        await asyncio.gather(*ending, return_exceptions=True)
        accepting.cancel()
        await asyncio.wait([accepting])
        listening.close()
        await runner.cleanup()


class _Connection(web.RequestHandler):
    """A connection that is closed when it sends more than a page does, because parsing takes the loop's time."""

    def __init__(self, *arguments: Any, **words: Any) -> None:
        super().__init__(*arguments, **words)
        self._rate = RateLimiter(PIECES_AT_ONCE, PIECES_A_SECOND)
        self._sent_too_much = False

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


async def _file(request: web.Request) -> web.Response:
    """Return a file of the page by its exact name."""
    name = request.match_info["name"] or "index.html"
    files = {file.relative_to(FILES).as_posix(): file for file in FILES.rglob("*") if file.suffix in KINDS}
    if name not in files:
        raise web.HTTPNotFound
    kind = KINDS[files[name].suffix]
    charset = "utf-8" if kind.startswith(("text/", "image/")) else None
    return web.Response(body=files[name].read_bytes(), content_type=kind, charset=charset)
