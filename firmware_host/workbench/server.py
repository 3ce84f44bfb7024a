"""The workbench over HTTP, on loopback alone: the page's files, and `/live`."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from aiohttp import WSCloseCode, web
from aiohttp.http_exceptions import HttpProcessingError

from drivers.timing import Patience
from firmware_host.play.virtual_seconds import of_the_loop
from firmware_host.public.accepting import accept_connections
from firmware_host.supervision.error_log import ErrorCounter
from firmware_host.workbench.access import guard, seal
from firmware_host.workbench.live import Live
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
STRANGE = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""What a browser can do wrong, or do in going: that is answered if it can be, and nobody's fault here."""
CONNECTIONS = 64
"""Room for every page and what it loads; each takes a descriptor that the table may need."""
CONNECTIONS_A_SECOND = 32
"""How often a connection is accepted in the long run; at once twice `CONNECTIONS`. A page takes some twenty to load."""
ANSWERED_WITHIN_S = 5.0
"""How long a connection may take to ask and to read the answer, unless it is a page's own."""
BACKLOG = 32
PIECES_AT_ONCE, PIECES_A_SECOND, PIECE_BYTES = 300, 120, 128
"""What one connection may send at once, and in the long run: in pieces, for the loop wakes for each, and in bytes."""
END_S = 1.0
"""How long the end of the evening waits for connections, and that of a connection for its last words."""

log = logging.getLogger(__name__)
errors = ErrorCounter()


def _is_news(record: logging.LogRecord) -> bool:
    """Keep exceptions from aiohttp's log: what a client can cause is nothing, another kind is told once and counted."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and not isinstance(error, STRANGE):
        errors.log("the page", error)
    return error is None


log.addFilter(_is_news)


@asynccontextmanager
async def served(workbench: Workbench, listening: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket from `listening.listen` until left; then every page is told that the evening is over."""
    pages: set[Live] = set()

    async def live(request: web.Request) -> web.StreamResponse:
        page = Live(workbench)
        pages.add(page)
        try:
            return await page.run(request)
        finally:
            pages.discard(page)

    app = web.Application(middlewares=[guard(listening.getsockname()[1])])
    app.on_response_prepare.append(seal)
    app.router.add_get("/live", live)
    app.router.add_get("/{name:.*}", _file)
    runner = web.AppRunner(app, access_log=None, logger=log, shutdown_timeout=END_S)
    await runner.setup()
    server = cast(web.Server, runner.server)
    loop = asyncio.get_running_loop()

    def answering() -> asyncio.Protocol:
        connection = _Connection(server, loop=loop, access_log=None, logger=log)
        loop.call_later(of_the_loop(ANSWERED_WITHIN_S), drop, connection)
        return connection

    def drop(connection: web.RequestHandler) -> bool:
        """Let go of a connection that is no page's."""
        transport = connection.transport
        if transport is None or transport in [page.transport for page in pages]:
            return False
        transport.abort()
        return True

    async def room() -> None:
        """Let go of the oldest connection that is no page's when there is no room for another."""
        if len(server.connections) >= CONNECTIONS:
            any(drop(connection) for connection in server.connections)

    listening.listen(BACKLOG)
    rate = Patience(2 * CONNECTIONS, CONNECTIONS_A_SECOND)
    accepting = asyncio.create_task(accept_connections(listening, answering, rate, room))
    try:
        yield
    finally:
        ending = [page.close(WSCloseCode.GOING_AWAY, "The evening is over.") for page in pages]
        await asyncio.gather(*ending, return_exceptions=True)
        accepting.cancel()
        await asyncio.wait([accepting])
        listening.close()
        await runner.cleanup()


class _Connection(web.RequestHandler):
    """One connection, for as long as it sends no more than a page does: the loop parses whatever comes."""

    def __init__(self, *arguments: Any, **words: Any) -> None:
        super().__init__(*arguments, **words)
        self._rate = Patience(PIECES_AT_ONCE, PIECES_A_SECOND)
        self._sent_too_much = False

    def data_received(self, data: bytes) -> None:
        """Take a piece; if it is too much, only its beginning, and end the connection soon after."""
        if self._sent_too_much:  # aiohttp may have resumed reading
            self._stop_reading()
        elif self._rate.allows(1 + len(data) / PIECE_BYTES, asyncio.get_running_loop().time() / of_the_loop(1)):
            super().data_received(data)
        else:
            self._sent_too_much = True
            self._stop_reading()
            super().data_received(data[:MESSAGE_BYTES])  # where aiohttp finds why, if it is one long message

    def _stop_reading(self) -> None:
        if self.transport is not None:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(of_the_loop(END_S), self.transport.abort)


async def _file(request: web.Request) -> web.Response:
    """A file of the page, by its exact name; what is not there under it is not found."""
    name = request.match_info["name"] or "index.html"
    files = {file.relative_to(FILES).as_posix(): file for file in FILES.rglob("*") if file.suffix in KINDS}
    if name not in files:
        raise web.HTTPNotFound
    kind = KINDS[files[name].suffix]
    charset = "utf-8" if kind.startswith(("text/", "image/")) else None
    return web.Response(body=files[name].read_bytes(), content_type=kind, charset=charset)
