"""The page of a venue with a database in memory's place: a file, and tables whose messages a test hands over."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path

from aiohttp import ClientSession
from aiomqtt import Client
from support.pages.page_thread import in_a_thread
from support.venue.tables import Published

from firmware_host.clients.web.access import listening_at
from firmware_host.venue.board import TableBoard
from firmware_host.venue.database import database_at
from firmware_host.venue.follower import Follower, StoreThread, night_of
from firmware_host.venue.messages import TableEvent, TableResult, TableState, TableStatus, read
from firmware_host.venue.owner import Password, hash_of
from firmware_host.venue.server import VenuePage
from firmware_host.venue.store import Store

PASSWORD = "correct horse"
NOW_S = 1_795_000_000.0


class StagedVenue:
    """A venue whose broker is a test."""

    def __init__(
        self, page: VenuePage, store: StoreThread, reader: StoreThread, board: TableBoard, follower: Follower
    ) -> None:
        self.page, self.store, self.reader, self.board, self.follower = page, store, reader, board, follower
        self.address = page.local_address

    async def hear(self, *messages: Published) -> None:
        """Take messages as the broker would deliver them."""
        kept: list[TableEvent | TableResult] = []
        for topic, body, _ in messages:
            match read(topic, body):
                case TableStatus() as status:
                    self.board.take_status(status)
                case TableState() as state:
                    self.board.take_state(state)
                case TableEvent() as event:
                    self.board.take_event(event)
                    kept.append(event)
                case TableResult() as result:
                    kept.append(result)
        await self.store.run(lambda store: store.take(kept, night_of(NOW_S), round(1000 * NOW_S)))
        self.page.results_came()


@asynccontextmanager
async def staged_venue(
    folder: Path, *, password: str | None = PASSWORD, language: str | None = None, proxy: str | None = None
) -> AsyncIterator[StagedVenue]:
    """Serve the page of a venue."""
    store, reader = (
        StoreThread(Store(database_at(str(folder / "venue.sqlite"))), name) for name in ("store", "reader")
    )
    board = TableBoard()
    listening = listening_at("127.0.0.1", 0)
    owner = Password(hash_of(password)) if password else None
    page = VenuePage(listening, language, board, owner, proxy, now_s=lambda: NOW_S)
    follower = Follower(lambda: Client("127.0.0.1"), store, board, reader, on_results=page.results_came)
    try:
        async with page.serve(follower):
            yield StagedVenue(page, store, reader, board, follower)
    finally:
        listening.close()
        store.close()
        reader.close()


def served(folder: Path, prepare: Callable[[StagedVenue], Awaitable[None]]) -> AbstractContextManager[str]:
    """Serve a page in a thread, after what prepares the venue; return its address's context."""

    @asynccontextmanager
    async def prepared() -> AsyncIterator[str]:
        async with staged_venue(folder) as venue:
            await prepare(venue)
            yield venue.address

    return in_a_thread(prepared())


@asynccontextmanager
async def a_browser() -> AsyncIterator[ClientSession]:
    """Return what requests pages, with the cookies of numeric addresses too."""
    from aiohttp import CookieJar

    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield session
