"""One page's WebSocket: frames in, frames out, and a certain end even if the browser vanishes."""

import asyncio
from contextlib import suppress

from aiohttp import ClientConnectionError, WSCloseCode, WSMessage, WSMsgType, web

from drivers.timing import RateLimiter
from firmware_host.clients.web.limits import limit_buffers
from firmware_host.play.workbench import protocol
from firmware_host.play.workbench.client import Client
from firmware_host.play.workbench.workbench import NotAllowedError, Workbench
from firmware_host.util.virtual_seconds import virtual_seconds

MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 40, 80
"""Rate limit of a page's messages; fast typing on several keys stays far below it."""
MAX_FAULTS = 20
"""Invalid messages after which the connection is closed."""
BEAT_S, MAX_UNANSWERED = 1.0, 5
"""Seconds between heartbeats, and how many in a row may stay unanswered before the connection is closed."""
LATE_S = 2.5
"""Seconds since the heartbeat that a page names after which its message is refused: a network held it up."""
PONGS_A_SECOND, PONGS_AT_ONCE = 1, 5
"""Rate limit of answers to pings: browsers never ping, and an answer costs more than the ping."""
CLOSE_TIMEOUT_S = 1.0


class Heartbeats:
    """Numbered heartbeats sent to a page, kept while a message that names one is still in time."""

    def __init__(self) -> None:
        self._number = 0
        self._sent_s: dict[int, float] = {}

    def next(self) -> protocol.Beat:
        """Return the next one, sent now."""
        self._number += 1
        self._sent_s = {number: sent_s for number, sent_s in self._sent_s.items() if _since_s(sent_s) <= LATE_S}
        self._sent_s[self._number] = asyncio.get_running_loop().time()
        return protocol.Beat(self._number)

    def is_late(self, message: protocol.PageMessage) -> bool:
        """Return whether a message was made too long ago, by this computer's clock alone."""
        sent_s = self._sent_s.get(message.beat)
        return sent_s is None or _since_s(sent_s) > LATE_S


def _since_s(time_s: float) -> float:
    """Return the real seconds since a time of the running loop."""
    return (asyncio.get_running_loop().time() - time_s) / virtual_seconds(1)


class ClientConnection:
    """A page's WebSocket; `run` returns when it is closed."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._socket = web.WebSocketResponse(
            autoping=False, compress=False, max_msg_size=protocol.MESSAGE_BYTES, writer_limit=1, timeout=CLOSE_TIMEOUT_S
        )
        self._transport: asyncio.Transport | None = None
        self._client = Client(self._abort)
        self._rate = RateLimiter(MESSAGES_AT_ONCE, MESSAGES_A_SECOND)
        self._pongs = RateLimiter(PONGS_AT_ONCE, PONGS_A_SECOND)
        self._faults = 0
        self._beats = Heartbeats()
        self._unanswered = 0

    @property
    def transport(self) -> asyncio.Transport | None:
        """The transport, None until the page was admitted."""
        return self._transport

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Accept the WebSocket and exchange frames until either side closes it."""
        try:
            await self._socket.prepare(request)
        except ValueError as error:  # from aiohttp: the key is not base64
            raise web.HTTPBadRequest from error
        if self._workbench.is_full:
            await self.close(WSCloseCode.TRY_AGAIN_LATER, "Too many pages look at this table; close one.")
            return self._socket
        self._transport = limit_buffers(request.transport)
        tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._beat())]
        self._client.send(self._beats.next(), "beat")  # first: the page's answer to the table names it
        self._workbench.connect(self._client)
        try:
            await self._receive()
        finally:
            self._workbench.disconnect(self._client)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._socket

    async def close(self, code: WSCloseCode, why: str) -> None:
        """Close the connection with a reason, within `CLOSE_TIMEOUT_S`."""
        try:
            async with asyncio.timeout(virtual_seconds(CLOSE_TIMEOUT_S)):
                await self._socket.close(code=code, message=why.encode())
        except (TimeoutError, ClientConnectionError):
            self._abort()

    async def _receive(self) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.ERROR:
                return  # an invalid frame: aiohttp has closed the connection already
            self._unanswered = 0
            self._handle(message)
            if message.type is WSMsgType.PING and self._pongs.allow(1, self._now_s()):
                await self._socket.pong(message.data)
            if self._faults > MAX_FAULTS:
                await self.close(WSCloseCode.POLICY_VIOLATION, "Too much of what this page said made no sense.")
                return

    def _handle(self, message: WSMessage) -> None:
        try:
            if not self._rate.allow(1, self._now_s()):
                raise protocol.ProtocolError(
                    f"Too fast: more than {MESSAGES_A_SECOND} messages a second; one was dropped."
                )
            if message.type is WSMsgType.TEXT:
                request = protocol.decode(message.data)
                if not isinstance(request, protocol.NEVER_LATE) and self._beats.is_late(request):
                    raise NotAllowedError("That came too late, so it was not done.", "late")
                self._workbench.handle(self._client, request)
            elif message.type is WSMsgType.BINARY:
                raise protocol.ProtocolError(f"That was no message for the table: {len(message.data)} bytes, not text.")
        except protocol.ProtocolError as error:
            self._faults += 1
            self._client.send(protocol.Notice(str(error)))
        except NotAllowedError as refusal:
            self._client.send(protocol.Notice(str(refusal), refusal.why, refusal.seat))

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time() / virtual_seconds(1)

    async def _send(self) -> None:
        try:
            while True:
                frame = await self._client.outbox.take()
                if isinstance(frame, bytes):
                    await self._socket.send_bytes(frame)
                else:
                    await self._socket.send_str(frame)
        except ClientConnectionError:
            self._abort()

    async def _beat(self) -> None:
        """Send heartbeats and pings until the answers stop: a browser answers pings by itself."""
        while self._unanswered < MAX_UNANSWERED:
            self._unanswered += 1
            next_one = asyncio.create_task(asyncio.sleep(virtual_seconds(BEAT_S)))
            with suppress(TimeoutError, ClientConnectionError):
                async with asyncio.timeout(virtual_seconds(BEAT_S)):
                    await self._socket.ping()
            await next_one
            self._client.send(self._beats.next(), "beat")
        self._abort()

    def _abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
