"""Tables at a broker, as bridges publish them: clients of their own that play the lines of one match over and over.

Run as a process by `bench.sections.venue`: it prints `ready` when all have connected, and then reads a line for each
measurement from stdin, `PACE SECONDS`: how many seconds of the match pass in a second, and for how long. It answers with
a line of JSON, a `Measured`. The lag of an event is the time until the venue's `seen` says that it is in the database.
"""

import asyncio
import sys
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from aiomqtt import Client, MqttError

from firmware_host.bridge.app import note_error
from firmware_host.bridge.topics import Seen, Topics, read_seen

SITE = "bench"
EPOCH = "5f0c3a91"
CONNECTING = 40
"""Clients that connect at once."""
SETTLE_S = 20.0
"""Seconds for which events may be on their way after the last one was sent."""


class Measured(msgspec.Struct):
    """What was sent in a measurement, and the seconds that each event took to be confirmed."""

    events: int
    states: int
    seconds: float
    unconfirmed: int
    lags_s: list[float]
    behind: float  # the part of its messages that this process itself could not send in time


class Moment(msgspec.Struct):
    """A line of the match and when it came, in seconds of the table."""

    at_s: float
    line: dict[str, Any]


class SimulatedTable:
    """One table: what it has sent, and what of it is confirmed."""

    def __init__(self, number: int, match: list[Moment]) -> None:
        self.topics = Topics(SITE, f"t{number}")
        self._match = match
        self._number = number
        self._at = number * 37 % len(match)  # each is elsewhere in its match
        self._matches = 0
        self._seq = 0
        self._sent: deque[tuple[int, float]] = deque()
        self.lags_s: list[float] = []
        self.events = self.states = self.late = 0
        self.connected = asyncio.Event()

    async def run(self, port: int, gate: asyncio.Semaphore) -> None:
        """Stay connected, and read how far the venue is."""
        while True:
            with suppress(MqttError):
                async with gate:
                    client = Client("127.0.0.1", port, identifier=f"bench-{self._number}", timeout=60)
                    self.client = await client.__aenter__()
                    await client.subscribe(self.topics["seen"], qos=1)
                    status = b'{"instance":"%08x","online":true,"playing":true,"version":1}' % self._number
                    await client.publish(self.topics["status"], status, qos=1, retain=True)
                    await self.state()
                self.connected.set()
                async for message in client.messages:
                    if (seen := read_seen(message.payload)) is not None:
                        self._confirmed(seen)
            await asyncio.sleep(1)

    def _confirmed(self, seen: Seen) -> None:
        now_s = time.monotonic()
        while self._sent and self._sent[0][0] <= seen.seq:
            self.lags_s.append(now_s - self._sent.popleft()[1])

    @property
    def unconfirmed(self) -> int:
        """Events that are on their way."""
        return len(self._sent)

    async def play(self, pace: float, until_s: float) -> None:
        """Publish lines at the pace of the match until a time."""
        began_s, from_s = time.monotonic(), self._match[self._at].at_s
        while True:
            moment = self._match[self._at]
            due_s = began_s + (moment.at_s - from_s) / pace
            if due_s >= until_s:
                return
            wait_s = due_s - time.monotonic()
            await asyncio.sleep(max(wait_s, 0))
            self.late += wait_s < -0.5
            await self._publish(moment.line)
            self._at += 1
            if self._at == len(self._match):
                self._at, self._matches = 0, self._matches + 1
                began_s, from_s = time.monotonic(), self._match[0].at_s

    async def state(self, **changed: Any) -> None:
        """Publish the state that the match begins with."""
        first = next(moment.line for moment in self._match if moment.line["type"] == "state")
        await self._publish({**first, **changed})

    async def _publish(self, line: dict[str, Any]) -> None:
        is_state = line["type"] == "state"
        self._seq += not is_state
        own = {"seq": self._seq, "site": SITE, "table": self.topics.table, "epoch": EPOCH, "journal": EPOCH}
        match = f"{self._number:06x}{self._matches:06x}"
        named = {"match": match} if line.get("match") is not None else {}
        gap = {"gap": True} if self._seq == 1 else {}
        body = msgspec.json.encode({**line, **own, **named, **gap})
        if is_state:
            self.states += 1
            await self.client.publish(self.topics["state"], body, qos=1, retain=True, timeout=120)
            return
        self.events += 1
        self._sent.append((self._seq, time.monotonic()))
        await self.client.publish(self.topics["event"], body, qos=1, timeout=120)
        if line["type"] == "match-won":
            names = [f"{self.topics.table}-{seat}" for seat in line["standings"]]
            result = {**own, "match": match, "rules": "perudo", "standings": names}
            await self.client.publish(
                self.topics["result"], msgspec.json.encode(result), qos=1, retain=True, timeout=120
            )


async def _measured(tables: list[SimulatedTable], pace: float, seconds: float) -> Measured:
    for table in tables:
        table.lags_s, table.events, table.states, table.late = [], 0, 0, 0
    began_s = time.monotonic()
    await asyncio.gather(*(table.play(pace, began_s + seconds) for table in tables))
    took_s = time.monotonic() - began_s
    deadline_s = time.monotonic() + SETTLE_S
    while any(table.unconfirmed for table in tables) and time.monotonic() < deadline_s:
        await asyncio.sleep(0.05)
    sent = sum(table.events + table.states for table in tables)
    return Measured(
        sum(table.events for table in tables),
        sum(table.states for table in tables),
        took_s,
        sum(table.unconfirmed for table in tables),
        [lag_s for table in tables for lag_s in table.lags_s],
        sum(table.late for table in tables) / max(sent, 1),
    )


async def _main(port: int, count: int, file: Path) -> None:
    asyncio.get_running_loop().set_exception_handler(note_error)
    match = msgspec.json.decode(file.read_bytes(), type=list[Moment])
    tables, gate = [SimulatedTable(number, match) for number in range(count)], asyncio.Semaphore(CONNECTING)
    connections = [asyncio.create_task(table.run(port, gate)) for table in tables]
    for table in tables:
        await table.connected.wait()
    print("ready", flush=True)
    while line := (await asyncio.to_thread(sys.stdin.readline)).split():
        measured = await _measured(tables, float(line[0]), float(line[1]))
        print(msgspec.json.encode(measured).decode(), flush=True)
    for connection in connections:
        connection.cancel()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
