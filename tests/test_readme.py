"""What the README tells a newcomer to type works, in the order it is told, with the files it tells to write."""

import doctest
import importlib.metadata
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
SHELL = [body for language, body in BLOCKS if language == "sh"]
FILES = [body for language, body in BLOCKS if language == "toml"]

TAKES_LONG = (
    "make test",
    "make test-all",
    "make test-system",
    "make soak",
    "make bench",
)  # make says what it would run
UNTIL_STOPPED = {  # and what tells that it works
    "make play": "http://127.0.0.1:",
    "dudo-table play": "http://127.0.0.1:",
    "make play --watch": "╭",
    "dudo-table run": "is ready",
    "dudo-table listen": '"type":"state"',
}


def commands(block: str) -> list[str]:
    lines = (line.partition("  #")[0].strip() for line in block.splitlines())
    return [line for line in lines if line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that looks like a clone with the README's files in it."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "run").mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        (folder / name).symlink_to(ROOT / name)
    for body in FILES:
        name = body.partition("\n")[0].removeprefix("# ")
        assert name.endswith(".toml"), "a file's first line is its name"
        (folder / name).write_text(body, encoding="utf-8")
    return folder


def environment(folder: Path) -> dict[str, str]:
    """This computer's, with the command on the path, no browser to open and no state but the folder's."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS")
    }
    own = {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "XDG_RUNTIME_DIR": str(folder / "run")}
    return {**kept, **own, "PATH": f"{sys.prefix}/bin:{os.environ['PATH']}", "TERM": "xterm", "COLUMNS": "120"}


def kind(command: str) -> str:
    """What sort of command it is: its first two words, with what makes `play` another thing."""
    words = shlex.split(command.replace("ARGS=", "ARGS ", 1).replace('"', " "))
    told = [word for word in words[2:] if word in ("--watch", "--headless")]
    return " ".join((*words[:2], *told))


def typed(command: str) -> list[str]:
    words = shlex.split(command)
    ready = [f"--assume-old=.venv/{mark}" for mark in ("playable", "testable")]
    return [words[0], *ready, *words[1:]] if words[0] == "make" else words


@contextmanager
def started(command: str, folder: Path) -> Iterator[Iterator[str]]:
    """Start a command in a terminal of its own, give what it prints piece by piece, and stop it as Ctrl-C does."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        typed(command), cwd=folder, env=environment(folder), stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)

    def pieces() -> Iterator[str]:
        while True:
            try:
                yield os.read(ours, 65536).decode(errors="replace")
            except OSError:  # the terminal's other end is closed
                return

    try:
        yield pieces()
    finally:
        os.killpg(process.pid, signal.SIGINT)
        while next(pieces(), ""):
            pass
        process.wait(30)
        os.close(ours)


def tells(printed: Iterator[str], wanted: str) -> str:
    seen = ""
    for piece in printed:
        seen += piece
        if wanted in seen:
            break
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("block", SHELL, ids=lambda block: commands(block)[0])
def test_every_command_works(block: str, folder: Path) -> None:
    for command in commands(block):
        if command.startswith(".venv/bin/pip"):
            assert set(re.findall(r"\[(\w+)\]", command)) <= set(
                importlib.metadata.metadata("dudo-table").get_all("Provides-Extra", [])
            )
        elif command == "dudo-table listen":
            with started("dudo-table run --layout my-table.toml", folder) as running:
                tells(running, "is ready")
                with started(command, folder) as listening:
                    assert UNTIL_STOPPED[command] in tells(listening, UNTIL_STOPPED[command])
        elif wanted := UNTIL_STOPPED.get(kind(command)):
            with started(command, folder) as printed:
                assert wanted in tells(printed, wanted)
        else:
            dry = ["--dry-run"] if command in TAKES_LONG else []
            done = subprocess.run(
                [*typed(command), *dry],
                cwd=folder,
                env=environment(folder),
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, f"{command}: {done.stderr}"


def test_every_file_it_links_to_is_there() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_its_python_session_is_what_python_says() -> None:
    assert doctest.testfile(str(README), module_relative=False).failed == 0
