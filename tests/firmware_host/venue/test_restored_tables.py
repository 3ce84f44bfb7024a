"""A table that was restored or copied, or lost its outbox, loses no event at a venue and has none there twice."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
from support.broker.mosquitto import Mosquitto, in_a_folder, until
from support.host.restored_tables import RestoredTable, closing, compared, settled, stored_twice
from support.venue.postgres import Postgres
from support.venue.storm import VenueProcess

from firmware_host.clients.bridge import app
from firmware_host.venue.database import database_at
from firmware_host.venue.store import Store


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RESEND_S": 0.5, "MAX_RESEND_S": 2.0, "MIN_RETRY_S": 0.05, "MAX_RETRY_S": 0.3}.items():
        monkeypatch.setattr(app, name, value)


class Bar:
    """A broker, a venue, and a table that has played a match."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self.folder, self.stack, self.broker = folder, stack, Mosquitto()
        stack.callback(self.broker.close)
        self.database = str(folder / "venue.sqlite")
        self.venue = VenueProcess(self.broker.port, self.database)
        stack.callback(self.venue.kill)

    async def begin(self) -> RestoredTable:
        await self.broker.start()
        self.venue.start()
        table = self.table("window")
        await table.start()
        await table.play()
        await settled([table])
        return table

    def table(self, name: str, machine: str = "machine1") -> RestoredTable:
        folder = self.folder / f"{name}-{machine}"
        return closing(self.stack, RestoredTable(folder, name, self.broker.port, machine))

    async def copied(self, table: RestoredTable, matches: int) -> Path:
        """Copy a table's card, let the table play on, and return the copy."""
        copy = self.folder / "copy"
        await table.copied(copy)
        await table.start()
        await table.play(matches)
        await settled([table])
        return copy


def in_a_bar(test: Callable[[Bar, RestoredTable], Awaitable[list[RestoredTable]]]) -> Callable[[Path], None]:
    """Run a test in a bar, and compare what its tables told with what the venue has."""

    async def run(folder: Path, stack: AsyncExitStack) -> None:
        bar = Bar(folder, stack)
        tables = await test(bar, await bar.begin())
        await settled(tables)
        with opened(bar.database) as store:
            found, gaps = compared(store, tables), sum(record.gaps for record in store.tables())
        assert (found["missing"], found["double"], gaps) == (0, 0, 0), found
        assert found["results"] == found["matches"], found

    return in_a_folder(test, run)


@contextmanager
def opened(database: str) -> Iterator[Store]:
    store = Store(database_at(database))
    try:
        yield store
    finally:
        store.close()


@pytest.mark.slow
@in_a_bar
async def test_a_table_that_was_restored_loses_nothing(bar: Bar, table: RestoredTable) -> list[RestoredTable]:
    await table.restore(await bar.copied(table, 20))
    await table.start()
    await until(lambda: table.has_an_epoch_of_its_own)
    await table.play(30)
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_a_table_that_plays_on_without_network_after_it_was_restored_loses_nothing(
    bar: Bar, table: RestoredTable
) -> list[RestoredTable]:
    await table.happen(3)
    await table.restore(await bar.copied(table, 20))
    bar.broker.kill()
    await table.start()
    await table.play(30)
    await bar.broker.start()
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_a_table_whose_state_alone_was_restored_loses_nothing(
    bar: Bar, table: RestoredTable
) -> list[RestoredTable]:
    copy = await bar.copied(table, 20)
    await table.close()
    for file in copy.glob("outbox.sqlite*"):
        file.unlink()
    for file in table.card.glob("outbox.sqlite*"):
        (copy / file.name).write_bytes(file.read_bytes())
    await table.restore(copy)
    await table.start()
    await until(lambda: table.has_an_epoch_of_its_own)
    await table.play(30)
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_a_table_that_was_restored_twice_loses_nothing(bar: Bar, table: RestoredTable) -> list[RestoredTable]:
    copy = bar.folder / "copy"
    await table.copied(copy)
    for _ in range(3):
        await table.start()
        await table.play(7)
        await settled([table])
        await table.restore(copy)
    await table.start()
    await table.play(8)
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_a_deleted_outbox_goes_on_from_the_journal(bar: Bar, table: RestoredTable) -> list[RestoredTable]:
    bar.broker.kill()
    await table.play(10)
    await table.lose_outbox()
    await table.play(10)
    await bar.broker.start()
    table.connect()
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_a_deleted_outbox_of_a_table_that_was_restored_goes_on_from_the_journal(
    bar: Bar, table: RestoredTable
) -> list[RestoredTable]:
    await table.restore(await bar.copied(table, 4))
    await table.start()
    await until(lambda: table.has_an_epoch_of_its_own)
    await table.play(5)
    await settled([table])
    epoch = table.epoch
    await table.lose_outbox()
    await table.play(6)
    table.connect()
    await settled([table])
    assert table.epoch == epoch  # without a conflict, which would begin another one
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_of_a_copied_card_one_stands_down_and_its_events_come_under_its_new_name(
    bar: Bar, table: RestoredTable
) -> list[RestoredTable]:
    twin = bar.table("window", "machine2")
    await table.copied(twin.card.with_name("copy"))
    twin.card.rmdir()
    (twin.card.with_name("copy")).rename(twin.card)
    await table.start()
    await until(lambda: "publishes the table" in table.status)
    await twin.start()
    both = (table, twin)
    why = "another table calls itself bar/window: give one of them another --table"
    await until(lambda: any(why in each.status for each in both))
    one, other = sorted(both, key=lambda each: why in each.status)
    await one.play()
    await other.play()
    await settled([one])
    await other.disconnect()
    other.connect("corner")
    return [table, twin]


@pytest.mark.slow
@in_a_bar
async def test_a_restored_table_that_plays_on_before_it_hears_the_venue_loses_nothing(
    bar: Bar, table: RestoredTable
) -> list[RestoredTable]:
    bar.venue.kill()
    await table.happen(4)
    copy = bar.folder / "copy"
    await table.copied(copy)  # four events wait there, which the venue will have
    await table.start()
    bar.venue.start()
    await table.play(20)
    await settled([table])
    bar.venue.kill()
    await table.restore(copy)
    await table.start()
    await table.happen(2)
    await until(lambda: table.has_an_epoch_of_its_own)
    await table.happen(3)
    bar.venue.start()
    return [table]


@pytest.mark.slow
@in_a_bar
async def test_a_table_restored_to_what_waited_then_has_nothing_twice_after_a_restart_of_the_venue(
    bar: Bar, table: RestoredTable
) -> list[RestoredTable]:
    await table.restore(await bar.copied(table, 7))
    await table.start()
    await until(lambda: table.has_an_epoch_of_its_own)
    await table.play(3)
    await settled([table])
    for number in range(3):  # each time four events wait on the card that is copied, and the venue has them later
        bar.venue.kill()
        copy = bar.folder / f"copy{number}"
        if not number:
            await table.happen(4)
        await table.copied(copy)
        await table.start()
        bar.venue.start()
        await table.play(6)
        await settled([table])
        epoch = table.epoch
        bar.venue.kill()
        await table.restore(copy)
        await table.start()
        await until(lambda epoch=epoch: table.epoch not in ("", epoch))  # type: ignore[misc]
        assert len(table.waiting[0]) == 4
    bar.venue.start()
    await table.play(5)
    return [table]


@pytest.mark.soak
def test_thirty_tables_lose_nothing_in_a_storm(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    postgres = Postgres()
    try:
        postgres.start()
        asyncio.run(storm(tmp_path, postgres))
    finally:
        postgres.close()


async def storm(folder: Path, postgres: Postgres) -> None:
    """Play at thirty tables while parts are killed, one table is restored, one copied, and one outbox deleted.

    A card that is overwritten takes with it what nobody else has, so the venue has confirmed that before; a card is
    copied with events that wait, which then come from both.
    """
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    kills = ["broker", "venue"] * 5 + ["broker", "database"] * 2 + ["broker"] * 3
    inherited = set[tuple[int, ...]](), 0
    async with AsyncExitStack() as stack:
        bar = Bar(folder, stack)
        bar.venue = VenueProcess(bar.broker.port, postgres.url)
        stack.callback(bar.venue.kill)
        await bar.broker.start()
        bar.venue.start()
        tables = [bar.table(f"t{number}") for number in range(30)]
        restored, copied, deleted = tables[:3]
        for table in tables:
            await table.start()
        for turn, kill in enumerate(kills):
            for table in tables:
                await (table.play(4) if turn % 5 == 1 else table.happen(3))
            if turn == 9:
                await settled([restored], 120)
            match kill:
                case "broker":
                    bar.broker.kill()
                case "venue":
                    bar.venue.kill()
                case "database":
                    await asyncio.to_thread(postgres.kill)
            if turn == 9:
                await restored.restore(folder / "copy")
                await restored.start()
            for table in tables:
                await table.happen(2)
            match turn:
                case 3:
                    await restored.copied(folder / "copy")
                    await restored.start()
                case 6:
                    twin = bar.table("t1", "machine2")
                    await copied.copied(folder / "twin")
                    twin.card.rmdir()
                    (folder / "twin").rename(twin.card)
                    await copied.start()
                    await twin.start()
                    inherited = twin.waiting
                    await twin.happen(5)
                case 11:
                    await twin.disconnect()
                    twin.connect("twin")
                    tables.append(twin)
                case 12:
                    await deleted.lose_outbox()
                    await deleted.happen(4)
                    deleted.connect()
            match kill:
                case "broker":
                    await bar.broker.start()
                case "venue":
                    bar.venue.start()
                case "database":
                    await asyncio.to_thread(postgres.start)
            await asyncio.sleep(1.0)
        await settled(tables, 300)
    with opened(postgres.url) as store:
        found = compared(store, tables)
        gaps = {record.table.name: record.gaps for record in store.tables() if record.gaps}
        twice = stored_twice(store)
    killed = ", ".join(f"{kills.count(part)} of the {part}" for part in ("broker", "venue", "database"))
    waited = f"{len(inherited[0])} events and {inherited[1]} results waited on the copied card"
    print(f"{len(tables)} tables, kills: {killed}; {found}; {waited}; gaps {gaps}")
    assert found["missing"] == 0
    assert twice <= inherited[0]
    assert found["double"] == len(twice)
    assert found["matches"] <= found["results"] <= found["matches"] + inherited[1]
