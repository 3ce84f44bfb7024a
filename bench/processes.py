"""Fresh processes to be measured from outside: a table in its lobby, and a bare Python with the run-time libraries."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE

from bench.table_process import CUPS_APART

LIBRARIES = "gpiozero, luma.oled.device, serial, asyncio, msgspec, sqlite3, tomllib, PIL.Image, smbus2"
"""What a daemon needs that is not ours."""

END_WITHIN_S = 30.0
ROOT = Path(__file__).parent.parent
BYTECODE = ROOT / "build" / "bench-bytecode"


class NotReadyError(RuntimeError):
    """A process ended before it said what it was waited for."""


@contextmanager
def table(layout: str, *, cups_apart: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon at the emulated wires of a layout, with a journal of its own, stopped afterwards."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as state:
        flags = [CUPS_APART] if cups_apart else []
        with _started("-m", "bench.table_process", layout, state, *flags) as process:
            yield process


@contextmanager
def python(program: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Python that runs one line, says `ready` and waits."""
    with _started("-c", f"{program}; print('ready', flush=True); input()") as process:
        yield process


def word_of(process: subprocess.Popen[bytes], word: str) -> str:
    """Wait for a line that begins with a word and return the rest of it. Raises `NotReadyError` for any other."""
    assert process.stdout is not None
    said, _, rest = process.stdout.readline().decode().strip().partition(" ")
    if said != word:
        raise NotReadyError(f"{process.args!r} did not say {word}")
    return rest


@contextmanager
def _started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, *arguments]
    process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=ROOT, env=_environment())
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=END_WITHIN_S)


def _environment() -> dict[str, str]:
    """Modules are compiled once, as pip does when it installs, whatever is set here."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(BYTECODE)}
