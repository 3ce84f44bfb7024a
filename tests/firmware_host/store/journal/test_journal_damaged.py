"""A journal with a damaged byte is read as it was or set aside, and never misread."""

import os
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.table.harness import lay_out

from engine import PYRUDO, Bid
from firmware_host import wire
from firmware_host.store.journal.journal import CHECKPOINT_RECORDS, Journal
from firmware_host.table import events
from firmware_host.table.health import Alert
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from hardware.emulated.virtual_loop import VirtualLoop

ROUND = lay_out(PYRUDO, [(1, 2, 3), (4, 5, 6)], Bid(2, 3)).table.scene
SCENES: list[Scene] = [Lobby(joined=(number,)) for number in range(3)] + [ROUND] * 3 + [Lobby(joined=(9,)), ROUND]
TOLD = (wire.MatchBegan("laid", "pyrudo", (0, 1)), events.ActionTaken(0, Bid(2, 3)))
FILES = ("", "-wal", "-shm")


class Found(NamedTuple):
    """What a journal says when it is opened."""

    scene: Scene | None
    reported: dict[Alert, str]


def left(path: Path, folder: Path, *, suffixes: tuple[str, ...] = FILES) -> Path:
    """Return the journal that a power cut leaves amid a write."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for suffix in suffixes:
        if os.path.exists(f"{path}{suffix}"):
            shutil.copy(f"{path}{suffix}", folder)
    return folder / path.name


def reopened(path: Path) -> Found:
    reported: dict[Alert, str] = {}
    with Journal(path) as journal:
        journal.report(reported.__setitem__, reported.pop)
        return Found(journal.scene, reported)


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a journal whose last records are in its log, as a power cut leaves it."""
    folder = tmp_path_factory.mktemp("journal")
    loop = VirtualLoop(patience_s=10.0)
    with Journal(folder / "journal.sqlite") as journal:
        for number in range(CHECKPOINT_RECORDS):
            loop.run_until_complete(journal.write(SCENES[number % len(SCENES)], {"cup": number}))
        for scene in SCENES:
            loop.run_until_complete(journal.write(scene, {"cup": 7}, TOLD if scene is SCENES[3] else ()))
        yield left(journal.path, folder / "cut")
    loop.close()


def test_what_the_power_cut_left_is_read(cut: Path, tmp_path: Path) -> None:
    assert reopened(left(cut, tmp_path / "again")) == Found(ROUND, {})
    assert Path(f"{cut}-wal").stat().st_size > 10_000


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(suffix=st.sampled_from(FILES), at=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
@example("", 0.0, 1)
@example("", 0.16162238712097277, 1)  # only the connection that writes sees it, in the text of a table
@example("-wal", 0.0, 1)
@example("-wal", 0.01, 1)
def test_a_byte_that_has_changed_is_never_taken_for_what_was_written(
    cut: Path, tmp_path: Path, suffix: str, at: float, flip: int
) -> None:
    path = left(cut, tmp_path / "changed")
    file = Path(f"{path}{suffix}")
    text = bytearray(file.read_bytes())
    text[int(at * len(text))] ^= flip
    file.write_bytes(text)
    check(path, {suffix: bytes(text)}, may_lack_the_last=suffix == "-wal")


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    suffix=st.sampled_from(("", "-wal")),
    start=st.floats(0, 1, exclude_max=True),
    garbage=st.one_of(st.binary(min_size=1, max_size=9000), st.integers(1, 20_000).map(bytes)),
)
@example("", 0.0025446543090772433, b"\x01")  # in the number of the schema: as if a newer version had written it
def test_a_stretch_of_garbage_is_never_taken_for_what_was_written(
    cut: Path, tmp_path: Path, suffix: str, start: float, garbage: bytes
) -> None:
    path = left(cut, tmp_path / "garbage")
    file = Path(f"{path}{suffix}")
    text = bytearray(file.read_bytes())
    at = int(start * len(text))
    text[at : at + len(garbage)] = garbage[: len(text) - at]
    file.write_bytes(text)
    check(path, {suffix: bytes(text)}, may_lack_the_last=suffix == "-wal", may_lack_its_end=True)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.floats(0, 1, exclude_max=True))
@example(0.0)
def test_a_file_that_was_cut_short_is_never_taken_for_a_whole_one(cut: Path, tmp_path: Path, length: float) -> None:
    path = left(cut, tmp_path / "short", suffixes=("",))
    before = path.read_bytes()
    os.truncate(path, int(length * len(before)))
    found = reopened(path)
    if found.reported:
        assert os.path.getsize(path.with_name("journal.damaged-1.sqlite")) == int(length * len(before))
    else:  # only a page was lost that held nothing
        assert found == reopened(left(cut, tmp_path / "whole", suffixes=("",)))


def check(path: Path, damaged: dict[str, bytes], *, may_lack_the_last: bool, may_lack_its_end: bool = False) -> None:
    """What is read is what was written last, or nothing, and then all of it is kept and that is said."""
    found = reopened(path)
    if found.scene == ROUND:
        return
    if found.scene is None:
        assert list(found.reported) == [Alert.JOURNAL_RESET]
        name = found.reported[Alert.JOURNAL_RESET].rpartition("it is kept as ")[2]
        for suffix, text in damaged.items():
            assert suffix == "-shm" or path.with_name(f"{name}{suffix}").read_bytes() == text
        return
    assert may_lack_the_last  # a torn last record and a damaged one can't be told apart
    assert found.scene in SCENES if may_lack_its_end else found.scene == SCENES[-2]


# What is not a journal at all


@pytest.mark.parametrize(
    "text",
    [b"my diary, not a journal of dice, in more than a hundred bytes" * 20, b"\0", b"SQLite format 3\0" + bytes(84)],
    ids=["text", "a zero", "a header alone"],
)
def test_something_else_is_set_aside_as_it_is(tmp_path: Path, text: bytes, loop: VirtualLoop) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(text)
    found = reopened(path)
    assert found.scene is None
    assert path.with_name("journal.damaged-1.sqlite").read_bytes() == text
    assert found.reported[Alert.JOURNAL_RESET].endswith("; it is kept as journal.damaged-1.sqlite")
    assert found.reported[Alert.JOURNAL_RESET].startswith(f"{path}: ")


def test_an_empty_file_was_cut_short(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").touch()
    assert list(reopened(tmp_path / "journal.sqlite").reported) == [Alert.JOURNAL_RESET]


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: os.mkfifo(path)], ids=["folder", "fifo"])
def test_what_is_no_file_is_set_aside_too(tmp_path: Path, make: object) -> None:
    make(tmp_path / "journal.sqlite")  # type: ignore[operator]
    assert list(reopened(tmp_path / "journal.sqlite").reported) == [Alert.JOURNAL_RESET]
    assert os.path.lexists(tmp_path / "journal.damaged-1.sqlite")
    assert reopened(tmp_path / "journal.sqlite").reported == {}


def test_logs_without_their_journal_are_not_played_into_the_next(cut: Path, tmp_path: Path) -> None:
    path = left(cut, tmp_path / "orphans", suffixes=("-wal", "-shm"))
    assert reopened(path) == Found(None, {})
    assert path.with_name("journal.damaged-1.sqlite-wal").exists()


def test_a_death_between_the_renames_of_setting_aside_loses_nothing(
    cut: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = left(cut, tmp_path / "death")
    path.write_bytes(b"diary")
    log = Path(f"{path}-wal").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(
            "firmware_host.store.journal.quarantine._rename_logs", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            reopened(path)
    assert reopened(path) == Found(None, {})
    assert path.with_name("journal.damaged-1.sqlite").read_bytes() == b"diary"
    assert path.with_name("journal.damaged-2.sqlite-wal").read_bytes() == log


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE position SET scene = 'auction'",
        "UPDATE position SET body = x'7b'",
        "UPDATE position SET body = 3",
        "UPDATE position SET heard = '[]'",
        "UPDATE position SET digest = 'none'",
        "UPDATE told SET events = '[]'",
        "UPDATE matches SET day = '1970-01-01'",
        "DROP TABLE position",
        "DROP TABLE told",
        "PRAGMA user_version=1",
    ],
)
def test_rows_that_nobody_wrote_so_are_not_believed(cut: Path, tmp_path: Path, statement: str) -> None:
    path = left(cut, tmp_path / "rows")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement)
    db.close()
    found = reopened(path)
    assert (found.scene, list(found.reported)) == (None, [Alert.JOURNAL_RESET])


# While the journal is open


def test_a_journal_that_is_damaged_under_the_daemon_is_begun_again_with_all_that_is_known(
    tmp_path: Path, loop: VirtualLoop
) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        loop.run_until_complete(journal.write(ROUND, {"cup": 1}, TOLD[:1]))
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("DROP TABLE told")
        db.close()
        damaged, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
        loop.run_until_complete(journal.write(ROUND, {"cup": 2}, TOLD[1:]))
    again = Journal(path)
    again.close()
    assert (again.scene, again.last_events) == (ROUND, {"cup": 2})
    assert again.match is not None
    assert again.match.events() == [*TOLD]
    assert path.with_name("journal.damaged-1.sqlite").read_bytes() == damaged
    assert path.with_name("journal.damaged-1.sqlite-wal").read_bytes() == log


@pytest.mark.parametrize("away", [Path.unlink, lambda path: path.rename(path.with_name("mine.sqlite"))])
def test_a_journal_that_is_taken_away_under_the_daemon_is_made_again(
    tmp_path: Path, loop: VirtualLoop, away: object
) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        loop.run_until_complete(journal.write(Lobby(), {}, TOLD[:1]))
        loop.run_until_complete(journal.write(ROUND, {}, TOLD[:1]))
        away(path)  # type: ignore[operator]
        loop.run_until_complete(journal.write(ROUND, {"cup": 2}, TOLD[1:]))
    assert reopened(path) == Found(ROUND, {})


def test_a_disk_that_damages_every_new_file_is_told_and_not_filled_with_them(
    tmp_path: Path, loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        alerts: dict[Alert, str] = {}
        journal.report(alerts.__setitem__, alerts.pop)
        damage = sqlite3.DatabaseError("malformed")
        monkeypatch.setattr("firmware_host.store.journal.store._insert_entry", lambda *_: (_ for _ in ()).throw(damage))
        loop.run_until_complete(journal.write(ROUND, {}, TOLD))
        assert list(alerts) == [Alert.DISK_FAILS]
        assert len([*tmp_path.glob("*damaged*.sqlite")]) == 1


def test_the_log_is_read_as_sqlite_reads_it(cut: Path) -> None:
    (magic,) = struct.unpack_from(">I", Path(f"{cut}-wal").read_bytes())
    assert magic & ~1 == 0x377F0682
