"""A page's files over HTTP, by their exact names."""

from pathlib import Path

from aiohttp import web

SHARED = Path(__file__).parent / "shared"
"""Files shared by several pages: making elements, dice, seat colours."""
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wav": "audio/wav",
}


def read_file(name: str, *folders: Path, status: int = 200) -> web.Response:
    """Return the named file from one of the folders as a response. Raises `web.HTTPNotFound`."""
    files = {file.relative_to(folder).as_posix(): file for folder in folders for file in page_files(folder)}
    if name not in files:
        raise web.HTTPNotFound
    return file_response(files[name].suffix, files[name].read_bytes(), status=status)


def page_files(folder: Path) -> list[Path]:
    """Return a folder's loadable files."""
    return sorted(file for file in folder.rglob("*") if file.suffix in KINDS)


def file_response(suffix: str, content: bytes, *, status: int = 200) -> web.Response:
    """Return a file's content as a response, typed by its suffix."""
    kind = KINDS[suffix]
    charset = "utf-8" if kind.startswith(("text/", "image/")) else None
    return web.Response(status=status, body=content, content_type=kind, charset=charset)
