"""A table, a bridge to a real broker, and who listens there, for one test."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from aiomqtt import Client, Will
from support.broker.mosquitto import Mosquitto, Subscriber, in_a_folder
from support.pages.public_table import PublicTable

from firmware_host.clients.bridge.app import Bridge
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.clients.bridge.topics import Topics
from firmware_host.util.process import ended

TABLE = Topics("bar", "window")


class Room:
    """A table, a bridge to a broker, and who listens there."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.broker = Mosquitto()
        stack.callback(self.broker.close)
        self.table = PublicTable(folder)
        self.outbox: EventOutbox

    async def begin(self) -> None:
        await self.broker.start()
        await self.table.start()
        self.stack.push_async_callback(self.table.close)

    def bridge(
        self, topics: Topics = TABLE, outbox: str = "outbox.sqlite", *, home_assistant: bool = False
    ) -> asyncio.Task[None]:
        """Start a bridge, as a process does."""
        self.outbox = EventOutbox(self.folder / outbox)
        port = self.broker.port

        def connect(will: Will, instance: str) -> Client:
            return Client("127.0.0.1", port, identifier=instance, will=will, timeout=1)

        bridge = Bridge(topics, self.outbox, connect, home_assistant=home_assistant)
        task = asyncio.create_task(bridge.run(self.table.path))
        self.stack.push_async_callback(ended, task)
        return task

    def subscriber(self, topic: str = "dudo/v1/#") -> Subscriber:
        subscriber = Subscriber(self.broker.port, topic)
        self.stack.push_async_callback(subscriber.close)
        return subscriber


def in_a_room(test: Callable[[Room], Awaitable[None]]) -> Callable[[Path], None]:
    """Run a test in a room of its own."""

    async def run(folder: Path, stack: AsyncExitStack) -> None:
        room = Room(folder, stack)
        await room.begin()
        await test(room)

    return in_a_folder(test, run)
