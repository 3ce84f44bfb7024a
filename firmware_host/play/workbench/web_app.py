"""The workbench over HTTP: the page's files and its WebSocket at `/live`.

`serve_pages` serves this computer's page on loopback; `guest_app` serves the guests'.
"""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from firmware_host.clients.web.access import access_check, own_hosts, security_headers
from firmware_host.clients.web.files import SHARED, read_file
from firmware_host.clients.web.limits import OWN, OpenPages
from firmware_host.clients.web.serving import serving
from firmware_host.play.workbench.connection import ClientConnection
from firmware_host.play.workbench.workbench import Workbench

FILES = Path(__file__).parent / "page"
GOODBYE = "The session is over."


@asynccontextmanager
async def serve_pages(workbench: Workbench, listening: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket from `access.bind` until the block ends, then close every page with that reason."""
    pages: OpenPages[ClientConnection] = OpenPages(OWN, GOODBYE)

    async def live(request: web.Request) -> web.StreamResponse:
        page = ClientConnection(workbench)
        with pages.holding(page, request):
            return await page.run(request)

    hosts = own_hosts(listening.getsockname()[1])
    app = web.Application(middlewares=[access_check(hosts)])
    app.on_response_prepare.append(security_headers(hosts))
    app.router.add_get("/live", live)
    app.router.add_get("/{name:.*}", page_file)
    async with serving(app, pages, listening, OWN):
        yield


async def page_file(request: web.Request) -> web.Response:
    """Return one of the page's files by its exact name."""
    return read_page_file(request.match_info["name"] or "index.html")


def read_page_file(name: str, status: int = 200) -> web.Response:
    """Return one of the page's files as a response. Raises `web.HTTPNotFound`."""
    return read_file(name, FILES, SHARED, status=status)
