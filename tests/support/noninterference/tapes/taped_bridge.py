"""The bridge and the venue's page at a taped session: what is published on a broker, and what a venue makes of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, cast

import msgspec
from aiomqtt import Client, Will

from firmware_host.clients.bridge.app import Bridge
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.clients.bridge.topics import Topics
from firmware_host.util.process import together
from firmware_host.venue.board import TableBoard
from firmware_host.venue.messages import NonsenseError, TableEvent, TableState, TableStatus, read
from firmware_host.venue.server import VenueMessage

Record = Callable[[str, object], None]


class TapedBroker:
    """A broker that takes everything at once, and a venue behind it."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._board = TableBoard()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._record("broker", "disconnected")

    async def subscribe(self, topics: object) -> None:
        """Note a subscription."""
        self._record("broker", ("subscribe", topics))

    @property
    async def messages(self) -> AsyncIterator[Any]:
        """Deliver nothing: no venue has said anything yet."""
        await asyncio.Event().wait()
        yield None

    async def publish(self, topic: str, payload: bytes, **how: object) -> None:
        """Note a message with its QoS and all else that it is sent with, and what the venue's page would get for it."""
        self._record("broker", (topic, payload, how))
        version = self._board.version
        with suppress(NonsenseError):
            match read(topic, payload):
                case TableStatus() as status:
                    self._board.take_status(status)
                case TableState() as state:
                    self._board.take_state(state)
                case TableEvent() as event:
                    self._board.take_event(event)
        self._record("venue's page", msgspec.json.encode(VenueMessage("a build", [], self._board.cards(version), None)))


async def run_taped_bridge(path: Path, record: Record) -> None:
    """Bridge the table at `path` until cancelled; `record` is given a channel and what went there."""
    outbox = EventOutbox(Path(":memory:"))  # on a disk, SQLite writes random numbers
    outbox.instance = "taped"
    broker = TapedBroker(record)

    def connect(will: Will, identifier: str) -> Client:
        record("broker", (will, identifier))
        return cast(Client, broker)

    bridge = Bridge(Topics("bar", "window"), outbox, connect, home_assistant=True)
    try:
        await together(bridge._follow(path), bridge._publish())
    finally:
        outbox.close()
