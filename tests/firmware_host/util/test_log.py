"""The log of `run` on stderr: with the program's name in a terminal, with levels in the system's journal."""

import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.util import log, state_dir

ROOT = Path(cli.__file__).parent.parent
COMMAND = [sys.executable, "-m", "firmware_host.cli", "run", "--layout"]


def environment(**more: str) -> dict[str, str]:
    usual = {name: value for name, value in os.environ.items() if name not in ("JOURNAL_STREAM", "NOTIFY_SOCKET")}
    return {**usual, "PYTHONPATH": str(ROOT), **more}


def stream(of: int) -> str:
    """Return systemd's name for a stream that leads to the journal."""
    status = os.fstat(of)
    return f"{status.st_dev}:{status.st_ino}"


def log_lines(folder: Path, layout: str, *, to_journal: bool, until: str, **more: str) -> tuple[list[str], int]:
    """Return the lines of a table that runs until it says so, or ends by itself."""
    with (folder / "log").open("w+") as lines:
        stderr = stream(lines.fileno()) if to_journal else "1:2"
        with subprocess.Popen(
            [*COMMAND, layout, "--state", str(folder / "state")],
            env=environment(JOURNAL_STREAM=stderr, **more),
            stderr=lines,
        ) as table:
            end_s = time.monotonic() + 20
            while until not in (folder / "log").read_text() and table.poll() is None and time.monotonic() < end_s:
                time.sleep(0.05)
            table.send_signal(signal.SIGTERM)
    return (folder / "log").read_text().splitlines(), table.returncode


def test_in_a_terminal_every_line_begins_with_the_name(tmp_path: Path) -> None:
    lines, _ = log_lines(tmp_path, "boards-8", to_journal=False, until="is not there")
    assert any("is ready" in line for line in lines)
    assert [line for line in lines if not line.startswith("dudo-table: ")] == []


def test_for_the_journal_every_line_begins_with_its_level_and_no_name(tmp_path: Path) -> None:
    lines, _ = log_lines(tmp_path, "boards-8", to_journal=True, until="is not there")
    assert any(re.fullmatch("<6>boards-8 is ready: .*", line) for line in lines)
    assert [line for line in lines if not re.match("<[2-7]>", line)] == []
    assert {line[:3] for line in lines if "is not there" in line} == {"<4>"}


def test_a_service_whose_configuration_is_unusable_says_so_as_an_error(tmp_path: Path) -> None:
    lines, code = log_lines(
        tmp_path, str(tmp_path / "none.toml"), to_journal=True, until="is ready", NOTIFY_SOCKET=str(tmp_path / "nobody")
    )
    assert code == 78
    assert lines
    assert all(line.startswith("<3>") for line in lines)


def test_a_service_that_is_refused_its_folder_says_so_as_an_error(tmp_path: Path) -> None:
    with state_dir.locked(tmp_path / "state"):
        heard = str(tmp_path / "nobody")
        lines, code = log_lines(tmp_path, "boards-8", to_journal=True, until="is ready", NOTIFY_SOCKET=heard)
    assert code == 2
    assert lines[-1].startswith("<3>")


@pytest.mark.parametrize(
    ("level", "mark"),
    [(logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.DEBUG, 7), (5, 7)],
)
def test_each_level_has_syslogs_number(level: int, mark: int) -> None:
    record = logging.LogRecord("any", level, "", 0, "%d dice", (3,), None)
    assert log.LevelFormatter().format(record) == f"<{mark}>3 dice"


def test_a_traceback_has_its_level_on_every_line() -> None:
    record = logging.LogRecord("any", logging.ERROR, "", 0, "failed\n  here\n", (), None)
    assert log.LevelFormatter().format(record) == "<3>failed\n<3>  here"
