"""Every command in the README and in the pages beside it works, in the order of the page and with the page's files."""

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
PAGES = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/configuration.md", "docs/play.md")
DOCUMENTS = sorted(
    str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/*.md"))
)
SESSIONS = {"README.md": 6, "docs/architecture.md": 7}  # and how many examples their Python sessions have

DRY = (
    *("test", "test-all", "test-system", "check", "soak", "cover", "bench", "site", "pictures", "screens", "goldens"),
    "words",
    "release",
)
"""Targets that take long or write into the clone: make only prints what it would run."""
UNTIL_STOPPED = {  # and what shows that it works
    "make play": "http://127.0.0.1:",
    "dudo-table play": "http://127.0.0.1:",
    "make play --watch": "╭",
    "dudo-table run": "is ready",
    "dudo-table listen": '"type":"state"',
    "dudo-table screen": "http://",
    "dudo-table voice": "trying again",  # it waits for a table
    "dudo-table tv": "trying again",
    "dudo-table phones": "http://",
}


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text(page), re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[str]:
    lines = (line.partition("  #")[0].strip() for line in block.splitlines())
    return [line for line in lines if line]


SHELL = [pytest.param(page, block, id=f"{page} {commands(block)[0]}") for page in PAGES for block in blocks(page, "sh")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Give a folder for each page that looks like a clone with the page's files in it."""
    return {page: clone(page, tmp_path_factory.mktemp("clone")) for page in PAGES}


def clone(page: str, folder: Path) -> Path:
    (folder / "run").mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        (folder / name).symlink_to(ROOT / name)
    for body in blocks(page, "toml"):
        first = body.partition("\n")[0]
        if first.startswith("# "):  # its name; without one it is a part of a file
            assert first.endswith(".toml"), first
            (folder / first.removeprefix("# ")).write_text(body, encoding="utf-8")
    return folder


def takes_long(command: str) -> bool:
    words = command.split()
    return words[0] == "make" and words[1] in DRY


def environment(folder: Path) -> dict[str, str]:
    """This computer's, with the command on the path, no browser to open and no state but the folder's."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS", "ARGS")  # ARGS is that of `make test-all`
    }
    own = {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "XDG_RUNTIME_DIR": str(folder / "run")}
    return {**kept, **own, "PATH": f"{sys.prefix}/bin:{os.environ['PATH']}", "TERM": "xterm", "COLUMNS": "120"}


def kind(command: str) -> str:
    """Return a command's kind: its first two words, with the flags that change `play`."""
    words = shlex.split(command.replace("ARGS=", "ARGS ", 1).replace('"', " "))
    modes = [word for word in words[2:] if word in ("--watch", "--headless")]
    return " ".join((*words[:2], *modes))


def typed(command: str) -> list[str]:
    words = shlex.split(command)
    ready = [f"--assume-old=.venv/{mark}" for mark in ("playable", "testable", "readable")]
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


def wait_for_line(printed: Iterator[str], wanted: str) -> str:
    seen = ""
    for piece in printed:
        seen += piece
        if wanted in seen:
            break
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(("page", "block"), SHELL)
def test_every_command_works(page: str, block: str, folders: dict[str, Path]) -> None:
    folder = folders[page]
    for command in commands(block):
        if command.startswith(".venv/bin/pip"):
            assert set(re.findall(r"\[(\w+)\]", command)) <= set(
                importlib.metadata.metadata("dudo-table").get_all("Provides-Extra", [])
            )
        elif command == "dudo-table listen":
            with started("dudo-table run my-table.toml", folder) as running:
                wait_for_line(running, "is ready")
                with started(command, folder) as listening:
                    assert UNTIL_STOPPED[command] in wait_for_line(listening, UNTIL_STOPPED[command])
        elif wanted := UNTIL_STOPPED.get(kind(command)):
            with started(command, folder) as printed:
                assert wanted in wait_for_line(printed, wanted)
        else:
            dry = ["--dry-run"] if takes_long(command) else []
            done = subprocess.run(
                [*typed(command), *dry],
                cwd=folder,
                env=environment(folder),
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, f"{command}: {done.stderr}"


@pytest.mark.parametrize("page", DOCUMENTS)
def test_every_file_it_links_to_is_there(page: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", text(page))
    assert [target for target in targets if not ((ROOT / page).parent / target).exists()] == []


@pytest.mark.parametrize("page", DOCUMENTS)
def test_every_path_in_the_tree_that_it_names_is_there(page: str) -> None:
    paths = re.findall(r"`((?:engine|hardware|drivers|firmware_host|tests|docs|bench|debian)/[\w./-]+)`", text(page))
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_readme_lists_every_document() -> None:
    listed = {*re.findall(r"\]\(([^)#]+\.md)\)", text("README.md"))}
    assert {page for page in DOCUMENTS if page != "README.md"} <= listed


@pytest.mark.parametrize(("page", "examples"), SESSIONS.items())
def test_its_python_session_is_what_python_says(page: str, examples: int) -> None:
    assert doctest.testfile(str(ROOT / page), module_relative=False) == (0, examples)


def test_the_package_is_for_one_debian_wherever_a_document_says_so() -> None:
    pages = {page: (ROOT / page).read_text(encoding="utf-8") for page in DOCUMENTS}
    assert [page for page, text in pages.items() if "any Debian" in text] == []
    (target,) = re.findall(r"^deb: .*for (Debian \d+) and", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert target in pages["docs/install.md"].split("\n\n")[1]


@pytest.mark.parametrize(("code", "ends"), [(130, (0, "")), (3, (2, "Error 1"))])
def test_make_play_ends_quietly_on_ctrl_c_and_not_on_an_error(tmp_path: Path, code: int, ends: tuple[int, str]) -> None:
    (tmp_path / "dudo-table").write_text(f"#!/bin/sh\nexit {code}\n")
    (tmp_path / "dudo-table").chmod(0o755)
    command = ["make", "--old-file=.venv/playable", "play", f"BIN={tmp_path}"]
    made = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stderr[made.stderr.find("Error") :].strip() if made.stderr else "") == ends
