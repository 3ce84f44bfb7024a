"""Nothing that a command prints is obeyed by a terminal, wherever it comes from."""

import io
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.util import terminal
from firmware_host.util.escaping import EscapingStream
from hardware.config.problems import MAX_LINE_CHARACTERS, MAX_PROBLEMS, FileError, Problem, escaped, one_line

ROOT = Path(cli.__file__).parent.parent
OBEYED = {
    "\x1b[2J": r"\x1b[2J",
    "\x9b31m": r"\x9b31m",
    "\x07\x08\r\x7f": r"\x07\x08\r\x7f",
    "\u202egnp.exe\u2069": r"\u202egnp.exe\u2069",
    "\u2028\u2029": r"\u2028\u2029",
    "\udcff": r"\udcff",
    "\U000e0041": r"\U000e0041",
}
KEPT = "Ñandú “東京” ●─’ 😀"


@pytest.mark.parametrize(("text", "shown"), OBEYED.items())
def test_what_a_terminal_obeys_is_written_as_an_escape(text: str, shown: str) -> None:
    assert escaped(f"a{text}b") == f"a{shown}b"


def test_what_can_be_seen_stays() -> None:
    assert escaped(KEPT) == KEPT


def test_a_stream_escapes_everything_but_newlines() -> None:
    stream = io.StringIO()
    print("one\x1b[31m", f"{KEPT}\n\u202etwo", file=EscapingStream(stream))
    assert stream.getvalue() == f"one\\x1b[31m {KEPT}\n\\u202etwo\n"


def test_a_long_line_is_cut() -> None:
    line = one_line("\x1b" * 10_000_000)
    assert (len(line), line[-1]) == (MAX_LINE_CHARACTERS, "…")


def test_a_terminal_gets_no_codes_but_those_it_was_drawn_with(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.print_lines(["plain \x1b[2J", terminal.Text("styled \x9b31m", style="bold")])
    assert capsys.readouterr().out == "plain \\x1b[2J\nstyled \\x9b31m\n"


@pytest.mark.parametrize(("count", "lines"), [(MAX_PROBLEMS, MAX_PROBLEMS), (MAX_PROBLEMS + 1, MAX_PROBLEMS + 1)])
def test_as_many_faults_as_somebody_reads_are_told(count: int, lines: int) -> None:
    error = FileError("table.toml", [Problem(f"key{number}", "", "is wrong", "fix it") for number in range(count)])
    assert str(error).count("\n") + 1 == lines


def test_how_many_more_faults_there_are_is_told() -> None:
    error = FileError("table.toml", [Problem(f"key{number}", "", "is wrong", "fix it") for number in range(5020)])
    assert str(error).splitlines()[MAX_PROBLEMS:] == ["table.toml: has 5000 more problems; correct these first"]


def test_a_long_name_of_a_file_leaves_room_for_what_is_wrong() -> None:
    assert str(FileError("x" * 5000, [Problem("key", "", "is wrong", "fix it")])).endswith("x: key: is wrong; fix it")


# At a socket.


@contextmanager
def answering(path: Path, answer: Callable[[socket.socket], object]) -> Iterator[None]:
    """Have somebody listen at a path who tells whoever connects."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):  # it may have had enough
                answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join(20)


def listen(path: Path) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", 'ulimit -v 1048576; exec "$@"', "-", sys.executable, "-m", "firmware_host.cli", "listen"]
    return subprocess.run([*command, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=30)


def test_listen_prints_json_that_says_the_same_and_nothing_that_is_obeyed(tmp_path: Path) -> None:
    event = {"name": "\x9b2J\u202e\x7f\U000e0041" + KEPT}
    line = json.dumps(event, ensure_ascii=False).encode()
    with answering(tmp_path / "s", lambda table: table.sendall(line + b"\n")):
        done = listen(tmp_path / "s")
    assert done.returncode == 0
    assert done.stdout.removesuffix("\n").isprintable()
    assert json.loads(done.stdout) == event


@pytest.mark.parametrize("junk", [b"\x1b]0;title\x07\x1b[2J", b"\xff\xfe\x9b31m", b"\x00" * 100, b"\r\x08"])
def test_listen_prints_no_junk_as_it_is(junk: bytes, tmp_path: Path) -> None:
    with answering(tmp_path / "s", lambda table: table.sendall(junk + b"\n")):
        done = listen(tmp_path / "s")
    assert done.stdout.removesuffix("\n").isprintable()
    assert "Traceback" not in done.stderr


def test_a_line_without_end_is_no_tables(tmp_path: Path) -> None:
    with answering(tmp_path / "s", lambda table: [table.sendall(b"x" * (1 << 20)) for _ in range(1 << 14)]):
        done = listen(tmp_path / "s")
    assert done.returncode == 2
    assert done.stderr.endswith(
        "not the socket of a table: it sends a line of more than 256 KiB; name the socket that dudo-table run prints\n"
    )


@pytest.mark.slow
def test_who_says_nothing_at_all_is_no_table(tmp_path: Path) -> None:
    with answering(tmp_path / "s", lambda table: table.recv(1)):
        done = listen(tmp_path / "s")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "sends nothing for 5 s" in done.stderr


def test_a_table_that_goes_in_the_middle_of_a_line_is_told(tmp_path: Path) -> None:
    with answering(tmp_path / "s", lambda table: table.sendall(b"{}\n{")):
        done = listen(tmp_path / "s")
    assert (done.returncode, done.stdout) == (2, "{}\n")
    assert "listen again" in done.stderr
