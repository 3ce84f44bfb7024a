"""The documents at `/docs/`, on the owner's page and on the page for the TV: files of the site and no others."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.venue.page import a_browser

from firmware_host.clients.owner.server import OwnerPageServer
from firmware_host.clients.tv.server import PublicPage
from firmware_host.clients.web.access import listening_at
from firmware_host.clients.web.site import PIECE_BYTES

Get = Callable[[str], Awaitable[tuple[int, bytes, str]]]
SECRET = "secret"
LARGE = os.urandom(5 * PIECE_BYTES + 3)


def documents(folder: Path) -> Path:
    """Lay documents out as the package does, with a picture behind a link; return the site's folder."""
    site = folder / "doc" / "html"
    (site / "docs").mkdir(parents=True)
    (site / "_images").mkdir()
    (folder / "doc" / "docs" / "pictures").mkdir(parents=True)
    (site / "index.html").write_text("<p>begin")
    (site / "docs" / "faults.html").write_text("<p>faults")
    (site / "search.js").write_text("1")
    (folder / "doc" / "docs" / "pictures" / "table.png").write_bytes(b"png")
    (site / "_images" / "table.png").symlink_to("../../docs/pictures/table.png")
    (folder / "outside.html").write_text(SECRET)
    (folder / "doc" / "README.html").write_text("beside")
    (site / "out.html").symlink_to(folder / "outside.html")
    (site / "folder.html").mkdir()
    os.mkfifo(site / "pipe.html")
    (site / "large.png").write_bytes(LARGE)
    return site


@pytest.fixture(params=["owner", "tv"])
def visited(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Callable[[Get], Awaitable[None]]], None]:
    """Give a function that runs a visit to a page with these documents."""
    site, events = documents(tmp_path), tmp_path / "events.sock"

    async def run(visit: Callable[[Get], Awaitable[None]]) -> None:
        with listening_at("127.0.0.1", 0) as listening:
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            serving = (
                OwnerPageServer(listening, None, events, site=site).serve()
                if request.param == "owner"
                else PublicPage(listening, None, site=site).serve(events)
            )
            async with serving, a_browser() as session:

                async def get(path: str) -> tuple[int, bytes, str]:
                    from yarl import URL

                    async with session.get(URL(f"{address}{path}", encoded=True)) as answer:
                        policy = answer.headers["Content-Security-Policy"]
                        return answer.status, await answer.read(), policy

                await visit(get)

    return lambda visit: asyncio.run(run(visit))


def test_the_documents_need_no_login(visited: Callable[[Callable[[Get], Awaitable[None]]], None]) -> None:
    async def visit(get: Get) -> None:
        assert (await get("/docs/"))[:2] == (200, b"<p>begin")
        assert (await get("/docs/docs/faults.html?q=%3Cscript%3E"))[:2] == (200, b"<p>faults")
        assert (await get("/docs/_images/table.png"))[:2] == (200, b"png")
        assert (await get("/docs/large.png"))[:2] == (200, LARGE)
        _, _, policy = await get("/docs/search.js")
        assert ("script-src 'self';" in policy, "connect-src" in policy, "default-src 'none'" in policy) == (
            True,
            False,
            True,
        )

    visited(visit)


@pytest.mark.parametrize(
    "path",
    [
        "../README.html",
        "..%2fREADME.html",
        "%2e%2e/README.html",
        "docs/../../README.html",
        "docs/..%2f..%2fREADME.html",
        "..%5cREADME.html",
        "%2fetc/hostname",
        "/etc/passwd",
        "out.html",
        "pipe.html",
        "folder.html",
        "index.html%00.png",
        "index.html%0a",
        "./index.html",
        "docs//faults.html",
        "docs/",
        "docs",
        "index.txt",
        ".html",
        "x" * 5000 + ".html",
        "%ff.html",
    ],
)
def test_no_other_file_is_read(path: str, visited: Callable[[Callable[[Get], Awaitable[None]]], None]) -> None:
    async def visit(get: Get) -> None:
        status, body, _ = await get(f"/docs/{path}")
        assert status in (400, 404)
        assert SECRET.encode() not in body
        assert b"beside" not in body

    visited(visit)


def test_slow_readers_and_a_storm_leave_the_page_to_others(
    visited: Callable[[Callable[[Get], Awaitable[None]]], None],
) -> None:
    async def visit(get: Get) -> None:
        found = await asyncio.gather(*(get(f"/docs/{at}.html") for at in range(60)), return_exceptions=True)
        assert {each[0] for each in found if isinstance(each, tuple)} == {404}
        assert (await get("/docs/docs/faults.html"))[0] == 200

    visited(visit)


def test_a_computer_without_the_documents_has_none(tmp_path: Path) -> None:
    async def run() -> None:
        with listening_at("127.0.0.1", 0) as listening:
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            page = OwnerPageServer(listening, None, tmp_path / "events.sock", site=tmp_path / "none")
            async with page.serve(), a_browser() as session, session.get(f"{address}/docs/") as answer:
                assert answer.status == 404

    asyncio.run(run())
