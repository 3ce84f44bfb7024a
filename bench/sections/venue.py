"""A venue: how many tables one broker and one venue process carry, and how long a change takes to be on its page."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from statistics import quantiles

import msgspec
from aiohttp import ClientSession
from aiomqtt import Client

from bench.report import Figure, Progress, Section, at_most
from bench.tools.simulated_tables import SITE, Measured, Moment, SimulatedTable
from firmware_host.public.reader import ReadLine, TableReader

TABLES, FEW = 2000, 200
PACES = (1.0, 2.0, 4.0, 8.0)
"""Seconds of a match in a second, one measurement after the other, until events are late."""
MEASURED_S = 20.0
LATE_S = 1.0
"""The lag at which a venue is no longer live."""
CHANGES = 20
CHANGE_LIMIT_S = 1.0
SPEED = 30
MOSQUITTO = "/usr/sbin/mosquitto"
CONFIG = "listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 20000\n"
ABOUT = (
    "Each table is a client of its own that plays the lines of one match of three robots at the pace of people; at a "
    "pace of 4 four times as fast. All tables are one process; it, Mosquitto and the venue with SQLite share this "
    "computer. "
    "The lag is from the publication of an event to the venue's word that it is in the database, at the table. A "
    "change is a state at a table that is quiet, until a page's WebSocket has its card."
)


def measure(progress: Progress, tables: int = TABLES, few: int = FEW, seconds: float = MEASURED_S) -> Section:
    """Measure few tables with a page, and then many at more and more pace."""
    if not Path(MOSQUITTO).exists():
        return Section("Venue", (Figure("events a second", None, "", note="needs mosquitto: apt install mosquitto"),))
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        progress("a match whose lines are played at all tables")
        match = Path(folder) / "match.json"
        match.write_bytes(msgspec.json.encode(asyncio.run(_match(Path(folder)))))
        figures = _at(progress, match, few, (1.0,), seconds, page=True)
        figures += _at(progress, match, tables, PACES, seconds)
    return Section("Venue", tuple(figures), ABOUT)


def _at(
    progress: Progress, match: Path, tables: int, paces: tuple[float, ...], seconds: float, *, page: bool = False
) -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder, ExitStack() as stack:
        port, page_port = _free_port(), _free_port()
        config = Path(folder) / "mosquitto.conf"
        config.write_text(CONFIG.format(port=port))
        broker = stack.enter_context(_running(MOSQUITTO, "-c", str(config)))
        time.sleep(1)
        options = ("--database", f"{folder}/venue.sqlite", "--listen", f"127.0.0.1:{page_port}")
        own = ("-m", "firmware_host.cli", "venue", "--broker", f"127.0.0.1:{port}", *options)
        venue = stack.enter_context(_running(sys.executable, *own))
        time.sleep(3)
        progress(f"{tables} tables connect")
        command = ("-m", "bench.tools.simulated_tables", str(port), str(tables), str(match))
        load = stack.enter_context(_running(sys.executable, *command))
        assert load.stdin is not None
        assert load.stdout is not None
        assert load.stdout.readline() == b"ready\n", "the tables did not connect"
        parts = {"the broker": broker, "the venue": venue, "the simulated tables": load}
        for pace in paces:
            progress(f"{tables} tables at a pace of {pace:g}")
            before_s = {name: _cpu_s(part) for name, part in parts.items()}
            load.stdin.write(f"{pace} {seconds}\n".encode())
            load.stdin.flush()
            changes = asyncio.run(_changes(port, page_port, match)) if page else []
            answer = load.stdout.readline()
            measured = msgspec.json.decode(answer, type=Measured)
            busy = {name: 100 * (_cpu_s(part) - before_s[name]) / measured.seconds for name, part in parts.items()}
            figures += _figures(tables, pace, measured, busy)
            if changes:
                figures.append(
                    Figure(
                        f"… a change at a table on the page: the slowest of {len(changes)}",
                        max(changes),
                        "s",
                        at_most(CHANGE_LIMIT_S),
                    )
                )
            if _is_late(measured):
                break
    return figures


def _figures(tables: int, pace: float, measured: Measured, busy: dict[str, float]) -> list[Figure]:
    most = max(busy, key=lambda name: busy[name])
    cpu = ", ".join(f"{name} {percent:.0f} %" for name, percent in busy.items())
    p99_s = _p99(measured.lags_s)
    states = f"and {measured.states / measured.seconds:,.0f} states"
    note = f"{measured.unconfirmed:,} never confirmed; " if measured.unconfirmed else ""
    first = f"; {most} gave way first" if _is_late(measured) else ""
    return [
        Figure(f"{tables:,} tables, pace {pace:g}: events", measured.events / measured.seconds, "1/s", note=states),
        Figure("… lag: p99", p99_s, "s", note=f"{note}of a core: {cpu}{first}"),
    ]


def _is_late(measured: Measured) -> bool:
    """Return whether something gave way: the venue is behind, or the tables can't send as fast as they should."""
    return _p99(measured.lags_s) > LATE_S or measured.unconfirmed > measured.events / 100 or measured.behind > 0.1


def _p99(lags_s: list[float]) -> float:
    return quantiles(lags_s, n=100)[98] if len(lags_s) > 1 else 0.0


async def _match(folder: Path) -> list[Moment]:
    """Return the lines of a whole match, each when it came in seconds of the table."""
    events = folder / "events.sock"
    play = ("play", "--headless", "--seats", "3", "--seed", "5", "--speed", str(SPEED), "--events", str(events))
    found: list[Moment] = []
    with _running(sys.executable, "-m", "firmware_host.cli", *play):
        began_s = asyncio.get_running_loop().time()
        async for read in TableReader(events).lines():
            if isinstance(read, ReadLine):
                at_s = SPEED * (asyncio.get_running_loop().time() - began_s)
                found.append(Moment(at_s, msgspec.json.decode(read.raw)))
                if found[-1].line["type"] == "match-won":
                    return found
    raise AssertionError("the match has no end")


async def _changes(port: int, page_port: int, match: Path) -> list[float]:
    """Return the seconds that changes at a quiet table take to be on the page."""
    table = SimulatedTable(999_999, msgspec.json.decode(match.read_bytes(), type=list[Moment]))
    taken_s = []
    async with Client("127.0.0.1", port) as client, _page(page_port) as cards:
        table.client = client
        for number in range(CHANGES):
            await asyncio.sleep(0.5)
            began_s = time.monotonic()
            await table.state(scene=("lobby", "bidding")[number % 2])
            async with asyncio.timeout(10):
                async for names in cards:
                    if f"{SITE}/{table.topics.table}" in names:
                        break
            taken_s.append(time.monotonic() - began_s)
    return taken_s


@asynccontextmanager
async def _page(port: int) -> AsyncIterator[AsyncIterator[str]]:
    """Open the socket of a page; yield what it gets as text, a message at a time."""
    origin = f"http://127.0.0.1:{port}"
    async with ClientSession() as session, session.ws_connect(f"{origin}/live", origin=origin) as page:
        await page.receive_str()

        async def messages() -> AsyncIterator[str]:
            while True:
                cards = json.loads(await page.receive_str())["cards"]
                yield " ".join(f"{card['site']}/{card['table']}" for card in cards)

        yield messages()


@contextmanager
def _running(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _cpu_s(process: "subprocess.Popen[bytes]") -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
