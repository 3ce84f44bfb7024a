"""With a full or read-only disk, or a file of another user, play goes on and records are written later."""

import asyncio
import errno
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from support.host.bad_disks import files_no_longer_than, fill, nobody, remount, small_disk
from support.table.harness import lay_out

from engine import PYRUDO, Bid
from firmware_host import wire
from firmware_host.store.journal.errors import journal_error
from firmware_host.store.journal.journal import MAX_RETRY_S, Journal
from firmware_host.table import events
from firmware_host.table.health import Alert
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from hardware.emulated.virtual_loop import VirtualLoop

ROUND = lay_out(PYRUDO, [(1, 2, 3), (4, 5, 6)], Bid(2, 3)).table.scene
BEGAN = wire.MatchBegan("laid", "pyrudo", (0, 1))
HEARD = {"cup0001": 7}
FULL, FAILS = Alert.DISK_FULL, Alert.DISK_FAILS


class Alerts:
    """What a journal reported."""

    def __init__(self, journal: Journal) -> None:
        self.now: dict[Alert, str] = {}
        self.times = 0
        journal.report(self._troubled, self._repaired)

    def _troubled(self, what: Alert, why: str) -> None:
        assert "\n" not in why
        assert "Errno" not in why
        self.now[what] = why
        self.times += 1

    def _repaired(self, what: Alert) -> None:
        del self.now[what]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk") as disk:
        yield disk


def write(loop: VirtualLoop, journal: Journal, scene: Scene, *told: events.PublicEvent) -> None:
    loop.run_until_complete(journal.write(scene, HEARD, told))


def wait(loop: VirtualLoop, duration_s: float) -> None:
    loop.run_until_complete(asyncio.sleep(duration_s))


def on_disk(path: Path) -> Journal:
    """Return the journal as another daemon reads it."""
    journal = Journal(path)
    journal.close()
    return journal


def test_a_disk_that_fills_up_is_told_once_and_play_goes_on_in_memory(disk: Path, loop: VirtualLoop) -> None:
    with Journal(disk / "journal.sqlite") as journal:
        alerts = Alerts(journal)
        write(loop, journal, Lobby(joined=(0,)))
        filling = fill(disk)
        for number in range(200):
            write(loop, journal, Lobby(joined=(number,)))
        write(loop, journal, ROUND, BEGAN)
        assert alerts.now == {FULL: f"{journal.path}: cannot be written: the disk is full; make room on it"}
        assert alerts.times == 1
        assert journal.scene == ROUND
        filling.unlink()
        wait(loop, MAX_RETRY_S)
        assert alerts.now == {}
        assert on_disk(journal.path).scene == ROUND
    again = on_disk(journal.path)
    assert again.match is not None
    assert again.match.events() == [BEGAN]


def test_a_disk_that_was_full_from_the_start_keeps_nobody_from_playing(disk: Path, loop: VirtualLoop) -> None:
    filling = fill(disk)
    with Journal(disk / "state" / "journal.sqlite") as journal:
        alerts = Alerts(journal)
        assert [*alerts.now] == [FULL]
        write(loop, journal, ROUND, BEGAN)
        filling.unlink()
        wait(loop, MAX_RETRY_S)
        assert alerts.now == {}
    assert on_disk(journal.path).scene == ROUND
    assert not [*disk.rglob("*damaged*")]


def test_an_evening_on_a_disk_that_is_full_when_the_daemon_comes_up_goes_on(disk: Path, loop: VirtualLoop) -> None:
    path = disk / "journal.sqlite"
    with Journal(path) as journal:
        write(loop, journal, ROUND, BEGAN)
        left(path, disk / "state")
    fill(disk)
    with Journal(disk / "state" / path.name) as journal:
        assert (journal.scene, journal.last_events) == (ROUND, HEARD)


def test_a_disk_that_becomes_read_only_is_told_and_tried_again(disk: Path, loop: VirtualLoop) -> None:
    path = disk / "journal.sqlite"
    with Journal(path) as journal:
        alerts = Alerts(journal)
        write(loop, journal, Lobby(joined=(1,)))
        left(path, disk / "state")
    with Journal(disk / "state" / path.name) as journal:
        remount_held(journal, disk)
        alerts = Alerts(journal)
        write(loop, journal, ROUND, BEGAN)
        assert [*alerts.now] == [FAILS]
        assert "the disk lets nothing be written" in alerts.now[FAILS]
        wait(loop, 300)
        remount(disk, "rw")
        wait(loop, MAX_RETRY_S)
        assert alerts.now == {}
    assert on_disk(journal.path).scene == ROUND


def remount_held(journal: Journal, disk: Path) -> None:
    """Make a disk read-only on which a journal holds files: they are closed for that, as those of a torn card are."""
    journal._thread.submit(journal._file.close).result()
    remount(disk, "ro")


def test_an_evening_on_a_read_only_disk_is_picked_up_where_it_was(disk: Path, loop: VirtualLoop) -> None:
    path = disk / "journal.sqlite"
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(0,)))
        write(loop, journal, ROUND, BEGAN)
        left(path, disk / "state")
    remount(disk, "ro")
    with Journal(disk / "state" / path.name) as journal:
        alerts = Alerts(journal)
        assert (journal.scene, journal.last_events) == (ROUND, HEARD)
        assert journal.match is not None
        assert [*alerts.now] == [FAILS]
        write(loop, journal, Lobby())
        assert journal.scene == Lobby()
    assert not list(Path("/dev/shm").glob("dudo-table-*"))


def left(path: Path, folder: Path) -> None:
    """What a power cut leaves of a journal that is being written."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", folder)


def test_a_journal_of_somebody_else_keeps_nobody_from_playing(tmp_path: Path, loop: VirtualLoop) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    path = folder / "journal.sqlite"
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(3,)))
    path.chmod(0o000)
    for parent in (tmp_path, *tmp_path.parents[:-2]):
        parent.chmod(parent.stat().st_mode | 0o055)
    with nobody(), Journal(path) as journal:
        alerts = Alerts(journal)
        assert journal.scene is None
        assert "you may not read and write it; give it to" in alerts.now[FAILS]
        write(loop, journal, ROUND)
        assert journal.scene == ROUND
    path.chmod(0o600)
    assert on_disk(path).scene == Lobby(joined=(3,))
    assert [*folder.glob("*damaged*")] == []


def test_a_folder_in_which_nothing_can_be_made_keeps_nobody_from_playing(loop: VirtualLoop) -> None:
    with Journal(Path("/proc/dudo-table/journal.sqlite")) as journal:
        alerts = Alerts(journal)
        write(loop, journal, ROUND)
        assert [*alerts.now] == [FAILS]
        assert journal.scene == ROUND


def test_without_root_too_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path, loop: VirtualLoop) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        alerts = Alerts(journal)
        with files_no_longer_than(64 << 10):
            for number in range(100):
                write(loop, journal, Lobby(joined=(number,)))
            assert len(alerts.now) == 1
        wait(loop, MAX_RETRY_S)
        assert alerts.now == {}
    assert on_disk(journal.path).scene == Lobby(joined=(99,))


def test_it_is_tried_again_once_a_minute_at_most_and_at_least(tmp_path: Path, loop: VirtualLoop) -> None:
    journal, tries = Journal(tmp_path / "journal.sqlite"), list[float]()

    def put(batch: object) -> None:
        tries.append(loop.time())
        raise journal_error(journal.path, "written", OSError(errno.ENOSPC, ""))

    journal._put = put  # type: ignore[method-assign]
    write(loop, journal, ROUND)
    wait(loop, 600)
    between = [later - earlier for earlier, later in pairwise(tries)]
    assert between[:6] == pytest.approx([1, 2, 4, 8, 16, 32])
    assert between[6:] == pytest.approx([MAX_RETRY_S] * len(between[6:]))
