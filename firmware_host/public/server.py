"""The Unix socket for the public lines. `run` and `play` open one; docs/events.md is for its clients.

A new client gets the last state, then every line as it comes. It may ask once: for missed events, for the last match's
record or verdict, or for the match statistics. The table never waits for a client: one that falls too far behind is
disconnected. Connections beyond `MAX_CLIENTS` or `MAX_ACCEPTS_PER_S` wait in the kernel's backlog.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from drivers.timing import RateLimiter
from engine import Rules
from firmware_host.public.accepting import accept_connections
from firmware_host.public.address import listen_at
from firmware_host.public.client import SocketClient
from firmware_host.public.encoder import LineEncoder
from firmware_host.public.line_log import LineLog
from firmware_host.table.events import PublicEvent
from firmware_host.util.counted import counted
from firmware_host.wire import FiguresAnswer, PublicState, RecordAnswer, Request, VerdictAnswer

MAX_CLIENTS = 32
MAX_ACCEPTS_PER_S = 20
"""Connections accepted a second in the long run; after a pause `MAX_CLIENTS` at once."""
MAX_WARNINGS, MAX_WARNINGS_PER_S = 10, 1 / 60
"""Warnings about clients logged at once, and a second in the long run."""
MAX_RECORD_BYTES = 192 * 1024
"""Maximum size of a line with a record, in bytes. It fits a client's backlog; a record of eight seats takes about
half."""
PAGE_BYTES = 16 * 1024
"""The bytes of missed events sent at once, however many clients wait for theirs."""
PAGE_INTERVAL_S = 0.001
"""Seconds between two pages, in which the table has the loop: 16 MB a second at most."""

log = logging.getLogger(__name__)


class _Answer(NamedTuple):
    """A client's request for events after number `since` in a `numbering`, and the number last sent."""

    since: int
    numbering: str
    sent: int


class PublicSocket:
    """The socket for a table with these seat names: `async with PublicSocket(path, names, rules) as public`.

    `lines` numbers the events and keeps them: the journal's own, if there is one. `record` returns the last won match's
    record, `verdict` the result of `verify` on it, `figures` the statistics of all kept matches; a table without one of
    the last two answers with null.
    """

    def __init__(
        self,
        path: Path,
        names: Sequence[str] = (),
        rules: Rules | None = None,
        lines: LineLog | None = None,
        record: Callable[[], RecordAnswer] = RecordAnswer,
        verdict: Callable[[], Awaitable[VerdictAnswer]] | None = None,
        figures: Callable[[], Awaitable[FiguresAnswer]] | None = None,
    ) -> None:
        self.path = path
        self._record = record
        self._verdict = verdict
        self._figures = figures
        self._answering: set[asyncio.Task[None]] = set()
        self._lines = lines or LineLog()
        self._numbering = ""  # the last sent state's
        self.set_table(names, rules)
        self._clients: dict[SocketClient, None] = {}  # in order of connection
        self._answers: dict[SocketClient, _Answer] = {}  # the longest-waiting first
        self._paging: asyncio.Handle | None = None
        self._has_room = asyncio.Event()
        self._warnings = RateLimiter(MAX_WARNINGS, MAX_WARNINGS_PER_S)
        self._suppressed = 0

    def set_table(self, names: Sequence[str], rules: Rules | None = None) -> None:
        """Set the seat names and the rules, and forget the state."""
        self._encoder = LineEncoder(names, rules)
        self._lines.encode = self._encoder.event
        self._state: PublicState | None = None

    def announce(self, event: PublicEvent) -> None:
        """Send an event to all clients. They have a state already."""
        if self._state is not None and self._numbering != self._lines.numbering:
            self.publish(self._state)  # so that a client knows the number's journal
        line = self._lines.publish(event)
        if self._clients and self._state is not None:
            self._send(line)

    def publish(self, state: PublicState) -> None:
        """Send a state to all clients, and to each new client as its first line."""
        self._state, self._numbering = state, self._lines.numbering
        if self._clients:
            self._send(self._state_line(state))
        self._schedule_page()

    def _state_line(self, state: PublicState, since: int | None = None) -> bytes:
        return self._encoder.state(state, self._lines.last, self._lines.numbering, since, self._lines.first)

    def _send(self, line: bytes) -> None:
        for client in tuple(self._clients):
            client.send(line)

    # What clients request

    def _asked(self, client: SocketClient, request: Request) -> None:
        """Answer a request for the record, its verdict or the statistics, or begin to send missed events."""
        if request.since is None and (request.figures or request.verdict):
            answer = self._send_figures(client) if request.figures else self._send_verdict(client)
            task = asyncio.get_running_loop().create_task(answer)
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
            return
        if request.since is None:
            client.send(self._record_line())
            return
        client.begin_to_catch_up()
        missed = _Answer(request.since, request.journal or self._lines.numbering, request.since)
        self._answers[client] = missed
        self._schedule_page()

    async def _send_figures(self, client: SocketClient) -> None:
        answer = FiguresAnswer("null") if self._figures is None else await self._figures()
        if client in self._clients:
            client.send(msgspec.json.encode(answer) + b"\n")

    async def _send_verdict(self, client: SocketClient) -> None:
        answer = VerdictAnswer() if self._verdict is None else await self._verdict()
        if client in self._clients:
            client.send(msgspec.json.encode(answer) + b"\n")

    def _record_line(self) -> bytes:
        record = self._record()
        line = msgspec.json.encode(record) + b"\n"
        return line if len(line) <= MAX_RECORD_BYTES else msgspec.json.encode(RecordAnswer(record.match)) + b"\n"

    def _schedule_page(self) -> None:
        if self._paging is None and self._answers and self._state is not None:
            self._paging = asyncio.get_running_loop().call_later(PAGE_INTERVAL_S, self._send_page)

    def _send_page(self) -> None:
        """Send one page to the longest-waiting client with room for it. Presses come between two pages."""
        self._paging = None
        client = next((client for client in self._answers if not client.is_paused), None)
        if client is None or self._state is None:  # `publish` or a client's room schedules the next page
            return
        answer = self._answers.pop(client)
        is_complete = self._lines.has_all_after(answer.sent, answer.numbering)
        if is_complete and (page := self._lines.page_after(answer.sent, PAGE_BYTES)):
            client.send_page(page)
            self._answers[client] = answer._replace(sent=answer.sent + len(page))
        else:
            since = answer.since if is_complete else self._lines.last
            client.end_catching_up(self._state_line(self._state, since))
        self._schedule_page()

    # Clients that come and go

    async def _wait_for_room(self) -> None:
        if len(self._clients) >= MAX_CLIENTS:
            self._warn(
                f"{MAX_CLIENTS} clients of the public socket are connected: the next one waits until one disconnects"
            )
        while len(self._clients) >= MAX_CLIENTS:
            self._has_room.clear()
            await self._has_room.wait()

    def _connected(self, client: SocketClient) -> None:
        self._clients[client] = None
        if self._state is not None:
            client.send(self._state_line(self._state))

    def _disconnected(self, client: SocketClient, why: str = "") -> None:
        self._clients.pop(client, None)
        self._answers.pop(client, None)
        self._has_room.set()
        if why:
            self._warn(f"a client of the public socket was disconnected: {why}")

    def _warn(self, warning: str) -> None:
        """Log a warning, or count it for the next one if there were too many recently."""
        now_s = asyncio.get_running_loop().time()
        if not self._warnings.allow(1, now_s):
            self._suppressed += 1
            return
        suppressed = f" ({counted(self._suppressed, 'such line')} left out before it)" if self._suppressed else ""
        log.warning("%s%s", warning, suppressed)
        self._suppressed = 0

    async def __aenter__(self) -> Self:
        """Open the socket. Raises `PublicSocketError`."""
        self._listening = listen_at(self.path)
        self._file = self.path.stat()
        rate = RateLimiter(MAX_CLIENTS, MAX_ACCEPTS_PER_S)
        client = partial(
            SocketClient, self._connected, self._disconnected, self._asked, on_room=self._schedule_page, warn=self._warn
        )
        accepting = accept_connections(self._listening, client, rate, self._wait_for_room)
        self._accepting = asyncio.create_task(accepting)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Remove the socket file, unless another process has replaced it, and disconnect all clients."""
        with suppress(OSError):
            if self.path.stat().st_ino == self._file.st_ino:
                self.path.unlink()
        self._accepting.cancel()
        for task in self._answering:
            task.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()
        for client in self._clients:
            client.close()

    def __repr__(self) -> str:
        return f"<PublicSocket {self.path}, {len(self._clients)} clients>"
