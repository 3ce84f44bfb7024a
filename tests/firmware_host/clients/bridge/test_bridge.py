"""The bridge at a real broker, which is killed, hangs, and forgets: the venue gets every event of a table."""

import asyncio
import json
import logging
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from aiomqtt import Client
from msgspec.structs import replace
from support import ROOT
from support.broker.bridged_room import TABLE, Room, in_a_room
from support.broker.mosquitto import until

from firmware_host.table.robot_level import RobotLevel
from firmware_host.util.process import ended
from firmware_host.wire import CupSettled, Joined, MatchBegan, MatchWon

pytestmark = pytest.mark.slow

TOO_LARGE = b'{"epoch": "a", "seq": 99999999999999999999, "instance": "x", "online": true}'
"""A message whose numbers fit no database."""


class Venue:
    """The least that a venue is: it takes each event once and in order, and says how far it has come."""

    def __init__(self, room: Room) -> None:
        self.taken: list[tuple[str, int]] = []
        self.results: dict[str, dict[str, Any]] = {}
        self.gaps = 0
        self._listener = room.subscriber("dudo/v1/bar/+/#")
        self._listener.on_message = self._take
        self._listener.on_connect = self._say

    async def _take(self, client: Client, topic: str, content: dict[str, Any]) -> None:
        if topic.endswith("/result"):
            self.results[content["match"]] = content
        if not topic.endswith("/event"):
            return
        position = content["epoch"], content["seq"]
        last = self.taken[-1] if self.taken else None
        if last is None or content.get("gap") or position == (last[0], last[1] + 1):
            self.gaps += bool(content.get("gap"))
            if position not in self.taken:
                self.taken.append(position)
        await self._say(client)

    async def _say(self, client: Client) -> None:
        """Publish how far it has come; again after each connection, because a broker that is killed forgets it."""
        epoch, seq = self.taken[-1] if self.taken else ("", -1)
        await client.publish(TABLE["seen"], json.dumps({"epoch": epoch, "seq": seq}), qos=1, retain=True)


def epoch_of(room: Room) -> str:
    """Return the name of the journal that the bridge reads."""
    assert room.outbox.position is not None
    return room.outbox.position.journal


def published(room: Room) -> int:
    """Return how many events the table has published."""
    return room.table.journal.lines.last


@in_a_room
async def test_lines_are_published_as_they_are_with_the_name_of_the_table(room: Room) -> None:
    listener = room.subscriber()
    await listener.is_connected.wait()
    await room.table.happen(Joined(0))
    room.bridge()
    await until(lambda: listener.of("state"))
    await room.table.happen(Joined(1))
    await until(lambda: len(listener.of("event")) == 2)
    first, event = listener.of("event")
    assert first["gap"]
    line = json.loads(room.table.lines()[-1])
    assert event == {**line, "site": "bar", "table": "window", "epoch": epoch_of(room)}
    await until(lambda: listener.of("state")[-1]["seq"] == event["seq"])
    assert listener.of("status")[-1]["online"] is True


@in_a_room
async def test_state_and_status_wait_for_who_comes_later_and_the_status_ends_with_the_bridge(room: Room) -> None:
    bridge = room.bridge()
    early = room.subscriber()
    await until(lambda: early.of("state") and any(status["playing"] for status in early.of("status")))
    late = room.subscriber()
    await until(lambda: late.of("state") and late.of("status"))
    assert all(retained for _, retained, _ in late.heard)
    await ended(bridge)
    await until(lambda: not late.of("status")[-1]["online"])


@in_a_room
async def test_the_command_publishes_and_its_death_is_reported_by_its_will(room: Room) -> None:
    listener = room.subscriber()
    command = [sys.executable, "-m", "firmware_host.cli", "bridge", str(room.table.path)]
    flags = ["--broker", f"127.0.0.1:{room.broker.port}", "--site", "bar", "--table", "window"]
    bridge = subprocess.Popen([*command, *flags, "--outbox", str(room.folder)], cwd=ROOT)
    try:
        await until(lambda: any(status["playing"] for status in listener.of("status")))
        await room.table.happen(CupSettled(0))
        await until(lambda: listener.of("event"))
    finally:
        bridge.kill()
        bridge.wait()
    await until(lambda: not listener.of("status")[-1]["online"])


@in_a_room
async def test_a_broker_that_is_killed_ten_times_loses_nothing(room: Room) -> None:
    venue = Venue(room)
    room.bridge()
    for number in range(10):
        for seat in (0, 1, 2):
            await room.table.happen(CupSettled(seat))
            await asyncio.sleep(0.01 * (number % 3))
        room.broker.kill()
        await room.table.happen(CupSettled(0))
        await room.broker.start()
    await until(lambda: venue.taken and venue.taken[-1][1] == published(room))
    assert [seq for _, seq in venue.taken] == list(range(1, published(room) + 1))
    assert venue.gaps == 1  # the first event of all
    await until(lambda: len(room.outbox) == 0)


@in_a_room
async def test_an_outage_at_a_table_that_plays_on_is_few_lines_in_the_log(room: Room) -> None:
    venue = Venue(room)
    logged: list[str] = []
    with noted(logged):
        room.bridge()
        await until(lambda: room.outbox.position is not None)
        room.broker.kill()
        for _ in range(500):  # the table plays on, and the bridge tries again some twenty times
            await room.table.happen(CupSettled(0))
            await asyncio.sleep(0.005)
        await room.broker.start()
        await until(lambda: venue.taken and venue.taken[-1][1] == published(room))
    assert len(logged) <= 5, logged


@contextmanager
def noted(logged: list[str]) -> Iterator[None]:
    """Note all lines that the log of a service would have."""
    handler, log = logging.Handler(logging.INFO), logging.getLogger()
    handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


@in_a_room
async def test_a_bridge_that_is_killed_goes_on_where_it_was(room: Room) -> None:
    venue = Venue(room)
    for _ in range(5):
        bridge = room.bridge()
        await room.table.happen(CupSettled(0))
        await until(lambda: room.outbox.position is not None)
        await room.table.happen(CupSettled(1))
        await ended(bridge)  # its outbox stays open, as a dead process leaves it
        await room.table.happen(CupSettled(2))
    room.bridge()
    await until(lambda: venue.taken and venue.taken[-1][1] == published(room))
    first = venue.taken[0][1]
    assert [seq for _, seq in venue.taken] == list(range(first, published(room) + 1))


@in_a_room
async def test_a_table_that_loses_power_is_read_on(room: Room) -> None:
    venue = Venue(room)
    room.bridge()
    for _ in range(3):
        await room.table.happen(CupSettled(0))
        await room.table.die()
        await room.table.start()
        await room.table.happen(CupSettled(1))
    await until(lambda: venue.taken and venue.taken[-1][1] == published(room))
    assert [seq for _, seq in venue.taken] == list(range(venue.taken[0][1], published(room) + 1))


@in_a_room
async def test_a_match_that_is_over_is_a_result_with_the_names_and_the_levels_of_robots(room: Room) -> None:
    venue = Venue(room)
    seats = room.table.state.seats
    room.table.state = replace(room.table.state, seats=(*seats[:2], replace(seats[2], robot=RobotLevel.HARD)))
    room.bridge()
    await until(lambda: room.outbox.position is not None)
    await room.table.happen(MatchBegan("1b3c8c6b7224", "perudo", (0, 1, 2)))
    await room.table.happen(MatchWon(1, (1, 2, 0)))
    await until(lambda: venue.results)
    result = venue.results["1b3c8c6b7224"]
    assert (result["rules"], result["standings"]) == ("perudo", ["East", "South", "North"])
    assert result["robots"] == [None, "hard", None]


@in_a_room
async def test_without_a_venue_each_event_is_sent_once_and_waits(room: Room) -> None:
    listener = room.subscriber()
    await listener.is_connected.wait()
    room.bridge()
    await until(lambda: listener.of("state"))
    for seat in (0, 1, 2):
        await room.table.happen(CupSettled(seat))
    await until(lambda: len(listener.of("event")) == 3)
    await asyncio.sleep(1.0)  # three times the pause after which a venue would be sent them again
    assert len(listener.of("event")) == 3
    assert len(room.outbox) == 3


@in_a_room
async def test_a_venue_that_comes_later_gets_what_waited_as_late(room: Room) -> None:
    room.bridge()
    await until(lambda: room.outbox.position is not None)
    for seat in (0, 1, 2):
        await room.table.happen(CupSettled(seat))
    await until(lambda: room.outbox.acked == 3)
    venue = Venue(room)
    await venue._listener.is_connected.wait()
    async with Client("127.0.0.1", room.broker.port) as client:
        await client.publish(TABLE["seen"], json.dumps({"epoch": "", "seq": -1}), qos=1, retain=True)
    await until(lambda: len(venue.taken) == 3)
    assert all(event["late"] for event in venue._listener.of("event"))


@in_a_room
async def test_nonsense_and_commands_from_the_broker_do_nothing(room: Room) -> None:
    room.bridge()
    await until(lambda: room.outbox.position is not None)
    await room.table.happen(CupSettled(0))
    await until(lambda: room.outbox.acked == 1)
    listener = room.subscriber("dudo/v1/bar/window/event")
    async with Client("127.0.0.1", room.broker.port) as client:
        words = (b"", b"{", b"null", b'{"seq": 1e400}', b'{"epoch": "x", "seq": 99}', b"[" * 100_000, b"\xff")
        for word in (*words, TOO_LARGE):
            await client.publish(TABLE["seen"], word, qos=1)
            await client.publish(TABLE["status"], word, qos=1)
        await client.publish(TABLE["seen"], json.dumps({"epoch": epoch_of(room), "seq": 2}), qos=1)
        await client.publish("dudo/v1/bar/window/command", b"stop", qos=1)
    await room.table.happen(CupSettled(1))
    await until(lambda: any(event["seq"] == 2 for event in listener.of("event")))
    assert len(room.outbox) == 2


@in_a_room
async def test_of_two_bridges_of_one_name_one_stands_down_and_says_so(room: Room) -> None:
    logged: list[str] = []
    with noted(logged):
        room.bridge(outbox="first.sqlite")
        room.bridge(outbox="second.sqlite")
        await until(lambda: logged)
    assert logged[0] == "another table calls itself bar/window: give one of them another --table"


@in_a_room
async def test_a_broker_that_hangs_or_is_gone_does_not_keep_the_bridge_from_reading(room: Room) -> None:
    room.broker.kill()
    hung = socket.create_server(("127.0.0.1", room.broker.port))  # nobody accepts, so nobody answers
    room.bridge()
    await until(lambda: room.outbox.position is not None)
    for _ in range(20):
        await room.table.happen(CupSettled(0))
    await until(lambda: len(room.outbox) == 20)
    hung.close()
    await room.broker.start()
    venue = Venue(room)
    await until(lambda: len(venue.taken) == 20)


@in_a_room
async def test_an_outbox_that_cannot_be_written_leaves_the_events_at_the_table(room: Room) -> None:
    venue = Venue(room)
    room.bridge()
    await until(lambda: room.outbox.position is not None)
    await room.table.happen(CupSettled(0))
    await until(lambda: venue.taken)
    whole, room.outbox.add = room.outbox.add, _full  # type: ignore[method-assign]
    await room.table.happen(CupSettled(1))
    await room.table.happen(CupSettled(2))
    await asyncio.sleep(0.1)
    room.outbox.add = whole  # type: ignore[method-assign]
    await until(lambda: len(venue.taken) == 3)


def _full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")
