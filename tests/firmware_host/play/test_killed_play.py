"""`kill -9` of `play`: every process that it had started ends with it, and the next one finds its ports free."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import ROOT
from support.host.play_process import ADDRESS, line, opened, playing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]

PATIENCE_S = 60.0
HANGS = """
import time
def choose(view, rng):
    print("decides", flush=True)
    while True:
        time.sleep(0.01)
"""
ASKS = """
import asyncio, sys
from engine import PERUDO, Match
from firmware_host.daemon.robots.opponents import Opponents
if __name__ == "__main__":
    match = Match.start(PERUDO, 2)
    match = match.roll({seat: [1, 2, 3, 4, 5] for seat in match.position.rolling})
    asyncio.run(Opponents(["hangs:choose"], print, limit_s=1e6).decide(0, "Lima", match.view(0), 1))
"""


def children(process: int) -> set[int]:
    """Return the processes that a process has started, and theirs."""
    found: set[int] = set()
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found |= {child} | children(child)
    return found


def is_running(process: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


@contextmanager
def left_behind(process: int) -> Iterator[set[int]]:
    """Kill a process; give what it had started, and kill what is still there at the end of the block."""
    started = children(process)
    os.kill(process, signal.SIGKILL)
    until_s = time.monotonic() + PATIENCE_S
    while any(map(is_running, started)) and time.monotonic() < until_s:
        time.sleep(0.05)
    left = {each for each in started if is_running(each)}
    try:
        yield left
    finally:
        for each in left:
            os.kill(each, signal.SIGKILL)


def test_the_page_for_a_tv_ends_with_it(tmp_path: Path) -> None:
    with playing("--no-browser", "--screen", "--state", str(tmp_path)) as process:
        line(process, r"The screen is at http://127\.0\.0\.1:[0-9]+/")
        assert children(process.pid)
        with left_behind(process.pid) as left:
            assert left == set()


def test_the_cups_and_the_opponents_end_with_it(tmp_path: Path) -> None:
    flags = ("--no-browser", "--real-time", "--level", "easy", "--state", str(tmp_path))
    with playing(*flags, "--humans", "0") as process, opened(line(process, ADDRESS)[1]):
        line(process, "bids")
        assert len(children(process.pid)) >= 5  # the boards of four seats, and the opponents
        with left_behind(process.pid) as left:
            assert left == set()


def test_an_opponent_that_never_decides_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)
    (tmp_path / "asks.py").write_text(ASKS)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    with subprocess.Popen(
        [sys.executable, "asks.py"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "decides\n"
        with left_behind(process.pid) as left:
            assert left == set()
