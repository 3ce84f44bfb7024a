"""The server of the public page: who gets what, and what clients that do no good cost."""

import asyncio
import functools
import json
import socket
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from support.host.wifi_addresses import held_pages
from support.pages.public_pages import a_screen, revealed, state

from firmware_host.clients.tv import figures, server
from firmware_host.clients.tv.page_socket import SILENCE_TIMEOUT_S
from firmware_host.clients.tv.server import PublicPage, load_files
from firmware_host.clients.web.access import listening_at
from firmware_host.clients.web.limits import ROOM
from firmware_host.clients.web.serving import REQUEST_TIMEOUT_S
from firmware_host.public import invitation
from firmware_host.public.address import phones_folder
from firmware_host.table.invitation import Invitation
from hardware.emulated.virtual_loop import VirtualLoop

PAGE_BYTES = 150_000
LOADED_ELSEWHERE = {"hashes.js", "hold.js"}
"""Shared files that this page does not load."""


class Served:
    """A public page on virtual time, its address, and the table that it reads."""

    def __init__(self, page: PublicPage, session: aiohttp.ClientSession, events: Path) -> None:
        self.page = page
        self.address = page.local_address
        self.port = int(self.address.rstrip("/").rpartition(":")[2])
        self.session = session
        self.events = events
        self._writers: list[asyncio.StreamWriter] = []
        self.record: dict[str, Any] = {"type": "record", "match": None, "text": None}
        self.figures: str | None = None
        self.times_asked = 0
        self._last = b""
        self._table: asyncio.Server | None = None

    async def start_table(self) -> None:
        """Start a table that sends the lines of this test."""

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.append(writer)
            writer.write(self._last)
            request = await reader.readline()
            if b'"record"' in request:
                writer.write(json.dumps(self.record).encode() + b"\n")
            if b'"figures"' in request:
                self.times_asked += 1
                writer.write(json.dumps({"type": "figures", "text": self.figures}).encode() + b"\n")

        self._table = await asyncio.start_unix_server(connected, self.events)

    async def send(self, *lines: dict[str, Any]) -> None:
        """Send lines, the last of which is a state."""
        self._last = json.dumps(lines[-1]).encode() + b"\n"
        for writer in self._writers:
            writer.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        await asyncio.sleep(0.1)

    def end_table(self) -> None:
        """End the table as a process that is killed."""
        assert self._table is not None
        self._table.close()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        self.events.unlink(missing_ok=True)


async def next_message(page: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    async with asyncio.timeout(60):
        message: dict[str, Any] = await page.receive_json()
        return message


def served(test: Callable[[Served], Awaitable[None]]) -> Callable[[], None]:
    """Run a test with a served page and a table that has sent one state."""

    @functools.wraps(test)
    def run() -> None:
        async def scenario() -> None:
            with tempfile.TemporaryDirectory() as folder, listening_at("127.0.0.1", 0) as listening:
                events = Path(folder) / "events.sock"
                page = PublicPage(listening, "es")
                async with aiohttp.ClientSession() as session, page.serve(events):
                    it = Served(page, session, events)
                    await it.start_table()
                    await it.send(state("bidding"))
                    await asyncio.sleep(6)  # the page finds the table
                    try:
                        await test(it)
                    finally:
                        it.end_table()

        with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
            runner.run(scenario())

    del run.__wrapped__  # type: ignore[attr-defined]
    return run


@served
async def test_the_page_is_small_strict_and_sets_no_cookie(it: Served) -> None:
    files = load_files(None)
    for name in ("", "check/", "figures/", *files):
        async with it.session.get(it.address + name) as answer:
            assert answer.status == 200
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
            assert "Set-Cookie" not in answer.headers
    other_pages = {name for name in files if name.startswith(("check/", "figures/"))} | LOADED_ELSEWHERE
    assert sum(len(files[name]) for name in files.keys() - other_pages) < PAGE_BYTES
    for folder in ("check/", "figures/"):
        assert sum(len(files[name]) for name in other_pages if name.startswith(folder)) < PAGE_BYTES


@served
async def test_after_a_match_its_record_is_there_to_be_checked(it: Served) -> None:
    it.record = {"type": "record", "match": "5f0c", "text": "dudo score 1\n"}
    async with it.session.get(f"{it.address}check/record.dudo") as answer:
        assert answer.status == 404
    async with it.session.ws_connect(f"{it.address}live") as page:
        assert (await next_message(page))["check"] is None
        await it.send(state("over", match="5f0c", winner=0, standings=[0, 1, 2, 3]))
        while (message := await next_message(page))["check"] is None:
            assert message["state"]["scene"] == "over"
        assert message["check"] == "5f0c"
        await it.send(state("lobby"))
        assert (await next_message(page))["check"] is None
    for query, status in {"": 200, "?match=5f0c": 200, "?match=5f0d": 404}.items():
        async with it.session.get(f"{it.address}check/record.dudo{query}") as answer:
            assert answer.status == status
            assert (await answer.text() == "dudo score 1\n") is (status == 200)
    async with it.session.get(f"{it.address}check/qr.svg?match=5f0c") as answer:
        assert answer.status == 404  # this page is for its own computer alone


@served
async def test_the_record_of_another_match_is_not_taken_for_this_one(it: Served) -> None:
    it.record = {"type": "record", "match": "before", "text": "dudo score 1\n"}
    async with it.session.ws_connect(f"{it.address}live") as page:
        await it.send(state("over", match="5f0c", winner=0, standings=[0, 1, 2, 3]))
        while (message := await next_message(page))["state"]["scene"] != "over":
            pass
        assert message["check"] is None
        it.record = {"type": "record", "match": "5f0c", "text": "dudo score 1\n"}
        assert (await next_message(page))["check"] == "5f0c"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_but_get_is_answered(method: str) -> None:
    @served
    async def knock(it: Served) -> None:
        for path in ("", "live", "qr.svg"):
            async with it.session.request(method, it.address + path, data=b"x" * 5000) as answer:
                assert answer.status == 405

    knock()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Host": "elsewhere.example:{port}", "Origin": "http://elsewhere.example:{port}"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_a_page_from_elsewhere_gets_neither_a_file_nor_the_table(headers: dict[str, str]) -> None:
    @served
    async def knock(it: Served) -> None:
        given = {name: value.format(port=it.port) for name, value in headers.items()}
        for path in ("", "clips/turn.wav"):
            async with it.session.get(f"{it.address}{path}", headers=given) as answer:
                assert answer.status == 403
        for path in ("live", "sounds/en"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await it.session.ws_connect(f"{it.address}{path}", headers=given)
            assert refused.value.status == 403

    knock()


@served
async def test_a_page_gets_the_state_at_once_and_then_what_changes(it: Served) -> None:
    async with it.session.ws_connect(f"{it.address}live", headers={"Origin": it.address.rstrip("/")}) as page:
        assert (await next_message(page))["state"]["scene"] == "bidding"
        await it.send(*revealed())
        sent = await next_message(page)
        assert (sent["state"]["scene"], sent["moment"]["kind"]) == ("reveal", "reveal")


@served
async def test_a_table_that_goes_and_comes_again_is_shown_as_that(it: Served) -> None:
    async with it.session.ws_connect(f"{it.address}live") as page:
        await next_message(page)
        it.end_table()
        gone = await next_message(page)
        assert (gone["is_connected"], gone["state"]["scene"]) == (False, "bidding")
        async with asyncio.timeout(60):
            await it.start_table()
            assert (await next_message(page))["is_connected"]


@served
async def test_a_ping_is_answered_and_anything_else_ends_the_connection(it: Served) -> None:
    async with it.session.ws_connect(f"{it.address}live") as page:
        await next_message(page)
        await page.send_str("ping")
        assert await page.receive_str() == "pong"
        await page.send_str('{"do":"press","seat":0}')
        assert (await page.receive()).type is aiohttp.WSMsgType.CLOSE
        assert page.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION


@served
async def test_a_page_that_pings_without_end_is_disconnected(it: Served) -> None:
    async with it.session.ws_connect(f"{it.address}live") as page:
        for _ in range(200):
            await page.send_str("ping")
        while (await page.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert page.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION


@served
async def test_a_page_that_is_silent_is_taken_for_gone(it: Served) -> None:
    async with it.session.ws_connect(f"{it.address}live", autoping=False) as page:
        await next_message(page)
        await asyncio.sleep(SILENCE_TIMEOUT_S + 1)
        assert (await page.receive()).type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
    assert not it.page._pages


@served
async def test_headers_that_never_end_are_given_up(it: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", it.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:")
    await asyncio.sleep(REQUEST_TIMEOUT_S + 1)
    assert await reader.read() == b""
    writer.close()


@served
async def test_a_slow_phone_gets_the_latest_state_and_no_queue(it: Served) -> None:
    with socket.socket() as phone:
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        phone.connect(("127.0.0.1", it.port))
        key = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OUFCQ0RFRg=="
        phone.sendall(
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{it.port}\r\nUpgrade: websocket\r\n{key}\r\n\r\n".encode()
        )
        for number in range(300):
            await it.send(state("bidding", 8, standing={"quantity": number, "face": 3, "seat": 0}))
        phone.settimeout(20)
        loop, received = asyncio.get_running_loop(), b""
        while b'"quantity":299' not in received.replace(b" ", b""):
            received += await loop.run_in_executor(None, phone.recv, 65536)  # the kernel's time is not virtual
    assert received.count(b'"build"') < 60


@served
async def test_fifty_pages_are_shown_the_same(it: Served) -> None:
    pages = [await it.session.ws_connect(f"{it.address}live") for _ in range(50)]
    for page in pages:
        await next_message(page)
    await it.send(state("shaking"))
    assert {(await next_message(page))["state"]["scene"] for page in pages} == {"shaking"}
    for page in pages:
        await page.close()


@served
async def test_a_line_that_no_table_sends_does_not_end_the_page(it: Served) -> None:
    async with it.session.ws_connect(f"{it.address}live") as page:
        await next_message(page)
        await it.send({**state("shaking"), "round": "of another kind"}, state("choosing"))
        assert (await next_message(page))["state"]["scene"] == "choosing"


@served
async def test_more_pages_than_there_is_room_for_are_sent_away(it: Served) -> None:
    pages = [await it.session.ws_connect(f"{it.address}live") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(it.page._pages, "_limits", replace(ROOM, pages=2))
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await it.session.ws_connect(f"{it.address}live")
    assert refused.value.status == 503
    for page in pages:
        await page.close()


@served
async def test_the_code_for_a_seat_is_on_this_computers_own_screen_alone(it: Served) -> None:
    folder = phones_folder(it.events)
    folder.mkdir()
    invitation.write(Invitation("http://192.0.2.7:8680/", "ABCDEFGH"), folder)
    await it.send(state("lobby"))
    await asyncio.sleep(2 * invitation.POLL_S)
    guests_name = {"Host": f"{socket.gethostname().lower()}:{it.port}"}
    async with it.session.ws_connect(f"{it.address}live") as page:
        assert (await next_message(page))["invite"] == {"address": "http://192.0.2.7:8680/", "code": "ABCDEFGH"}
        async with it.session.get(f"{it.address}invite.svg") as answer:
            assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        async with it.session.ws_connect(f"{it.address}live", headers=guests_name) as other:
            assert (await next_message(other))["invite"] is None
        async with it.session.get(f"{it.address}invite.svg", headers=guests_name) as answer:
            assert answer.status == 404
        await it.send(state("bidding"))
        assert (await next_message(page))["invite"] is None
    invitation.write(None, folder)
    await asyncio.sleep(2 * invitation.POLL_S)
    async with it.session.get(f"{it.address}invite.svg") as answer:
        assert answer.status == 404


@served
async def test_there_is_no_code_for_phones_where_they_can_not_come(it: Served) -> None:
    assert it.page.address is None
    async with it.session.get(f"{it.address}qr.svg") as answer:
        assert answer.status == 404


def test_the_code_for_phones_has_an_address_in_numbers() -> None:
    with listening_at("0.0.0.0", 0) as listening:
        page = PublicPage(listening, None)
        assert page.address is None or page.address.split(":")[1].strip("/").replace(".", "").isdecimal()


def test_the_build_changes_with_any_file() -> None:
    files = load_files(None)
    assert server.build_of(files) != server.build_of({**files, "page.js": b"other"})
    assert load_files("fr")["index.html"] != files["index.html"]


def test_a_service_reports_where_the_page_is_and_when_it_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        with a_screen(tmp_path / "events.sock") as screen:
            assert manager.recv(4096).decode() == f"STATUS=serves the page at 127.0.0.1:{screen.port}"
            assert manager.recv(4096) == b"READY=1"
            with socket.create_connection(("127.0.0.1", screen.port)):
                pass


@served
async def test_many_phones_ask_the_table_for_its_figures_once(it: Served) -> None:
    it.figures = '{"tonight": null}'
    address = it.address + "figures/figures.json"

    async def answer() -> tuple[int, str]:
        async with it.session.get(address) as got:
            return got.status, await got.text()

    assert await asyncio.gather(*[answer() for _ in range(20)]) == [(200, it.figures)] * 20
    assert it.times_asked == 1
    it.figures = "null"
    await asyncio.sleep(figures.FRESH_S)
    assert await answer() == (200, "null")
    assert it.times_asked == 2


@served
async def test_figures_that_cannot_be_had_are_no_error_of_the_page(it: Served) -> None:
    address = it.address + "figures/figures.json"
    async with it.session.get(address) as refused:
        assert (refused.status, await refused.text()) == (503, "503: Service Unavailable\n")
    it.end_table()
    await asyncio.sleep(figures.FRESH_S)
    async with it.session.get(address) as away:
        assert away.status == 503


@served
async def test_however_many_pages_others_hold_the_tv_of_this_computer_gets_its_own(it: Served) -> None:
    async with held_pages(f"{it.address}live", addresses=5) as counts:
        assert counts[0] == counts[1] < 120
        assert counts[2] > 0, "two addresses leave room for a third"
        assert sum(counts) > 100
        for _ in range(2):  # with its sound
            async with it.session.ws_connect(f"{it.address}live") as tv:
                assert (await next_message(tv))["state"]["scene"] == "bidding"


@served
async def test_a_ping_storm_of_the_protocol_is_cut_off_after_a_few(it: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", it.port)
    key = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OUFCQ0RFRg=="
    writer.write(f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{it.port}\r\nUpgrade: websocket\r\n{key}\r\n\r\n".encode())
    writer.write(b"\x89\x80\0\0\0\0" * 1000)
    answered = await asyncio.wait_for(reader.read(), 60)
    assert answered.count(b"\x8a\0") < 20
    writer.close()
