"""The numbered public lines in the journal: which of them a restart, a damaged file and a failing disk leave."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from support.proofs.old_journals import of_schema_1, of_schema_2, of_schema_3

from firmware_host.public import line_log
from firmware_host.public.encoder import LineEncoder
from firmware_host.store.journal.errors import journal_error
from firmware_host.store.journal.journal import MIN_RETRY_S, Journal
from firmware_host.store.journal.maintenance import IDLE_S
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.wire import Joined, MatchBegan
from hardware.emulated.virtual_loop import VirtualLoop

NAMES = ["North", "East", "South"]


class Table:
    """What publishes the events of a journal."""

    def __init__(self, path: Path, loop: VirtualLoop) -> None:
        self.journal = Journal(path)
        self.lines = self.journal.lines
        self.lines.encode = LineEncoder(NAMES).event
        self.published: list[bytes] = []
        self._loop = loop

    def happen(self, *events: PublicEvent, records: bool = False) -> None:
        write = self.journal.write(Lobby(), {}, events) if records else self.journal.write_events(events)
        self._loop.run_until_complete(write)
        self.published += [self.lines.publish(event) for event in events]

    def since(self, number: int) -> Sequence[bytes]:
        assert self.lines.has_all_after(number)
        return self.lines.page_after(number, 1 << 30)

    def close(self) -> None:
        self.journal.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_a_restart_goes_on_with_the_number_and_keeps_the_lines(path: Path, loop: VirtualLoop) -> None:
    before = Table(path, loop)
    before.happen(Joined(0), Joined(1), records=True)
    before.happen(Joined(2))
    before.close()
    after = Table(path, loop)
    assert (after.lines.numbering, after.lines.last) == (before.lines.numbering, 3)
    assert after.since(0) == before.published
    after.happen(Joined(0))
    assert b'"seq":4' in after.published[0]
    after.close()


def test_a_numbering_is_on_the_disk_before_its_first_event(path: Path, loop: VirtualLoop) -> None:
    tables = []
    for _ in range(2):
        tables.append(Table(path, loop))
        tables[-1].close()
    assert tables[0].lines.numbering == tables[1].lines.numbering


@pytest.mark.parametrize("make", [of_schema_1, of_schema_2, of_schema_3])
def test_a_journal_from_before_there_were_numbers_begins_with_one(
    path: Path, loop: VirtualLoop, make: Callable[[Path], None]
) -> None:
    make(path)
    before = Table(path, loop)
    assert before.journal.scene is not None
    assert before.lines.last == 0
    before.happen(Joined(1))
    before.close()
    after = Table(path, loop)
    assert (after.lines.numbering, after.since(0)) == (before.lines.numbering, before.published)
    after.close()


def test_a_new_file_has_another_numbering(path: Path, loop: VirtualLoop) -> None:
    numberings = set()
    for _ in range(3):
        table = Table(path, loop)
        table.happen(Joined(1))
        numberings.add(table.lines.numbering)
        table.close()
        path.unlink()
    assert len(numberings) == 3


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE lines SET lines = x'7b7d0a' WHERE number = 2",
        "UPDATE lines SET number = 7 WHERE number = 3",
        "DELETE FROM lines WHERE number = 2",
        "UPDATE numbering SET name = 'another'",
        "UPDATE numbering SET before = 1",
        "DELETE FROM numbering",
    ],
)
def test_lines_that_were_damaged_cost_the_lines_and_no_match(path: Path, loop: VirtualLoop, damage: str) -> None:
    before = Table(path, loop)
    before.happen(Joined(0), records=True)
    before.happen(Joined(1))
    before.happen(Joined(2))
    before.close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(damage)
    db.close()
    after = Table(path, loop)
    assert after.journal.scene == Lobby()
    assert after.lines.numbering != before.lines.numbering
    after.happen(Joined(1))
    after.close()
    again = Table(path, loop)
    assert (again.lines.numbering, again.since(0)) == (after.lines.numbering, after.published)
    again.close()


class FailingDisk:
    """A disk on which nothing can be written as long as it `fails`."""

    def __init__(self, journal: Journal) -> None:
        self.fails = False
        put = journal._put

        def failing(batch: object) -> None:
            if self.fails:
                raise journal_error(journal.path, "written", OSError(28, ""))
            put(batch)  # type: ignore[arg-type]

        journal._put = failing  # type: ignore[method-assign]


def test_what_is_published_while_the_disk_fails_has_another_numbering_and_the_next_numbers(
    path: Path, loop: VirtualLoop
) -> None:
    table = Table(path, loop)
    disk = FailingDisk(table.journal)
    table.happen(Joined(0))
    before, disk.fails = table.lines.numbering, True
    table.happen(Joined(1))
    during = table.lines.numbering
    assert during != before
    assert not table.lines.has_all_after(0, before)
    assert (table.lines.has_all_after(1, during), table.since(1)) == (True, table.published[1:])
    table.happen(Joined(2))
    assert (table.lines.numbering, table.lines.last) == (during, 3)
    table.close()
    left = Table(path, loop)  # a power cut has taken back what was published since
    assert (left.lines.numbering, left.lines.last) == (before, 1)
    left.close()


def test_a_disk_that_works_again_gets_all_lines_of_the_new_numbering(path: Path, loop: VirtualLoop) -> None:
    table = Table(path, loop)
    disk = FailingDisk(table.journal)
    table.happen(Joined(0), records=True)
    disk.fails = True
    table.happen(Joined(1), records=True)
    table.happen(Joined(2))
    disk.fails = False
    loop.run_until_complete(asyncio.sleep(4 * MIN_RETRY_S))
    table.happen(Joined(0))
    table.close()
    after = Table(path, loop)
    assert (after.lines.numbering, after.lines.first) == (table.lines.numbering, 2)
    assert after.since(1) == table.published[1:]
    after.close()


def test_a_file_that_is_taken_away_is_made_again_with_the_number(path: Path, loop: VirtualLoop) -> None:
    table = Table(path, loop)
    table.happen(Joined(0), records=True)
    path.unlink()
    table.happen(Joined(1))
    table.close()
    after = Table(path, loop)
    assert after.journal.scene == Lobby()
    assert (after.lines.numbering, after.lines.last) == (table.lines.numbering, 2)
    assert after.since(1) == table.published[1:]
    after.close()


def test_forgotten_lines_leave_the_disk_while_nothing_else_happens(
    path: Path, loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_log, "MAX_KEPT_BYTES", 2000)
    table = Table(path, loop)
    table.journal.report(lambda *_: None, lambda _: None)
    for _ in range(100):
        table.happen(Joined(0))
    rows = "SELECT count(*), max(number) FROM lines"
    assert sqlite3.connect(path).execute(rows).fetchone() == (100, 100)
    loop.run_until_complete(asyncio.sleep(2 * IDLE_S))
    count, last = sqlite3.connect(path).execute(rows).fetchone()
    assert (count, last) == (100 - table.lines.first + 1, 100)
    table.close()
    after = Table(path, loop)
    assert after.since(table.lines.first - 1) == table.since(table.lines.first - 1)
    after.close()


def test_a_table_without_a_socket_writes_no_lines(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        loop.run_until_complete(journal.write(Lobby(), {}, [MatchBegan("laid", "perudo", (0, 1))]))
        loop.run_until_complete(journal.write_events([Joined(0)]))
    assert sqlite3.connect(path).execute("SELECT count(*) FROM lines").fetchone() == (0,)
