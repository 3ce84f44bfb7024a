"""A page's files over HTTP, by their exact names."""

from collections.abc import Mapping
from pathlib import Path

from aiohttp import web

SHARED = Path(__file__).parent / "shared"
"""Files shared by all pages: language, connection, making elements, dice, seat colours."""
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wav": "audio/wav",
}


def read_files(folder: Path, language: str | None, texts: str) -> dict[str, bytes]:
    """Return a page's files by name: those of its folder, the shared ones, and its texts in all languages, as JSON.

    It is shown in `language`; None leaves that to each browser.
    """
    files = {
        file.relative_to(each).as_posix(): file.read_bytes() for each in (SHARED, folder) for file in page_files(each)
    }
    for name in files:
        if Path(name).suffix == ".html":
            files[name] = files[name].replace(b"{{language}}", (language or "").encode())
    return files | {"texts.js": module_of(texts)}


def module_of(data: str) -> bytes:
    """Return JSON as a script that exports it."""
    return f"export default {data};\n".encode()


def file_named(files: Mapping[str, bytes], name: str, *, status: int = 200) -> web.Response:
    """Return one of a page's files as a response, of a folder its index. Raises `web.HTTPNotFound`."""
    if not name or name.endswith("/"):
        name += "index.html"
    if name not in files:
        raise web.HTTPNotFound
    return file_response(Path(name).suffix, files[name], status=status)


def page_files(folder: Path) -> list[Path]:
    """Return a folder's loadable files."""
    return sorted(file for file in folder.rglob("*") if file.suffix in KINDS)


def file_response(suffix: str, content: bytes, *, status: int = 200) -> web.Response:
    """Return a file's content as a response, typed by its suffix."""
    kind = KINDS[suffix]
    charset = "utf-8" if kind.startswith(("text/", "image/")) else None
    return web.Response(status=status, body=content, content_type=kind, charset=charset)
