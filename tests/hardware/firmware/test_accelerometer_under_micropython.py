"""The reading of an accelerometer, and the emulated one, under MicroPython itself where its unix port is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

TRACE = ROOT / "tests/support/firmware/trace_of_an_accelerometer.py"
MICROPYTHON = shutil.which("micropython", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def printed_by(interpreter: str) -> str:
    paths = {"PYTHONPATH": str(ROOT), "MICROPYPATH": f"{ROOT}:.frozen"}
    command = [interpreter, str(TRACE)]
    return subprocess.run(
        command, env={**os.environ, **paths}, capture_output=True, text=True, timeout=60, check=True
    ).stdout


@pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython's unix port is not installed")
def test_an_accelerometer_tells_the_same_under_micropython_and_cpython() -> None:
    assert MICROPYTHON is not None
    printed = printed_by(sys.executable)
    assert printed.count("\n") > 20
    assert printed_by(MICROPYTHON) == printed
