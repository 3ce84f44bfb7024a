"""Hostile publishers on a broker end neither a venue nor a bridge; all of them are real programs."""

import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from aiomqtt import Client, MqttError
from support.broker.mosquitto import Mosquitto, Subscriber, in_a_folder, until
from support.pages.public_table import PublicTable
from support.venue.postgres import Postgres
from support.venue.storm import CommandProcess, VenueProcess
from support.venue.tables import VenueTable

from firmware_host.clients.bridge.machine import machine_hash
from firmware_host.venue.database import database_at
from firmware_host.venue.store import Store
from firmware_host.wire import CupSettled

pytestmark = pytest.mark.slow

NUMBERS = (b"1.5", b'"5"', b"-1", b"1e15", b"1e400", b"-1e400", b"NaN", b"9223372036854775808", b"99999999999999999999")
OTHERS = (b"null", b"true", b"[]", b"{}", b'""', b'"\\u0000"', b'"\\ud800"', b'"\xff"', b'"\\u202e"', b"[" * 1000)
NESTED = b"[" * 1000 + b"]" * 1000
LARGE = b'"' + b"x" * 300_000 + b'"'
KINDS = ("status", "state", "event", "result", "cue", "seen")
NAMES = ("\u0007", "a\tb", "é", "x" * 33, "x" * 30_000, "$SYS", "..", "<b>", " ", "", "bar/window")


def messages() -> Iterator[tuple[str, bytes]]:
    """Yield attacks on every topic: each field of an honest message as something else, and messages that are none."""
    other = VenueTable("bar", "hostile", seed=7)
    seen = {"epoch": "e", "seq": 1, "digest": "", "conflict": {"epoch": "e", "seq": 1}}
    honest = [other.status()[:2], other.state()[:2], *(message[:2] for message in other.match(reopenings=1))]
    honest += [(f"dudo/v1/bar/{name}/seen", json.dumps(seen).encode()) for name in ("hostile", "window")]
    # An honest status of the same name makes the bridge stand down, as that of a copied card does.
    honest += [(topic.replace("hostile", "window"), body.replace(b"hostile", b"window")) for topic, body in honest[1:]]
    for topic, body in dict(reversed(honest)).items():
        fields: dict[str, Any] = {**json.loads(body), "gap": True}
        for name in fields:
            mark = json.dumps({**fields, name: "@"}).encode()
            for value in (*NUMBERS, *OTHERS, NESTED):
                yield topic, mark.replace(b'"@"', value)
        yield topic, json.dumps({**fields, "more": "@"}).encode().replace(b'"@"', LARGE)
    for kind in KINDS:
        for body in (b"", b"\0", b"\xff", b"[" * 100_000, NESTED, LARGE):
            yield f"dudo/v1/bar/window/{kind}", body
        for name in NAMES:
            yield f"dudo/v1/bar/{name}/{kind}", honest[1][1]
    yield "homeassistant/device/dudo-table-bar-window/config", NESTED
    won = json.dumps({"site": "bar", "table": "void", "epoch": "e", "gap": True}).encode()
    for seq, value in enumerate((b'"\\u0000"', LARGE, NESTED, b"99999999999999999999", b"[0,1]")):
        for event in (b"match-reopened", b"match-began", b"match-won"):
            for field in (b"match", b"players"):
                more = b',"seq":%d,"type":"%s","%s":%s}' % (seq, event, field, value)
                yield "dudo/v1/bar/void/event", won[:-1] + more


class Bar:
    """A broker, a venue, and a table with its bridge."""

    def __init__(self, folder: Path, stack: AsyncExitStack, database: str) -> None:
        self.folder, self.database = folder, database
        self.broker, self.table = Mosquitto(), PublicTable(folder)
        stack.callback(self.broker.close)
        stack.push_async_callback(self.table.close)
        self.venue = VenueProcess(self.broker.port, database, folder / "venue.log")
        where = ("--site", "bar", "--table", "window", "--outbox", str(folder), str(self.table.path))
        port = f"127.0.0.1:{self.broker.port}"
        self.bridge = CommandProcess("bridge", "--broker", port, *where, log=folder / "bridge.log")
        for process in (self.venue, self.bridge):
            stack.callback(process.kill)

    async def begin(self) -> None:
        await self.broker.start()
        await self.table.start()
        self.venue.start()
        self.bridge.start()
        await self.plays()

    async def plays(self, events: int = 3) -> None:
        """Have events happen at the table, and wait until they are confirmed."""
        for _ in range(events):
            await self.table.happen(CupSettled(0))
        last = self.table.journal.lines.last
        await until(lambda: self._confirmed() == (last, 0), 90)

    def _confirmed(self) -> tuple[int, int]:
        """Return how far the bridge has read the table, and how many messages it keeps."""
        assert self.bridge.runs, (self.folder / "bridge.log").read_text()[-2000:]
        assert self.venue.runs, (self.folder / "venue.log").read_text()[-2000:]
        try:
            outbox = sqlite3.connect(f"file:{self.folder}/outbox.sqlite?mode=ro", uri=True)
            (seq,) = outbox.execute("SELECT seq FROM state").fetchone() or (None,)
            (count,) = outbox.execute("SELECT count(*) FROM rows").fetchone()
            outbox.close()
        except sqlite3.Error:
            return (-1, -1)
        return (seq or 0, count)

    async def publish(self, *attacks: tuple[str, bytes], retain: bool = True) -> None:
        """Publish as somebody of the network."""
        left = list(attacks)
        while left:
            with suppress(MqttError):
                async with Client("127.0.0.1", self.broker.port, timeout=2) as client:
                    while left:
                        topic, body = left.pop(0)
                        is_cut_off = any(letter < " " for letter in topic)  # the broker disconnects its client
                        await client.publish(topic, body, qos=0 if is_cut_off else 1, retain=retain)
                        if is_cut_off:
                            await anext(client.messages)

    async def cards(self) -> list[Any]:
        """Return what the page shows."""
        async with ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{self.venue.port}/live") as live:
            return [card["table"] for card in (await live.receive_json())["cards"]]

    def stored(self) -> int:
        """Return the number of the table's own events that the venue has."""
        store = Store(database_at(self.database))
        try:
            found = "SELECT COUNT(*) FROM events WHERE name = 'window' AND epoch LIKE ?"
            return int(store._database.run(found, (f"{self.table.journal.lines.numbering}%",))[0][0])
        finally:
            store.close()


def in_a_bar(test: Callable[[Bar], Awaitable[None]], database: str | None = None) -> Callable[[Path], None]:
    """Run a test in a bar."""

    async def run(folder: Path, stack: AsyncExitStack) -> None:
        bar = Bar(folder, stack, database or str(folder / "venue.sqlite"))
        await bar.begin()
        await test(bar)

    return in_a_folder(test, run)


async def attacked(bar: Bar) -> None:
    """Publish all attacks while the table plays, and those that would stay retained; then start both programs again."""
    attacks = list(messages())
    await bar.publish(*attacks, retain=False)
    await bar.plays()
    await bar.publish(*dict(attacks).items(), retain=True)
    await bar.plays()
    for process in (bar.venue, bar.bridge):
        process.kill()
        process.start()
    await bar.plays()
    assert "window" in await bar.cards()
    assert bar.stored() == 12
    for name in ("venue.log", "bridge.log"):
        log = (bar.folder / name).read_text()
        assert "Traceback" not in log
        assert len(log.splitlines()) < 60, log


def test_no_message_ends_a_bridge_or_a_venue_with_sqlite(tmp_path: Path) -> None:
    in_a_bar(attacked)(tmp_path)


def test_no_message_ends_a_bridge_or_a_venue_with_postgresql(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    postgres = Postgres()
    try:
        postgres.start()
        in_a_bar(attacked, postgres.url)(tmp_path)
    finally:
        postgres.close()


@in_a_bar
async def test_the_name_of_a_bridge_has_a_hash_of_its_computer(bar: Bar) -> None:
    listener = Subscriber(bar.broker.port, "dudo/v1/bar/window/status")
    await until(lambda: listener.of("status"))
    await listener.close()
    assert machine_hash()
    assert listener.of("status")[-1]["instance"].endswith(machine_hash())


@in_a_bar
async def test_a_venue_of_many_tables_says_nothing_about_each(bar: Bar) -> None:
    tables = [VenueTable("bar", f"t{number}") for number in range(200)]
    await bar.publish(*(table.status()[:2] for table in tables))
    heard = Subscriber(bar.broker.port, "dudo/v1/bar/+/seen")
    await until(lambda: len({topic for topic, *_ in heard.heard}) == 201)
    await heard.close()
    log = (bar.folder / "venue.log").read_text().splitlines()
    assert len(log) <= 3, log
