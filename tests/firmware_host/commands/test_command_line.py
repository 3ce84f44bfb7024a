"""What `dudo-table` says to a wrong line, and how it ends; the commands themselves have tests of their own."""

import importlib.metadata
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from engine import PERUDO, PYRUDO
from firmware_host import cli
from firmware_host.configuration.rules.custom import Problem
from firmware_host.errors import RulesError, UserError
from hardware.config.layout import Layout, load_builtin

COMMAND = [sys.executable, "-m", "firmware_host.cli"]


def dudo_table(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    root = str(Path(cli.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root}
    return subprocess.run([*COMMAND, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60)


WRONG_LINES = {
    "pley": "pley is not a command, did you mean play? there is play, run,",
    "play --seats 1": "1 is not a number of seats, write 2 to 8",
    "play --seats 9": "9 is not a number of seats, write 2 to 8",
    "play --seats ²": "² is not a number of seats, write 2 to 8",
    "play --seats": "argument --seats: expected one argument",
    "play --language Spanish": "Spanish is not a language the displays speak, did you mean es? there is en, es",
    "voice --language de": "de is not a language the displays speak",
    "voice --volume 101": "101 is no volume, write 0 to 100",
    "voice --volume loud": "loud is no volume",
    "voice --output /none/match.wav": "/none/match.wav: can't be written: no such file or directory; make room there",
    "voice --sounds /etc/passwd": "/etc/passwd is not a directory",
    "play --seed x": "x is not a seed, write a whole number",
    "play --seed -1": "argument --seed",
    "play --seed 12345678901234567890": "is not a seed",
    "play --speed 0": "0 is not a speed, write a number above zero",
    "play --speed nan": "nan is not a speed",
    "play --speed inf": "inf is not a speed",
    "play --speed fast": "fast is not a speed",
    "play --speed 2 --real-time": "not allowed with",
    "play --humans 9": "9 is not a number of people, write 0 to 8",
    "play --humans 4 --seats 3": "--humans 4: the table has only 3 seats",
    "play --port 0": "0 is not a port, write 1 to 65535",
    "play --port http": "http is not a port",
    "play --headless --humans 2": "--humans is about the page, and --headless has none; leave one of them out",
    "play --headless --humans 0": "--humans is about the page",
    "play --watch --port 8642": "--port is about the page, and --watch has none",
    "play --watch --no-browser": "--no-browser is about the page",
    "play --watch --headless": "not allowed with",
    "play --watch --host 0.0.0.0": "--host is about the page, and --watch has none",
    "play --level esy": "'esy' is not an opponent, did you mean easy?",
    "play --level easy,": "'' is not an opponent, expected odds, easy,",
    "play --level none_such:choose": "'none_such:choose' cannot be loaded: ModuleNotFoundError",
    "play --why --level easy": "--why tells what robots hold; use it with --watch or --headless",
    "play --headless --why": "--why needs the --level of the robots",
    "play --headless --fresh": "--fresh is about the page, and --headless has none",
    "play --headless --state x": "--state is about the page",
    "play --seed 7 --fresh": "--seed plays a match from its beginning and keeps no journal; leave out --fresh",
    "play --seed 7 --state x": "keeps no journal; leave out --state",
    "play --seed 7 --host 0.0.0.0": "--seed tells everybody's dice beforehand; leave it out, or --host",
    "play --speed 2 --host 0.0.0.0": "--speed is not for guests, whose phones keep real time; leave it out, or --host",
    "play --host wlan0": "wlan0 is not an IPv4 address, write 0.0.0.0 for all addresses of this computer",
    "play --host ::": ":: is not an IPv4 address",
    "play --host 192.0.2.77": "--host 192.0.2.77: is no address of this computer; ip -brief address lists them",
    "play --sede 3": "--sede is not known, did you mean --seed?",
    "play --se 3": "--se is not known, did you mean --seed?",
    "play wired-4": "wired-4 is not known",
    "play --pictures pyproject.toml": "pyproject.toml is not a directory",
    "play --layout wird-4": "wird-4: is not a shipped layout; did you mean wired-4?",
    "play --layout no.toml": "no.toml: there is no such file; name a file, or a shipped layout",
    "play --layout .": ".: is a directory; name a file in it",
    "play --layout wired-4 --seats 8": "4 seats: can't be laid for 8; ask for 2 to 4 or take a larger layout",
    "run": "/etc/dudo-table/table.toml: there is no such file; name a file, or a shipped layout",
    "run --layout no.toml": "no.toml: there is no such file",
    "run --state pyproject.toml --layout wired-4": "pyproject.toml is not a directory",
    "blank": "/etc/dudo-table/table.toml: there is no such file; name a file, or a shipped layout",
    "blank --layout wird-4": "wird-4: is not a shipped layout; did you mean wired-4?",
    "blank --layout wired-4 --within 0": "0 is not a time in seconds, write a number above zero",
    "blank --layout wired-4 --within nan": "nan is not a time in seconds",
    "check": "/etc/dudo-table/table.toml: there is no such file; name a file, or a shipped layout",
    "check no.toml": "no.toml: there is no such file",
    "layouts all": "all is not known",
    "listen --since -1": "argument --since: -1: is no number of an event, which is 0 or more",
    "listen --since 1.5": "argument --since: 1.5: is no number of an event, which is 0 or more",
    "listen no.sock": "no.sock: no table sends events there: no such file or directory; start one with",
    "listen pyproject.toml": "pyproject.toml: no table sends events there: connection refused",
    f"listen {'x' * 200}": "no table sends events there: af_unix path too long",
}


@pytest.mark.parametrize(("line", "said"), WRONG_LINES.items(), ids=WRONG_LINES)
def test_a_wrong_line_gets_one_line_that_says_what_to_do(
    line: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(cli.__file__).parent.parent)
    try:
        code = cli.main(line.split())
    except SystemExit as exit_:
        code = exit_.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("line", ["play --seats 9", "run --layout no.toml"])
def test_the_installed_command_says_the_same_and_exits_with_2(line: str) -> None:
    done = dudo_table(*line.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in done.stderr


def test_every_fault_of_a_layout_is_a_line_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    shipped = Path(load_builtin("wired-4").path).read_text()
    file.write_text(shipped.replace("ok = 6", "ok = 5").replace("tilt = 25", "tilt = 2"))
    assert cli.main(["run", "--layout", str(file)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2].partition(":")[0] for line in lines] == [
        "seat[4, West].cup.tilt = 2",
        "seat[1, North].buttons.ok = 5",
    ]
    assert all(line.startswith(f"{file}: ") for line in lines)


def test_check_tells_of_every_file_and_fails_if_one_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "wired-4", "no.toml", "boards-8"]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "wired-4: right, 4 seats: 20 pins, displays on 1 I2C wire, rules perudo",
        "boards-8: right, 8 seats: 8 seat boards, rules perudo",
    ]
    assert err.startswith("no.toml: ")


def test_check_ends_well_if_every_file_is_right() -> None:
    assert cli.main(["check", "wired-8"]) == 0


def test_layouts_lists_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["layouts"]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "boards-8  8 seats: 8 seat boards",
        "emulated  8 seats: 8 seat boards",
        "wired-4   4 seats: 20 pins, displays on 1 I2C wire",
        "wired-8   8 seats: 24 pins, 8 serial cups, displays on 2 I2C wires",
    ]


def test_the_version_is_the_distributions() -> None:
    assert dudo_table("--version").stdout == f"dudo-table {importlib.metadata.version('dudo-table')}\n"


@pytest.mark.parametrize("command", ["", "play", "run", "blank", "check", "layouts"])
def test_help_goes_to_stdout_and_ends_well(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([*command.split(), "--help"])
    assert "usage: dudo-table" in capsys.readouterr().out


class Called(Exception):
    """What a stand-in for the daemon was called with."""


def stand_in(monkeypatch: pytest.MonkeyPatch, command: str, behaviour: BaseException | None = None) -> None:
    """Replace the module that a command calls: the replacement raises `behaviour`, or its arguments."""
    module = ModuleType({"play": "firmware_host.play", "run": "firmware_host.daemon.app"}[command])

    def called(layout: Layout | str, **options: object) -> int:
        raise behaviour if behaviour else Called(layout, options)

    setattr(module, command, called)
    monkeypatch.setitem(sys.modules, module.__name__, module)


PLAYED: dict[str, object] = {
    "rules": PERUDO,
    "seed": None,
    "mode": "page",
    "humans": 1,
    "levels": (),
    "why": False,
    "port": None,
    "host": None,
    "browser": True,
    "screen": False,
    "state": None,
    "fresh": False,
    "events": None,
    "record": None,
    "pictures": None,
    "speed": None,
    "real_time": False,
}
"""The options of `play` with a line that names none."""


def test_play_gets_four_seats_of_the_emulated_table_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "play")
    with pytest.raises(Called) as call:
        cli.main(["play"])
    layout, options = call.value.args
    assert layout == load_builtin("emulated").first(4)
    assert options == PLAYED


def test_play_gets_what_the_line_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, "play")
    line = f"play --headless --rules pyrudo --seats 3 --seed 7 --layout wired-4 --speed 4 --pictures {tmp_path}/new"
    with pytest.raises(Called) as call:
        cli.main(line.split())
    layout, options = call.value.args
    assert layout == load_builtin("wired-4").first(3)
    said = {"rules": PYRUDO, "seed": 7, "mode": "headless", "pictures": tmp_path / "new", "speed": 4.0}
    assert options == PLAYED | said


def test_run_gets_the_layout_and_where_to_keep_the_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, "run")
    with pytest.raises(Called) as call:
        cli.main(["run", "--layout", "boards-8", "--state", str(tmp_path)])
    assert call.value.args == ("boards-8", {"state": tmp_path, "events": None, "record": None})


def test_run_takes_the_layout_in_etc_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "run")
    with pytest.raises(Called) as call:
        cli.main(["run"])
    assert call.value.args[0] == "/etc/dudo-table/table.toml"


def test_a_refusal_is_said_and_ends_with_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in(monkeypatch, "play", UserError("there are no such rules as x; there is perudo"))
    assert cli.main(["play"]) == 2
    assert capsys.readouterr().err == "there are no such rules as x; there is perudo\n"


def test_every_fault_of_a_rules_file_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = [Problem("tea", "1", "is an unknown key", "take it out"), Problem("name", "", "is missing", "add one")]
    stand_in(monkeypatch, "play", RulesError("house.toml", faults))
    assert cli.main(["play"]) == 2
    assert capsys.readouterr().err.splitlines() == [f"house.toml: {fault}" for fault in faults]


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in(monkeypatch, "play", KeyboardInterrupt())
    assert cli.main(["play"]) == 128 + signal.SIGINT
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    root = str(Path(cli.__file__).parent.parent)
    process = subprocess.Popen(
        [*COMMAND, "layouts"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(60) == 128 + signal.SIGPIPE
    process.stderr.close()
