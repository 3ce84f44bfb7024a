"""A reader gets each event once and in order, whatever becomes of its connection and of the table."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pages.public_table import PublicTable

from firmware_host.public import line_log, reader
from firmware_host.public.reader import ReadLine, ReadPosition, TableAway, TableBack, TableReader
from firmware_host.wire import CupSettled, Joined
from hardware.emulated.virtual_loop import VirtualLoop


class Listener:
    """A process that reads a table, and what it has read; it can die too."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.reader = TableReader(path)
        self.read: list[ReadLine | TableAway | TableBack] = []
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async with aclosing(self.reader.lines()) as lines:
            async for line in lines:
                self.read.append(line)

    async def end(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def restart(self) -> None:
        """Die, and begin again with the position that was kept."""
        await self.end()
        self.reader = TableReader(self._path, self.reader.position)
        self._task = asyncio.create_task(self._listen())

    @property
    def events(self) -> list[bytes]:
        return [line.raw for line in self.read if isinstance(line, ReadLine) and not line.is_state]

    @property
    def states(self) -> list[ReadLine]:
        return [line for line in self.read if isinstance(line, ReadLine) and line.is_state]

    @property
    def changes(self) -> list[TableAway | TableBack]:
        return [line for line in self.read if not isinstance(line, ReadLine)]


def run(scenario: Callable[[PublicTable], Awaitable[None]]) -> None:
    """Let something happen at a table that runs, in virtual time."""

    async def running(folder: Path) -> None:
        table = PublicTable(folder)
        await table.start()
        try:
            await scenario(table)
        finally:
            await table.die()

    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(running(Path(folder)))


EVENT = st.sampled_from([Joined(0), CupSettled(1)])
STEP = st.one_of(
    st.tuples(st.just("happen"), st.lists(EVENT, min_size=1, max_size=4), st.booleans()),
    st.tuples(st.sampled_from(["die", "start", "cut", "restart the listener"])),
    st.tuples(st.just("pass"), st.sampled_from([0.0, 0.01, 0.3, 20.0])),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(STEP, max_size=25))
def test_whatever_ends_and_begins_again_each_event_is_read_once_and_in_order(
    steps: list[tuple[Any, ...]],
) -> None:
    async def scenario(table: PublicTable) -> None:
        listener = Listener(table.path)
        await asyncio.sleep(1)
        for what, *arguments in steps:
            match what:
                case "happen":
                    await table.happen(*arguments[0], records=arguments[1])
                case "die":
                    await table.die()
                case "start":
                    await table.start()
                case "cut":
                    table.cut()
                case "restart the listener":
                    await listener.restart()
                case "pass":
                    await asyncio.sleep(arguments[0])
        await table.start()
        await asyncio.sleep(30)
        await table.happen(Joined(2))
        await asyncio.sleep(1)
        await listener.end()
        assert listener.events == table.lines()
        assert [json.loads(line)["seq"] for line in listener.events] == [*range(1, len(listener.events) + 1)]
        assert not any(state.missed for state in listener.states)

    run(scenario)


def test_every_state_includes_the_events_before_it_and_no_other() -> None:
    async def scenario(table: PublicTable) -> None:
        listener = Listener(table.path)
        await asyncio.sleep(1)
        for _ in range(3):
            await table.die()
            await table.start()
            await table.happen(Joined(0), Joined(1), Joined(2))
            await asyncio.sleep(10)
        await listener.end()
        last = 0
        for line in listener.read:
            if isinstance(line, ReadLine):
                seq = json.loads(line.raw)["seq"]
                assert seq == (last if line.is_state else last + 1)
                last = seq
        assert last == 9

    run(scenario)


def test_that_the_table_is_away_and_back_is_said_once() -> None:
    async def scenario(table: PublicTable) -> None:
        listener = Listener(table.path)
        await asyncio.sleep(1)
        await table.die()
        await asyncio.sleep(3600)
        assert listener.changes == [TableAway(f"{table.path}: the table closed the connection")]
        await table.start()
        await asyncio.sleep(reader.MAX_RETRY_S + 1)
        assert listener.changes[1:] == [TableBack()]
        await listener.end()

    run(scenario)


def test_attempts_become_rarer_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[float] = []

    async def refused(*_: object, **__: object) -> None:
        attempts.append(asyncio.get_running_loop().time())
        raise ConnectionRefusedError(111, "Connection refused")

    async def scenario(table: PublicTable) -> None:
        monkeypatch.setattr(asyncio, "open_unix_connection", refused)
        listener = Listener(table.path)
        await asyncio.sleep(60)
        await listener.end()
        assert listener.read == [TableAway(f"{table.path}: connection refused")]

    run(scenario)
    between = [later - earlier for earlier, later in pairwise(attempts)]
    assert between[:6] == pytest.approx([0.25, 0.5, 1, 2, 4, 5])
    assert between[6:] == pytest.approx([5.0] * len(between[6:]))


@pytest.mark.parametrize("since", [ReadPosition("another", 1), ReadPosition("", 40)])
def test_a_reader_that_has_missed_what_is_gone_is_told_so_and_goes_on(since: ReadPosition) -> None:
    async def scenario(table: PublicTable) -> None:
        await table.happen(Joined(0), Joined(1))
        listener = Listener(table.path)
        listener.reader.position = ReadPosition(since.journal or table.journal.lines.numbering, since.seq)
        await asyncio.sleep(1)
        assert [state.missed for state in listener.states] == [True]
        await table.happen(Joined(2))
        await asyncio.sleep(1)
        await listener.end()
        assert [json.loads(line)["seq"] for line in listener.events] == [3]
        assert [state.missed for state in listener.states] == [True, False]

    run(scenario)


def test_what_was_forgotten_while_the_reader_was_away_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_log, "MAX_KEPT_BYTES", 500)

    async def scenario(table: PublicTable) -> None:
        listener = Listener(table.path)
        await asyncio.sleep(1)
        await listener.end()
        for _ in range(50):
            await table.happen(Joined(0))
        await listener.restart()
        await asyncio.sleep(1)
        await listener.end()
        assert [state.missed for state in listener.states] == [False, True]
        assert listener.reader.position == ReadPosition(table.journal.lines.numbering, 50)

    run(scenario)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            b'{"type":"joined","seat":1}\n',
            "it sends no state of version 1; update dudo-table, or name a table's socket",
        ),
        (
            b'{"type":"state","version":2}\n',
            "it sends no state of version 1; update dudo-table, or name a table's socket",
        ),
        (b"220 mail.example ESMTP\n", "it sends what is no line of a table"),
        (b"[" * 100_000 + b"\n", "it sends what is no line of a table"),
        (b"x" * 300_000, "it sends a line of more than 256 KiB"),
        (b"", "the table closed the connection"),
        (b'{"type":"sta', "the table closed the connection"),
        (None, "it sends nothing for 5 s"),
    ],
)
def test_what_is_no_table_is_away(text: bytes | None, why: str, tmp_path: Path, loop: VirtualLoop) -> None:
    async def serve(reading: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if text is None:
            await reading.read()
        else:
            writer.write(text)
        writer.close()

    async def scenario() -> None:
        async with await asyncio.start_unix_server(serve, tmp_path / "events.sock"):
            listener = Listener(tmp_path / "events.sock")
            await asyncio.sleep(60)
            await listener.end()
            await asyncio.sleep(0.1)  # the end of the connection reaches the other side
            assert listener.read == [TableAway(f"{tmp_path / 'events.sock'}: {why}")]

    loop.run_until_complete(scenario())


def test_a_table_without_numbers_is_read_too(tmp_path: Path, loop: VirtualLoop) -> None:
    text = b'{"type":"state","version":1}\n{"type":"joined","seat":1}\n'

    async def serve(reading: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(text)
        await reading.read()
        writer.close()

    async def scenario() -> None:
        async with await asyncio.start_unix_server(serve, tmp_path / "events.sock"):
            listener = Listener(tmp_path / "events.sock")
            await asyncio.sleep(60)
            await listener.end()
            await asyncio.sleep(0.1)
            assert listener.read == [ReadLine(line, line.startswith(b'{"type":"state"')) for line in text.splitlines()]

    loop.run_until_complete(scenario())
