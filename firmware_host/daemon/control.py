"""The control socket: staff requests to a running table, for `dudo-table staff`. docs/staff.md lists permissions.

Unlike the public socket it is for root and the daemon's user alone (mode 0600): pages, voice and bridges belong to the
group reading the public events, and a read-only client cannot end a match. A client sends one request as a JSON line,
gets one `Reply`, and is disconnected. Replies never hold a die: they come from public state and settings.
"""

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self, cast

import msgspec

from drivers.timing import RateLimiter
from firmware_host.errors import PublicSocketError
from firmware_host.public.accepting import accept_connections
from firmware_host.public.address import listen_at
from firmware_host.table.machine import Job
from firmware_host.table.robots import RobotLevel
from firmware_host.table.staff import StaffCommand
from firmware_host.table.staff_items import StaffItem
from firmware_host.util.system_error import reason_of

SOCKET_NAME = "staff.sock"
MODE = 0o600
MAX_CLIENTS = 4
MAX_ACCEPTS_PER_S = 10
MAX_REQUEST_BYTES = 1024
MAX_REPLY_BYTES = 1 << 16
TIMEOUT_S = 5.0
"""Seconds for a client to send its request, and for the table to answer."""

ShortText = Annotated[str, msgspec.Meta(max_length=64)]

log = logging.getLogger("dudo-table")


class _Request(msgspec.Struct, frozen=True, tag_field="ask", forbid_unknown_fields=True):
    """A request by staff; its type is in the field `ask`."""


class ReadStatus(_Request, frozen=True, tag="status"):
    """A request for table state and settings."""


class Act(_Request, frozen=True, tag="act"):
    """A request for a match action; `seat` is a seat's name, `level` a robot's."""

    what: StaffCommand
    seat: ShortText | None = None
    level: RobotLevel = RobotLevel.MIDDLE


class Configure(_Request, frozen=True, tag="change"):
    """A request for a setting's new value, None for the layout's."""

    setting: ShortText
    value: ShortText | Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)] | None = None


class DoJob(_Request, frozen=True, tag="job"):
    """A request for a root job; the client waits for the result."""

    job: Job


class ReadNames(_Request, frozen=True, tag="names"):
    """A request to read player names again, after the owner changed or removed some."""


class ReadFigures(_Request, frozen=True, tag="figures"):
    """A request for the table's counters, as readable lines or as one JSON line."""

    json: bool = False


class ReadBoards(_Request, frozen=True, tag="boards"):
    """A request for the cups and boards, or for an update of their programs."""

    update: bool = False


class Reset(_Request, frozen=True, tag="reset"):
    """A request to set a counter to 0."""

    figure: StaffItem


class ReadFact(_Request, frozen=True, tag="fact"):
    """A request for a fact from the staff menu."""

    fact: StaffItem


Request = ReadStatus | Act | Configure | DoJob | ReadNames | ReadFact | ReadFigures | ReadBoards | Reset


class Reply(msgspec.Struct, frozen=True):
    """The answer: success or failure, with a text."""

    done: bool
    lines: tuple[str, ...]


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
        reply = await self._control.reply(line)
        if not self._transport.is_closing():
            self._transport.write(msgspec.json.encode(reply) + b"\n")
            self._transport.close()
            self._expiry = asyncio.get_running_loop().call_later(TIMEOUT_S, self.close)  # if it does not read


def path_beside(events: Path) -> Path:
    """Return the control socket's path for a table with its public socket at `events`."""
    return events.with_name(SOCKET_NAME if events.name == "events.sock" else f"{events.name}.staff")


def why_unreachable(error: OSError) -> str:
    """Return why a client can't connect, with the remedy."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return "only root and the table's own user may; run it with sudo"
    why = reason_of(error)
    return f"no table listens to staff there: {why}; start one with dudo-table run, or name its socket with --events"
