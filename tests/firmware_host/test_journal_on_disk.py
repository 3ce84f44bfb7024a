"""The journal: what `write` has returned from survives everything, only its owner reads it, its faults are told."""

import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest
from hands import laid

from engine import PYRUDO, Bid
from firmware_host.journal import SCHEMA, Journal, JournalError
from firmware_host.records import encode, name_of
from firmware_host.table.lobby import Lobby
from firmware_host.table.scene import Scene
from hardware.emulated.clock import VirtualLoop

DICE = [(1, 2, 3), (4, 5, 6)]
ROUND = laid(PYRUDO, DICE, Bid(2, 3)).table.scene


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite"


def write(loop: VirtualLoop, journal: Journal, *scenes: Scene) -> None:
    for scene in scenes:
        loop.run_until_complete(journal.write(scene, {}))


def test_a_new_journal_is_empty(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.last() is None


def test_the_last_scene_written_is_the_one_the_evening_stands_in(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(0,)), ROUND)
        assert journal.last() == ROUND
    with Journal(path) as again:
        assert again.last() == ROUND


def test_all_scenes_are_kept_in_order_with_their_match(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(), ROUND, Lobby(joined=(1,)))
    rows = sqlite3.connect(path).execute("SELECT scene, game FROM record ORDER BY id").fetchall()
    assert rows == [("lobby", None), ("bidding", "laid"), ("lobby", None)]


def test_what_is_written_is_read_by_another_without_a_close(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, ROUND)
        with Journal(path) as other:
            assert other.last() == ROUND


def test_what_is_written_survives_the_power_being_cut(path: Path, tmp_path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, Lobby(joined=(0,)), ROUND)
        after_the_cut = tmp_path / "after" / path.name
        after_the_cut.parent.mkdir()
        for suffix in ("", "-wal"):  # what is on the disk when nobody closes anything
            shutil.copy(f"{path}{suffix}", f"{after_the_cut}{suffix}")
    with Journal(after_the_cut) as again:
        assert again.last() == ROUND


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
        assert again.last() == Lobby(joined=(0, 1))


def test_every_record_waits_for_the_disk(path: Path) -> None:
    with Journal(path) as journal:
        synchronous = journal._thread.submit(lambda: journal._db.execute("PRAGMA synchronous").fetchone()).result()
        mode = journal._thread.submit(lambda: journal._db.execute("PRAGMA journal_mode").fetchone()).result()
    assert synchronous == (2,)  # FULL
    assert mode == ("wal",)


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
        assert journal.heard() == {}


def test_what_the_last_record_rests_on_is_kept_with_it(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        loop.run_until_complete(journal.write(ROUND, {"cup0001": 5 << 32 | 6}))
        loop.run_until_complete(journal.write(ROUND, HEARD))
    with Journal(path) as again:
        assert again.heard() == HEARD


def test_a_record_that_fails_leaves_what_was_heard_as_it_was(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        loop.run_until_complete(journal.write(ROUND, HEARD))
        journal._thread.submit(journal._db.execute, "PRAGMA query_only=1").result()
        with pytest.raises(JournalError):
            loop.run_until_complete(journal.write(Lobby(), {}))
        assert (journal.last(), journal.heard()) == (ROUND, HEARD)


def of_schema_1(path: Path) -> None:
    """A journal as the first release that kept one left it."""
    path.parent.mkdir()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute(
        "CREATE TABLE record (id INTEGER PRIMARY KEY, "
        "at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), "
        "game TEXT, scene TEXT NOT NULL, body BLOB NOT NULL)"
    )
    db.execute("INSERT INTO record (scene, body) VALUES ('lobby', ?)", (b'{"joined": [1, 2]}',))
    db.execute("INSERT INTO record (game, scene, body) VALUES ('laid', ?, ?)", (name_of(ROUND), encode(ROUND)))
    db.execute("PRAGMA user_version=1")
    db.close()


def test_a_journal_from_before_events_were_kept_goes_on(path: Path, loop: VirtualLoop) -> None:
    of_schema_1(path)
    with Journal(path) as journal:
        assert (journal.last(), journal.heard()) == (ROUND, {})
        loop.run_until_complete(journal.write(Lobby(), HEARD))
    with Journal(path) as again:
        assert (again.last(), again.heard()) == (Lobby(), HEARD)
    rows = sqlite3.connect(path).execute("SELECT id, scene FROM record ORDER BY id").fetchall()
    assert rows == [(1, "lobby"), (2, "bidding"), (3, "lobby")]


def test_an_old_journal_is_of_the_new_schema_from_its_opening_on(path: Path) -> None:
    of_schema_1(path)
    Journal(path).close()
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    Journal(path).close()


@pytest.mark.parametrize("heard", ["", "[]", '{"cup": "7"}', '{"cup": null}', "{"])
def test_events_that_cannot_be_read_are_told_with_their_file(path: Path, loop: VirtualLoop, heard: str) -> None:
    altered(path, loop, f"UPDATE record SET heard = '{heard}'")
    with Journal(path) as journal, pytest.raises(JournalError, match="; move it away to begin anew") as error:
        journal.heard()
    assert str(error.value).startswith(f"{path}: ")


# Faults


def refused(path: Path) -> str:
    with pytest.raises(JournalError) as error:
        Journal(path)
    told = str(error.value)
    assert told.startswith(f"{path}: ")
    assert told.count(str(path)) == 1
    assert "; " in told
    assert "Errno" not in told
    assert "\n" not in told
    return told


def test_a_newer_journal_is_refused_with_what_to_do(path: Path) -> None:
    Journal(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version={SCHEMA + 1}")
    db.close()
    assert (
        "written by a newer dudo-table (schema 3, this one knows 2); update dudo-table, or move it away to begin anew"
        in refused(path)
    )


def test_a_refused_journal_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"my diary, not a journal of dice, in more than a hundred bytes" * 20)
    before = path.read_bytes()
    assert refused(path) == f"{path}: cannot be opened: is not a journal; move it away to begin anew"
    assert path.read_bytes() == before


def test_a_directory_is_no_journal(tmp_path: Path) -> None:
    assert refused(tmp_path).endswith(": cannot be opened: is a directory; move it away to begin anew")


def test_a_journal_in_a_file_that_is_no_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused(tmp_path / "file" / "journal.sqlite")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_journal_where_nobody_may_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "you may not read and write it; give it to" in refused(tmp_path / "journal.sqlite")


def test_a_journal_on_a_disk_that_takes_nothing_is_refused() -> None:
    refused(Path("/proc/journal.sqlite"))


def test_a_damaged_journal_is_told_with_what_to_do(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, *[ROUND] * 40)
    content = bytearray(path.read_bytes())
    content[100:8000] = bytes(7900)
    path.write_bytes(content)
    with pytest.raises(JournalError, match=r": is damaged; move it away to begin anew$"), Journal(path) as journal:
        journal.last()


def altered(path: Path, loop: VirtualLoop, statement: str) -> None:
    with Journal(path) as journal:
        write(loop, journal, ROUND)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement)
    db.close()


@pytest.mark.parametrize("change", ["scene = 'auction'", "body = x'7b'", "body = 'three'", "body = '{}'"])
def test_a_record_that_cannot_be_read_is_told_with_its_file(path: Path, loop: VirtualLoop, change: str) -> None:
    altered(path, loop, f"UPDATE record SET {change}")
    with Journal(path) as journal, pytest.raises(JournalError, match="; move it away to begin anew") as error:
        journal.last()
    assert str(error.value).startswith(f"{path}: ")


def test_a_journal_without_its_table_is_told_when_written(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        altered(path, loop, "DROP TABLE record")
        with pytest.raises(JournalError, match="cannot be written") as error:
            write(loop, journal, ROUND)
        with pytest.raises(JournalError, match="cannot be read"):
            journal.last()
    assert str(error.value).startswith(f"{path}: ")


def test_a_journal_says_of_itself_where_it_is_and_nothing_of_what_is_in_it(path: Path, loop: VirtualLoop) -> None:
    with Journal(path) as journal:
        write(loop, journal, ROUND)
        assert repr(journal) == f"<Journal {path}>"
