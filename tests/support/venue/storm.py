"""Tables with real outboxes at a real broker, and a venue in a process of its own, all of which may be killed."""

import asyncio
import json
import os
import random
import resource
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from aiomqtt import Client, Will
from support import ROOT
from support.broker.mosquitto import Mosquitto, until
from support.venue.tables import VenueTable

from bench.tools.broker import free_port
from firmware_host.clients.bridge.app import Bridge
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.clients.bridge.topics import Topics
from firmware_host.public.reader import ReadPosition
from firmware_host.util.process import ended


class FedBridge(Bridge):
    """A bridge whose outbox is filled by a test, and not from a socket."""

    @classmethod
    def of(cls, table: VenueTable, folder: Path, port: int) -> "FedBridge":
        """Return the bridge of a table to the broker at a port."""
        outbox = EventOutbox(folder / f"{table.name}.sqlite")

        def connect(will: Will, instance: str) -> Client:
            return Client("127.0.0.1", port, identifier=instance, will=will, timeout=5)

        bridge = cls(Topics(table.site, table.name), outbox, connect)
        bridge._is_playing, bridge._holds_back = True, False
        return bridge

    @property
    def outbox(self) -> EventOutbox:
        return self._outbox

    def feed(self, epoch: str, published: list[tuple[str, bytes, bool]]) -> None:
        """Take in what a table publishes: the messages of one event, or a state."""
        found = {topic.rpartition("/")[2]: json.loads(body) for topic, body, _ in published}
        if (state := found.get("state")) is not None:
            self._unsent_state = self._last_state = self._topics.line(_plain(state), epoch)
        else:
            rows = [(kind, _plain(found[kind]) if kind == "event" else json.dumps(found[kind]).encode())
                    for kind in ("result", "event") if kind in found]  # fmt: skip
            self._outbox.add(ReadPosition(epoch, found["event"]["seq"]), rows)
        self._wake.set()

    async def publish(self) -> None:
        """Publish until cancelled."""
        await self._publish()


def _plain(line: dict[str, Any]) -> bytes:
    """Return a line as a table publishes it, before a bridge says whose it is."""
    return json.dumps(
        {key: value for key, value in line.items() if key not in ("site", "table", "epoch", "gap")}
    ).encode()


class CommandProcess:
    """A `dudo-table` command as a process, which prints into the file `log` if one is given."""

    def __init__(self, *command: str, log: Path | None = None) -> None:
        self._command = [sys.executable, "-m", "firmware_host.cli", *command]
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it connects in its own time."""
        with open(self._log or os.devnull, "ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(timeout=10)
            self._process = None


class VenueProcess(CommandProcess):
    """`dudo-table venue` as a process."""

    def __init__(self, broker: int, database: str, log: Path | None = None) -> None:
        self.port = free_port()
        super().__init__("venue", "--broker", f"127.0.0.1:{broker}", "--database", database,
                         "--listen", f"127.0.0.1:{self.port}", log=log)  # fmt: skip


class Storm:
    """Tables that play at a broker, which a venue follows into a database."""

    def __init__(self, folder: Path, stack: AsyncExitStack, database: str, *, tables: int, matches: int) -> None:
        self.broker = Mosquitto()
        stack.callback(self.broker.close)
        self.venue = VenueProcess(self.broker.port, database)
        stack.callback(self.venue.kill)
        self.tables = [VenueTable("bar", f"t{number}", seed=number) for number in range(1, tables + 1)]
        self._matches = matches
        self._folder = folder
        self._stack = stack
        self._bridges: list[FedBridge] = []
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 16 * tables + 1024)), hard))

    async def begin(self) -> None:
        """Start everything."""
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        await self.broker.start()
        self.venue.start()
        for table in self.tables:
            bridge = FedBridge.of(table, self._folder, self.broker.port)
            self._bridges.append(bridge)
            self._stack.callback(bridge.outbox.close)
            self._stack.push_async_callback(ended, asyncio.create_task(bridge.publish()))

    def parts(self, pauses: int, *, pace_s: float = 0.0) -> "Parts":
        """Return what plays all matches in so many parts, with a pause for a kill after each."""
        steps = [(table, bridge, step) for table, bridge in zip(self.tables, self._bridges, strict=True)
                 for step in _steps(table, self._matches)]  # fmt: skip
        order = _shuffled(steps)
        size = -(-len(order) // (pauses + 1))
        return Parts([order[at : at + size] for at in range(0, len(order), size)], pace_s)

    async def settle(self, timeout_s: float) -> None:
        """Wait until the venue has said that it has everything."""
        await until(lambda: not any(len(bridge.outbox) for bridge in self._bridges), timeout_s)

    def published(self) -> int:
        """Return how many events the tables have published."""
        return sum(table.seq for table in self.tables)

    def points(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Return points, wins and matches by table and player, from what the tables know themselves."""
        found: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        for table in self.tables:
            for standings in table.standings:
                for beaten, player in enumerate(reversed(standings)):
                    total = found[table.name, player]
                    total[0] += beaten
                    total[1] += player == standings[0]
                    total[2] += 1
        return {key: (points, wins, matches) for key, (points, wins, matches) in found.items()}


class Parts:
    """The steps of all tables, in parts."""

    def __init__(self, parts: list[list[Any]], pace_s: float) -> None:
        self._parts = parts
        self._pace_s = pace_s

    def __len__(self) -> int:
        return len(self._parts)

    async def play(self, number: int) -> None:
        """Play a part, in the order of each table."""
        for count, (table, bridge, step) in enumerate(self._parts[number]):
            bridge.feed(table.epoch, step)
            await asyncio.sleep(self._pace_s if count % 20 == 0 else 0)


def _steps(table: VenueTable, matches: int) -> Iterator[list[tuple[str, bytes, bool]]]:
    """Yield what a table publishes at once: a state, or an event, the last one with the result of its match."""
    for _ in range(matches):
        result = []
        for message in table.match():
            if message[0].endswith("/result"):
                result = [message]
            else:
                yield [*result, message]
                result = []


def _shuffled(steps: list[Any]) -> list[Any]:
    """Return the steps of all tables mixed, but those of each in order."""
    queues: dict[int, list[Any]] = defaultdict(list)
    for step in reversed(steps):
        queues[id(step[0])].append(step)
    order = [id(step[0]) for step in steps]
    random.Random(1).shuffle(order)
    return [queues[key].pop() for key in order]
