"""The workbench over HTTP: the files of the page and its WebSocket at `/live`.

`serve_pages` serves the page of this computer on loopback; `guest_app` serves that of guests.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import WSCloseCode, web

from drivers.timing import RateLimiter
from firmware_host.web.access import access_check, own_hosts, security_headers
from firmware_host.web.files import SHARED, read_file
from firmware_host.web.serving import CONNECTIONS, CONNECTIONS_A_SECOND, serving
from firmware_host.workbench.connection import ClientConnection
from firmware_host.workbench.workbench import Workbench

FILES = Path(__file__).parent / "page"


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


async def page_file(request: web.Request) -> web.Response:
    """Return a file of the page by its exact name."""
    return read_page_file(request.match_info["name"] or "index.html")


def read_page_file(name: str, status: int = 200) -> web.Response:
    """Return a file of the page as a response. Raises `web.HTTPNotFound`."""
    return read_file(name, FILES, SHARED, status=status)
