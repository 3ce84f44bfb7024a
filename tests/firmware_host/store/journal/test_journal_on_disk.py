"""Records for which `write` has returned survive everything, and only their owner can read them."""

import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest
from support.table.harness import lay_out

from engine import PYRUDO, Bid
from firmware_host.store.journal.journal import Journal
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from hardware.emulated.virtual_loop import VirtualLoop

DICE = [(1, 2, 3), (4, 5, 6)]
ROUND = lay_out(PYRUDO, DICE, Bid(2, 3)).table.scene


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite"


def write(loop: VirtualLoop, journal: Journal, *scenes: Scene) -> None:
    for scene in scenes:
        loop.run_until_complete(journal.write(scene, {}))


def test_a_new_journal_is_empty(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.scene is None


def test_the_last_scene_written_is_the_one_the_evening_stands_in(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(0,)), ROUND)
        assert journal.scene == ROUND
    with Journal(path) as again:
        assert again.scene == ROUND


def test_dice_of_scenes_that_are_past_are_kept_no_longer(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(), ROUND, Lobby(joined=(1,)))
    rows = sqlite3.connect(path).execute("SELECT scene, game FROM position").fetchall()
    assert rows == [("lobby", None)]


def test_what_is_written_is_read_by_another_without_a_close(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, ROUND)
        with Journal(path) as other:
            assert other.scene == ROUND


def test_what_is_written_survives_the_power_being_cut(path: Path, tmp_path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(0,)), ROUND)
        after_the_cut = tmp_path / "after" / path.name
        after_the_cut.parent.mkdir()
        for suffix in ("", "-wal"):  # what is on the disk when nobody closes anything
            shutil.copy(f"{path}{suffix}", f"{after_the_cut}{suffix}")
    with Journal(after_the_cut) as again:
        assert again.scene == ROUND


def test_a_record_torn_by_the_power_cut_leaves_the_one_before(path: Path, tmp_path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(0,)), Lobby(joined=(0, 1)))
        size = Path(f"{path}-wal").stat().st_size
        write(loop, journal, ROUND)
        torn = tmp_path / "torn" / path.name
        torn.parent.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{torn}{suffix}")
    os.truncate(f"{torn}-wal", size + 100)
    with Journal(torn) as again:
        assert again.scene == Lobby(joined=(0, 1))


def test_every_record_waits_for_the_disk(path: Path) -> None:
    def pragma(name: str) -> object:
        return journal._thread.submit(lambda: journal._file._opened.execute(f"PRAGMA {name}").fetchone()).result()

    with Journal(path) as journal:
        assert pragma("synchronous") == (2,)  # FULL
        assert pragma("journal_mode") == ("wal",)


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_only_its_owner_may_read_it(path: Path, loop: VirtualLoop, suffix: str) -> None:
    umask = os.umask(0)
    try:
        with Journal(path) as journal:
            write(loop, journal, ROUND)
            assert stat.S_IMODE(Path(f"{path}{suffix}").stat().st_mode) == 0o600
    finally:
        os.umask(umask)


def test_a_journal_that_everybody_could_read_is_made_its_owners_alone(path: Path) -> None:
    path.parent.mkdir()
    path.touch(0o644)
    with Journal(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


# Which events of the cups it rests on

HEARD = {"cup0001": 5 << 32 | 7, "dongle/2": (1 << 31) - 1 << 32 | (1 << 32) - 1}


def test_a_new_journal_has_heard_nothing(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.last_events == {}


def test_what_the_last_record_rests_on_is_kept_with_it(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        loop.run_until_complete(journal.write(ROUND, {"cup0001": 5 << 32 | 6}))
        loop.run_until_complete(journal.write(ROUND, HEARD))
    with Journal(path) as again:
        assert again.last_events == HEARD
