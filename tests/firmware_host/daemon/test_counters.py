"""The daemon keeps the counters: over kills, stops, resets, damaged files and full disks, with few writes."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.host.bad_disks import fill, small_disk
from support.table.harness import lay_out

from drivers.messages import Button
from engine import PERUDO, Bid
from firmware_host.daemon.counters import SAVE_S, CounterKeeper
from firmware_host.store.house import counters
from firmware_host.store.house.counters import FILE, OLD_FILE, damaged_name, read
from firmware_host.store.house.database import problems, remembered
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.staff.actions import FiguresRead, StaffFigure
from firmware_host.table.staff.items import FIGURES, StaffItem
from firmware_host.wire import MatchBegan, MatchBrokenOff, MatchReopened, MatchWon
from hardware.emulated.virtual_loop import VirtualLoop

DAY = date(2026, 11, 23)
WON = MatchWon(0, (0, 1))


class KilledError(Exception):
    """The end of a daemon by kill -9: nothing of it runs any more."""


class Life:
    """One daemon's life: its journal, and its counters."""

    def __init__(self, folder: Path, today: date = DAY) -> None:
        self.folder = folder
        self.journal = Journal(folder / "journal.sqlite", day=today.isoformat)
        self.keeper = CounterKeeper(folder, self.journal, lambda: today)
        self.sent: list[FiguresRead] = []
        self.ended_with: FiguresRead | None = None

    async def tell(self, match: str, *events: PublicEvent, then_killed: bool = False) -> None:
        """Make events durable, and count them unless the daemon is killed in between."""
        await self.journal.write(scene_of(match), {}, events)
        if then_killed:
            raise KilledError
        for event in events:
            self.keeper.take(event)

    @property
    def figures(self) -> dict[StaffItem, StaffFigure]:
        """The figures now, or at the end."""
        return (self.ended_with or self.keeper.figures).figures

    @property
    def counts(self) -> list[int]:
        return [self.figures[item].count for item in FIGURES]


def live(folder: Path, script: Callable[[Life], Awaitable[None]], today: date = DAY) -> Life:
    """Run a script beside the counters of a daemon, which ends in order, or as by a kill with `KilledError`."""

    async def run() -> None:
        await life.keeper.__aenter__()
        await asyncio.gather(*life.keeper._writing)  # a kill at once would leave this start uncounted
        life.keeper.follow(life.sent.append)
        try:
            await script(life)
        except KilledError:
            return
        finally:
            life.ended_with = life.keeper.figures
        await life.keeper.__aexit__(None, None, None)

    life = Life(folder, today)
    with life.journal, asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(run())
    return life


def scene_of(match: str) -> Scene:
    assert SCENE.game is not None
    return replace(SCENE, game=replace(SCENE.game, id=match))


HARNESS = lay_out(PERUDO, [(1, 3, 3), (2, 2, 4)], Bid(2, 3))
SCENE = HARNESS.table.scene
HARNESS[1].press(Button.DUDO)
HARNESS.told()
(CALL,) = (event for event in HARNESS.events if type(event).__name__ == "Revealed")


async def nothing_more(life: Life) -> None:
    pass


async def a_match(life: Life, name: str = "m", calls: int = 3) -> None:
    await life.tell(name, MatchBegan(name, "perudo", (0, 1)))
    for _ in range(calls):
        await life.tell(name, CALL)
    await life.tell(name, WON)


def test_what_is_played_is_counted_and_kept(tmp_path: Path) -> None:
    async def evening(life: Life) -> None:
        await a_match(life, "m")
        await a_match(life, "n", 4)
        await asyncio.sleep(3600)
        assert life.counts == [2, 7, 3600, 1]

    live(tmp_path, evening)
    assert live(tmp_path, nothing_more).counts == [2, 7, 3600, 2]


def test_the_table_has_the_counts_at_once_and_after_each_change(tmp_path: Path) -> None:
    async def script(life: Life) -> None:
        await life.tell("m", MatchBegan("m", "perudo", (0, 1)))
        await life.tell("m", CALL)
        await life.keeper.reset(StaffItem.CALLS)

    life = live(tmp_path, script)
    assert [each.figures[StaffItem.CALLS].count for each in life.sent] == [0, 1, 0]


def test_each_figure_is_reset_alone_and_the_reset_is_on_the_disk(tmp_path: Path) -> None:
    async def evening(life: Life) -> None:
        await a_match(life)
        await asyncio.sleep(500)

    live(tmp_path, evening)
    for number, item in enumerate(FIGURES):
        before: list[int] = []

        async def reset(life: Life, item: StaffItem = item, before: list[int] = before) -> None:
            before += life.counts
            await life.keeper.reset(item)
            raise KilledError

        live(tmp_path, reset, date(2027, 1, number + 1))
        after = live(tmp_path, nothing_more)
        assert after.figures[item].since == f"2027-01-0{number + 1}"
        expected = [0 if other == number else count for other, count in enumerate(before)]
        expected[-1] += 1
        assert after.counts == expected


OPS = st.lists(
    st.tuples(
        st.sampled_from(["match", "call", "call", "win", "reopen", "break off", "wait", "reset", "stop", "kill"]),
        st.integers(1, 1000),
        st.booleans(),
    ),
    max_size=30,
)


class Model:
    """What has really been played, and what the counters say of it."""

    def __init__(self) -> None:
        self.matches = self.calls = self.number = 0
        self.is_won = self.is_over = True
        self.is_by_call = False
        self.seconds = self.lost_s = self.kills = 0
        self.starts = self.crashes = 0

    def check(self, life: Life) -> None:
        matches, calls, seconds, starts = life.counts
        assert (matches, calls, starts) == (self.matches, self.calls, self.starts)
        assert life.figures[StaffItem.STARTS].crashes == self.crashes
        assert self.seconds - self.lost_s - self.kills <= seconds <= self.seconds

    def play(self, what: str) -> PublicEvent | None:
        """Return what happens, if it can."""
        name = str(self.number)
        if what == "match" and self.is_over:  # no match begins before the last has ended
            self.number, self.is_won, self.is_over, self.is_by_call = self.number + 1, False, False, False
            return MatchBegan(str(self.number), "perudo", (0, 1))
        if what == "call" and not self.is_over:
            self.calls, self.is_by_call = self.calls + 1, True
            return CALL
        if what == "win" and not self.is_over:
            self.matches, self.is_won, self.is_over = self.matches + 1, True, True
            return WON
        if what == "break off" and not self.is_over:
            self.is_over = True
            return MatchBrokenOff(name)
        if what == "reopen" and self.is_over and self.number:
            self.matches = max(0, self.matches - self.is_won)
            self.calls = max(0, self.calls - (self.is_won and self.is_by_call))
            self.is_won = self.is_over = self.is_by_call = False
            return MatchReopened(name, "perudo", (0, 1), (1, 1))
        return None


@settings(max_examples=25, deadline=None)
@given(ops=OPS)
def test_whatever_comes_nothing_played_is_lost_or_counts_twice_and_little_time_is_lost(
    ops: Sequence[tuple[str, int, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, model, left = tmp_path_factory.mktemp("state"), Model(), [*ops]

    async def one_life(life: Life) -> None:
        model.starts += 1
        model.check(life)
        while left:
            what, number, in_between = left.pop(0)
            if what == "stop":
                return
            if what == "wait":
                await asyncio.sleep(number)
                model.seconds += number
            elif what == "reset":
                item = FIGURES[number % len(FIGURES)]
                await life.keeper.reset(item)
                match item:
                    case StaffItem.MATCHES:
                        model.matches = 0
                    case StaffItem.CALLS:
                        model.calls = 0
                    case StaffItem.HOURS:
                        model.seconds = model.lost_s = model.kills = 0
                    case _:
                        model.starts = model.crashes = 0
            elif what != "kill" and (event := model.play(what)):
                if in_between:
                    killed()
                await life.tell(str(model.number), event, then_killed=in_between)
            elif what == "kill":
                killed()
                raise KilledError
            model.check(life)

    def killed() -> None:
        model.crashes += 1
        model.lost_s += int(SAVE_S)
        model.kills += 1  # a part of a second

    while left:
        live(folder, one_life)


def test_a_match_that_was_played_before_there_was_a_file_does_not_count(tmp_path: Path) -> None:
    async def begins(life: Life) -> None:
        await life.tell("m", MatchBegan("m", "perudo", (0, 1)), CALL, CALL)
        raise KilledError

    async def goes_on(life: Life) -> None:
        await life.tell("m", CALL, WON)

    live(tmp_path, begins)
    (tmp_path / FILE).unlink()
    assert live(tmp_path, goes_on).counts == [1, 1, 0, 1]


def test_only_a_stop_that_was_asked_for_is_an_orderly_one(tmp_path: Path) -> None:
    async def ends(kind: type[BaseException] | None, *, has_crashed: bool = False) -> int:
        with Journal(tmp_path / "journal.sqlite") as journal:
            keeper = await CounterKeeper(tmp_path, journal).__aenter__()
            if has_crashed:
                keeper.crashed()
            await keeper.__aexit__(kind, None, None)
            return keeper.figures.figures[StaffItem.STARTS].crashes

    async def script() -> None:
        assert await ends(asyncio.CancelledError) == 0
        assert await ends(None) == 0
        assert await ends(RuntimeError) == 0
        assert await ends(asyncio.CancelledError, has_crashed=True) == 1
        assert await ends(None) == 2
        assert await ends(None) == 2

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(script())


def test_a_clock_that_jumps_changes_no_hours(tmp_path: Path) -> None:
    async def an_hour(life: Life) -> None:
        await asyncio.sleep(3600)

    for year in (2026, 1970, 2091, 2026):
        live(tmp_path, an_hour, date(year, 1, 1))
    after = live(tmp_path, nothing_more).figures[StaffItem.HOURS]
    assert (after.count, after.since) == (4 * 3600, "2026-01-01")


def test_a_quiet_day_is_written_every_few_minutes_and_an_evening_little_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[None] = []
    write = counters.write
    monkeypatch.setattr(counters, "write", lambda *what: (written.append(None), write(*what)))

    async def day(life: Life) -> None:
        await asyncio.sleep(24 * 3600 - 1)
        quiet = len(written)
        assert quiet == 1 + (24 * 3600 - 1) // SAVE_S
        await a_match(life, calls=20)
        await asyncio.sleep(0)
        assert len(written) <= quiet + 1

    live(tmp_path, day)


@pytest.mark.parametrize(
    ("name", "content"),
    [*((OLD_FILE, content) for content in (b"", b"\xff", b"calls = -1", b"x" * 100_000)), (FILE, b"x" * 100_000)],
)
def test_a_damaged_file_counts_as_empty_is_one_line_of_the_log_and_is_set_aside(
    name: str, content: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    assert live(tmp_path, nothing_more).counts == [0, 0, 0, 1]
    (line,) = caplog.messages
    assert line.startswith(f"{file}: ")
    assert line.endswith(f"; all counts begin again at 0; the daemon keeps this file as {damaged_name(file).name}")
    assert damaged_name(file).read_bytes() == content
    assert read(tmp_path) is not None


def test_counters_of_an_older_version_go_on(tmp_path: Path) -> None:
    lines = (f"{name} = {{ count = 7, since = 2026-03-01 }}" for name in ("matches", "calls", "seconds", "starts"))
    (tmp_path / OLD_FILE).write_text("\n".join(("crashes = 1", "is_on = true", *lines)))
    for starts in (8, 9):
        assert live(tmp_path, nothing_more).counts == [7, 7, 7, starts]
    assert not (tmp_path / OLD_FILE).exists()
    assert live(tmp_path, nothing_more).figures[StaffItem.STARTS].crashes == 2


def test_figures_that_are_made_again_change_no_counter(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    live(tmp_path, a_match)
    remembered(tmp_path, problems, rebuild=True)
    with closing(sqlite3.connect(tmp_path / FILE)) as house:
        house.execute("PRAGMA user_version = 99")  # of another version
    remembered(tmp_path, problems)
    assert live(tmp_path, nothing_more).counts == [1, 3, 0, 2]


def test_a_file_that_is_deleted_or_damaged_while_the_table_runs_costs_no_count(tmp_path: Path) -> None:
    async def evening(life: Life) -> None:
        await a_match(life)
        await asyncio.sleep(SAVE_S)
        (tmp_path / FILE).unlink()
        await asyncio.sleep(SAVE_S)
        (tmp_path / FILE).write_bytes(b"no database at all" * 100)
        await asyncio.sleep(SAVE_S + 1)
        raise KilledError

    live(tmp_path, evening)
    kept = read(tmp_path)
    assert kept is not None
    assert (kept.matches.count, kept.calls.count, kept.seconds.count) == (1, 3, 3 * SAVE_S)


def test_a_file_that_is_locked_at_the_start_keeps_what_it_has(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(tmp_path, a_match)
    monkeypatch.setattr(counters, "LOCKED_S", 0.0)

    async def evening(life: Life) -> None:
        other.close()
        await a_match(life, "n")
        with pytest.raises(OSError, match="database is locked"):
            await life.keeper.reset(StaffItem.CALLS)

    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        live(tmp_path, evening)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "database is locked; the figures of the staff menu count on in memory" in caplog.messages[0]
    assert live(tmp_path, nothing_more).counts == [2, 6, 0, 2]


def test_on_a_full_disk_the_log_says_so_once_and_all_is_written_when_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with small_disk(tmp_path / "disk") as disk:

        async def evening(life: Life) -> None:
            filling = fill(disk)
            for number in range(3):
                life.keeper.take(MatchBegan(str(number), "perudo", (0, 1)))
                life.keeper.take(CALL)
                life.keeper.take(WON)
                await asyncio.sleep(SAVE_S)
            ours = [record for record in caplog.records if FILE in record.message]
            assert [record.levelno for record in ours] == [logging.ERROR]
            assert "database or disk is full; the figures of the staff menu count on in memory" in ours[0].message
            with pytest.raises(OSError, match="disk is full"):
                await life.keeper.reset(StaffItem.CALLS)
            assert life.counts == [3, 3, 3 * SAVE_S, 1]
            filling.unlink()
            await asyncio.sleep(SAVE_S + 1)
            raise KilledError

        live(disk, evening)
        kept = read(disk)
        assert kept is not None
        assert (kept.matches.count, kept.calls.count, kept.seconds.count) == (3, 3, 4 * SAVE_S)


def test_where_nothing_can_be_written_the_table_counts_in_memory(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(counters, "write", fails)
    assert live(tmp_path, a_match).counts == [1, 3, 0, 1]
    assert len(caplog.messages) == 1
