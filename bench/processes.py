"""Fresh processes to be measured from outside: a table in its lobby, and a bare Python with the run-time libraries."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE
from types import MappingProxyType

from bench.table_process import CUPS_APART, SOON_DARK

LIBRARIES = "gpiozero, luma.oled.device, serial, asyncio, msgspec, sqlite3, tomllib, PIL.Image, smbus2"
"""What a daemon needs that is not ours."""

END_WITHIN_S = 30.0
WATCHDOG_US = "3000000"
"""As in systemd/dudo-table.service."""
ROOT = Path(__file__).parent.parent
NOTHING: Mapping[str, str] = MappingProxyType({})
BYTECODE = ROOT / "build" / "bench-bytecode"


class NotReadyError(RuntimeError):
    """A process ended before it said what it was waited for."""


@contextmanager
def table(layout: str) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon at the emulated wires of a layout, with a journal of its own, stopped afterwards."""
    with _folder() as state, _started("-m", "bench.table_process", layout, state) as process:
        yield process


@contextmanager
def service(layout: str, *, soon_dark: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """The same with cups and boards apart, watched as by a service manager."""
    flags = [CUPS_APART, SOON_DARK] if soon_dark else [CUPS_APART]
    with (
        _folder() as state,
        _manager(state) as environment,
        _started("-m", "bench.table_process", layout, state, *flags, environment=environment) as process,
    ):
        yield process


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="dudo-table-bench-")


@contextmanager
def _manager(folder: str) -> Iterator[dict[str, str]]:
    """A service manager that listens to nothing that it is told."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"{folder}/notify")
        yield {"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": WATCHDOG_US}


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
def _started(*arguments: str, environment: Mapping[str, str] = NOTHING) -> Iterator[subprocess.Popen[bytes]]:
    command, known = [sys.executable, *arguments], {**_environment(), **environment}
    process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=ROOT, env=known)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=END_WITHIN_S)


def _environment() -> dict[str, str]:
    """Modules are compiled once, as pip does when it installs, whatever is set here."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(BYTECODE)}
