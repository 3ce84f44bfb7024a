"""The control socket: staff requests to a running table, for `dudo-table staff`. docs/staff.md lists permissions.

Unlike the public socket it is for root and the daemon's user alone (mode 0600): pages, voice and bridges belong to the
group reading the public events, and a read-only client cannot end a match. `table.staff.requests` has the requests; a
client is disconnected after its answer.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import msgspec

from drivers.timing import RateLimiter
from firmware_host.errors import PublicSocketError
from firmware_host.public.accepting import accept_connections
from firmware_host.public.address import listen_at
from firmware_host.table.staff.requests import MAX_REQUEST_BYTES, TIMEOUT_S, ReadForm, ReadSeats, Reply, Request, SetUp

MODE = 0o600
MAX_CLIENTS = 4
MAX_ACCEPTS_PER_S = 10

log = logging.getLogger("dudo-table")


_READER: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
NO_REQUEST = Reply(False, ("this is no request; update dudo-table and restart the table",))
NO_ANSWER = Reply(False, (f"the table did not answer within {TIMEOUT_S:g} s; ask again",))


class ControlSocket:
    """The socket at `path`: `async with ControlSocket(path, answer)`. The table runs even if the path is unusable."""

    def __init__(self, path: Path, answer: Callable[[Request], Awaitable[Reply]]) -> None:
        self.path = path
        self._answer = answer
        self._clients: set[_Client] = set()
        self._has_room = asyncio.Event()
        self._accepting: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Open the socket. An unusable path is logged: play is worth more than staff commands."""
        try:
            self._listening = listen_at(self.path, MODE)
        except PublicSocketError as error:
            log.warning("%s; until then dudo-table staff does not work", error)
            return self
        self._file = self.path.stat()
        rate = RateLimiter(MAX_CLIENTS, MAX_ACCEPTS_PER_S)
        accepting = accept_connections(self._listening, lambda: _Client(self), rate, self._wait_for_room)
        self._accepting = asyncio.create_task(accepting)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Remove the file unless another process has replaced it, and disconnect all clients."""
        if self._accepting is None:
            return
        with suppress(OSError):
            if self.path.stat().st_ino == self._file.st_ino:
                self.path.unlink()
        self._accepting.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()
        for client in tuple(self._clients):
            client.close()

    async def _wait_for_room(self) -> None:
        while len(self._clients) >= MAX_CLIENTS:
            self._has_room.clear()
            await self._has_room.wait()

    # For its clients

    def connected(self, client: "_Client") -> None:
        """Note a client."""
        self._clients.add(client)

    def disconnected(self, client: "_Client") -> None:
        """Forget a client."""
        self._clients.discard(client)
        self._has_room.set()

    async def reply(self, line: bytes) -> Reply:
        """Return a line's answer."""
        try:
            request = _READER.decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return NO_REQUEST
        if isinstance(request, SetUp):  # it may have a password
            log.info("staff ask: set-up, %s", type(request.change).__struct_config__.tag)
        elif not isinstance(request, ReadForm | ReadSeats):  # an open page asks every few seconds
            log.info("staff ask: %s", line.decode("utf-8", "replace").strip())
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await self._answer(request)
        except TimeoutError:
            return NO_ANSWER


class _Client(asyncio.Protocol):
    """One connection: a line comes, a line goes."""

    def __init__(self, control: ControlSocket) -> None:
        self._control = control
        self._received = bytearray()
        self._answering: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport of a new connection."""
        self._transport = cast(asyncio.Transport, transport)
        self._control.connected(self)
        self._expiry = asyncio.get_running_loop().call_later(TIMEOUT_S, self.close)

    def data_received(self, data: bytes) -> None:
        """Answer the first line; disconnect a client exceeding a request's length."""
        if self._answering is not None:
            return
        self._received += data
        line, newline, _ = self._received.partition(b"\n")
        if len(line) > MAX_REQUEST_BYTES:
            self.close()
        elif newline:
            self._transport.pause_reading()
            self._expiry.cancel()
            self._answering = asyncio.get_running_loop().create_task(self._answer(bytes(line)))

    def connection_lost(self, _: Exception | None) -> None:
        """Forget the connection. A pending request is still carried out."""
        self._expiry.cancel()
        self._control.disconnected(self)

    def close(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    async def _answer(self, line: bytes) -> None:
        try:
            reply = await self._control.reply(line)
        except Exception as error:
            asyncio.get_running_loop().call_exception_handler({"message": "answering staff", "exception": error})
            self.close()  # or it would wait, and keep its place
            return
        if not self._transport.is_closing():
            self._transport.write(msgspec.json.encode(reply) + b"\n")
            self._transport.close()
            self._expiry = asyncio.get_running_loop().call_later(TIMEOUT_S, self.close)  # if it does not read
