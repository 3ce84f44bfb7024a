"""The documents on a page's own server, at `/docs/`: the site of the package, as `make site` writes it.

Files are read as they are asked for: the site is larger than a page, and seldom read. Its scripts come from its files
alone and fetch nothing, so they reach nothing of the page.
"""

import asyncio
import os
from pathlib import Path, PurePosixPath

from aiohttp import web

from hardware.config import regular_file

SITE = Path("/usr/share/doc/dudo-table/html")
PIECE_BYTES = 64 << 10
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".gif": "image/gif",
    ".woff2": "font/woff2",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The theme writes its colours into each page, and the search is a form."""


class Site:
    """The site in `folder`, a folder of the documents, with whose pictures it shares files by links."""

    def __init__(self, folder: Path = SITE) -> None:
        self._folder = folder

    @property
    def is_here(self) -> bool:
        """Whether the documents are installed."""
        return (self._folder / "index.html").is_file()

    def add_to(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/docs/{name:.*}", self._file)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """Answer with a file of the site. Raises `web.HTTPNotFound` for any other name."""
        name = request.match_info["name"] or "index.html"
        path = PurePosixPath(name)
        kind = KINDS.get(path.suffix)
        if kind is None or path.is_absolute() or str(path) != name or ".." in path.parts or not name.isprintable():
            raise web.HTTPNotFound
        try:
            descriptor = await asyncio.to_thread(regular_file.opened_below, self._folder / path, self._folder.parent)
        except (OSError, ValueError):
            raise web.HTTPNotFound from None
        try:
            return await _send(request, descriptor, kind)
        finally:
            os.close(descriptor)


async def _send(request: web.Request, descriptor: int, kind: str) -> web.StreamResponse:
    """Send a file piece by piece: slow readers of large pictures take no memory."""
    answer = web.StreamResponse(headers={"Content-Security-Policy": _POLICY})
    answer.content_type = kind
    if kind.startswith("text/"):
        answer.charset = "utf-8"
    answer.content_length = left = os.fstat(descriptor).st_size
    answer.force_close()
    await answer.prepare(request)
    while left > 0 and (piece := os.read(descriptor, min(left, PIECE_BYTES))):
        left -= len(piece)
        await answer.write(piece)
    await answer.write_eof()
    return answer
