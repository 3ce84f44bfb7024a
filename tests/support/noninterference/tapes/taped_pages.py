"""The pages of a party and the public page at a taped session, behind the program's own WebSockets.

The person at a page has the content of its frames. Everybody at the Wi-Fi has the kind, the length and the moment of
each frame, those of pings as well.
"""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from aiohttp import web
from msgspec.structs import replace
from support.noninterference.tapes.tapped_ports import ROOM, RecordOutput

from firmware_host.clients.phones import phone_socket
from firmware_host.play.workbench.protocol import PageMessage

TEXT, BINARY, PING, PONG = 1, 2, 9, 10
_LAST, _MASKED = 0x80, 0x80
_NO_MASK = bytes(4)  # a mask of zeros leaves the text as it is
_SHORT, _LONG, _HUGE = 125, 126, 127
_UPGRADE = (
    "GET /{} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
_BEAT = b'{"type":"beat",'
_SETTLED_S = 0.01

Connection = Callable[[web.Request], Awaitable[web.WebSocketResponse]]
"""Serves one WebSocket: `run` of a `ClientConnection` or a `PageSocket`, `_live` of a `PhonesServer`."""


class TapedPage:
    """A page of a browser; `seat` is the one at which its person sits."""

    def __init__(self, name: str, seat: int, record: RecordOutput) -> None:
        self._name = name
        self._seat = seat
        self._record = record
        self._beat = 0
        self.decode: Callable[[int, bytes], object] = lambda kind, payload: (
            payload.decode() if kind == TEXT else payload
        )
        """Returns a frame's content as the person at the page has it."""

    async def open(self, path: Path) -> None:
        """Connect. What a server says about itself and the hour is left out."""
        self._reader, self._writer = await asyncio.open_unix_connection(path)
        self._writer.write(_UPGRADE.format(self._name).encode())
        await self._reader.readuntil(b"\r\n\r\n")

    def say(self, message: PageMessage) -> None:
        """Send a message of the page, with the number of the last heartbeat."""
        self.send(TEXT, msgspec.json.encode(replace(message, beat=self._beat)))

    async def read(self) -> None:
        """Record every frame until the server closes the connection; answer pings and heartbeats, as pages do."""
        try:
            while True:
                kind, payload = await self._frame()
                self._record(ROOM, "frame", (self._name, kind, len(payload)))
                if kind == PING:
                    self.send(PONG, payload)
                    continue
                if payload == phone_socket.BEAT.encode():
                    self.send(TEXT, payload)
                if payload.startswith(_BEAT):
                    self._beat = msgspec.json.decode(payload)["number"]
                self._record(self._seat, self._name.replace("-", " "), self.decode(kind, payload))
        except (asyncio.IncompleteReadError, ConnectionError):
            self._record(ROOM, "frame", (self._name, "closed"))

    def close(self) -> None:
        """Leave."""
        self._writer.close()

    async def _frame(self) -> tuple[int, bytes]:
        first, length = await self._reader.readexactly(2)
        if length == _LONG:
            (length,) = struct.unpack("!H", await self._reader.readexactly(2))
        elif length == _HUGE:
            (length,) = struct.unpack("!Q", await self._reader.readexactly(8))
        return first & 0x0F, await self._reader.readexactly(length)

    def send(self, kind: int, payload: bytes) -> None:
        """Send a frame."""
        assert len(payload) <= _SHORT
        self._writer.write(bytes([_LAST | kind, _MASKED | len(payload)]) + _NO_MASK + payload)


@asynccontextmanager
async def open_pages(
    path: Path,
    connections: Mapping[str, tuple[int, Connection]],
    record: RecordOutput,
    prepare: Callable[[Mapping[str, TapedPage]], None],
) -> AsyncIterator[Mapping[str, TapedPage]]:
    """Serve these connections at a socket, each with the seat of its person, and open a page for each, in order.

    `prepare` gets the pages before they are open.
    """

    async def live(request: web.Request) -> web.StreamResponse:
        return await connections[request.match_info["page"]][1](request)

    app = web.Application()
    app.router.add_get("/{page}", live)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
    await runner.setup()
    pages = {name: TapedPage(name, seat, record) for name, (seat, _) in connections.items()}
    prepare(pages)
    reading = list[asyncio.Task[None]]()
    try:
        await web.UnixSite(runner, path).start()
        for page in pages.values():
            await page.open(path)
            reading.append(asyncio.create_task(page.read()))
            await asyncio.sleep(_SETTLED_S)
        yield pages
    finally:
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        for page in pages.values():
            page.close()
        await runner.cleanup()
