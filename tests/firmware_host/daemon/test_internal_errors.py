"""An exception in the table costs the message that caused it, and no match; nothing is recorded for it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.table.harness import NAMES, lay_out

from drivers.messages import Button, DeviceEvent, Message, Pressed, Released
from engine import PYRUDO
from firmware_host.daemon.daemon import MAX_FAILURES, Daemon
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import ActionTaken, PublicEvent
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.view import SeatInfo
from firmware_host.table.table import Table
from firmware_host.util.log import ErrorCounter
from hardware.emulated.virtual_loop import VirtualLoop

DICE = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]


class Cups:
    """Cups that tell an event until they may forget it."""

    def __init__(self) -> None:
        self.forgotten: list[Message] = []

    def event_id(self, message: Message) -> DeviceEvent | None:
        return None

    def durable(self, message: Message) -> None:
        self.forgotten.append(message)

    def draw(self, seat: int, deal: bytes) -> None: ...

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None: ...


class Display:
    """Remembers what it was given."""

    def __init__(self) -> None:
        self.shown = 0
        self.may_look = False

    def show(self, *_: object) -> None:
        self.shown += 1

    def set_gate(self, is_open: bool) -> None:
        self.may_look = is_open

    def hide_now(self) -> None: ...

    def hide_processed(self) -> None: ...


class RunningTable:
    """A daemon in the middle of a round."""

    def __init__(self, loop: VirtualLoop, folder: Path, errors: ErrorCounter | None) -> None:
        self.loop = loop
        self.journal = Journal(folder / "journal.sqlite")
        scene = lay_out(PYRUDO, DICE).table.scene
        self.table = Table(PYRUDO, tuple(map(SeatInfo, NAMES[: len(DICE)])), scene)
        self.events: list[PublicEvent] = []
        self.daemon = Daemon(
            self.table,
            self.journal,
            seeds=lambda: b"s" * 32,
            tell=self.events.append,
            publish=lambda _: None,
            errors=errors,
        )
        self.displays: Any = [Display() for _ in DICE]
        self.cups = Cups()
        self.work = loop.create_task(self.daemon.run(self.displays, self.cups))

    def wait(self, duration_s: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(duration_s))

    def tap(self, seat: int) -> None:
        self.daemon.post(Pressed(seat, Button.OK, round(self.loop.time() * 1e9), 1))
        self.wait(0.05)
        self.daemon.post(Released(seat, Button.OK, round(self.loop.time() * 1e9), 2))
        self.wait(0.5)

    @property
    def actors(self) -> list[int]:
        return [event.seat for event in self.events if isinstance(event, ActionTaken)]

    def close(self) -> None:
        self.work.cancel()
        self.loop.run_until_complete(_ended(self.work))
        self.journal.close()


async def _ended(work: Awaitable[None]) -> None:
    await asyncio.gather(work, return_exceptions=True)


@pytest.fixture
def start(loop: VirtualLoop, tmp_path: Path) -> Iterator[Callable[[ErrorCounter | None], RunningTable]]:
    rooms: list[RunningTable] = []

    def start(errors: ErrorCounter | None) -> RunningTable:
        rooms.append(RunningTable(loop, tmp_path, errors))
        rooms[-1].wait(1)
        return rooms[-1]

    yield start
    for running in rooms:
        running.close()


Sit = Callable[[ErrorCounter | None], RunningTable]


def fail(*_: object) -> None:
    raise ZeroDivisionError(" ".join(map(str, DICE)))


def failing_once(whole: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that fails at its first call."""
    failures = [fail]
    return lambda *given: failures.pop()() if failures else whole(*given)


def test_a_press_that_the_table_cannot_take_costs_that_press(
    start: Sit, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    running = start(ErrorCounter())
    before = running.table.scene
    with monkeypatch.context() as fault:
        fault.setattr(Bidding, "act", fail)
        running.tap(0)
    assert running.table.scene == before
    assert len(running.cups.forgotten) == 2  # else the cup would tell it to every daemon to come
    running.tap(0)
    assert running.actors == [0]
    assert [record.levelno for record in caplog.records].count(logging.ERROR) == 1
    assert str(DICE[0]) not in caplog.text


def test_what_failed_half_way_is_neither_told_nor_recorded(start: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    running = start(ErrorCounter())
    before = running.journal.scene
    running.daemon.post(Pressed(0, Button.OK, round(running.loop.time() * 1e9)))
    running.wait(0.05)
    monkeypatch.setattr(Bidding, "menu", failing_once(Bidding.menu))  # the bid is said, but no menu can be made then
    running.daemon.post(Released(0, Button.OK, round(running.loop.time() * 1e9)))
    running.wait(1)
    assert running.events == []
    assert running.journal.scene == before
    running.tap(0)
    assert running.actors == [0]


def test_a_table_that_fails_on_and_on_ends_for_the_next_daemon(start: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    running = start(ErrorCounter())
    monkeypatch.setattr(Bidding, "act", fail)
    for _ in range(2 * MAX_FAILURES + 2):
        if not running.work.done():
            monkeypatch.setattr(Table, "handle", fail)
            running.tap(0)
    assert isinstance(running.work.exception(), ZeroDivisionError)


def test_where_nobody_is_told_of_mishaps_they_are_raised(start: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    running = start(None)
    monkeypatch.setattr(Bidding, "act", fail)
    running.tap(0)
    assert isinstance(running.work.exception(), ZeroDivisionError)


def test_where_the_journal_stands_nobody_can_go_on_the_evening_begins_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    given: Any = None
    runner = SessionRunner(given, given, folder=Path(), journal=given, record=given, notify=given)
    lay = partial(Table, PYRUDO, tuple(map(SeatInfo, NAMES[: len(DICE)])))
    scene = lay_out(PYRUDO, DICE).table.scene
    assert runner._restore_or_reset(scene, lay).scene == scene
    monkeypatch.setattr(Bidding, "begin", fail)
    assert runner._restore_or_reset(scene, lay).scene == Lobby()
    assert "resuming from the journal failed" in caplog.text
