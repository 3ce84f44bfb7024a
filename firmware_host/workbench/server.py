"""The workbench over HTTP, on loopback alone: the page's files, and `/live`."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from aiohttp import WSCloseCode, web
from aiohttp.http_exceptions import HttpProcessingError

from firmware_host.workbench.guard import guard, seal
from firmware_host.workbench.live import Live
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
CONNECTIONS = 128
"""Room for every page and its files. More are let go at once: each takes a descriptor that the table may need."""
BACKLOG = 16
END_S = 1.0
"""How long the end waits for connections."""

log = logging.getLogger(__name__)
log.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], STRANGE)))


@asynccontextmanager
async def served(workbench: Workbench, listening: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket from `listening.listen` until left; then every page is told that the evening is over."""
    connections: set[Live] = set()

    async def live(request: web.Request) -> web.StreamResponse:
        connection = Live(workbench)
        connections.add(connection)
        try:
            return await connection.run(request)
        finally:
            connections.discard(connection)

    app = web.Application(middlewares=[guard(listening.getsockname()[1])])
    app.on_response_prepare.append(seal)
    app.router.add_get("/live", live)
    app.router.add_get("/{name:.*}", _file)
    runner = web.AppRunner(app, access_log=None, logger=log, shutdown_timeout=END_S)
    await runner.setup()

    def answering() -> asyncio.Protocol:
        assert runner.server is not None
        return runner.server() if len(runner.server.connections) < CONNECTIONS else _Full()

    port = await asyncio.get_running_loop().create_server(answering, sock=listening, backlog=BACKLOG)
    try:
        yield
    finally:
        ending = [connection.close(WSCloseCode.GOING_AWAY, "The evening is over.") for connection in connections]
        await asyncio.gather(*ending, return_exceptions=True)
        port.close()
        await runner.cleanup()


class _Full(asyncio.Protocol):
    """Somebody for whom there is no room."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let go at once."""
        cast(asyncio.Transport, transport).abort()


async def _file(request: web.Request) -> web.Response:
    """A file of the page, by its exact name; what is not there under it is not found."""
    name = request.match_info["name"] or "index.html"
    files = {file.relative_to(FILES).as_posix(): file for file in FILES.rglob("*") if file.suffix in KINDS}
    if name not in files:
        raise web.HTTPNotFound
    kind = KINDS[files[name].suffix]
    charset = "utf-8" if kind.startswith(("text/", "image/")) else None
    return web.Response(body=files[name].read_bytes(), content_type=kind, charset=charset)
