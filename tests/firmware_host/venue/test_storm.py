"""Nothing is missing and nothing counts twice at a venue, though broker, venue and database are killed in mid-match."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from support.venue.postgres import Postgres
from support.venue.storm import Storm

from firmware_host.clients.bridge import app
from firmware_host.venue.database import database_at
from firmware_host.venue.store import Store
from firmware_host.venue.tournament import Tournament


@pytest.fixture
def server() -> Iterator[Postgres]:
    pytest.importorskip("psycopg")
    postgres = Postgres()
    try:
        postgres.start()
        yield postgres
    finally:
        postgres.close()


@pytest.mark.slow
def test_five_tables_lose_nothing_when_everything_is_killed(
    server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"RESEND_S": 0.3, "MAX_RESEND_S": 1.0, "MIN_RETRY_S": 0.05, "MAX_RETRY_S": 0.3}.items():
        monkeypatch.setattr(app, name, value)
    asyncio.run(storm(server, tmp_path, tables=5, matches=3, kills=["broker", "venue", "database", "broker"]))


@pytest.mark.soak
def test_two_hundred_tables_lose_nothing_when_everything_is_killed(server: Postgres, tmp_path: Path) -> None:
    kills = ["broker", "broker", "venue", "broker", "broker", "database", "broker", "broker", "venue", "broker"]
    kills += ["broker", "broker", "broker"]
    assert kills.count("broker") == 10
    asyncio.run(storm(server, tmp_path, tables=200, matches=10, kills=kills, pace_s=0.02, pause_s=3.0))


async def storm(
    server: Postgres,
    folder: Path,
    *,
    tables: int,
    matches: int,
    kills: list[str],
    pace_s: float = 0.0,
    pause_s: float = 0.0,
) -> None:
    """Play matches at so many tables while parts are killed, and compare the database with what the tables know."""
    async with AsyncExitStack() as stack:
        all_tables = Storm(folder, stack, server.url, tables=tables, matches=matches)
        await all_tables.begin()
        parts, began_s = all_tables.parts(len(kills), pace_s=pace_s), time.monotonic()
        for number in range(len(parts)):
            await parts.play(number)
            match kills[number] if number < len(kills) else "":
                case "broker":
                    all_tables.broker.kill()
                    await all_tables.broker.start()
                case "venue":
                    all_tables.venue.kill()
                    all_tables.venue.start()
                case "database":
                    await asyncio.to_thread(server.kill)
                    await asyncio.to_thread(server.start)
            await asyncio.sleep(pause_s)
        played_s = time.monotonic() - began_s
        await all_tables.settle(timeout_s=300)
        settled_s = time.monotonic() - began_s - played_s
    store = Store(database_at(server.url))
    (events,) = store._database.run("SELECT COUNT(*) FROM events")[0]
    holes = store._database.run("SELECT name FROM events GROUP BY name HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1")
    ranking = {(row.table, row.player): row[3:] for row in store.ranking(limit=100_000)}
    gaps = sum(record.gaps for record in store.tables())
    store.start_tournament(Tournament.of(map(str, range(9)), seed=1))
    store.change_tournament(1, lambda before: before.drawn().called(["bar/t1"]))
    running = store.tournament()
    store.close()
    print(
        f"{tables} tables, {events} events of {all_tables.published()}, {len(ranking)} players, {gaps} gaps; "
        f"played in {played_s:.0f} s with {len(kills)} kills, the last event taken {settled_s:.1f} s later"
    )
    assert (events, holes, gaps) == (all_tables.published(), [], 0)
    assert ranking == all_tables.points()
    assert running is not None
    assert running.tournament.at("bar/t1") is not None
