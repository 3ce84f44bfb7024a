"""The WebSocket of one guest's phone: the link's frames as bytes, and as text what the table does; both encrypted."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from aiohttp import ClientConnectionError, WSCloseCode, WSMsgType, web
from nacl.exceptions import CryptoError

from drivers.timing import RateLimiter
from firmware_host.clients.phones.seat_port import SeatPort
from firmware_host.clients.web.limits import limit_buffers

BEAT = '{"type":"beat"}'
BEAT_S, MAX_UNANSWERED = 1.0, 5
"""Seconds between heartbeats, and how many in a row may stay unanswered before the phone counts as away.

The page's script answers them: a browser answers pings even for a page that sleeps.
"""
MAX_MESSAGE_BYTES = 1024
"""The longest message of a page; each of its envelopes has 120 bytes."""
PONGS_AT_ONCE, PONGS_PER_S = 5, 1.0
CLOSE_TIMEOUT_S = 1.0


class PhoneSocket:
    """One page's connection, which `make_port` gives a port for the daemon. `status` is the text about the table, and
    `seal` encrypts it for the phone.
    """

    def __init__(
        self,
        make_port: Callable[["PhoneSocket"], SeatPort],
        status: Callable[[], str],
        may_enter: Callable[[], bool],
        seal: Callable[[str], str],
    ) -> None:
        self._socket = web.WebSocketResponse(
            autoping=False, compress=False, max_msg_size=MAX_MESSAGE_BYTES, writer_limit=1, timeout=CLOSE_TIMEOUT_S
        )
        self.port = make_port(self)
        self._status = status
        self._may_enter = may_enter
        self._seal = seal
        self._news = asyncio.Event()
        self._news.set()
        self._unanswered = 0
        self._ended = ""  # why, if it was closed during the handshake
        self._pongs = RateLimiter(PONGS_AT_ONCE, PONGS_PER_S)
        self.transport: asyncio.Transport | None = None
        """The transport, None until the page is admitted."""

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Accept the WebSocket and pass envelopes until either side closes it."""
        try:
            await self._socket.prepare(request)
        except ValueError as error:  # from aiohttp: the key is not base64
            raise web.HTTPBadRequest from error
        if self._ended or not self._may_enter():  # the seat may have been taken away during the handshake
            await self.close(WSCloseCode.POLICY_VIOLATION, self._ended or "removed")
            return self._socket
        self.transport = limit_buffers(request.transport)
        tasks = [asyncio.create_task(work) for work in (self._beat(), self._tell())]
        try:
            await self.port.open()
            await self._receive()
        finally:
            self.port.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._socket

    def changed(self) -> None:
        """Note that the status may be another one."""
        self._news.set()

    async def send(self, envelopes: bytes) -> None:
        """Send the daemon's bytes to the phone."""
        with suppress(ClientConnectionError):
            await self._socket.send_bytes(envelopes)

    async def begin_again(self) -> None:
        """End the connection, as its daemon has gone: the page opens another one for the next."""
        await self.close(WSCloseCode.SERVICE_RESTART, "")

    async def close(self, code: WSCloseCode, why: str) -> None:
        """Close the connection with a reason, within `CLOSE_TIMEOUT_S`; for the daemon the phone is away at once."""
        self.port.close()
        self._ended = why
        if not self._socket.prepared:
            return
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._socket.close(code=code, message=why.encode())
        except (TimeoutError, ClientConnectionError):
            self._abort()

    async def _receive(self) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.BINARY:
                self.port.receive(message.data)
            elif message.type is WSMsgType.TEXT and message.data == BEAT:
                self._unanswered = 0
            elif message.type is WSMsgType.PING and self._pongs.allow(1, asyncio.get_running_loop().time()):
                await self._socket.pong(message.data)
            elif message.type is not WSMsgType.PONG:
                await self.close(WSCloseCode.POLICY_VIOLATION, "removed")
                return

    async def _beat(self) -> None:
        """Send heartbeats until the answers stop."""
        while self._unanswered < MAX_UNANSWERED:
            self._unanswered += 1
            with suppress(ClientConnectionError, TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._socket.send_str(BEAT)
            await asyncio.sleep(BEAT_S)
        self.port.close()
        self._abort()

    async def _tell(self) -> None:
        told = ""
        with suppress(ClientConnectionError, CryptoError):  # the daemon closes a connection with an unfit key
            while True:
                await self._news.wait()
                self._news.clear()
                if (status := self._status()) != told:
                    told = status
                    await self._socket.send_str(self._seal(status))

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()
