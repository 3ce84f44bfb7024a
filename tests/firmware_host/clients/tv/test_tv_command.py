"""`dudo-table tv` as a process, at a table's socket, with a program in place of cec-ctl that does what a test says."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import ROOT
from support.pages.public_pages import StagedTable, state

from firmware_host import cli
from firmware_host.clients.tv.cec import CecError, CecTv

WITHIN_S = 20.0
JOINED = {"type": "joined", "seat": 1, "sentences": []}
CEC_CTL = """\
#!/bin/sh
echo "$@" >> "$CALLS"
{body}
"""
INFO = "printf 'Driver Info:\\n\\tPhysical Address           : 1.0.0.0\\n'\n"
WORKS = INFO
NO_TV = "printf '\\tPhysical Address           : f.f.f.f\\n'\n"
NO_ANSWER = INFO + "printf '\\tTx, Not Acknowledged (1), Max Retries\\n'\n"
FAILS = "echo 'Failed to open: Permission denied' >&2; exit 1\n"
HANGS = 'trap "" TERM; echo $$ > "$CALLS.pid"; exec sleep 3600\n'
OTHER = r"    Received from TV (0):\n    ACTIVE_SOURCE (0x82):\n\tphys-addr: 2.0.0.0\n"
FOOTBALL = INFO + f"case \"$*\" in *request*) printf '{OTHER}';; esac\n"


class Tv:
    """A running command: what it has logged, and how it has called cec-ctl."""

    def __init__(self, process: "subprocess.Popen[bytes]", table: StagedTable, folder: Path) -> None:
        self.process = process
        self._table = table
        self._folder = folder

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    @property
    def calls(self) -> list[str]:
        calls = self._folder / "calls"
        return [line.partition(" ")[2] for line in calls.read_text().splitlines()] if calls.exists() else []

    def staff_set(self, tv: str) -> None:
        self._table.send(state("lobby", tv=tv))

    def somebody_sits_down(self) -> None:
        self._table.send(JOINED)

    def wait_until(self, holds: Callable[[], bool]) -> None:
        until_s = time.monotonic() + WITHIN_S
        while not holds():
            assert time.monotonic() < until_s, (self.calls, self.log)
            assert self.process.poll() is None, self.log
            time.sleep(0.02)


def programs_with(cec_ctl: str | None, folder: Path) -> Path:
    """Make a folder for the PATH, with a cec-ctl or without one."""
    programs = folder / "bin"
    programs.mkdir()
    if cec_ctl is not None:
        program = programs / "cec-ctl"
        program.write_text(CEC_CTL.format(body=cec_ctl))
        program.chmod(0o755)
        for each in ("sh", "sleep"):
            (programs / each).symlink_to(str(shutil.which(each)))
    return programs


@contextmanager
def tv(folder: Path, cec_ctl: str | None, *options: str) -> Iterator[Tv]:
    programs, adapter = programs_with(cec_ctl, folder), folder / "cec0"
    adapter.touch()
    table = StagedTable(folder / "events.sock")
    table.send(state("lobby"))
    given = [str(table.path), "--device", str(adapter), *options]
    own = os.environ | {"PATH": str(programs), "CALLS": str(folder / "calls")}
    with (folder / "log").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware_host.cli", "tv", *given], cwd=ROOT, env=own, stderr=said
        )
    try:
        found = Tv(process, table, folder)
        found.wait_until(lambda: bool(table._clients))
        yield found
    finally:
        process.kill()
        process.wait()
        table.close()


def test_the_tv_goes_on_with_play_and_off_after_it(tmp_path: Path) -> None:
    with tv(tmp_path, WORKS, "--off-after", "0.01") as running:
        running.somebody_sits_down()
        running.wait_until(lambda: len(running.calls) == 4)
        assert running.calls == [
            "--playback --osd-name Dudo",
            "--skip-info --to 0 --image-view-on --active-source phys-addr=1.0.0.0",
            "--playback --osd-name Dudo --request-active-source",
            "--skip-info --to 0 --standby",
        ]


def test_a_tv_that_shows_football_stays_on(tmp_path: Path) -> None:
    with tv(tmp_path, FOOTBALL, "--off-after", "0.005") as running:
        running.somebody_sits_down()
        running.wait_until(lambda: "the TV shows another source (2.0.0.0): it stays on" in running.log)
        assert len(running.calls) == 3


def test_staff_switch_off_a_tv_that_was_on_already_and_then_on(tmp_path: Path) -> None:
    with tv(tmp_path, WORKS) as running:
        running.staff_set("off")
        running.wait_until(lambda: "staff want it off: the TV is off" in running.log)
        assert running.calls == ["--playback --osd-name Dudo --request-active-source", "--skip-info --to 0 --standby"]
        running.somebody_sits_down()
        running.staff_set("on")
        running.wait_until(lambda: "staff want it on: the TV is on" in running.log)
        assert len(running.calls) == 4


def test_staff_never_switch_off_a_tv_that_shows_football(tmp_path: Path) -> None:
    with tv(tmp_path, FOOTBALL) as running:
        running.staff_set("off")
        running.wait_until(lambda: "the TV shows another source (2.0.0.0): it stays on" in running.log)
        assert running.calls == ["--playback --osd-name Dudo --request-active-source"]


@pytest.mark.parametrize(
    ("cec_ctl", "said"),
    [
        (NO_TV, "cec0: no TV is plugged in there; trying again"),
        (NO_ANSWER, "cec0: the TV does not answer; switch HDMI-CEC on in its menu; trying again"),
        (FAILS, "cec0: cec-ctl failed: Failed to open: Permission denied; trying again"),
        (None, "cec-ctl is not installed: sudo apt install v4l-utils; trying again"),
    ],
    ids=["no TV", "no answer", "fails", "missing"],
)
def test_what_keeps_a_tv_from_being_switched_is_said(cec_ctl: str | None, said: str, tmp_path: Path) -> None:
    with tv(tmp_path, cec_ctl) as running:
        running.somebody_sits_down()
        running.wait_until(lambda: said in running.log)


def test_a_cec_ctl_that_hangs_is_ended_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(programs_with(HANGS, tmp_path)))
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    with pytest.raises(CecError, match=r"cec-ctl took longer than 0\.3 s and was ended"):
        asyncio.run(CecTv(lambda: [tmp_path / "cec0"], timeout_s=0.3).switch_on())
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "calls.pid").read_text()), 0)


def test_a_computer_without_an_adapter_is_told_at_the_start(tmp_path: Path) -> None:
    with tv(tmp_path, WORKS, "--device", str(tmp_path / "cec9")) as running:
        running.wait_until(lambda: "this computer has no HDMI-CEC" in running.log)


def test_a_table_that_goes_and_comes_costs_two_lines(tmp_path: Path) -> None:
    with tv(tmp_path, WORKS) as running:
        running._table.close()
        running.wait_until(lambda: "closed the connection; trying again" in running.log)
        running._table.open()
        running.wait_until(lambda: "the table is there" in running.log)
        running.somebody_sits_down()
        running.wait_until(lambda: len(running.calls) == 2)


def test_a_signal_ends_it_and_leaves_the_tv_as_it_is(tmp_path: Path) -> None:
    with tv(tmp_path, WORKS) as running:
        running.somebody_sits_down()
        running.wait_until(lambda: len(running.calls) == 2)
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(WITHIN_S) == 0
        assert len(running.calls) == 2


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "inf", "soon", "1441"])
def test_no_other_time_than_minutes_of_a_day_is_taken(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["tv", f"--off-after={minutes}"])
    assert f"{minutes} is not a time in minutes, write a number such as 15" in capsys.readouterr().err
