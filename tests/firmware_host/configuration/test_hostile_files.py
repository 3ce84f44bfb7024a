"""Files that were laid to stop a command, to fill its memory or to write on its terminal: each is one error, at once.

`pytest -rP` prints how long every command took.
"""

import os
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support.host.forked_commands import run_forked

from hardware.config.layout import load_builtin

TIMEOUT_S = 10.0  # of a machine that is busy with other tests; alone each takes well under two seconds
MEMORY_BYTES = 1 << 30
WIRED = Path(load_builtin("wired-4").path).read_text()

TOML = {
    "check": "check {}",
    "show": "show {}",
    "rules": "rules {}",
    "run": "run --state {state} --layout {}",
    "blank": "blank --state {state} --layout {}",
    "play --layout": "play --headless --seats 2 --layout {}",
    "play --rules": "play --headless --seats 2 --rules {}",
    "layout's rules": "check {layout}",
    "doctor": "doctor --state {state} --layout {}",
}
RECORDS = {"verify": "verify {}", "replay": "replay {}"}
WIRING = {"check .py": "check {}.py", "show .py": "show --wiring {state}/board.svg {}.py"}
CASES = {"engine check": ""}
COMMANDS = {**TOML, **RECORDS, **WIRING, **CASES}


def run(command: str, file: Path) -> CompletedProcess[str]:
    """Run a command on a file with little memory; it must end by itself, without a traceback."""
    layout = file.with_name("layout.toml")
    if "{layout}" in command:
        layout.write_text(WIRED.replace('rules = "perudo"', f'rules = "{file.name}"'))
    if "{}.py" in command:
        file = file.rename(file.with_name(f"{file.name}.py")).with_suffix("")
    words = [word.format(file, state=file.parent / "state", layout=layout) for word in command.split()]
    line = ["firmware_host.cli", *words] if words else ["engine", "check", str(file)]
    began_s = time.monotonic()
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(file.parent)}
    done = run_forked(*line, environment=environment, memory_bytes=MEMORY_BYTES, timeout_s=TIMEOUT_S)
    print(f"TOOK {time.monotonic() - began_s:5.2f} s  {line[:2]}: {done.stderr.strip()[-120:]!r}")
    assert "Traceback" not in done.stderr
    return done


def refused(name: str, file: Path) -> str:
    """Return the one error that a command has for a file."""
    done = run(COMMANDS[name], file)
    if name == "doctor":  # which has more to say than that the file is wrong
        assert done.returncode in (1, 2)
        return done.stdout
    assert done.returncode in ((1, 2, 3) if name == "verify" else (1, 2)), done.stdout
    *errors, last = done.stderr.splitlines()
    assert len(errors) <= 20, done.stderr
    assert not errors or re.search(r"has \d+ more problems|were not looked at", last) or len(errors) < 20
    return done.stderr


# What is not a file at all, for every command.


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def unix_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


def without_end(path: Path) -> None:
    """A file that takes no room on the disk, and 2 GiB in memory."""
    with path.open("wb") as file:
        file.truncate(2 << 30)


NO_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "fifo": (fifo, "pipe"),
    "device": (device, "device"),
    "directory": (Path.mkdir, "is a directory"),
    "socket": (unix_socket, "socket"),
    "2 GiB": (without_end, "is larger than"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_file_is_refused_at_once(name: str, command: str, tmp_path: Path) -> None:
    make, expected = NO_FILES[name]
    make(tmp_path / "file.toml")
    assert expected in refused(command, tmp_path / "file.toml").lower()


# Files of text, for the commands that read such.

N = 60_000
TOML_TEXTS: dict[str, tuple[Callable[[], str], str]] = {
    "64 MB of comments": (lambda: "# nothing\n" * 6_700_000, "larger than 64 KiB"),
    "60 kB of comments": (lambda: "#\n" * (N // 2), "neither|is missing"),
    "80 kB of dotted keys": (lambda: "a." * 40_000 + "a = 1", "larger than 64 KiB"),
    "60 kB of dotted keys": (lambda: "a." * (N // 2) + "a = 1", "too many dots"),
    "dots between texts": (lambda: "''.\"\"." * (N // 6) + "a = 1", "too many dots"),
    "dots behind a text that ends in quotes": (
        lambda: 'a = {b = """c"""", ' + "d." * 28_000 + "d = 1}",
        "too many dots",
    ),
    "a long heading": (lambda: "[" + "a." * (N // 2) + "a]", "too many dots"),
    "nested lists": (lambda: "a = " + "[" * 30_000 + "]" * 30_000, "too deep"),
    "nested tables": (lambda: "a = " + "{a=" * 15_000 + "1" + "}" * 15_000, "too deep"),
    "a long number": (lambda: "a = " + "9" * N, "number too long"),
    "a long hex number": (lambda: "turn_clock_s = 0x" + "f" * N, "turn_clock_s|unknown key"),
    "a long name": (lambda: f'name = "{"x" * N}"\nseat = []', "name"),
    "null bytes": (lambda: "\0" * N, "not TOML"),
    "short keys": (lambda: "".join(f"k{number:x}=1\n" for number in range(N // 8)), "neither|more problems"),
    "long keys": (lambda: "".join(f"turn_clock_x{number:x}=1\n" for number in range(N // 20)), "more problems"),
    "keys of rules": (
        lambda: "based_on = 'perudo'\n" + "".join(f"to_ace_{n:x}=1\n" for n in range(N // 14)),
        "more problem|layout",
    ),
    "words of rules": (lambda: "based_on = 'perudo'\nspecial = [" + '"blond",' * (N // 8) + "]", "more problem|layout"),
    "seats": (lambda: "[[seat]]\n" * (N // 9), "more problems"),
    "seats with keys": (lambda: "[[seat]]\nnome=1\n" * (N // 16), "more problems"),
    "names without letters": (lambda: '[[seat]]\nname="東京"\n' * (N // 25), "more problems"),
    "wires": (lambda: "wires = [" + "[1,1]," * (N // 6) + "]\nseat=[]", "more problems"),
}
READ_AS_TOML = ("check", "show", "rules", "run", "layout's rules")


@pytest.mark.parametrize("command", READ_AS_TOML)
@pytest.mark.parametrize("name", TOML_TEXTS)
def test_toml_that_is_tedious_is_refused_at_once(name: str, command: str, tmp_path: Path) -> None:
    text, expected = TOML_TEXTS[name]
    file = tmp_path / "file.toml"
    file.write_text(text())
    error = refused(command, file)
    assert re.search(expected if command in ("check", "run", "show") else "", error), error


HEADING = "dudo score 1\nrules: perudo\nseat 0: A\nseat 1: B\n\n"
MIB = 1 << 20
RECORD_TEXTS: dict[str, Callable[[], str]] = {
    "64 MB of comments": lambda: "% nothing\n" * 6_700_000,
    "30 MB of comments": lambda: "% nothing\n" * 3_000_000,
    "30 MB of empty lines": lambda: "\n" * (30 * MIB),
    "a line of 30 MB": lambda: "x" * (30 * MIB),
    "a match of 30 MB of words": lambda: HEADING + "1. " + "? " * (15 * MIB) + "\n",
    "a match of lines": lambda: HEADING + "1.\n" + "?\n" * 390_000,
    "rounds that are void": lambda: HEADING + "1. " + "? 0:1x2 void " * MIB + "\n",
    "proofs of nothing": lambda: HEADING + "% =\n" * 390_000,
    "thousands of matches": lambda: "dudo score 1\n" * 390_000,
    "thousands of headings": lambda: (HEADING + "1.\n") * 60_000,
    "null bytes": lambda: "dudo score 1\n" + "\0" * MIB + "\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", RECORDS)
@pytest.mark.parametrize("name", RECORD_TEXTS)
def test_a_record_that_is_tedious_is_refused_at_once(name: str, command: str, tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_text(RECORD_TEXTS[name]())
    refused(command, file)


CASE_TEXTS: dict[str, Callable[[], str]] = {
    "64 MB of blanks": lambda: " " * (64 * MIB),
    "nested lists": lambda: "[" * N,
    "a long number": lambda: "[" + "9" * N + "]",
    "many keys": lambda: "[{" + ",".join(f'"{number:x}":1' for number in range(N // 6)) + "}]",
    "null bytes": lambda: "\0" * N,
    "a long name": lambda: '[{"id": "' + "\\u009b" * 30_000 + '"}]',
}


@pytest.mark.parametrize("name", CASE_TEXTS)
def test_rule_cases_that_are_tedious_are_refused_at_once(name: str, tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(CASE_TEXTS[name]())
    assert len(refused("engine check", file)) < 1500


WIRING_TEXTS: dict[str, Callable[[], str]] = {
    "64 MB of comments": lambda: "# nothing\n" * 6_700_000,
    "nested brackets": lambda: "TILT = " + "(" * N,
    "nested signs": lambda: "TILT = " + "-" * N + "1",
    "a long sum": lambda: "TILT = " + "1+" * (N // 2) + "1",
    "a long path": lambda: "TILT = " + "a." * (N // 2) + "a",
    "a table by lists": lambda: "TILT = {[]: 1}",
    "escapes that are none": lambda: 'TILT = "\\d"',
    "null bytes": lambda: "\0" * N,
    "thousands of names": lambda: "".join(f"N{number:x} = 1\n" for number in range(N // 9)),
}


@pytest.mark.parametrize("name", WIRING_TEXTS)
def test_a_wiring_that_is_tedious_is_refused_at_once(name: str, tmp_path: Path) -> None:
    file = tmp_path / "wiring"
    file.write_text(WIRING_TEXTS[name]())
    refused("check .py", file)


@pytest.mark.parametrize("command", ["check", "rules", "verify", "replay", "engine check"])
def test_bytes_that_are_no_text_are_refused(command: str, tmp_path: Path) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(b'name = "\xff\xfe\x9b31m"')
    assert "UTF-8" in refused(command, file)
