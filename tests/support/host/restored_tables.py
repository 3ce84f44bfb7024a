"""Tables with journals and bridges at a real broker, which a test restores, copies, and deletes parts of."""

import asyncio
import json
import shutil
from collections import Counter
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

from aiomqtt import Client, Will
from support.pages.public_table import PublicTable

from firmware_host.clients.bridge.app import Bridge
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.clients.bridge.topics import Topics
from firmware_host.table.events import OrderRolled
from firmware_host.util.process import ended
from firmware_host.venue.store import Store
from firmware_host.wire import MatchBegan, MatchWon

_numbers = count()
_rolls = count(1)


class RestoredTable:
    """A table, its bridge to the broker at a port, and everything that it has told. No two of its events are equal."""

    def __init__(self, folder: Path, name: str, port: int, machine: str = "machine1") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.name, self.told, self.matches = name, list[tuple[int, ...]](), 0
        self.card, self._port, self._machine = folder, port, machine
        self.public = PublicTable(folder)
        self.outbox: EventOutbox | None = None
        self.status: list[str] = []

    async def start(self) -> None:
        """Start the table and its bridge."""
        await self.public.start()
        self.connect()

    def connect(self, name: str | None = None) -> None:
        """Start the bridge, under another name if one is given."""
        self.name = name or self.name
        self.outbox = EventOutbox(self.card / "outbox.sqlite", self._machine)
        port = self._port

        def connect(will: Will, instance: str) -> Client:
            return Client("127.0.0.1", port, identifier=instance, will=will, timeout=5)

        bridge = Bridge(Topics("bar", self.name), self.outbox, connect, on_status=self.status.append)
        self._bridge = asyncio.create_task(bridge.run(self.public.path))

    async def disconnect(self) -> None:
        """Stop the bridge."""
        if self.outbox is not None:
            await ended(self._bridge)
            self.outbox.close()
            self.outbox = None

    @property
    def epoch(self) -> str:
        """The epoch of its next event, empty without a bridge."""
        return self.outbox.epoch_of(self.public.journal.lines.numbering) if self.outbox is not None else ""

    @property
    def has_an_epoch_of_its_own(self) -> bool:
        """Whether its numbers have begun again."""
        return self.epoch.count("-") == 1

    @property
    def is_settled(self) -> bool:
        """Whether the venue has confirmed everything that the table has told."""
        if self.outbox is None:
            return True
        lines = self.public.journal.lines
        return self.outbox.position == (lines.numbering, lines.last) and not len(self.outbox)

    @property
    def waiting(self) -> tuple[set[tuple[int, ...]], int]:
        """The events that wait in the outbox, and how many results do."""
        rows = self.outbox.after(0, 10_000) if self.outbox is not None else []
        return {_rolls_of(row.body) for row in rows if b'"order-rolled"' in row.body}, sum(
            row.topic == "result" for row in rows
        )

    async def close(self) -> None:
        """Stop everything."""
        await self.disconnect()
        await self.public.close()

    async def happen(self, events: int = 1) -> None:
        """Have events happen at the table."""
        for _ in range(events):
            rolls = tuple(int(digit) + 1 for digit in f"{next(_rolls):06d}")
            self.told.append(rolls)
            await self.public.happen(OrderRolled(((0, rolls),), ()))

    async def play(self, events: int = 5) -> None:
        """Play a match."""
        await self.public.happen(MatchBegan(f"{next(_numbers):012x}", "perudo", (0, 1, 2)))
        await self.happen(events)
        await self.public.happen(MatchWon(1, (1, 2, 0)))
        self.matches += 1

    async def copied(self, to: Path) -> None:
        """Copy the card of the table, which is switched off meanwhile."""
        await self.close()
        shutil.copytree(self.card, to, ignore=shutil.ignore_patterns("*.sock"))

    async def restore(self, copy: Path) -> None:
        """Put back the copy of a card, and switch the table on."""
        await self.close()
        shutil.rmtree(self.card)
        shutil.copytree(copy, self.card)

    async def lose_outbox(self) -> None:
        """Delete the outbox while the bridge is off."""
        await self.disconnect()
        for file in self.card.glob("outbox.sqlite*"):
            file.unlink()


def compared(store: Store, tables: list[RestoredTable]) -> dict[str, int]:
    """Return how many events the tables have told, and how many of them the venue has stored, lacks and has twice."""
    told = Counter(rolls for table in tables for rolls in table.told)
    stored = _stored(store)
    (results,) = store._database.run("SELECT COUNT(*) FROM results WHERE standings <> '[]'")[0]
    return {
        "told": told.total(),
        "stored": stored.total(),
        "missing": (told - stored).total(),
        "double": (stored - told).total(),
        "matches": sum(table.matches for table in tables),
        "results": results,
    }


def stored_twice(store: Store) -> set[tuple[int, ...]]:
    """Return the events that the venue has more than once."""
    return {rolls for rolls, number in _stored(store).items() if number > 1}


def _stored(store: Store) -> Counter[tuple[int, ...]]:
    """Return how often the venue has each event."""
    bodies = store._database.run("SELECT body FROM events WHERE type = 'order-rolled'")
    return Counter(_rolls_of(bytes(body)) for (body,) in bodies)


def _rolls_of(body: bytes) -> tuple[int, ...]:
    return tuple(json.loads(body)["rolls"][0])


async def settled(tables: list[RestoredTable], timeout_s: float = 60.0) -> None:
    """Wait until the venue has confirmed everything."""
    async with asyncio.timeout(timeout_s):
        while not all(table.is_settled for table in tables):
            await asyncio.sleep(0.05)


def closing(stack: AsyncExitStack, table: RestoredTable) -> RestoredTable:
    """Have a stack close a table at its end."""
    stack.push_async_callback(table.close)
    return table
