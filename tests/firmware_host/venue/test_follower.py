"""A venue's handling of broker messages: stored, ignored, and reported in log and status."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiomqtt import Client
from support.broker.mosquitto import Mosquitto, until
from support.venue.tables import VenueTable

from firmware_host.util.process import ended
from firmware_host.venue import board as board_module
from firmware_host.venue import follower as follower_module
from firmware_host.venue.board import TableBoard
from firmware_host.venue.database import database_at
from firmware_host.venue.follower import Follower, StoreThread
from firmware_host.venue.messages import read
from firmware_host.venue.store import Store


@pytest.fixture
def follower(tmp_path: Path) -> Iterator[Follower]:
    """Give a follower without a broker, whose database takes nothing yet."""
    store = StoreThread(Store(database_at(str(tmp_path / "venue.sqlite"))))
    yield Follower(lambda: Client("127.0.0.1"), store, TableBoard())
    store.close()


def in_a_loop(test: Callable[[Follower], Awaitable[None]]) -> Callable[[Follower], None]:
    """Run a test in a loop."""

    def run(follower: Follower) -> None:
        asyncio.run(test(follower))  # type: ignore[arg-type]

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@in_a_loop
async def test_events_that_wait_for_the_database_are_bounded_by_their_bytes(follower: Follower) -> None:
    table, padding = VenueTable("bar", "window"), "x" * 200_000
    for _ in range(400):
        follower._take(read(*table.event("said", action=padding)[:2]))
    waiting = sum(len(event.body) for event in follower._waiting)  # type: ignore[union-attr]
    assert waiting < follower_module.MAX_WAITING_BYTES + len(padding) * 2
    assert follower._board.ignored["an event while the database was away"] > 50
    writing = asyncio.create_task(follower._write())
    while follower._waiting:
        await asyncio.sleep(0.01)
    writing.cancel()
    follower._take(read(*table.event("said")[:2]))
    assert len(follower._waiting) == 1


def test_the_log_says_when_there_is_no_room_for_a_table(
    follower: Follower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(board_module, "MAX_TABLES", 1)

    async def hear() -> None:
        for name in ("window", "corner", "terrace"):
            follower._take(read(*VenueTable("bar", name).status()[:2]))

    with caplog.at_level(logging.WARNING):
        asyncio.run(hear())
    assert caplog.messages == ["messages on the broker were ignored: 1 × a table more than there may be"]


# With a broker


@asynccontextmanager
async def followed(folder: Path, board: TableBoard, on_status: Callable[[str], None]) -> AsyncIterator[int]:
    """Follow the tables of a broker, whose port this gives."""
    broker, store = Mosquitto(), StoreThread(Store(database_at(str(folder / "venue.sqlite"))))
    try:
        await broker.start()
        follower = Follower(lambda: Client("127.0.0.1", broker.port, timeout=5), store, board, on_status=on_status)
        following = asyncio.create_task(follower.run())
        yield broker.port
        await ended(following)
    finally:
        store.close()
        broker.close()


@pytest.mark.slow
def test_a_venue_that_has_connected_at_once_says_that_it_follows_the_tables(tmp_path: Path) -> None:
    said: list[str] = []

    async def connect() -> None:
        async with followed(tmp_path, TableBoard(), said.append):
            await until(lambda: said)

    asyncio.run(connect())
    assert said == ["follows the tables"]


@pytest.mark.slow
def test_a_topic_that_was_cleared_is_no_message_that_is_ignored(tmp_path: Path) -> None:
    board, said = TableBoard(), list[str]()

    async def hear() -> None:
        async with followed(tmp_path, board, said.append) as port, Client("127.0.0.1", port) as client:
            await until(lambda: said)
            for payload in (b"", b"nonsense"):
                await client.publish("dudo/v1/bar/window/status", payload, qos=1, retain=True)
            await until(lambda: board.ignored)

    asyncio.run(hear())
    assert board.ignored == {"a status that none can read": 1}
