"""`dudo-table run` as its owner starts it: it says where its socket is, `listen` reads there, a fault is one line."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host import cli, wire
from firmware_host.commands import listen

COMMAND = [sys.executable, "-m", "firmware_host.cli"]
ROOT = Path(cli.__file__).parent.parent


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Give a table with seat boards, none of which is plugged in."""
    surroundings = {name: value for name, value in os.environ.items() if name not in ("XDG_RUNTIME_DIR",)}
    with subprocess.Popen(
        [*COMMAND, "run", "--layout", "boards-8", *arguments],
        env={**surroundings, "PYTHONPATH": str(ROOT), **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def line_with(process: subprocess.Popen[str], word: str) -> str:
    """Return the first line of the log with a word in it."""
    assert process.stderr is not None
    return next(line.strip() for line in process.stderr if word in line)


def test_it_says_where_the_events_are_and_listen_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "here.sock"
    with running("--state", str(tmp_path), "--events", str(path)) as table:
        assert line_with(table, "events") == f"dudo-table: the public events can be read at {path}"
        line_with(table, "is ready")
        listening = subprocess.Popen(
            [*COMMAND, "listen", str(path)], env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE
        )
        assert listening.stdout is not None
        assert isinstance(wire.read(listening.stdout.readline()), wire.PublicState)
    assert listening.wait(20) == 0
    listening.stdout.close()
    assert not path.exists()


@pytest.mark.slow
def test_listen_begins_where_it_is_told_to_also_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "here.sock"
    command = [*COMMAND, "listen", str(path), "--since"]
    for since in (0, 2):
        with running("--state", str(tmp_path), "--events", str(path)) as table:
            line_with(table, "is ready")
            line_with(table, "does not answer")
            with subprocess.Popen(
                [*command, str(since)], env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE
            ) as listening:
                assert listening.stdout is not None
                assert json.loads(listening.stdout.readline())["seq"] == since + 1
                listening.terminate()


def test_listen_says_that_events_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "here.sock"
    with running("--state", str(tmp_path), "--events", str(path)) as table:
        line_with(table, "is ready")
        with subprocess.Popen(
            [*COMMAND, "listen", str(path), "--since", "987654321"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as listening:
            assert listening.stdout is not None
            assert listening.stderr is not None
            assert json.loads(listening.stdout.readline())["type"] == "state"
            line = listening.stderr.readline().decode()
            assert line == "dudo-table: the table has no events after 987654321 to send again\n"
            listening.terminate()


class SilentTable(socket.socket):
    """A table that sends two events with a silence between them, longer than one call waits."""

    def __init__(self) -> None:
        super().__init__(socket.AF_UNIX)
        self._says = iter((b"1\n", TimeoutError(), b"2\n", b""))

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        said = next(self._says)
        if isinstance(said, TimeoutError):
            assert self.gettimeout() == listen.SIGNAL_CHECK_S
            raise said
        return said


def test_listen_waits_through_silence_in_calls_that_end_so_that_ctrl_c_is_seen() -> None:
    with SilentTable() as table:
        assert [line for line in listen._lines(table, Path("events.sock")) if line] == ["1", "2"]


def test_without_a_word_about_it_the_events_are_beside_the_journal(tmp_path: Path) -> None:
    with running("--state", str(tmp_path)) as table:
        assert line_with(table, "events").endswith(f" {tmp_path}/events.sock")


@pytest.mark.slow
def test_after_a_table_that_was_killed_the_next_one_takes_its_place(tmp_path: Path) -> None:
    for _ in range(2):
        with running("--state", str(tmp_path)) as table:
            line_with(table, "is ready")
            table.kill()
    assert (tmp_path / "events.sock").is_socket()


@pytest.mark.parametrize("place", ["none/events.sock", "x" * 120])
def test_a_place_that_will_not_do_ends_it_with_one_line(place: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "run", "--layout", "boards-8", "--state", str(tmp_path), "--events", str(tmp_path / place)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"{tmp_path / place}: ")
    assert "name another path with --events" in done.stderr
