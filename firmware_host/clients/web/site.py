"""The documents on a page's own server, at `/docs/`: the site of the package, as `make site` writes it.

Files are read as they are asked for: the site is larger than a page, and seldom read. Its scripts come from its files
alone and fetch nothing, so they reach nothing of the page.
"""

import asyncio
from pathlib import Path, PurePosixPath

from aiohttp import web

from hardware.config import regular_file

SITE = Path("/usr/share/doc/dudo-table/html")
MAX_FILE_BYTES = 8 << 20
"""Bytes of the largest file: a moving picture of a round, or the index for the search."""
READS_AT_ONCE = 4
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
        self._reads = asyncio.Semaphore(READS_AT_ONCE)

    @property
    def is_here(self) -> bool:
        """Whether the documents are installed."""
        return (self._folder / "index.html").is_file()

    def add_to(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/docs/{name:.*}", self._file)

    async def _file(self, request: web.Request) -> web.Response:
        """Answer with a file of the site. Raises `web.HTTPNotFound` for any other name."""
        name = request.match_info["name"] or "index.html"
        path = PurePosixPath(name)
        kind = KINDS.get(path.suffix)
        if kind is None or path.is_absolute() or str(path) != name or ".." in path.parts or not name.isprintable():
            raise web.HTTPNotFound
        async with self._reads:
            try:
                content = await asyncio.to_thread(self._read, path)
            except (OSError, ValueError):
                raise web.HTTPNotFound from None
        charset = "utf-8" if kind.startswith("text/") else None
        policy = {"Content-Security-Policy": _POLICY}
        return web.Response(body=content, content_type=kind, charset=charset, headers=policy)

    def _read(self, path: PurePosixPath) -> bytes:
        return regular_file.read(self._folder / path, MAX_FILE_BYTES, below=self._folder.parent)
