"""The WebSocket of one public page: the latest message out, only pings in."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from aiohttp import ClientConnectionError, WSCloseCode, WSMsgType, web

from drivers.timing import RateLimiter
from firmware_host.clients.web.limits import limit_buffers

PING, PONG = "ping", "pong"
"""A page's ping, and the answer. Scripts can neither send nor see WebSocket pings."""
SILENCE_TIMEOUT_S = 45.0
"""Seconds without a ping until the page counts as gone; it sends one every 15."""
SEND_TIMEOUT_S = 45.0
"""Time limit in seconds for one message to a slow phone."""
PINGS_AT_ONCE, PINGS_PER_S = 10, 1.0
MAX_RECEIVED_BYTES = 64
CLOSE_TIMEOUT_S = 1.0


class PageSocket:
    """A page's connection; `latest` returns the current message at the time of sending, if any."""

    def __init__(self, latest: Callable[[], str | None]) -> None:
        self._latest = latest
        self._changed = asyncio.Event()
        self._changed.set()
        self._socket = web.WebSocketResponse(
            autoping=False, compress=False, max_msg_size=MAX_RECEIVED_BYTES, writer_limit=1, timeout=CLOSE_TIMEOUT_S
        )
        self._pings = RateLimiter(PINGS_AT_ONCE, PINGS_PER_S)
        self.transport: asyncio.Transport | None = None
        """The transport, None until the page is admitted."""

    def changed(self) -> None:
        """Note a newer message; it follows as soon as the current one is sent."""
        self._changed.set()

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Accept the WebSocket and serve it until either side closes it."""
        try:
            await self._socket.prepare(request)
        except ValueError as error:  # from aiohttp: the key is not base64
            raise web.HTTPBadRequest from error
        self.transport = limit_buffers(request.transport)
        sending = asyncio.create_task(self._send())
        try:
            await self._receive()
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        return self._socket

    async def close(self, code: WSCloseCode, why: str) -> None:
        """Close the connection with a reason, within `CLOSE_TIMEOUT_S`."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._socket.close(code=code, message=why.encode())
        except (TimeoutError, ClientConnectionError):
            self._abort()

    async def _receive(self) -> None:
        while True:
            try:
                message = await self._socket.receive(timeout=SILENCE_TIMEOUT_S)
            except TimeoutError:
                self._abort()
                return
            if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
                return
            is_ping = message.type is WSMsgType.PING or (message.type is WSMsgType.TEXT and message.data == PING)
            if not is_ping or not self._pings.allow(1, asyncio.get_running_loop().time()):
                await self.close(WSCloseCode.POLICY_VIOLATION, "This page only shows the table.")
                return
            with suppress(ClientConnectionError):
                await (
                    self._socket.pong(message.data) if message.type is WSMsgType.PING else self._socket.send_str(PONG)
                )

    async def _send(self) -> None:
        with suppress(ClientConnectionError, TimeoutError):
            while True:
                await self._changed.wait()
                self._changed.clear()
                if (message := self._latest()) is None:
                    continue
                async with asyncio.timeout(SEND_TIMEOUT_S):
                    await self._socket.send_str(message)
        self._abort()

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()
