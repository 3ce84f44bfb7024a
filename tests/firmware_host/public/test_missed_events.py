"""A client that was away asks for what it missed: what it is sent, in which order, and when it is a state alone."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.table.harness import NAMES, TableHarness

from engine import KILL_SPOT
from firmware_host.public import client, line_log, server
from firmware_host.public.line_log import LineLog
from firmware_host.public.server import PublicSocket
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import Publish
from firmware_host.table.events import PublicEvent
from firmware_host.wire import CupSettled, Joined, MatchBegan
from hardware.emulated.virtual_loop import VirtualLoop

SEATS = NAMES[:3]
(LOBBY,) = (effect.state for effect in TableHarness(KILL_SPOT, seats=3).effects if isinstance(effect, Publish))
TIMEOUT_S = 5.0


class Reading:
    """A connection that reads lines as JSON."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def at(cls, path: Path) -> "Reading":
        return cls(*await asyncio.open_unix_connection(path, limit=1 << 20))

    async def line(self) -> dict[str, Any]:
        line: dict[str, Any] = json.loads(await asyncio.wait_for(self.reader.readline(), TIMEOUT_S))
        return line

    async def answer(self) -> list[dict[str, Any]]:
        """Return what comes up to the state that answers."""
        lines = [await self.line()]
        while lines[-1].get("since") is None:
            lines.append(await self.line())
        return lines

    def send(self, text: bytes) -> None:
        self.writer.write(text)

    def ask(self, since: object, journal: object = None) -> None:
        self.send(json.dumps({"since": since} | ({} if journal is None else {"journal": journal})).encode() + b"\n")

    async def has_nothing_more(self) -> bool:
        try:
            await asyncio.wait_for(self.reader.read(1), TIMEOUT_S)
        except TimeoutError:
            return True
        return False

    async def is_disconnected(self) -> bool:
        try:
            while await asyncio.wait_for(self.reader.read(65536), TIMEOUT_S):
                pass
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False
        return True


def happen(public: PublicSocket, *events: PublicEvent) -> None:
    """Have events happen, and the state that they lead to."""
    for event in events:
        public.announce(event)
    public.publish(replace(LOBBY, countdown_s=public._lines.last % 10))


def numbers(lines: list[dict[str, Any]]) -> list[int]:
    return [line["seq"] for line in lines if line["type"] != "state"]


At = Callable[[Callable[[PublicSocket], Awaitable[None]]], None]


@pytest.fixture
def at(loop: VirtualLoop, tmp_path: Path) -> At:
    """Give a function that opens a socket, at which three events have happened, and lets something happen there."""

    def at(scenario: Callable[[PublicSocket], Awaitable[None]]) -> None:
        async def run() -> None:
            async with PublicSocket(tmp_path / "events.sock", SEATS) as public:
                happen(public, Joined(0), Joined(1), Joined(2))
                await scenario(public)

        loop.run_until_complete(run())

    return at


def test_an_event_has_the_next_number_and_a_state_that_of_the_last_event(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        assert (await reading.line())["seq"] == 3
        happen(public, CupSettled(1), CupSettled(2))
        assert [(line["type"], line["seq"]) for line in [await reading.line() for _ in range(3)]] == [
            ("cup-down", 4),
            ("cup-down", 5),
            ("state", 5),
        ]
        reading.writer.close()

    at(scenario)


@pytest.mark.parametrize("since", range(4))
def test_who_asks_gets_what_happened_after_that_number_and_then_a_state(at: At, since: int) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        journal = (await reading.line())["journal"]
        reading.ask(since, journal)
        *events, state = await reading.answer()
        assert numbers(events) == [*range(since + 1, 4)]
        assert (state["seq"], state["since"], state["journal"]) == (3, since, journal)
        assert await reading.has_nothing_more()
        reading.writer.close()

    at(scenario)


def test_the_lines_come_as_they_were_published(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        there, away = await Reading.at(public.path), await Reading.at(public.path)
        await there.line()
        happen(public, CupSettled(1), MatchBegan("laid", "perudo", (0, 1)))
        published = [await there.reader.readline() for _ in range(2)]
        away.ask(3)
        await away.line()  # the first state
        for _ in range(3):
            await away.line()  # what happened after it
        assert [await away.reader.readline() for _ in range(2)] == published
        there.writer.close()
        away.writer.close()

    at(scenario)


def test_after_the_answer_lines_come_as_they_happen(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        reading.ask(1)
        await reading.line()
        await reading.answer()
        happen(public, CupSettled(0))
        assert [(await reading.line())["seq"] for _ in range(2)] == [4, 4]
        assert await reading.has_nothing_more()
        reading.writer.close()

    at(scenario)


def test_who_asks_late_gets_again_what_came_meanwhile(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        await reading.line()
        happen(public, CupSettled(0))
        assert [(await reading.line())["seq"] for _ in range(2)] == [4, 4]
        reading.ask(2)
        assert numbers(await reading.answer()) == [3, 4]
        reading.writer.close()

    at(scenario)


@pytest.mark.parametrize("since", [-1, 4, 2**63, 10**100, -(2**64)])
def test_a_number_that_is_gone_or_in_the_future_gets_a_state_alone(at: At, since: int) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        await reading.line()
        reading.ask(since)
        (state,) = await reading.answer()
        assert (state["type"], state["seq"], state["since"]) == ("state", 3, 3)
        reading.writer.close()

    at(scenario)


def test_the_number_of_another_journal_gets_a_state_alone(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        journal = (await reading.line())["journal"]
        reading.ask(1, "another")
        (state,) = await reading.answer()
        assert (state["type"], state["journal"]) == ("state", journal)
        reading.writer.close()

    at(scenario)


NO_REQUESTS = [
    *(b"hello", b"\xff\x00", b"", b"{}", b"[1]", b'{"do":"roll"}', b'{"since":1} and more', b'{"since":' + b"[" * 2000),
    *(b'{"since":1.0}', b'{"since":1e400}', b'{"since":"1"}', b'{"since":true}', b'{"since":null}', b'{"since":NaN}'),
    *(b'{"since":1,"journal":7}', b'{"since":' + b"9" * 3800 + b"}"),
]


@pytest.mark.parametrize("text", NO_REQUESTS, ids=lambda text: repr(text[:20]))
def test_a_line_that_is_no_request_is_logged_and_changes_nothing(
    at: At, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    is_number = text.startswith(b'{"since":9')

    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        await reading.line()
        reading.send(text + b"\n")
        if is_number:
            assert (await reading.line())["since"] == 3
        assert await reading.has_nothing_more()
        happen(public, CupSettled(0))
        assert (await reading.line())["seq"] == 4
        reading.writer.close()

    at(scenario)
    quoted = repr(text[:60])[2:-1]
    expected = f"a client of the public socket sent what is no request, which is ignored: {quoted}"
    assert [record.getMessage() for record in caplog.records] == [expected] * (not is_number)


def test_a_request_after_another_line_is_answered(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        await reading.line()
        reading.send(b'hello\n{"since":')
        await asyncio.sleep(0.1)
        reading.send(b"2}\n")
        assert numbers(await reading.answer()) == [3]
        reading.writer.close()

    at(scenario)


def test_of_a_key_that_comes_twice_the_last_counts(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        await reading.line()
        reading.send(b'{"since": 0, "since": 2}\n')
        assert numbers(await reading.answer()) == [3]
        reading.writer.close()

    at(scenario)


def test_who_asks_twice_is_disconnected(at: At, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        reading.send(b'{"since": 0}\n{"since": 0}\n')
        assert await reading.is_disconnected()
        reading.writer.close()

    at(scenario)
    expected = "a client of the public socket was disconnected: it sends a second request"
    assert [record.getMessage() for record in caplog.records] == [expected]


def test_a_request_without_its_newline_is_none(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await Reading.at(public.path)
        await reading.line()
        reading.send(b'{"since": 0}')
        assert await reading.has_nothing_more()
        reading.writer.close()

    at(scenario)


def test_who_asks_before_there_is_a_state_is_answered_with_the_first(loop: VirtualLoop, tmp_path: Path) -> None:
    async def run() -> None:
        async with PublicSocket(tmp_path / "events.sock", SEATS) as public:
            public.announce(Joined(1))
            reading = await Reading.at(public.path)
            reading.ask(0)
            assert await reading.has_nothing_more()
            public.announce(Joined(2))
            public.publish(LOBBY)
            lines = await reading.answer()
            assert ([line["type"] for line in lines], numbers(lines)) == (["joined", "joined", "state"], [1, 2])
            reading.writer.close()

    loop.run_until_complete(run())


# A lot of it

MANY = 8000


def much_happens(public: PublicSocket, count: int = MANY) -> None:
    for number in range(count):
        public.announce(Joined(number % 3))


async def read_after_much(public: PublicSocket) -> Reading:
    """Return a client that has read the state and may ask for all of it."""
    much_happens(public)
    happen(public)
    reading = await Reading.at(public.path)
    await reading.line()
    return reading


def test_a_long_answer_reaches_a_client_that_reads(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await read_after_much(public)
        reading.ask(0)
        assert numbers(await reading.answer()) == [*range(1, MANY + 4)]
        reading.writer.close()

    at(scenario)


def test_a_client_that_reads_its_answer_slowly_is_not_disconnected_and_waits_in_little_memory(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await read_after_much(public)
        reading.writer.transport.pause_reading()  # type: ignore[attr-defined]
        reading.ask(0)
        await asyncio.sleep(60)
        ((transport,),) = ([each._transport for each in public._clients],)
        assert transport.get_write_buffer_size() <= client.MAX_PAGED_BYTES + server.PAGE_BYTES
        reading.writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert numbers(await reading.answer()) == [*range(1, MANY + 4)]
        reading.writer.close()

    at(scenario)


def test_what_happens_during_a_long_answer_comes_in_its_order(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await read_after_much(public)
        reading.ask(0)
        for _ in range(5):
            await asyncio.sleep(0)
            happen(public, CupSettled(0))
        lines = await reading.answer()
        answer = lines[[line["seq"] for line in lines].index(1) :]  # what happened before the request came first
        assert numbers(answer) == [*range(1, MANY + 9)]
        assert [line["type"] for line in answer].count("state") == 1
        reading.writer.close()

    at(scenario)


def test_a_client_that_never_reads_its_answer_is_disconnected_when_much_more_has_happened(
    at: At, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(public: PublicSocket) -> None:
        reading = await read_after_much(public)
        reading.writer.transport.pause_reading()  # type: ignore[attr-defined]
        reading.ask(0)
        await asyncio.sleep(1)
        before = public._lines.last
        while public._clients:
            happen(public, CupSettled(0))
        assert public._lines.last - before > 100
        reading.writer.close()

    at(scenario)
    expected = "a client of the public socket was disconnected: it does not read"
    assert [record.getMessage() for record in caplog.records] == [expected]


def test_one_page_is_sent_at_a_time_whoever_asks(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    send_page = client.SocketClient.send_page

    def sent(self: client.SocketClient, lines: Any) -> None:
        sizes.append(sum(map(len, lines)))
        send_page(self, lines)

    monkeypatch.setattr(client.SocketClient, "send_page", sent)

    async def scenario(public: PublicSocket) -> None:
        much_happens(public)
        happen(public)
        readings = [await Reading.at(public.path) for _ in range(server.MAX_CLIENTS)]
        for reading in readings:
            await reading.line()
            reading.ask(0)
        for _ in range(500):
            before = len(sizes)
            await asyncio.sleep(server.PAGE_INTERVAL_S / 2)
            assert len(sizes) - before <= 1
        assert len(sizes) > 100
        for reading in readings:
            reading.writer.close()

    at(scenario)
    assert max(sizes) <= server.PAGE_BYTES


def test_events_that_are_forgotten_during_the_answer_end_it_with_a_state_of_another_number(
    at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_log, "MAX_KEPT_BYTES", 400_000)
    monkeypatch.setattr(client, "MAX_BACKLOG_BYTES", 1 << 20)

    async def scenario(public: PublicSocket) -> None:
        reading = await read_after_much(public)
        reading.writer.transport.pause_reading()  # type: ignore[attr-defined]
        first = public._lines.first
        reading.ask(first)
        await asyncio.sleep(1)
        much_happens(public)
        reading.writer.transport.resume_reading()  # type: ignore[attr-defined]
        *events, state = await reading.answer()
        assert numbers(events) == [*range(first + 1, first + 1 + len(events))]
        assert state["since"] == state["seq"] == public._lines.last > events[-1]["seq"]
        reading.writer.close()

    at(scenario)


# How much is kept


def test_five_matches_before_the_one_that_is_played_are_kept() -> None:
    log = LineLog()
    log.encode = lambda event, seq: (
        json.dumps({"type": type(event).__struct_config__.tag, "seq": seq}).replace(": ", ":").encode() + b"\n"
    )
    for number in range(20):
        log.publish(MatchBegan(f"{number}", "perudo", (0, 1)))
        log.publish(Joined(0))
        assert log.first == max(0, number - 5) * 2 + 1


def test_a_table_at_which_no_match_begins_keeps_a_bounded_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_log, "MAX_KEPT_BYTES", 1000)
    log = LineLog()
    log.encode = lambda event, seq: b"x" * 99 + b"\n"
    for number in range(1, 30):
        log.publish(Joined(0))
        assert log.first == max(1, number - 9)
        assert log.last == number


# Over a restart


def journal_of(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.sqlite")


async def ask(path: Path, since: int, journal: str) -> list[dict[str, Any]]:
    reading = await Reading.at(path)
    await reading.line()
    reading.ask(since, journal)
    answer = await reading.answer()
    reading.writer.close()
    return answer


def test_events_that_lead_to_no_other_scene_are_kept_too(loop: VirtualLoop, tmp_path: Path) -> None:
    names: list[str] = []

    async def run() -> None:
        with journal_of(tmp_path) as journal:
            async with PublicSocket(tmp_path / "events.sock", SEATS, lines=journal.lines) as public:
                names.append(journal.lines.numbering)
                if len(names) == 1:
                    await journal.write_events([Joined(0), Joined(1)])
                    happen(public, Joined(0), Joined(1))
                else:
                    happen(public)
                    assert numbers(await ask(public.path, 0, names[0])) == [1, 2]
                    happen(public, Joined(2))
                    assert public._lines.last == 3

    loop.run_until_complete(run())
    loop.run_until_complete(run())
    assert names[0] == names[1]


def test_nothing_is_published_before_it_is_on_the_disk(loop: VirtualLoop, tmp_path: Path) -> None:
    async def run() -> None:
        with journal_of(tmp_path) as journal:
            async with PublicSocket(tmp_path / "events.sock", SEATS, lines=journal.lines) as public:
                happen(public)
                writing = asyncio.ensure_future(journal.write_events([Joined(0)]))
                assert await ask(public.path, 0, journal.lines.numbering) != []
                await writing
                (state,) = await ask(public.path, 0, journal.lines.numbering)
                assert state["seq"] == 0
                happen(public, Joined(0))
                assert numbers(await ask(public.path, 0, journal.lines.numbering)) == [1]

    loop.run_until_complete(run())


@pytest.fixture(autouse=True)
def _warnings_alone(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
