"""Fresh processes, measured from outside through /proc: a table in its lobby, and a Python with the libraries alone."""

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from types import MappingProxyType

from bench.tools.table_process import CUPS_APART, SOON_DARK

PROC = Path("/proc")


@dataclass(frozen=True)
class Waits:
    """Voluntary context switches so far, each a wait that something ended; and CPU nanoseconds of all threads."""

    main: int
    others: int
    threads: int
    cpu_ns: int


def waits(pid: int) -> Waits:
    """Return the counters of a process; its main thread is the one with the loop."""
    main = others = cpu_ns = 0
    threads = list((PROC / str(pid) / "task").iterdir())
    for thread in threads:
        switches = _number(thread / "status", "voluntary_ctxt_switches")
        if thread.name == str(pid):
            main += switches
        else:
            others += switches
        cpu_ns += int((thread / "schedstat").read_text().split()[0])
    return Waits(main, others, len(threads), cpu_ns)


def children() -> list[int]:
    """Return the child processes of this one."""
    threads = (PROC / "self" / "task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


def largest_mib(pid: int) -> float:
    """Return the peak resident memory."""
    return _number(PROC / str(pid) / "status", "VmHWM") / 1024


def proportional_mib(pid: int) -> float:
    """Return the memory now, with shared pages divided among the processes."""
    return _number(PROC / str(pid) / "smaps_rollup", "Pss") / 1024


def _number(file: Path, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+)", file.read_text(), re.MULTILINE)
    assert found, f"{file} has no {name}"
    return int(found[1])


LIBRARIES = "gpiozero, luma.oled.device, serial, asyncio, msgspec, sqlite3, tomllib, PIL.Image, smbus2"
"""The third-party and standard modules that a daemon imports."""

END_TIMEOUT_S = 30.0
WATCHDOG_US = "3000000"
"""Microseconds, as in systemd/dudo-table.service."""
ROOT = Path(__file__).parents[2]
NOTHING: Mapping[str, str] = MappingProxyType({})
BYTECODE = ROOT / "build" / "bench-bytecode"


class NotReadyError(RuntimeError):
    """A process that ended before it printed the expected word."""


@contextmanager
def table(layout: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a daemon at the emulated wires of a layout, with a journal of its own, until the block ends."""
    with _folder() as state, _started("-m", "bench.tools.table_process", layout, state) as process:
        yield process


@contextmanager
def service(layout: str, *, soon_dark: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """Run it with cups and boards as processes of their own, under a watchdog as of a service manager."""
    flags = [CUPS_APART, SOON_DARK] if soon_dark else [CUPS_APART]
    with (
        _folder() as state,
        _manager(state) as environment,
        _started("-m", "bench.tools.table_process", layout, state, *flags, environment=environment) as process,
    ):
        yield process


@contextmanager
def bridge(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a bridge to the broker on a port of this computer, with an outbox of its own, until the block ends."""
    with (
        _folder() as folder,
        _started(
            *("-m", "firmware_host.cli", "bridge", f"{folder}/events.sock"),
            *("--broker", f"127.0.0.1:{port}", "--outbox", folder),
        ) as process,
    ):
        yield process


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="dudo-table-bench-")


@contextmanager
def _manager(folder: str) -> Iterator[dict[str, str]]:
    """Open a socket for the notifications of a service, which nobody reads."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"{folder}/notify")
        yield {"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": WATCHDOG_US}


@contextmanager
def python(program: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Python that executes one line, prints `ready` and waits."""
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
        process.communicate(timeout=END_TIMEOUT_S)


def _environment() -> dict[str, str]:
    """Return an environment in which modules are compiled once, as by pip, whatever is set here."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(BYTECODE)}
