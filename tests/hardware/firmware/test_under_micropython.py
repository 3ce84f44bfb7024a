"""The link and the cup's program under MicroPython itself, where its unix port is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.emulated.cup_process import ROOT, micropython

TRACE = ROOT / "tests/support/firmware/trace_of_a_board.py"
WITHIN_S = 20

MICROPYTHON = micropython()
pytestmark = pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython's unix port is not installed")


def output_under(interpreter: str, *arguments: str) -> str:
    paths = {"PYTHONPATH": str(ROOT), "MICROPYPATH": f"{ROOT}:.frozen"}
    done = subprocess.run(
        [interpreter, *arguments], env={**os.environ, **paths}, capture_output=True, text=True, timeout=WITHIN_S
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_board_does_the_same_under_micropython_and_cpython() -> None:
    assert MICROPYTHON is not None
    trace = output_under(sys.executable, str(TRACE))
    assert trace.count("\n") > 50
    assert output_under(MICROPYTHON, str(TRACE)) == trace


@pytest.mark.parametrize("file", sorted((ROOT / "hardware" / "cup").glob("*.py")), ids=lambda file: file.name)
def test_micropython_compiles_every_file_of_the_cup(file: Path) -> None:
    assert MICROPYTHON is not None
    output_under(MICROPYTHON, "-c", f"compile(open({str(file)!r}).read(), {file.name!r}, 'exec')")
