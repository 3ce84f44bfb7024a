"""A pipe, a link or a device where the daemon keeps something: it goes on without, and waits for nobody."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import PERUDO
from firmware_host import cli
from firmware_host.commands.show import _write
from firmware_host.configuration.layout_in_force import LastGood
from firmware_host.devices.pairing import replacements
from firmware_host.devices.pairing.replacements import ReplacementsError
from firmware_host.errors import RecordFileError, UserError
from firmware_host.store.journal.quarantine import is_log_damaged
from firmware_host.store.journal.store import JournalFile
from firmware_host.store.scores.recorder import open_record_file, recording
from firmware_host.util import atomic_file, state_dir

LAID: dict[str, Callable[[Path], None]] = {
    "fifo": lambda path: os.mkfifo(path),
    "endless device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
}


pytestmark = pytest.mark.timeout(20)


@pytest.mark.parametrize("lay", LAID.values(), ids=LAID)
def test_stand_ins_that_are_no_file_are_one_clear_line(lay: Callable[[Path], None], tmp_path: Path) -> None:
    lay(tmp_path / replacements.FILE)
    with pytest.raises(ReplacementsError, match=r"the layout's ids stand; correct the file or delete it$") as caught:
        replacements.read(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["a." * 20_000 + "a = 1", "#" * 100_000, "[" * 1000, 'a = "\x1b[2J\u202e"'])
def test_stand_ins_that_are_tedious_are_one_clear_line(text: str, tmp_path: Path) -> None:
    (tmp_path / replacements.FILE).write_text(text)
    with pytest.raises(ReplacementsError) as caught:
        replacements.read(tmp_path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("lay", LAID.values(), ids=LAID)
def test_a_last_good_layout_that_is_no_file_is_none(lay: Callable[[Path], None], tmp_path: Path) -> None:
    kept = LastGood(tmp_path, "table.toml")
    kept.keep("text", None)
    assert kept.layout() == "text"
    (kept.folder / "table.toml").unlink()
    lay(kept.folder / "table.toml")
    assert kept.layout() is None


@pytest.mark.parametrize("lay", [LAID["fifo"], LAID["endless device"]])
def test_a_log_that_is_no_file_is_a_damaged_one(lay: Callable[[Path], None], tmp_path: Path) -> None:
    lay(tmp_path / "journal.sqlite-wal")
    assert is_log_damaged(tmp_path / "journal.sqlite-wal")


def test_a_journal_with_a_pipe_for_a_log_is_opened_or_refused(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "journal.sqlite")
    file.open()
    file.close()
    os.mkfifo(tmp_path / "journal.sqlite-wal")
    with pytest.raises(OSError, match="its log is damaged"):
        JournalFile(tmp_path / "journal.sqlite").open()


def test_a_pipe_in_place_of_the_lock_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / state_dir.LOCK, 0o444)
    with state_dir.locked(tmp_path) as folder:
        assert folder == tmp_path


def test_a_link_in_place_of_a_new_file_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "file.new").symlink_to("precious")
    atomic_file.write_atomic(tmp_path / "file", "new")
    assert ((tmp_path / "file").read_text(), (tmp_path / "precious").read_text()) == ("new", "kept")


def test_a_pipe_in_place_of_a_new_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file.new")
    atomic_file.write_atomic(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "new"


def test_scores_are_not_written_to_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordFileError, match="can't be written: is a pipe, not a file; name a file"):
        open_record_file(tmp_path / "pipe")


@pytest.mark.parametrize("name", ["/dev/null"])
def test_scores_are_written_to_a_device_that_takes_them(name: str) -> None:
    with recording(Path(name), PERUDO, ("North", "South")):
        pass


def test_a_drawing_is_not_written_to_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "w.svg")
    with pytest.raises(UserError, match="can't be written: is not a file"):
        _write(tmp_path / "w.svg", "<svg/>", "wired-4")


def test_run_comes_up_with_pipes_all_over_its_state_folder(tmp_path: Path) -> None:
    """The daemon says what it goes without, and is ready."""
    (tmp_path / "last-good").mkdir()
    for name in (
        "lock",
        "stand-ins.toml",
        "stand-ins.toml.new",
        "last-good/of",
        "last-good/table.toml",
        "journal.sqlite",
    ):
        os.mkfifo(tmp_path / name)
    command = [sys.executable, "-m", "firmware_host.cli", "run", "--layout", "boards-8", "--state", str(tmp_path)]
    with subprocess.Popen(
        ["timeout", "15", *command, "--events", str(tmp_path / "s")],
        cwd=Path(cli.__file__).parent.parent,
        stderr=subprocess.PIPE,
        text=True,
    ) as table:
        assert table.stderr is not None
        assert any("is ready" in line for line in table.stderr)
        table.terminate()
        table.stderr.read()
