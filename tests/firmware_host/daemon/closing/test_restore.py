"""A copy that is restored: named members with their modes, and nothing else, whoever has made the file."""

import gzip
import io
import os
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.commands import backup as command
from firmware_host.daemon.closing import archive
from firmware_host.daemon.closing.copies import Sources, write_copy
from firmware_host.daemon.closing.restore import restore
from firmware_host.errors import UserError
from firmware_host.store.house import counters
from firmware_host.store.house.counters import Count, nothing
from firmware_host.util import state_dir

MATCH = "matches/2026-11-22-7f3a.dudo"
OTHER = "matches/2026-11-20-aaaa.dudo"
STATE = {"settings.toml": b'rules = "pyrudo"\n', "counters.toml": b"calls = 7312\n", MATCH: b"perudo\n" * 1000}

Change = Callable[[tarfile.TarInfo], None]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of a table with one match."""
    state, etc, stick = tmp_path / "old/state", tmp_path / "old/etc", tmp_path / "stick"
    for folder in (state / "matches", etc, stick):
        folder.mkdir(parents=True)
    for name, data in STATE.items():
        (state / name).write_bytes(data)
    (etc / "table.toml").write_text('seats = "8"\n')
    house = sqlite3.connect(state / "house.sqlite")
    house.execute("CREATE TABLE matches(day TEXT)")
    house.close()
    return write_copy(Sources(state, etc), stick, "bar", "2026-11-23-040000").file


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return the state folder of another table, with a match of its own."""
    state = tmp_path / "state"
    (state / "matches").mkdir(parents=True)
    (state / "journal.sqlite").write_text("dice")
    (state / OTHER).write_text("other")
    (state / "settings.toml").write_text("")
    (state / "house.sqlite-wal").write_text("of another database")
    return state


def names_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def tampered(copy: Path, name: str, data: bytes = b"x", change: Change = lambda entry: None) -> Path:
    """Return the copy with another member."""
    made = copy.with_name("tampered.tar.gz")
    with tarfile.open(copy) as old, tarfile.open(made, "w:gz", format=tarfile.USTAR_FORMAT) as new:
        for entry in old:
            new.addfile(entry, old.extractfile(entry))
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        change(entry)
        new.addfile(entry, io.BytesIO(data) if entry.size else None)
    return made


def linked(entry: tarfile.TarInfo) -> None:
    entry.type, entry.size, entry.linkname = tarfile.SYMTYPE, 0, "/etc"


def hard_linked(entry: tarfile.TarInfo) -> None:
    entry.type, entry.size, entry.linkname = tarfile.LNKTYPE, 0, "/etc/shadow"


def as_folder(entry: tarfile.TarInfo) -> None:
    entry.type, entry.size, entry.mode = tarfile.DIRTYPE, 0, 0o777


def test_matches_settings_and_figures_are_back_with_their_modes_and_other_matches_stay(copy: Path, state: Path) -> None:
    restored = restore(copy, state)
    assert {name: (state / name).read_bytes() for name in STATE} == STATE
    modes = {name: (state / name).stat().st_mode & 0o777 for name in (*STATE, "house.sqlite", "matches")}
    assert modes == {
        "settings.toml": 0o600,
        "counters.toml": 0o600,
        "house.sqlite": 0o600,
        MATCH: 0o644,
        "matches": 0o755,
    }
    assert names_in(state) == {*modes, OTHER, "journal.sqlite"}
    assert (restored.matches, restored.left) == (1, ["table.toml"])
    assert restored.files[-1] == (str(state / "house.sqlite"), 0o600)


@pytest.mark.parametrize("has_figures", [True, False])
def test_counters_of_an_older_copy_count_on_and_not_those_that_were_there(
    has_figures: bool, tmp_path: Path, state: Path
) -> None:
    older = tmp_path / "older"
    older.mkdir()
    row = "{ count = 7, since = 2026-03-01 }"
    (older / "counters.toml").write_text(
        "crashes = 0\n" + "".join(f"{name} = {row}\n" for name in ("matches", "calls", "seconds", "starts"))
    )
    if has_figures:
        with closing(sqlite3.connect(older / "house.sqlite")) as house:
            house.execute("CREATE TABLE matches(day TEXT)")
    copy = write_copy(Sources(older, older), tmp_path, "bar", "2026-11-23-040000").file
    counters.write(nothing(date(2026, 1, 1)).started(), state)
    restore(copy, state)
    kept = counters.read(state)
    assert kept is not None
    assert kept.starts == Count(7, date(2026, 3, 1))


def test_the_umask_changes_no_mode(copy: Path, state: Path) -> None:
    before = os.umask(0o000)
    try:
        restore(copy, state)
        assert (state / "settings.toml").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_files_belong_to_the_owner_of_the_folder(copy: Path, state: Path) -> None:
    os.chown(state, 4242, 4243)
    restore(copy, state)
    for name in (*STATE, "house.sqlite", "matches"):
        found = (state / name).stat()
        assert (found.st_uid, found.st_gid) == (4242, 4243), name


def test_layouts_go_into_their_own_folder_when_they_are_asked_for(copy: Path, state: Path, tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    etc.mkdir()
    assert restore(copy, state, etc).left == []
    assert (etc / "table.toml").read_text() == 'seats = "8"\n'
    assert (etc / "table.toml").stat().st_mode & 0o777 == 0o644
    assert names_in(etc) == {"table.toml"}


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("journal.sqlite", lambda entry: None, "no copy of a table has a file journal.sqlite"),
        ("/etc/cron.d/x", lambda entry: None, "no copy of a table has a file /etc/cron.d/x"),
        ("matches/../journal.sqlite", lambda entry: None, "no copy of a table has a file matches/../journal.sqlite"),
        ("etc/../../x.toml", lambda entry: None, "no copy of a table has a file etc/../../x.toml"),
        ("names.sqlite", lambda entry: None, "no copy of a table has a file names.sqlite"),
        ("settings.toml", lambda entry: None, "no copy of a table has a file settings.toml"),
        ("copy.json", lambda entry: None, "no copy of a table has a file copy.json"),
        (".", as_folder, ". in it is no plain file"),
        ("matches", as_folder, "matches in it is no plain file"),
        ("matches", linked, "matches in it is no plain file"),
        ("stand-ins.toml", linked, "stand-ins.toml in it is no plain file"),
        ("stand-ins.toml", hard_linked, "stand-ins.toml in it is no plain file"),
        ("etc/\x1b[2J.toml", lambda entry: None, r"no copy of a table has a file etc/\x1b[2J.toml"),
        ("etc/a\nb.toml", lambda entry: None, r"no copy of a table has a file etc/a\nb.toml"),
        ("bad\x1b[2Jname", lambda entry: None, r"no copy of a table has a file bad\x1b[2Jname"),
    ],
)
def test_a_tampered_copy_changes_nothing_and_the_member_is_named(
    name: str, change: Change, said: str, copy: Path, state: Path
) -> None:
    before = names_in(state)
    with pytest.raises(UserError) as error:
        restore(tampered(copy, name, change=change), state)
    assert said in str(error.value)
    assert names_in(state) == before
    assert (state / "settings.toml").read_text() == ""


def test_a_mode_in_the_copy_means_nothing(copy: Path, state: Path) -> None:
    def opened(entry: tarfile.TarInfo) -> None:
        entry.mode, entry.uid = 0o4777, 0

    restore(tampered(copy, "stand-ins.toml", change=opened), state)
    assert (state / "stand-ins.toml").stat().st_mode & 0o7777 == 0o600


@pytest.mark.parametrize("kept", [0.3, 0.99])
def test_half_a_copy_changes_nothing(kept: float, copy: Path, state: Path) -> None:
    data = copy.read_bytes()
    copy.write_bytes(data[: int(len(data) * kept)])
    before = names_in(state)
    with pytest.raises(UserError, match=r"is damaged, or no copy of a table: .*; take another copy"):
        restore(copy, state)
    assert names_in(state) == before


def test_zeros_without_end_after_a_copy_are_not_read_to_their_end(
    copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_PADDING_BYTES", 20_000)
    restore(copy, state)
    copy.write_bytes(gzip.compress(gzip.decompress(copy.read_bytes()) + bytes(1_000_000)))
    with pytest.raises(UserError, match="something follows its end"):
        restore(copy, state)


def test_a_file_that_is_too_large_is_refused_before_it_is_written(
    copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_FILE_BYTES", 5000)
    with pytest.raises(UserError, match=f"{MATCH} in it is too large for a copy"):
        restore(copy, state)
    assert not (state / MATCH).exists()


def test_a_link_in_the_state_folder_is_not_followed(copy: Path, state: Path, tmp_path: Path) -> None:
    (state / OTHER).unlink()
    (state / "matches").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (state / "matches").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="can't be written"):
        restore(copy, state)
    assert names_in(tmp_path / "elsewhere") == set()


def test_a_pipe_is_no_copy(state: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tar.gz")
    with pytest.raises(UserError, match="is not a file; name a copy"):
        restore(tmp_path / "pipe.tar.gz", state)


def test_a_copy_of_a_version_without_a_number_can_be_restored(state: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.tar.gz"
    with tarfile.open(old, "w:gz") as made:
        for name, data in STATE.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            made.addfile(entry, io.BytesIO(data))
    assert restore(old, state).matches == 1


# The command.


def test_the_command_names_what_it_has_restored(copy: Path, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["restore", "--state", str(state), str(copy)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"1 match into {state}/matches, mode 0644",
        *(f"{state}/{name}, mode 0600" for name in ("counters.toml", "settings.toml", "house.sqlite")),
        "left in the copy: table.toml; --layouts puts layouts and rules back",
    ]


def test_the_command_refuses_while_a_table_runs(copy: Path, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with state_dir.locked(state):
        assert cli.main(["restore", "--state", str(state), str(copy)]) == 2
    assert "another dudo-table keeps its journal there" in capsys.readouterr().err
    assert (state / "settings.toml").read_text() == ""


def test_the_command_puts_layouts_back(
    copy: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "etc").mkdir()
    monkeypatch.setattr(command, "DEFAULT_LAYOUT", str(tmp_path / "etc/table.toml"))
    assert cli.main(["restore", "--layouts", "--state", str(state), str(copy)]) == 0
    assert (tmp_path / "etc/table.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--state", "{0}/nowhere", "{0}/copy"], "there is no such folder; start the table once"),
        (["--state", "{0}/state", "{0}/nowhere"], "can't be read: no such file or directory; name a copy"),
        (["--state", "{0}/state", "{0}/state/settings.toml"], "is damaged, or no copy of a table"),
    ],
)
def test_the_command_names_what_is_not_there(
    arguments: list[str], said: str, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["restore", *(each.format(tmp_path) for each in arguments)]) == 2
    assert said in capsys.readouterr().err
