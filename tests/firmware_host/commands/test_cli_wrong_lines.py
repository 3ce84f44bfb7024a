"""Every command at everything that can stand on its line wrongly: one line that says what to do, and exit code 2."""

import os
import re
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from firmware_host import cli, commands

COMMAND = [sys.executable, "-m", "firmware_host.cli"]
ROOT = Path(cli.__file__).parent.parent

TAKING_A_FILE = {
    "check": "check {}",
    "show": "show {}",
    "rules": "rules {}",
    "replay": "replay {}",
    "verify": "verify {}",
    "play --layout": "play --headless --layout {}",
    "play --rules": "play --headless --rules {}",
    "run --layout": "run --layout {}",
    "blank --layout": "blank --layout {}",
}

BAD_FILES = {
    "empty": b"",
    "binary": bytes(range(256)) * 8,
    "utf-16": 'name = "x"\n'.encode("utf-16"),
    "nul": b'name = "a\0b"\n',
    "huge": b"# a comment\n" * 50_000,
    "deep": b"a = " + b"[" * 5000,
    "prose": b"Dear owner,\nI am not TOML.\n",
    "other": b"[tool.ruff]\nline-length = 120\n",
}


def error_output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return a wrong line's error: one line on stderr, with nothing on stdout and exit code 2."""
    try:
        code = cli.main(words)
    except SystemExit as exit_:
        code = exit_.code  # type: ignore[assignment]
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    return err


def one_line(err: str) -> str:
    assert err.count("\n") == 1
    assert "; " in err
    assert "Errno" not in err
    return err


@pytest.mark.parametrize("file", BAD_FILES)
@pytest.mark.parametrize("line", ["check", "show", "rules", "replay", "verify", "run --layout", "blank --layout"])
def test_a_file_that_is_not_what_it_should_be_is_told_with_its_name(
    line: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / file
    path.write_bytes(BAD_FILES[file])
    err = error_output(capsys, *TAKING_A_FILE[line].format(path).split())
    assert all(message.startswith(f"{path}: ") and "; " in message for message in err.splitlines())
    if line == "check":
        one_line(err)


@pytest.mark.parametrize("line", TAKING_A_FILE)
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no.toml", "no.toml: there is no such file; name a "),
        ("/", "/: is a directory; name a file in it"),
        ("a\0.toml", "a\\x00.toml: has a null byte in its name; name a "),
        ("x" * 300 + ".toml", "can't be read (file name too long); name a "),
    ],
    ids=["missing", "directory", "null byte", "long name"],
)
def test_a_file_that_cannot_be_read_is_told_by_every_command(
    line: str,
    name: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in one_line(error_output(capsys, *(word.format(name) for word in TAKING_A_FILE[line].split())))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("line", TAKING_A_FILE)
def test_a_file_nobody_may_read_is_told(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.touch(0o000)
    assert "may not be read; give yourself the right" in one_line(
        error_output(capsys, *TAKING_A_FILE[line].format(path).split())
    )


@pytest.mark.parametrize("line", TAKING_A_FILE)
def test_an_empty_name_is_told(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [word.format("") for word in TAKING_A_FILE[line].split(" ")]
    assert "an empty name names nothing" in one_line(error_output(capsys, *words))


def test_every_file_with_a_command_is_reached() -> None:
    files = {name for _, name, _ in iter_modules(commands.__path__)}
    having = {name for name in files if hasattr(import_module(f"{commands.__name__}.{name}"), "add_to")}
    assert having == {*cli.COMMANDS}


@pytest.mark.parametrize("command", cli.COMMANDS)
@pytest.mark.parametrize("flag", ["--nonsense", "-x", "--hel"])
def test_a_flag_nobody_knows_is_told(command: str, flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = {
        "run": ["--layout", "wired-4"],
        "blank": ["--layout", "wired-4"],
        "check": ["wired-4"],
        "show": ["wired-4"],
        "replay": ["x"],
        "verify": ["x"],
        "restore": ["x"],
    }
    err = one_line(error_output(capsys, command, *words.get(command, []), flag))
    assert err.startswith(f"dudo-table {command}: {flag} is not known")
    assert f"dudo-table {command} --help" in err


WRONG = {
    "check": "/etc/dudo-table/table.toml: there is no such file; name a file, or a shipped layout",
    "show": "/etc/dudo-table/table.toml: there is no such file; name a file, or a shipped layout",
    "verify x --head 7K3M": "4 letters of a head say too little, at least 8 are needed; write it as the display",
    "verify x --head 7K3MUUUU": "'U' is in no head; write it as the display shows it",
    "run": "/etc/dudo-table/table.toml: there is no such file; name a file, or a shipped layout",
    "shw wired-4": "shw is not a command, did you mean show?",
    "--versio": "--versio is not known, did you mean --version?",
    "show wird-4": "wird-4: is not a shipped layout; did you mean wired-4?",
    "show perudo": "perudo: is a rule set, not a layout; dudo-table rules perudo prints what it says",
    "rules wired-4": "wired-4: is a layout, not a rule set; dudo-table show wired-4 draws it",
    "rules perduo": "perduo: no such rule set; did you mean perudo?",
    "rules --toml": "dudo-table rules --toml: name a rule set; dudo-table rules perudo --toml prints that one",
    "check wird-4": "wird-4: is neither a file nor a shipped layout or rule set; did you mean wired-",
    "check perduo": "perduo: is neither a file nor a shipped layout or rule set; did you mean perudo?",
    "show wired-4 wired-8": "wired-8 is not known",
    "layouts wired-4": "wired-4 is not known",
    "play --layout perudo": "perudo: is a rule set, not a layout; ",
    "play --rules wired-4": "wired-4: is a layout, not a rule set; ",
    "run --layout wired-4 --state ": "an empty name is not a directory",
    "run --layout wired-4 --events ": "an empty name names nothing",
}


@pytest.mark.parametrize(("line", "message"), WRONG.items(), ids=WRONG)
def test_a_wrong_line_is_told_with_what_to_do(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in one_line(error_output(capsys, *line.split(" ")))


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_missing_file_is_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert re.match(rf"dudo-table {command}: .*\bFILE\b", one_line(error_output(capsys, command)))


def test_without_a_command_there_is_help_and_2(capsys: pytest.CaptureFixture[str]) -> None:
    err = error_output(capsys)
    assert err.startswith("usage: dudo-table ")
    assert all(f"\n    {command} " in err for command in cli.COMMANDS)


def test_no_line_that_is_told_can_hide_what_is_in_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in one_line(error_output(capsys, "check", "\x1b[31mred.toml"))


# Streams

PRINTING = ["layouts", "rules", "rules perudo", "rules perudo --toml", "show wired-8", "check wired-4", "--help"]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    command = f"set -o pipefail; {' '.join(COMMAND)} {line}"
    return subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("line", PRINTING)
def test_a_reader_that_has_enough_is_no_fault(line: str) -> None:
    assert shell(f"{line} | true").stderr == ""


@pytest.mark.parametrize("line", PRINTING)
def test_a_closed_stdout_is_no_fault(line: str) -> None:
    done = shell(f"{line} >&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to be had")
@pytest.mark.parametrize("line", [line for line in PRINTING if line != "--help"])
def test_a_full_disk_is_told_in_a_line(line: str) -> None:
    done = shell(f"{line} >/dev/full")
    assert done.returncode == 2
    assert (
        done.stderr == "dudo-table: can't write: no space left on device; free some space and run the command again\n"
    )


def test_closed_streams_leave_the_exit_code() -> None:
    assert shell("check no.toml >&- 2>&-").returncode == 2


def test_stdout_that_is_ascii_alone_is_readable() -> None:
    done = subprocess.run(
        [*COMMAND, "show", "wired-4"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.isascii()
    assert b"\\u" not in done.stdout


def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    path = str(tmp_path / "table.sock")
    with socket.socket(socket.AF_UNIX) as table:
        table.bind(path)
        table.listen()
        process = subprocess.Popen([*COMMAND, "listen", path], cwd=ROOT, stderr=subprocess.PIPE)
        connection, _ = table.accept()  # returns once the command is there to wait
        with connection:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (128 + signal.SIGINT, b"")
