"""Tables at a broker: real bridges with own clients, fed with one match's lines over and over.

Run as a process by `bench.sections.venue`: it prints `ready` when all have connected, and then reads a line for each
measurement from stdin, `PACE SECONDS`: the match seconds in a second, and the duration. It answers with `measured` and
a `Measured` as JSON in one line. An event's lag is the time from the outbox until the venue's `seen` has it.
"""

import asyncio
import resource
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

import msgspec
from aiomqtt import Client, Will

from firmware_host.clients.bridge.app import Bridge, note_error
from firmware_host.clients.bridge.outbox import EventOutbox, Row
from firmware_host.clients.bridge.topics import Seen, Topics
from firmware_host.public.reader import ReadPosition
from firmware_host.util.process import ended

SITE = "bench"
EPOCH = "5f0c3a91"
CONNECTING = 40
"""Clients that connect at once."""
BEHIND_S = 0.5
"""Seconds after which a line is played too late."""
SETTLE_S = 20.0
"""Seconds for which events may be on their way after the last one was sent: time to send them again twice."""


class Measured(msgspec.Struct):
    """The events sent in a measurement, and the seconds until each was confirmed."""

    events: int
    states: int
    seconds: float
    unconfirmed: int
    again: int
    """Messages that the bridges have sent more than once."""
    lags_s: list[float]
    behind: float
    """The part of its lines that this process itself did not play in time."""


class TimedLine(msgspec.Struct):
    """A match line and its table time in seconds."""

    at_s: float
    line: dict[str, Any]


class SimulatedTable(Bridge):
    """The bridge of an imaginary table. Its outbox is in memory: a chain's tables don't share one disk."""

    def __init__(self, number: int, match: list[TimedLine], port: int) -> None:
        def connect(will: Will, instance: str) -> Client:
            return Client("127.0.0.1", port, identifier=instance, will=will, keepalive=20, timeout=10)

        super().__init__(Topics(SITE, f"t{number}"), EventOutbox(Path(":memory:")), connect, on_status=self._on_status)
        self._is_playing, self._holds_back = True, False
        self._number = number
        self._moments = match
        self._at = number * 37 % len(match)  # each is elsewhere in its match
        self._matches = 0
        self._seq = 0
        self.on_their_way: deque[tuple[int, float]] = deque()
        """Unconfirmed events, each with its number and when it came."""
        self.lags_s: list[float] = []
        self.events = self.states = self.behind = self.again = 0
        self.connected = asyncio.Event()
        self.play_line(next(moment.line for moment in match if moment.line["type"] == "state"))

    async def publish(self) -> None:
        """Stay connected."""
        await self._publish()

    async def play(self, pace: float, until_s: float) -> None:
        """Play lines at the match's pace until a time."""
        began_s, from_s = time.monotonic(), self._moments[self._at].at_s
        while True:
            moment = self._moments[self._at]
            due_s = began_s + (moment.at_s - from_s) / pace
            if due_s >= until_s:
                return
            wait_s = due_s - time.monotonic()
            await asyncio.sleep(max(wait_s, 0))
            self.behind += wait_s < -BEHIND_S
            self.play_line(moment.line)
            self._at += 1
            if self._at == len(self._moments):
                self._at, self._matches = 0, self._matches + 1
                began_s, from_s = time.monotonic(), self._moments[0].at_s

    def play_line(self, line: dict[str, Any], **changed: Any) -> None:
        """Let the bridge take a line, as from a table's socket."""
        is_state = line["type"] == "state"
        self._seq += not is_state
        match = f"{self._number:06x}{self._matches:06x}"
        named = {"match": match} if line.get("match") is not None else {}
        raw = msgspec.json.encode({**line, "seq": self._seq, "journal": EPOCH, **named, **changed})
        if is_state:
            self.states += 1
            self._unsent_state = self._last_state = self._topics.line(raw, EPOCH)
        else:
            self.events += 1
            self.on_their_way.append((self._seq, time.monotonic()))
            result = [("result", body) for _, body in result_of(self._topics, self._seq, line, match)]
            self._outbox.add(ReadPosition(EPOCH, self._seq), [*result, ("event", raw)])
        self._wake.set()

    def _confirm(self, seen: Seen) -> None:
        super()._confirm(seen)
        now_s = time.monotonic()
        while self.on_their_way and self.on_their_way[0][0] <= seen.seq:
            self.lags_s.append(now_s - self.on_their_way.popleft()[1])

    async def _send_row(self, client: Client, row: Row) -> None:
        self.again += row.number <= self._outbox.acked
        await super()._send_row(client, row)

    def _on_status(self, _: str) -> None:
        if self._problems:
            self.connected.clear()
        else:
            self.connected.set()


def result_of(topics: Topics, seq: int, line: dict[str, Any], match: str) -> list[tuple[str, bytes]]:
    """Return a result message with its topic, if the line ends a match."""
    if line["type"] != "match-won":
        return []
    names = [f"{topics.table}-{seat}" for seat in line["standings"]]
    facts = {"site": SITE, "table": topics.table, "epoch": EPOCH, "seq": seq, "match": match}
    return [(topics["result"], msgspec.json.encode({**facts, "rules": "perudo", "standings": names}))]


async def _measured(tables: list[SimulatedTable], pace: float, seconds: float) -> Measured:
    for table in tables:
        table.lags_s, table.events, table.states, table.behind, table.again = [], 0, 0, 0, 0
    began_s = time.monotonic()
    await asyncio.gather(*(table.play(pace, began_s + seconds) for table in tables))
    took_s = time.monotonic() - began_s
    deadline_s = time.monotonic() + SETTLE_S
    while any(table.on_their_way for table in tables) and time.monotonic() < deadline_s:
        await asyncio.sleep(0.05)
    events, states = sum(table.events for table in tables), sum(table.states for table in tables)
    return Measured(
        events=events,
        states=states,
        seconds=took_s,
        unconfirmed=sum(len(table.on_their_way) for table in tables),
        again=sum(table.again for table in tables),
        lags_s=[lag_s for table in tables for lag_s in table.lags_s],
        behind=sum(table.behind for table in tables) / max(events + states, 1),
    )


async def _main(port: int, count: int, file: Path) -> None:
    asyncio.get_running_loop().set_exception_handler(note_error)
    match = msgspec.json.decode(file.read_bytes(), type=list[TimedLine])
    tables = [SimulatedTable(number, match, port) for number in range(count)]
    connections = []
    for start in range(0, count, CONNECTING):
        some = tables[start : start + CONNECTING]
        connections += [asyncio.create_task(table.publish()) for table in some]
        for table in some:
            await table.connected.wait()
    print("ready", flush=True)
    while line := (await asyncio.to_thread(sys.stdin.readline)).split():
        measured = await _measured(tables, float(line[0]), float(line[1]))
        print("measured", msgspec.json.encode(measured).decode(), flush=True)
    await ended(*connections)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(_main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
