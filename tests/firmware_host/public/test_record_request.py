"""A client requests the record of the last match that was won: what it gets, and when it gets nothing."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.proofs.proven_matches import NAMES, ProvenMatch
from support.table.harness import TableHarness

from engine import PERUDO
from firmware_host import wire
from firmware_host.fairness.verify.checker import verify
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.public.record_client import request_record
from firmware_host.public.server import MAX_RECORD_BYTES, PublicSocket
from firmware_host.store.scores.last_record import LastRecord
from firmware_host.table import events
from firmware_host.table.effects import Publish
from firmware_host.wire import RecordAnswer
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

(LOBBY,) = (effect.state for effect in TableHarness(seats=2).effects if isinstance(effect, Publish))
TIMEOUT_S = 5.0
Scenario = Callable[[Path], Awaitable[None]]


def at_a_table(loop: VirtualLoop, folder: Path, record: RecordAnswer, scenario: Scenario) -> None:
    async def run() -> None:
        async with PublicSocket(folder / "events.sock", NAMES, record=lambda: record) as public:
            public.publish(LOBBY)
            await scenario(public.path)

    loop.run_until_complete(run())


async def said(path: Path, *requests: bytes) -> list[dict[str, Any]]:
    """Return the lines that come after these requests, until there are no more for a while."""
    reader, writer = await asyncio.open_unix_connection(path, limit=1 << 20)
    lines = [await reader.readline()]
    for request in requests:
        writer.write(request + b"\n")
    try:
        while line := await asyncio.wait_for(reader.readline(), TIMEOUT_S):
            lines.append(line)
    except TimeoutError:
        pass
    writer.close()
    return [json.loads(line) for line in lines]


def test_the_answer_is_one_line_with_the_record_beside_the_other_lines(loop: VirtualLoop, tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        state, record = await said(path, b'{"record": true}')
        assert state["type"] == "state"
        assert record == {"type": "record", "match": "5f0c", "text": "dudo score 1\n"}
        assert await request_record(path) == ("5f0c", "dudo score 1\n")

    at_a_table(loop, tmp_path, RecordAnswer("5f0c", "dudo score 1\n"), scenario)


def test_before_the_first_match_is_won_there_is_none(loop: VirtualLoop, tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        _, record = await said(path, b'{"record": true}')
        assert record == {"type": "record", "match": None, "text": None}
        assert await request_record(path) is None

    at_a_table(loop, tmp_path, RecordAnswer(), scenario)


@pytest.mark.parametrize("request_", [b'{"record": false}', b'{"record": 1}', b'{"record": "all"}', b"{}", b"[]"])
def test_anything_else_is_ignored(loop: VirtualLoop, tmp_path: Path, request_: bytes) -> None:
    async def scenario(path: Path) -> None:
        assert [line["type"] for line in await said(path, request_)] == ["state"]

    at_a_table(loop, tmp_path, RecordAnswer("5f0c", "dudo score 1\n"), scenario)


def test_a_client_that_requests_twice_is_disconnected(loop: VirtualLoop, tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b'{"record": true}\n{"since": 0}\n')
        async with asyncio.timeout(TIMEOUT_S):
            with suppress(ConnectionResetError):
                while await reader.read(4096):
                    pass
        writer.close()

    at_a_table(loop, tmp_path, RecordAnswer("5f0c", "dudo score 1\n"), scenario)


def test_a_record_that_is_too_long_for_a_line_is_left_out(loop: VirtualLoop, tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        _, record = await said(path, b'{"record": true}')
        assert record == {"type": "record", "match": "5f0c", "text": None}
        assert await request_record(path) is None

    at_a_table(loop, tmp_path, RecordAnswer("5f0c", "x" * MAX_RECORD_BYTES), scenario)


def test_what_is_no_table_is_an_error(loop: VirtualLoop, tmp_path: Path) -> None:
    async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\n")

    async def scenario() -> None:
        async with await asyncio.start_unix_server(connected, tmp_path / "mail.sock"):
            with pytest.raises(ValueError, match="it sends what is no line of a table"):
                await request_record(tmp_path / "mail.sock")

    loop.run_until_complete(scenario())


# Which record it is


def happening(*matches: ProvenMatch, until: type = wire.MatchWon) -> tuple[LastRecord, list[str | None]]:
    """Have matches happen up to their first event of a type; return the records after each event."""
    last = LastRecord()
    listen = last.listener(PERUDO, NAMES)
    texts = []
    for match in matches:
        for event in match.events():
            listen(event)
            texts.append(last.get().text)
            if isinstance(event, until):
                break
    return last, texts


def test_a_match_that_was_won_has_a_record_that_verifies() -> None:
    match = ProvenMatch(PERUDO, 5, seats=3)
    last, _ = happening(match)
    record = last.get()
    assert record.text is not None
    (verdict,) = verify(record.text)
    assert (verdict.match, verdict.wrong, verdict.closed, verdict.is_proven) == (match.id, None, True, True)


def test_a_match_at_the_emulated_table_leaves_a_record_that_verifies_under_its_name() -> None:
    rules = replace(PERUDO, name="short", starting_dice=1)
    layout, last, names = load_builtin("boards-8").first(2), LastRecord(), list[str]()
    listen = last.listener(rules, [seat.name for seat in layout.seats])

    def tell(event: events.PublicEvent) -> None:
        if isinstance(event, wire.MatchBegan):
            names.append(event.match)
        listen(event)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(EmulatedSession(layout, rules, seed=5).play(tell))
    record = last.get()
    assert record.text is not None
    (verdict,) = verify(record.text)
    assert (verdict.wrong, verdict.is_proven) == (None, True)
    assert [verdict.match] == [record.match] == names


def test_nothing_of_a_match_is_in_the_record_before_it_is_won() -> None:
    first, second = ProvenMatch(PERUDO, 5, seats=2), ProvenMatch(PERUDO, 6, seats=2)
    _, texts = happening(first, second)
    *during, after_both = texts
    won = during.index(next(text for text in during if text is not None))
    assert set(during[:won]) == {None}
    assert len(set(during[won:])) == 1
    assert after_both not in during


def test_a_match_that_is_broken_off_leaves_the_record_of_the_one_before() -> None:
    last, _ = happening(ProvenMatch(PERUDO, 5, seats=2))
    before, listen = last.get(), last.listener(PERUDO, NAMES)
    for event in ProvenMatch(PERUDO, 6, seats=2).events():
        if isinstance(event, wire.MatchWon):
            break
        listen(event)
    listen(wire.MatchBrokenOff(before.match or ""))
    assert last.get() == before


def test_events_that_no_match_can_have_cost_its_record_alone() -> None:
    last, listen = LastRecord(), None
    listen = last.listener(PERUDO, NAMES)
    (began, *_) = (event for event in ProvenMatch(PERUDO, 5, seats=2).events())
    listen(began)
    listen(wire.Left(7, events.LeaveReason.GAVE_UP))
    listen(wire.MatchWon(0, (0, 1)))
    assert last.get() == RecordAnswer()
