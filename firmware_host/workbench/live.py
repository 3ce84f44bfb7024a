"""One connection of a page: frames in, frames out, and an end whatever becomes of the browser."""

import asyncio
import socket
from contextlib import suppress

from aiohttp import ClientConnectionError, WSCloseCode, WSMessage, WSMsgType, web

from drivers.timing import RateLimiter
from firmware_host.play.virtual_seconds import of_the_loop
from firmware_host.workbench import protocol
from firmware_host.workbench.client import Page
from firmware_host.workbench.workbench import Refused, Workbench

MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 40, 80
"""Quick fingers on several keys stay far below this."""
FAULTS = 20
"""So many messages that are none end a connection."""
PING_S, PINGS = 5.0, 3
"""How often a browser is asked whether it is there, and how often in vain before it is given up."""
CLOSE_S = 1.0
UNSENT_BYTES = 16 * 1024
"""What the kernel may hold back for a page that does not read; what is newer waits where newer replaces it."""


class Live:
    """A page's WebSocket; `run` returns when it is over."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._socket = web.WebSocketResponse(
            autoping=False, compress=False, max_msg_size=protocol.MESSAGE_BYTES, writer_limit=1, timeout=CLOSE_S
        )
        self._transport: asyncio.Transport | None = None
        self._page = Page(self._abort)
        self._rate = RateLimiter(MESSAGES_AT_ONCE, MESSAGES_A_SECOND)
        self._faults = 0
        self._unanswered = 0

    @property
    def transport(self) -> asyncio.Transport | None:
        """The connection of a page that was let in."""
        return self._transport

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Shake hands and stay until one side has enough."""
        try:
            await self._socket.prepare(request)
        except ValueError as error:  # aiohttp decodes a key that may have characters which no base64 has
            raise web.HTTPBadRequest from error
        if self._workbench.is_full:
            await self.close(WSCloseCode.TRY_AGAIN_LATER, "Too many pages look at this table; close one.")
            return self._socket
        self._hold_back_little(request.transport)
        tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._ping())]
        self._workbench.welcome(self._page)
        try:
            await self._listen()
        finally:
            self._workbench.farewell(self._page)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._socket

    async def close(self, code: WSCloseCode, why: str) -> None:
        """End the connection with a reason; not for longer than `CLOSE_S`."""
        try:
            async with asyncio.timeout(of_the_loop(CLOSE_S)):
                await self._socket.close(code=code, message=why.encode())
        except (TimeoutError, ClientConnectionError):
            self._abort()

    async def _listen(self) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.ERROR:
                return  # a frame against the protocol: aiohttp has closed the connection with its code
            self._unanswered = 0
            self._take(message)
            if message.type is WSMsgType.PING:
                await self._socket.pong(message.data)
            if self._faults > FAULTS:
                await self.close(WSCloseCode.POLICY_VIOLATION, "Too much of what this page said made no sense.")
                return

    def _take(self, message: WSMessage) -> None:
        try:
            if not self._rate.allow(1, asyncio.get_running_loop().time() / of_the_loop(1)):
                raise protocol.ProtocolError(
                    f"Too fast: more than {MESSAGES_A_SECOND} messages a second; one was dropped."
                )
            if message.type is WSMsgType.TEXT:
                self._workbench.do(self._page, protocol.read(message.data))
            elif message.type is WSMsgType.BINARY:
                raise protocol.ProtocolError(f"That was no message for the table: {len(message.data)} bytes, not text.")
        except protocol.ProtocolError as error:
            self._faults += 1
            self._page.hear(protocol.Told(str(error)))
        except Refused as refusal:
            self._page.hear(protocol.Told(str(refusal)))

    async def _send(self) -> None:
        try:
            while True:
                frame = await self._page.outbox.take()
                if isinstance(frame, bytes):
                    await self._socket.send_bytes(frame)
                else:
                    await self._socket.send_str(frame)
        except ClientConnectionError:
            self._abort()

    async def _ping(self) -> None:
        while self._unanswered < PINGS:
            self._unanswered += 1
            with suppress(TimeoutError, ClientConnectionError):
                async with asyncio.timeout(of_the_loop(PING_S)):
                    await self._socket.ping()
            await asyncio.sleep(of_the_loop(PING_S))
        self._abort()

    def _hold_back_little(self, transport: asyncio.BaseTransport | None) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
            transport.set_write_buffer_limits(high=0)
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)

    def _abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
