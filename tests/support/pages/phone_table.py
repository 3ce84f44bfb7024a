"""A phones' server on virtual time beside a table whose lines a test chooses, and the browsers of guests."""

import asyncio
import functools
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from nacl.public import PrivateKey
from support.pages.phone_page import PhoneEnd
from support.pages.public_pages import state

from firmware_host.clients.phones.guests import GUESTS_FILE, read_guests
from firmware_host.clients.phones.server import PhonesServer
from firmware_host.clients.web.access import listening_at
from firmware_host.devices.host_io.phone_cipher import fingerprint
from firmware_host.public import invitation
from firmware_host.public.address import phones_folder
from firmware_host.wire import Seat
from hardware.emulated.virtual_loop import VirtualLoop

PHONES = [1, 3]
KEY = PrivateKey.generate()
FINGERPRINT = fingerprint(KEY)
Line = dict[str, Any]


class Phone:
    """A guest's browser."""

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address = address
        self.session = session
        self.end = PhoneEnd()

    async def join(self, code: str, seat: int = 1, **headers: str) -> tuple[int, str | None]:
        """Send a code and a seat; return the status, and why there is none."""
        sent = {"code": code, "seat": seat, "key": self.end.door.hex()}
        async with self.session.post(f"{self.address}join", json=sent, headers=headers) as answer:
            said = await answer.json() if answer.content_type == "application/json" else {}
            return answer.status, said.get("why")

    async def me(self) -> Line:
        """Return what the server knows about this phone."""
        async with self.session.get(f"{self.address}me") as answer:
            known: Line = await answer.json()
            return known

    async def post(self, path: str, **headers: str) -> int:
        """Return the status of a request."""
        async with self.session.post(self.address + path, json={}, headers=headers) as answer:
            return answer.status

    @asynccontextmanager
    async def page(self, **headers: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Open the seat's page."""
        async with self.session.ws_connect(f"{self.address}live", headers=headers) as socket:
            yield socket


class PhoneTable:
    """A server on virtual time beside a table whose lines a test chooses."""

    def __init__(self, phones: PhonesServer, address: str, events: Path) -> None:
        self.phones = phones
        self.address = address
        self.events = events
        self.folder = phones_folder(events)
        self.announced: list[str] = []
        self._writers: list[asyncio.StreamWriter] = []
        self._last = b""

    @property
    def code(self) -> str:
        """The code that is shown now."""
        return self.phones.door.code

    async def start(self, line: Line) -> None:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.append(writer)
            writer.write(self._last)

        self._last = json.dumps(line).encode() + b"\n"
        self._server = await asyncio.start_unix_server(connected, self.events)

    async def send(self, line: Line) -> None:
        for writer in self._writers:
            writer.write(json.dumps(line).encode() + b"\n")
        await asyncio.sleep(0.1)

    def end(self) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    @asynccontextmanager
    async def phone(self, seat: int | None = None) -> AsyncIterator[Phone]:
        """Open a browser of its own; with a seat, join there."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            phone = Phone(self.address, session)
            if seat is not None:
                assert await phone.join(self.code, seat) == (200, None)
            yield phone


def lobby(**more: Any) -> Line:
    """Return the line of a lobby in which nobody has joined."""
    line = state("lobby", match=None, phones=PHONES, players=[], **more)
    for seat in line["seats"]:
        seat["playing"] = False
    return line


def stored_tokens(table: PhoneTable) -> dict[Seat, str]:
    """Return the tokens of the guests' file."""
    return {seat: guest.token for seat, guest in read_guests(table.folder / GUESTS_FILE).items()}


def at_phones(test: Callable[[PhoneTable], Awaitable[None]]) -> Callable[[], None]:
    """Run a test with a server and a lobby with two seats for phones."""

    @functools.wraps(test)
    def run() -> None:
        async def scenario() -> None:
            with tempfile.TemporaryDirectory() as folder, listening_at("127.0.0.1", 0) as listening:
                events = Path(folder) / "events.sock"
                phones_folder(events).mkdir()
                invitation.write_key(FINGERPRINT, events)
                announced: list[str] = []
                phones = PhonesServer(listening, phones_folder(events), events, announce=announced.append)
                table = PhoneTable(phones, f"http://127.0.0.1:{listening.getsockname()[1]}/", events)
                table.announced = announced
                await table.start(lobby())
                async with phones.serve():
                    await asyncio.sleep(1)  # it finds the table
                    try:
                        await test(table)
                    finally:
                        table.end()
                assert not [*table.folder.glob("*.sock")]

        with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
            runner.run(scenario())

    del run.__wrapped__  # type: ignore[attr-defined]
    return run


async def status(phone: Phone, page: aiohttp.ClientWebSocketResponse) -> Line:
    """Return what the next message about the table says to this phone."""
    said: Line = json.loads(phone.end.open_sealed(bytes.fromhex((await texts(page, "table"))["sealed"])))
    return said


async def texts(page: aiohttp.ClientWebSocketResponse, kind: str) -> Line:
    """Return the next text message of a kind."""
    while True:
        message = await page.receive(timeout=60)
        if message.type is aiohttp.WSMsgType.TEXT and (said := json.loads(message.data))["type"] == kind:
            return dict(said)
        assert message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY), message


async def received(page: aiohttp.ClientWebSocketResponse) -> bytes:
    """Return the next binary message."""
    while (message := await page.receive(timeout=60)).type is not aiohttp.WSMsgType.BINARY:
        assert message.type is aiohttp.WSMsgType.TEXT, message
    return bytes(message.data)


async def closed(page: aiohttp.ClientWebSocketResponse) -> tuple[int | None, str]:
    """Wait until the server has closed a page; return its code and reason."""
    while True:
        message = await page.receive(timeout=60)
        if message.type is aiohttp.WSMsgType.CLOSE:
            return page.close_code, str(message.extra)
        if message.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.ERROR):
            return page.close_code, ""
