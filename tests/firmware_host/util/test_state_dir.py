"""The daemon's folder is its owner's alone and one daemon's at a time, whichever way the one before ended."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.errors import UserError
from firmware_host.util import state_dir

ROOT = Path(cli.__file__).parent.parent
HOLD = (
    "import sys, pathlib; from firmware_host.util import state_dir\nwith state_dir.locked(pathlib.Path(sys.argv[1])):"
)


def test_it_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        with state_dir.locked(tmp_path / "new" / "state") as folder:
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    finally:
        os.umask(umask)


def test_a_folder_that_was_there_keeps_its_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with state_dir.locked(tmp_path):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_second_daemon_is_refused_in_one_line_that_names_the_folder(tmp_path: Path) -> None:
    with state_dir.locked(tmp_path), pytest.raises(UserError) as refusal, state_dir.locked(tmp_path):
        pass
    assert str(refusal.value) == (
        f"{tmp_path}: another dudo-table keeps its journal there; stop that one, or name another folder with --state"
    )


def test_run_refuses_a_folder_that_is_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with state_dir.locked(tmp_path):
        assert cli.main(["run", "--layout", "boards-8", "--state", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"{tmp_path}: another dudo-table keeps its journal there; ")
    assert error.count("\n") == 1


def test_it_is_free_again_when_the_daemon_ends(tmp_path: Path) -> None:
    for _ in range(2):
        with state_dir.locked(tmp_path):
            pass


def test_it_is_free_again_when_the_daemon_is_killed(tmp_path: Path) -> None:
    holding = f"{HOLD} print(flush=True); sys.stdin.read()"
    daemon = subprocess.Popen(
        [sys.executable, "-c", holding, str(tmp_path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert daemon.stdout is not None
    daemon.stdout.readline()
    with pytest.raises(UserError), state_dir.locked(tmp_path):
        pass
    daemon.send_signal(signal.SIGKILL)
    daemon.communicate()
    with state_dir.locked(tmp_path):
        pass


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="can't keep the journal there: not a directory; name another folder"):
        state_dir.locked(tmp_path / "file" / "state").__enter__()


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/dudo-table", "XDG_STATE_HOME": "/x"}, "/var/lib/dudo-table"),
        ({"XDG_STATE_HOME": "/home/me/state"}, "/home/me/state/dudo-table"),
        ({"XDG_STATE_HOME": "state"}, str(Path.home() / ".local/state/dudo-table")),
        ({}, str(Path.home() / ".local/state/dudo-table")),
    ],
)
def test_it_is_where_the_system_says(environment: dict[str, str], folder: str) -> None:
    assert state_dir.default(environment) == Path(folder)
