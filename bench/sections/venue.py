"""A venue: the capacity of one broker with one venue process, and the time until a change is on the page."""

import asyncio
import json
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles

import msgspec
from aiohttp import ClientSession
from aiomqtt import Client

from bench.report import Figure, Progress, Section, at_most
from bench.tools.broker import broker, free_port, listens, missing, wait_until
from bench.tools.processes import folder, running, waits, word_of
from bench.tools.simulated_tables import Measured, SimulatedTable, TimedLine
from firmware_host.public.reader import ReadLine, TableReader
from firmware_host.util.process import ended

TABLES, FEW = 2000, 200
PACES = (1.0, 2.0, 4.0, 8.0)
PLAIN, PLAIN_TABLES = "bench.tools.plain_tables", 1000
PLAIN_PACES = (4.0, 16.0, 32.0, 48.0)
"""Seconds of a match in a second, one measurement after the other, until events are late."""
MEASURED_S = 20.0
LATE_S = 1.0
"""The lag at which a venue is no longer live."""
MAX_UNCONFIRMED, MAX_BEHIND = 0.01, 0.1
"""Parts of the events that may be unconfirmed at the end, and of the lines that may be played late."""
CHANGES = 20
CHANGE_LIMIT_S = 1.0
QUIET_TABLE = 999_999
SPEED = 30
DROPPED = "$SYS/broker/publish/messages/dropped"
ABOUT = (
    "Each table is a real bridge that is fed the lines of one match of three robots at the pace of people; at a pace "
    "of 4 four times as fast. All bridges are one process, with outboxes in memory; it, Mosquitto and the venue with "
    "SQLite share this computer. The lag is from an event's place in the outbox until the bridge has the venue's word "
    "that it is in the database. A pace is the last one when the lag is over a second, when more than 1 % of the "
    "events are never confirmed, or when more than 10 % of the lines are played half a second late. Plain tables have "
    "no bridges: one connection publishes for all, and the venue gives way before it. A change is a state at a quiet "
    "table, until a page's WebSocket has its card."
)


def measure(progress: Progress, tables: int = TABLES, few: int = FEW, seconds: float = MEASURED_S) -> Section:
    """Measure few tables with a page, and then many at more and more pace."""
    if (section := missing("Venue")) is not None:
        return section
    with folder() as path:
        progress("a match whose lines are played at all tables")
        match = Path(path) / "match.json"
        match.write_bytes(msgspec.json.encode(asyncio.run(_match(Path(path) / "events.sock"))))
        figures = _at(progress, match, few, (1.0,), seconds, with_page=True)
        figures += _at(progress, match, tables, PACES, seconds)
        figures += _at(progress, match, PLAIN_TABLES, PLAIN_PACES, seconds, load=PLAIN)
    return Section("Venue", tuple(figures), ABOUT)


async def _match(events: Path) -> list[TimedLine]:
    """Return a whole match's lines, each with its table time."""
    play = ("play", "--headless", "--seats", "3", "--seed", "5", "--speed", str(SPEED), "--events", str(events))
    found: list[TimedLine] = []
    with running("-m", "firmware_host.cli", *play):
        began_s = time.monotonic()
        async for read in TableReader(events).lines():
            if isinstance(read, ReadLine):
                found.append(TimedLine(SPEED * (time.monotonic() - began_s), msgspec.json.decode(read.raw)))
                if found[-1].line["type"] == "match-won":
                    return found
    raise AssertionError("the match has no end")


def _at(
    progress: Progress,
    match: Path,
    tables: int,
    paces: tuple[float, ...],
    seconds: float,
    *,
    with_page: bool = False,
    load: str = "bench.tools.simulated_tables",
) -> list[Figure]:
    figures: list[Figure] = []
    with ExitStack() as stack:
        carrier, port = stack.enter_context(broker())
        page_port, path = free_port(), stack.enter_context(folder())
        options = ("--database", f"{path}/venue.sqlite", "--listen", f"127.0.0.1:{page_port}")
        venue_command = ("-m", "firmware_host.cli", "venue", "--broker", f"127.0.0.1:{port}", *options)
        venue = stack.enter_context(running(*venue_command))
        wait_until(lambda: listens(page_port))
        progress(f"{tables} tables connect")
        players = stack.enter_context(running("-m", load, str(port), str(tables), str(match)))
        word_of(players, "ready")
        parts = {"the broker": carrier.pid, "the venue": venue.pid, "the simulated tables": players.pid}
        for pace in paces:
            progress(f"{tables} tables at a pace of {pace:g}")
            dropped = asyncio.run(_dropped(port))
            before_ns = {name: waits(pid).cpu_ns for name, pid in parts.items()}
            assert players.stdin is not None
            players.stdin.write(f"{pace} {seconds}\n".encode())
            players.stdin.flush()
            changes_s = asyncio.run(_changes_s(port, page_port, match)) if with_page else []
            measured = msgspec.json.decode(word_of(players, "measured"), type=Measured)
            spent_ns = {name: waits(pid).cpu_ns - before_ns[name] for name, pid in parts.items()}
            busy = {name: spent / measured.seconds / 1e7 for name, spent in spent_ns.items()}
            name = f"{tables:,} {'plain ' if load == PLAIN else ''}tables, pace {pace:g}"
            figures += _figures(name, measured, busy, asyncio.run(_dropped(port)) - dropped)
            if changes_s:
                name = f"… a change at a table on the page: the slowest of {len(changes_s)}"
                figures.append(Figure(name, max(changes_s), "s", at_most(CHANGE_LIMIT_S)))
            if limits_passed(measured):
                break
    return figures


def _figures(name: str, measured: Measured, busy: dict[str, float], dropped: int) -> list[Figure]:
    states = f"and {measured.states / measured.seconds:,.0f} states"
    cpu = "of a core: " + ", ".join(f"{name} {percent:.0f} %" for name, percent in busy.items())
    lost = f"{measured.again:,} sent again, {dropped:,} dropped by the broker, {measured.unconfirmed:,} never confirmed"
    note = "; ".join([cpu, lost, *limits_passed(measured)])
    return [
        Figure(f"{name}: events", measured.events / measured.seconds, "1/s", note=states),
        Figure("… lag: p99", _p99(measured.lags_s), "s", note=note),
    ]


def limits_passed(measured: Measured) -> list[str]:
    """Name the measured limits."""
    found = []
    if _p99(measured.lags_s) > LATE_S:
        found.append("the lag gave way")
    if measured.unconfirmed > MAX_UNCONFIRMED * measured.events:
        found.append("the confirmation gave way")
    if measured.behind > MAX_BEHIND:
        found.append(f"the simulation gave way: {measured.behind:.0%} of its lines late")
    return found


def _p99(lags_s: list[float]) -> float:
    return quantiles(lags_s, n=100)[98] if len(lags_s) > 1 else 0.0


async def _dropped(port: int) -> int:
    """Return the number of messages dropped since the broker started."""
    async with Client("127.0.0.1", port) as client, asyncio.timeout(10):
        await client.subscribe(DROPPED)
        async for message in client.messages:
            return int(message.payload)
    raise AssertionError("the broker does not count what it drops")


async def _changes_s(port: int, page_port: int, match: Path) -> list[float]:
    """Return the seconds from changes at a quiet table to the page."""
    lines = msgspec.json.decode(match.read_bytes(), type=list[TimedLine])
    table = SimulatedTable(QUIET_TABLE, lines, port)
    state = next(moment.line for moment in lines if moment.line["type"] == "state")
    origin, taken_s = f"http://127.0.0.1:{page_port}", []
    publishing = asyncio.create_task(table.publish())
    async with ClientSession() as session, session.ws_connect(f"{origin}/live", origin=origin) as page:
        await page.receive_str()
        await table.connected.wait()
        for number in range(CHANGES):
            await asyncio.sleep(0.5)
            began_s, shown, scene = time.monotonic(), "", ("over", "lobby")[number % 2]
            table.play_line(state, scene=scene)
            async with asyncio.timeout(10):
                while shown != scene:
                    cards = json.loads(await page.receive_str())["cards"]
                    shown = next((card["scene"] for card in cards if card["table"] == f"t{QUIET_TABLE}"), shown)
            taken_s.append(time.monotonic() - began_s)
    await ended(publishing)
    return taken_s
