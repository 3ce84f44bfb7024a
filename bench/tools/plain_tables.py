"""Tables at a broker without bridges: one connection publishes the same lines for all, at little cost.

Run by `bench.sections.venue` in place of `bench.tools.simulated_tables`, with the same arguments and answers, to find
what the venue itself can take: 2,000 bridges on its computer give way first. Events are sent once.
"""

import heapq
import sys
import time
from collections import deque
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from bench.tools.simulated_tables import BEHIND_S, EPOCH, SETTLE_S, SITE, Measured, TimedLine, result_of
from firmware_host.clients.bridge.topics import PREFIX, Topics, read_seen


class PlainTable:
    """A table's place in the match, and its events on their way."""

    def __init__(self, number: int, match: list[TimedLine]) -> None:
        self.topics = Topics(SITE, f"t{number}")
        self.on_their_way: deque[tuple[int, float]] = deque()
        self._number = number
        self._match = match
        self._at = number * 37 % len(match)
        self._matches = self._seq = 0
        self._began_s = self._from_s = 0.0

    def begin(self, now_s: float) -> None:
        """Go on from here at a time."""
        self._began_s, self._from_s = now_s, self._match[self._at].at_s

    def due_s(self, pace: float) -> float:
        """Return the time of the next line."""
        return self._began_s + (self._match[self._at].at_s - self._from_s) / pace

    def take(self, now_s: float) -> tuple[list[tuple[str, bytes]], bool]:
        """Return the next line's messages, each with its topic, and whether the line is a state."""
        line = self._match[self._at].line
        is_state = line["type"] == "state"
        self._seq += not is_state
        match = f"{self._number:06x}{self._matches:06x}"
        named = {"match": match} if line.get("match") is not None else {}
        raw = msgspec.json.encode({**line, "seq": self._seq, "journal": EPOCH, **named})
        if not is_state:
            self.on_their_way.append((self._seq, now_s))
        self._at += 1
        if self._at == len(self._match):
            self._at, self._matches = 0, self._matches + 1
            self.begin(now_s)
        if is_state:
            return [(self.topics["state"], self.topics.line(raw, EPOCH))], True
        first = {"gap": True} if self._seq == 1 else {}  # the venue expects no earlier event
        messages = [(self.topics["event"], self.topics.line(raw, EPOCH, **first))]
        return [*result_of(self.topics, self._seq, line, match), *messages], False


class PlainTables:
    """All tables on one connection."""

    def __init__(self, port: int, count: int, match: list[TimedLine]) -> None:
        self._tables = [PlainTable(number, match) for number in range(count)]
        self._lags_s: list[float] = []
        self._is_connected = Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.max_inflight_messages_set(200)
        self._client.on_message = self._seen
        self._client.on_connect = lambda *_: self._is_connected.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self._is_connected.wait(10)
        self._client.subscribe(f"{PREFIX}/{SITE}/+/seen")

    def measured(self, pace: float, seconds: float) -> Measured:
        """Play at the match's pace."""
        self._lags_s, events, states, behind = [], 0, 0, 0
        began_s = time.monotonic()
        for table in self._tables:
            table.begin(began_s)
        waiting = [(table.due_s(pace), number) for number, table in enumerate(self._tables)]
        heapq.heapify(waiting)
        while (due_s := waiting[0][0]) < began_s + seconds:
            now_s = time.monotonic()
            if due_s > now_s:
                time.sleep(due_s - now_s)
                continue
            table = self._tables[waiting[0][1]]
            messages, is_state = table.take(now_s)
            for topic, payload in messages:
                self._client.publish(topic, payload, qos=1, retain=is_state)
            events, states, behind = events + (not is_state), states + is_state, behind + (now_s - due_s > BEHIND_S)
            heapq.heapreplace(waiting, (table.due_s(pace), waiting[0][1]))
        took_s, deadline_s = time.monotonic() - began_s, time.monotonic() + SETTLE_S
        while any(table.on_their_way for table in self._tables) and time.monotonic() < deadline_s:
            time.sleep(0.05)
        unconfirmed = sum(len(table.on_their_way) for table in self._tables)
        late = behind / max(events + states, 1)
        return Measured(events, states, took_s, unconfirmed, 0, self._lags_s, late)

    def _seen(self, client: Client, userdata: Any, message: MQTTMessage) -> None:
        seen, now_s = read_seen(message.payload), time.monotonic()
        way = self._tables[int(message.topic.split("/")[-2][1:])].on_their_way
        while seen is not None and way and way[0][0] <= seen.seq:
            self._lags_s.append(now_s - way.popleft()[1])


def _main(port: int, count: int, file: Path) -> None:
    tables = PlainTables(port, count, msgspec.json.decode(file.read_bytes(), type=list[TimedLine]))
    print("ready", flush=True)
    while line := sys.stdin.readline().split():
        measured = tables.measured(float(line[0]), float(line[1]))
        print("measured", msgspec.json.encode(measured).decode(), flush=True)


if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
