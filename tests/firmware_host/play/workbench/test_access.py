"""Who is let in at the page's port, and with which headers everything leaves it."""

import asyncio
import socket
import struct
from contextlib import suppress

import aiohttp
import pytest
from support.pages.page_clients import TableWithPages, at_a_table

from firmware_host.clients.web.access import DEFAULT_PORT, bind
from firmware_host.clients.web.limits import OWN
from firmware_host.clients.web.serving import REQUEST_TIMEOUT_S
from firmware_host.errors import UserError
from firmware_host.play.workbench import web_app
from firmware_host.play.workbench.browser import has_desktop, is_terminal_browser

FOREIGN_REQUESTS = [
    {"Host": "dudo.example:{port}"},
    {"Host": "127.0.0.1"},
    {"Host": "127.0.0.1:1"},
    {"Host": "localhost"},
    {"Host": "127.0.0.1.dudo.example:{port}"},
    {"Host": ""},
    {"Origin": "http://dudo.example"},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://localhost:{port}"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]
FRIENDS = [
    {},
    {"Host": "localhost:{port}"},
    {"Host": "LocalHost:{port}"},
    {"Host": "[::1]:{port}"},
    {"Origin": "http://127.0.0.1:{port}"},
    {"Host": "localhost:{port}", "Origin": "http://localhost:{port}"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


def headers(table: TableWithPages, wanted: dict[str, str]) -> dict[str, str]:
    port = table.address.rstrip("/").rpartition(":")[2]
    return {name: value.format(port=port) for name, value in wanted.items()}


def port_of(table: TableWithPages) -> int:
    return int(table.address.rstrip("/").rpartition(":")[2])


async def connected(table: TableWithPages) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port_of(table))


@pytest.mark.parametrize("given", FOREIGN_REQUESTS, ids=str)
def test_a_foreign_request_gets_403_with_one_line(given: dict[str, str]) -> None:
    @at_a_table()
    async def knock(table: TableWithPages) -> None:
        for path in ("", "page.js", "live", "nothing"):
            async with table.session.get(table.address + path, headers=headers(table, given)) as answer:
                assert answer.status == 403
                assert (await answer.text()).count("\n") == 1
                assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await table.session.ws_connect(f"{table.address}live", headers=headers(table, given))
        assert refused.value.status == 403

    knock()


@pytest.mark.parametrize("given", FRIENDS, ids=str)
def test_the_browser_of_this_computer_is_let_in(given: dict[str, str]) -> None:
    @at_a_table()
    async def knock(table: TableWithPages) -> None:
        async with table.session.get(table.address, headers=headers(table, given)) as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
        async with table.session.ws_connect(f"{table.address}live", headers=headers(table, given)) as live:
            assert [(await live.receive_json())["type"] for _ in range(2)] == ["beat", "table"]

    knock()


@at_a_table()
async def test_every_answer_keeps_the_page_to_itself(table: TableWithPages) -> None:
    for path, method in (("", "GET"), ("nothing", "GET"), ("", "POST"), ("live", "GET"), ("live", "PUT")):
        async with table.session.request(method, table.address + path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["nothing", "../web_app.py", "..%2fserver.py", "%2e%2e/guard.py", "/etc/passwd", "page", ".", "index.html/"]
)
def test_nothing_but_the_pages_files_is_there(path: str) -> None:
    @at_a_table()
    async def ask(table: TableWithPages) -> None:
        port = int(table.address.rstrip("/").rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /{path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
        assert (await reader.readline()).split()[1] == b"404"
        writer.close()

    ask()


NO_REQUESTS = [
    b"\x00\xff\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"x" * 70_000 + b"\r\n\r\n",
    b"\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone",
]


@pytest.mark.parametrize("request_", NO_REQUESTS, ids=range(len(NO_REQUESTS)))
def test_what_is_no_request_ends_its_own_connection_alone(request_: bytes, caplog: pytest.LogCaptureFixture) -> None:
    @at_a_table()
    async def ask(table: TableWithPages) -> None:
        port = int(table.address.rstrip("/").rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_)
        writer.write_eof()
        await reader.read()
        writer.close()
        async with table.browser() as browser:
            assert browser.you == 0

    ask()
    assert not caplog.records


@at_a_table()
async def test_a_handshake_whose_key_is_no_text_is_a_bad_request(
    table: TableWithPages, caplog: pytest.LogCaptureFixture
) -> None:
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \xff"
    reader, writer = await connected(table)
    writer.write(f"GET /live HTTP/1.1\r\nHost: localhost:{port_of(table)}\r\n{upgrade}\r\n\r\n".encode("latin-1"))
    assert (await reader.readline()).split()[1] == b"400"
    writer.close()
    assert not caplog.records


@at_a_table()
async def test_an_error_of_ours_is_told_once_however_often_it_is_asked_for(
    table: TableWithPages, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_app, "file_named", None)
    for _ in range(9):
        async with table.session.get(table.address) as answer:
            assert answer.status == 500
    assert [record.getMessage().partition("\n")[0] for record in caplog.records] == ["the page failed: TypeError"]


@at_a_table()
async def test_a_browser_that_is_gone_in_the_midst_of_a_handshake_is_not_worth_a_word(
    table: TableWithPages, caplog: pytest.LogCaptureFixture
) -> None:
    port = int(table.address.rstrip("/").rpartition(":")[2])
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", port)) as going:
            going.sendall(f"GET /live HTTP/1.1\r\nHost: localhost:{port}\r\n{upgrade}{'A' * 22}==\r\n\r\n".encode())
            going.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await asyncio.sleep(5)
    assert not caplog.records


@at_a_table()
async def test_connections_beyond_what_pages_need_end_the_oldest_and_pages_stay(table: TableWithPages) -> None:
    async with table.browser() as browser:
        idle = [await connected(table) for _ in range(OWN.connections)]
        await asyncio.sleep(0.1)
        assert await asyncio.wait_for(idle[0][0].read(), 1) == b""
        async with table.session.get(table.address) as answer:
            assert answer.status == 200
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(idle[-1][0].read(), 1)
        await browser.do("press", seat=0, button="ok")
        await browser.until(lambda b: b.hands[0]["pressed"])
        for _, writer in idle:
            writer.close()


@at_a_table()
async def test_connections_that_are_held_keep_nobody_out(table: TableWithPages) -> None:
    held = [await connected(table) for _ in range(150)]
    async with table.browser() as browser:
        assert browser.you == 0
    for _, writer in held:
        writer.close()


BEGUN = {
    "nothing": b"",
    "half a request": b"GET / HT",
    "headers without end": b"GET / HTTP/1.1\r\nHost: localhost:{port}\r\nX: ",
    "a body without end": b"GET / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 1000000\r\n\r\n",
}


@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
def test_a_connection_has_seconds_to_ask(begun: bytes, caplog: pytest.LogCaptureFixture) -> None:
    @at_a_table()
    async def begin(table: TableWithPages) -> None:
        reader, writer = await connected(table)
        writer.write(begun.replace(b"{port}", str(port_of(table)).encode()))

        async def drip() -> None:
            while True:
                await asyncio.sleep(0.1)
                writer.write(b"x")

        dripping = asyncio.create_task(drip()) if begun else None
        with suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), REQUEST_TIMEOUT_S + 1)
        if dripping is not None:
            dripping.cancel()
        writer.close()

    begin()
    assert not [record for record in caplog.records if record.name != "asyncio"]


@pytest.mark.parametrize("host", ["localhost:{port}", "dudo.example:{port}"])
def test_an_answer_ends_its_connection(host: str) -> None:
    @at_a_table()
    async def ask(table: TableWithPages) -> None:
        reader, writer = await connected(table)
        writer.write(f"GET / HTTP/1.1\r\nHost: {host.format(port=port_of(table))}\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), 1)
        assert b"\r\nConnection: close\r\n" in answer
        writer.close()

    ask()


@at_a_table()
async def test_handshakes_are_accepted_at_a_rate(table: TableWithPages) -> None:
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    for _ in range(round(OWN.burst + 5 * OWN.per_s)):
        async with table.session.get(table.address, headers={"Host": "dudo.example"}) as answer:
            assert answer.status == 403
    assert loop.time() - began_s > 4


def test_a_port_that_is_taken_is_said_and_the_next_is_found() -> None:
    with bind(0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            UserError, match=f"--port {port}: another program listens there; stop it, or name another port"
        ):
            bind(port)
    with bind(None) as first, bind(None) as second:
        assert DEFAULT_PORT <= first.getsockname()[1] < second.getsockname()[1]


def test_the_page_is_on_loopback_alone() -> None:
    with bind(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        assert listening.family is socket.AF_INET


@pytest.mark.parametrize(
    ("platform", "environment", "there"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"WSL_DISTRO_NAME": "Debian"}, True),
        ("darwin", {}, True),
    ],
)
def test_a_browser_is_opened_where_there_is_a_desktop(platform: str, environment: dict[str, str], there: bool) -> None:
    assert has_desktop(platform, environment) is there


@pytest.mark.parametrize(("name", "inside"), [("w3m", True), ("/usr/bin/lynx", True), ("xdg-open", False)])
def test_no_browser_is_opened_in_the_terminal(name: str, inside: bool) -> None:
    import webbrowser

    assert is_terminal_browser(webbrowser.GenericBrowser(name)) is inside
