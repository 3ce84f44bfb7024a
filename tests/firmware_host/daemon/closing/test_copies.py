"""Copies of a table's matches: whole, read back, bounded in number, and never with a file that holds dice."""

import errno
import gzip
import os
import sqlite3
import tarfile
import tracemalloc
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host import cli
from firmware_host.daemon.closing import archive, copies
from firmware_host.daemon.closing.copies import MAX_COPIES, BackupError, Copy, Sources, check_copy, write_copy
from firmware_host.store.house import counters
from firmware_host.store.house.counters import Count, nothing

STAMP = "2026-11-23-04{:04}"
COUNTED = replace(nothing(date(2026, 3, 1)), calls=Count(7312, date(2026, 9, 14)), is_on=True)
MATCH = "2026-11-22-7f3a.dudo"


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    """Return the folders of a table with one match, and a journal that must not leave it."""
    state, etc = tmp_path / "state", tmp_path / "etc"
    for folder in (state / "matches", etc, tmp_path / "stick"):
        folder.mkdir(parents=True)
    (state / "matches" / MATCH).write_text("perudo\n" * 1000)
    (state / "matches/.unfinished").write_text("x")
    (state / "settings.toml").write_text('rules = "pyrudo"\n')
    counters.write(COUNTED, state)
    (state / "journal.sqlite").write_text("dice")
    (etc / "table.toml").write_text('seats = "8"\n')
    (etc / "bridge.env").write_text("PASSWORD=secret\n")
    house = sqlite3.connect(state / "house.sqlite")
    house.execute("CREATE TABLE matches(day TEXT)")
    house.close()
    return Sources(state, etc)


def stick(sources: Sources) -> Path:
    return sources.state.parent / "stick"


def copied(sources: Sources, number: int = 0, host: str = "bar") -> Copy:
    copy = write_copy(sources, stick(sources), host, STAMP.format(number))
    check_copy(copy)
    return copy


def names_on(sources: Sources) -> list[str]:
    return sorted(file.name for file in stick(sources).iterdir())


def failing(code: int) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def test_a_copy_has_matches_settings_figures_and_layouts_and_nothing_else(sources: Sources) -> None:
    copy = copied(sources)
    with tarfile.open(copy.file) as opened:
        names = opened.getnames()
        match = opened.extractfile(f"matches/{MATCH}")
        assert match is not None
        assert match.read() == (sources.state / "matches" / MATCH).read_bytes()
    assert names == [
        "copy.json",
        f"matches/{MATCH}",
        "etc/table.toml",
        "settings.toml",
        "house.sqlite",
    ]
    assert (copy.matches, copy.problems, copy.size) == (1, [], copy.file.stat().st_size)
    assert copy.file.stat().st_mode & 0o777 == 0o600


def test_older_copies_are_kept_up_to_a_number_and_those_of_another_table_all(sources: Sources) -> None:
    other = copied(sources, host="club").file.name
    (stick(sources) / "holiday.jpg").write_text("x")
    made = [copied(sources, number).file.name for number in range(MAX_COPIES + 3)]
    assert names_on(sources) == sorted([*made[-MAX_COPIES:], other, "holiday.jpg"])


def test_copies_with_a_clock_that_is_wrong_by_years_push_no_later_copy_out(sources: Sources) -> None:
    early = [write_copy(sources, stick(sources), "bar", f"2099-01-01-0000{number:02}") for number in range(MAX_COPIES)]
    late = [copied(sources, number).file.name for number in range(3)]
    assert names_on(sources) == sorted([*late, *(copy.file.name for copy in early[3:])])


def test_files_that_only_look_like_copies_neither_count_nor_are_touched(sources: Sources) -> None:
    made = [copied(sources, number).file for number in range(MAX_COPIES)]
    newest, lookalikes = made[-1].read_bytes(), []
    for number in range(1, MAX_COPIES + 1):
        lookalikes.append(stick(sources) / f"dudo-table-bar-9999-12-31-23595{number}.tar.gz")
        lookalikes[-1].write_bytes((newest, b"", b"x" * 5000, gzip.compress(bytes(5000)))[number % 4])
    (stick(sources) / "dudo-table-bar-9999-12-31-235959.tar.gz").mkdir()
    (stick(sources) / "dudo-table-bar-9999-12-31-235958.tar.gz.part").mkdir()
    kept = [*(file.name for file in made[1:]), copied(sources, MAX_COPIES).file.name]
    assert {*kept, *(file.name for file in lookalikes)} < {*names_on(sources)}
    assert made[0].name not in names_on(sources)


def test_a_stick_full_of_names_takes_no_more_memory_than_another(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "MAX_FILE_BYTES", 100_000)  # of a file, which is read at once
    name = stick(sources) / "x"
    name.write_text("")
    for number in range(20_000):
        os.link(name, stick(sources) / f"{number:060}")
    copied(sources)
    tracemalloc.start()
    try:
        copied(sources, 1)
        assert tracemalloc.get_traced_memory()[1] < 1_500_000
    finally:
        tracemalloc.stop()


def test_copies_of_another_computer_with_the_same_name_stay(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [copied(sources, number).file.name for number in range(MAX_COPIES)]
    other_id = tmp_path / "machine-id"
    other_id.write_text("0123456789abcdef0123456789abcdef\n")
    monkeypatch.setattr(archive, "MACHINE_ID", other_id)
    own = [copied(sources, 100 + number).file.name for number in range(MAX_COPIES + 1)]
    assert names_on(sources) == sorted([*others, *own[1:]])


def test_two_copies_of_one_second_are_two_files(sources: Sources) -> None:
    assert [copied(sources).file.name for _ in range(2)] == [
        "dudo-table-bar-2026-11-23-040000.tar.gz",
        "dudo-table-bar-2026-11-23-040000-2.tar.gz",
    ]


def test_what_a_pulled_stick_or_a_power_cut_has_left_is_removed(sources: Sources) -> None:
    (stick(sources) / "dudo-table-bar-2026-11-22-040000.tar.gz.part").write_text("half")
    copied(sources)
    assert names_on(sources) == ["dudo-table-bar-2026-11-23-040000.tar.gz"]


@pytest.mark.parametrize(
    ("code", "said"), [(errno.EROFS, "read-only"), (errno.EIO, "pulled out"), (errno.EACCES, "sudo")]
)
def test_a_stick_that_fails_is_named_with_a_remedy_and_keeps_its_older_copies(
    code: int, said: str, sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = copied(sources).file.read_bytes()
    monkeypatch.setattr(copies.os, "fsync", failing(code))
    with pytest.raises(BackupError, match=said) as error:
        copied(sources, 1)
    assert str(error.value).startswith(f"{stick(sources)}: ")
    assert names_on(sources) == ["dudo-table-bar-2026-11-23-040000.tar.gz"]
    assert (stick(sources) / names_on(sources)[0]).read_bytes() == before


def test_on_a_full_stick_older_copies_make_room_but_the_newest_stays(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [copied(sources, number).file.name for number in range(4)]
    monkeypatch.setattr(copies.os, "fsync", failing(errno.ENOSPC))
    with pytest.raises(BackupError, match="is full; delete files"):
        copied(sources, 9)
    assert names_on(sources) == made[-1:]


def test_a_copy_that_reads_back_otherwise_is_an_error_and_removed(sources: Sources) -> None:
    copy = copied(sources)
    copy.file.write_bytes(copy.file.read_bytes()[:-1] + b"?")
    with pytest.raises(BackupError, match="not what was written; use another stick"):
        check_copy(copy)
    assert names_on(sources) == []


def test_links_pipes_and_a_damaged_database_are_left_out_and_named(sources: Sources) -> None:
    (sources.state / "matches/link.dudo").symlink_to("/etc/passwd")
    os.mkfifo(sources.state / "matches/pipe.dudo")
    (sources.state / "house.sqlite").write_text("x" * 5000)
    copy = copied(sources)
    with tarfile.open(copy.file) as opened:
        assert "root:" not in "".join(map(str, opened.getnames()))
        assert opened.getnames()[1:] == [f"matches/{MATCH}", "etc/table.toml", "settings.toml"]
    assert [problem.partition(" is left out")[0] for problem in copy.problems] == [
        "link.dudo",
        "pipe.dudo",
        "house.sqlite",
    ]


def test_the_command_copies_into_a_folder(sources: Sources, capsys: pytest.CaptureFixture[str]) -> None:
    folder = stick(sources)
    assert cli.main(["backup", "--state", str(sources.state), str(folder)]) == 0
    assert ": 1 match, " in capsys.readouterr().out
    assert len(names_on(sources)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--state", "{0}/nowhere", "{0}"], "no such folder; name the state folder"),
        (["--state", "{0}/state", "{0}/nowhere"], "no such folder; make it"),
    ],
)
def test_the_command_names_a_folder_that_is_not_there(
    arguments: list[str], said: str, sources: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [each.format(sources.state.parent) for each in arguments]
    assert cli.main(["backup", *given]) == 2
    assert said in capsys.readouterr().err
