"""The workbench over HTTP, for this computer on loopback: the page's files and its WebSocket at `/live`."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from firmware_host.clients.web.access import access_check, own_hosts, security_headers
from firmware_host.clients.web.files import file_named, read_files
from firmware_host.clients.web.limits import OWN, OpenPages
from firmware_host.clients.web.serving import serving
from firmware_host.i18n.workbench_texts import all_workbench_texts
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

    async def file(request: web.Request) -> web.Response:
        return file_named(files, request.match_info["name"])

    files = load_files(workbench.language)
    hosts = own_hosts(listening.getsockname()[1])
    app = web.Application(middlewares=[access_check(hosts)])
    app.on_response_prepare.append(security_headers(hosts))
    app.router.add_get("/live", live)
    app.router.add_get("/{name:.*}", file)
    async with serving(app, pages, listening, OWN):
        yield


def load_files(language: str) -> dict[str, bytes]:
    """Return the page's files by name. It is in the table's language, unless that is English, or a person chose one."""
    return read_files(FILES, None if language == "en" else language, all_workbench_texts())
