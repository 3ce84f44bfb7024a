"""The venue at its broker: it reads bridge messages, stores them in the database, and then publishes its position.

A broker may forget any message, and a bridge resends everything beyond `seen`. So messages are acknowledged only once
they are on disk, and those that can't be stored now are skipped: they come again.
"""

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import islice
from typing import TypeVar

import msgspec
from aiomqtt import Client, MqttError

from drivers.timing import Backoff
from firmware_host.clients.bridge.app import note_error, why_away
from firmware_host.clients.bridge.topics import PREFIX, Seen, Topics
from firmware_host.util.evening import evening_of
from firmware_host.util.process import Problems, together
from firmware_host.venue.board import TableBoard
from firmware_host.venue.database import DatabaseAwayError
from firmware_host.venue.messages import (
    KINDS,
    NonsenseError,
    TableEvent,
    TableName,
    TableResult,
    TableState,
    TableStatus,
    read,
)
from firmware_host.venue.store import Position, Store, Taken

BATCH = 1000
"""Messages in one transaction at most."""
MAX_WAITING = 20_000
"""Maximum number of messages waiting for the database; others are left out, and come again."""
MAX_WAITING_BYTES = 64 << 20
"""Bytes of the events among them."""
MAX_PUBLISHING = 50
"""Maximum number of unacknowledged messages about the venue's progress."""
REPEATS = 2
"""Times that the first event after a hole is refused over one connection. A bridge resends from its oldest event; if
that is the refused one, the events before it are lost."""
MAX_EPOCHS = 8
"""A table's latest epochs with a known hole."""
MIN_RETRY_S, MAX_RETRY_S = 0.5, 15.0
STEADY_S = 30.0
WARNING_INTERVAL_S = 60.0

log = logging.getLogger(__name__)

T = TypeVar("T")
Connect = Callable[[], Client]


class StoreThread:
    """The store's thread; it waits for disks and servers in place of the loop."""

    def __init__(self, store: Store, name: str = "venue-store") -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run(self, work: Callable[[Store], T]) -> T:
        """Return the result of `work`. Raises `DatabaseAwayError` and `UserError`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self.store)

    def close(self) -> None:
        """Close the store after its current work."""
        self._thread.submit(self.store.close)
        self._thread.shutdown(wait=True)


def night_of(now_s: float) -> str:
    """Return the evening of a time in seconds since 1970, by the venue's clock."""
    return evening_of(datetime.fromtimestamp(now_s))


class Follower:
    """The venue's connection to its broker.

    `on_status` is called with a line at each loss and return, `on_results` after new results.
    """

    def __init__(
        self,
        connect: Connect,
        store: StoreThread,
        board: TableBoard,
        reader: StoreThread | None = None,
        *,
        on_status: Callable[[str], None] = lambda line: None,
        on_results: Callable[[], None] = lambda: None,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._connect = connect
        self._store = store
        self._reader = reader or store
        self._board = board
        self._on_results = on_results
        self._now_s = now_s
        self._waiting: deque[TableEvent | TableResult] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._unpublished: dict[TableName, Seen] = {}
        self._has_unpublished = asyncio.Event()
        self._forgotten: set[TableName] = set()
        self._known = set[TableName]()  # where `seen` was published over this connection, or is about to be
        self._holes = Holes()
        self._warned_s = -WARNING_INTERVAL_S
        self.problems = Problems(on_status, "follows the tables")
        """The broker and the database, where they are away, and why."""
        self.taken = Taken()
        """Counts of all messages so far."""

    async def run(self) -> None:
        """Follow the tables until cancelled. Raises `UserError` if the database is unusable."""
        asyncio.get_running_loop().set_exception_handler(note_error)
        await together(self._stay_connected(), self._write(), self._open())

    async def _open(self) -> None:
        """Open the database at once, to report a fault before the broker is there."""
        self._board.update(await self.ask(Store.tables))

    # From the broker

    async def _stay_connected(self) -> None:
        loop, backoff = asyncio.get_running_loop(), Backoff(MIN_RETRY_S, MAX_RETRY_S)
        while True:
            began_s = loop.time()
            try:
                await self._session()
            except MqttError as error:
                self.problems.add("broker", f"broker: {why_away(error)}; trying again")
            if loop.time() - began_s > STEADY_S:
                backoff.reset()
            await asyncio.sleep(backoff.next_s() * random.uniform(0.75, 1.25))

    async def _session(self) -> None:
        """Follow over one connection until it fails."""
        async with self._connect() as client:
            client.pending_calls_threshold = MAX_PUBLISHING
            self._known.clear()
            self._holes = Holes()
            await client.subscribe([(f"{PREFIX}/+/+/{kind}", 1) for kind in KINDS])
            self._unpublished |= await self.ask(Store.seen)
            self._known |= set(self._unpublished)
            self._has_unpublished.set()
            self.problems.solve("broker", "the broker is there")
            self.problems.show()
            await together(self._receive(client), self._publish(client))

    async def _receive(self, client: Client) -> None:
        async for message in client.messages:
            if not message.payload:  # a topic cleared by a venue because its owner deleted the table
                continue
            try:
                self._take(read(message.topic.value, message.payload))
            except NonsenseError as nonsense:
                self._ignore(str(nonsense))

    def _take(self, message: TableEvent | TableResult | TableState | TableStatus) -> None:
        if not self._board.has_room_for(message.table):
            self._log_ignored()
            return
        match message:
            case TableStatus():
                self._board.take_status(message)
            case TableState():
                self._board.take_state(message)
            case _ if len(self._waiting) >= MAX_WAITING or self._waiting_bytes >= MAX_WAITING_BYTES:
                self._ignore("an event while the database was away")
            case _:
                if isinstance(message, TableEvent):
                    self._board.take_event(message)
                    self._waiting_bytes += len(message.body)
                self._waiting.append(message)
                self._wake.set()
        if message.table not in self._known:
            self._known.add(message.table)
            self._unpublished.setdefault(message.table, Seen())
            self._has_unpublished.set()

    def _ignore(self, why: str) -> None:
        """Count an ignored message."""
        self._board.ignored[why] += 1
        self._log_ignored()

    def _log_ignored(self) -> None:
        """Log the counts of ignored messages, at most once a minute."""
        now_s = asyncio.get_running_loop().time()
        if now_s - self._warned_s >= WARNING_INTERVAL_S:
            self._warned_s = now_s
            counts = ", ".join(f"{count} × {kind}" for kind, count in self._board.ignored.most_common())
            log.warning("messages on the broker were ignored: %s", counts)

    # Into the database

    async def _write(self) -> None:
        """Store waiting messages in order, for ever."""
        while True:
            await self._wake.wait()
            batch = list(islice(self._waiting, BATCH))
            if not batch:
                self._wake.clear()
                continue
            accept = self._holes.known
            taken = await self.ask(
                lambda store, batch=batch, accept=accept: store.take(  # type: ignore[misc]
                    batch, night_of(self._now_s()), round(1000 * self._now_s()), accept
                )
            )
            for message in batch:
                self._waiting.popleft()
                self._waiting_bytes -= len(message.body) if isinstance(message, TableEvent) else 0
            self._count(taken)
            for (site, name), epoch, seq in taken.conflicts:
                log.warning(
                    "%s/%s: event %d of epoch %s is stored with other content: the table was restored from a copy, or "
                    "is a copy; its bridge sends what follows under another epoch",
                    site,
                    name,
                    seq,
                    epoch,
                )
            self._holes.take(taken)
            self._unpublished |= taken.seen
            self._known |= set(taken.seen)
            self._has_unpublished.set()
            if taken.results or any(
                message.type in ("match-began", "match-reopened")
                for message in batch
                if isinstance(message, TableEvent)
            ):
                self._on_results()

    async def ask(self, work: Callable[[Store], T]) -> T:
        """Return the result of `work` on the database; while the database is away, try again."""
        return await self._retried(self._store, work)

    async def _retried(self, thread: StoreThread, work: Callable[[Store], T]) -> T:
        backoff = Backoff(MIN_RETRY_S, MAX_RETRY_S)
        while True:
            try:
                found = await thread.run(work)
            except DatabaseAwayError as error:
                self.problems.add("database", f"{error}; trying again")
                await asyncio.sleep(backoff.next_s())
            else:
                self.problems.solve("database", "the database is there")
                return found

    def _count(self, taken: Taken) -> None:
        self.taken.events += taken.events
        self.taken.duplicates += taken.duplicates
        self.taken.results += taken.results
        if taken.refused:
            log.debug("%d events came before others that are missing", len(taken.refused))

    def forget(self, table: TableName) -> None:
        """Forget a table, and have the broker forget its status, state and last result."""
        self._board.remove(table)
        self._known.discard(table)
        self._unpublished.pop(table, None)
        self._holes.forget(table)
        self._forgotten.add(table)
        self._has_unpublished.set()

    async def look(self, work: Callable[[Store], T]) -> T:
        """Return the result of a database read, beside the storing thread."""
        return await self._retried(self._reader, work)

    # Back to the bridges

    async def _publish(self, client: Client) -> None:
        """Publish each change of the venue's position at a table; after a connection, publish all positions."""
        while True:
            await self._has_unpublished.wait()
            self._has_unpublished.clear()
            while self._forgotten:
                topics = Topics(*next(iter(self._forgotten)))
                for kind in ("status", "state", "result", "seen"):
                    await client.publish(topics[kind], b"", qos=1, retain=True)
                self._forgotten.discard(TableName(topics.site, topics.table))
            while self._unpublished:
                some = dict(islice(self._unpublished.items(), MAX_PUBLISHING))
                await asyncio.gather(*(self._publish_one(client, table, seen) for table, seen in some.items()))
                for table, seen in some.items():
                    if self._unpublished.get(table) == seen:
                        del self._unpublished[table]

    async def _publish_one(self, client: Client, table: TableName, seen: Seen) -> None:
        await client.publish(Topics(*table)["seen"], msgspec.json.encode(seen), qos=1, retain=True)


class Holes:
    """The first event behind a hole in each epoch of a table, and how often it was refused over this connection.

    Each epoch is counted alone: one event under a strange epoch must not hide the hole in the table's own.
    """

    def __init__(self) -> None:
        self._first: dict[TableName, dict[str, tuple[int, int]]] = {}

    @property
    def known(self) -> Collection[Position]:
        """The events to take despite a gap before them: no bridge has the missing ones."""
        return {
            (table, epoch, seq)
            for table, epochs in self._first.items()
            for epoch, (seq, count) in epochs.items()
            if count >= REPEATS
        }

    def forget(self, table: TableName) -> None:
        """Forget a table."""
        self._first.pop(table, None)

    def take(self, taken: Taken) -> None:
        """Note a batch's refused events; progress at a table ends its hole."""
        for table in taken.moved:
            self._first.pop(table, None)
        refused: dict[tuple[TableName, str], list[int]] = {}
        for table, epoch, seq in taken.refused:
            refused.setdefault((table, epoch), []).append(seq)
        for (table, epoch), numbers in refused.items():
            epochs = self._first.setdefault(table, {})
            first, count = epochs.pop(epoch, (min(numbers), 0))
            if (earliest := min(numbers)) < first:
                first, count = earliest, 0
            epochs[epoch] = first, count + numbers.count(first)
            if len(epochs) > MAX_EPOCHS:
                del epochs[next(iter(epochs))]
