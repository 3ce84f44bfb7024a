"""Fresh processes, measured from outside through /proc: a table in its lobby, and a Python with the libraries alone."""

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import NamedTuple

from bench.tools.table_process import CUPS_APART, SOON_DARK

PROC = Path("/proc")
LIBRARIES = "gpiozero, luma.oled.device, serial, asyncio, msgspec, sqlite3, tomllib, PIL.Image, smbus2"
"""The third-party and standard modules that a daemon imports."""
END_TIMEOUT_S = 30.0
WATCHDOG_US = "3000000"
"""Microseconds, as in systemd/dudo-table.service."""
ROOT = Path(__file__).parents[2]
BYTECODE = ROOT / "build" / "bench-bytecode"


class Waits(NamedTuple):
    """Voluntary context switches so far, each the end of a wait; and CPU nanoseconds over all threads."""

    main: int
    others: int
    threads: int
    cpu_ns: int


def waits(pid: int) -> Waits:
    """Return a process's counters; the loop is on its main thread."""
    switches, cpu_ns = dict[str, int](), 0
    for thread in (PROC / str(pid) / "task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            switches[thread.name] = _number(thread / "status", "voluntary_ctxt_switches")
            cpu_ns += int((thread / "schedstat").read_text().split()[0])
    main = switches[str(pid)]
    return Waits(main, sum(switches.values()) - main, len(switches), cpu_ns)


def children() -> list[int]:
    """Return this process's children."""
    found: list[int] = []
    for thread in (PROC / "self" / "task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            found += map(int, (thread / "children").read_text().split())
    return found


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


@contextmanager
def table(layout: str, *flags: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a daemon at a layout's emulated wires, with its own journal, until the block ends."""
    with folder() as state, running("-m", "bench.tools.table_process", layout, state, *flags) as process:
        yield process


@contextmanager
def service(layout: str, *, soon_dark: bool = False) -> Iterator["subprocess.Popen[bytes]"]:
    """Run it with cups and boards in separate processes, under a service manager's watchdog."""
    command = ("-m", "bench.tools.table_process", layout)
    flags = [CUPS_APART, SOON_DARK] if soon_dark else [CUPS_APART]
    with folder() as state, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as unread:
        unread.bind(f"{state}/notify")
        notified = {"NOTIFY_SOCKET": f"{state}/notify", "WATCHDOG_USEC": WATCHDOG_US}
        with running(*command, state, *flags, **notified) as process:
            yield process


@contextmanager
def python(program: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a Python: it executes one line, prints `ready` and waits."""
    with running("-c", f"{program}; print('ready', flush=True); input()") as process:
        yield process


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a Python from the root with these arguments until the block ends.

    Its modules are compiled once, as by pip, whatever is set here.
    """
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    known |= {"PYTHONPYCACHEPREFIX": str(BYTECODE), **environment}
    command = [sys.executable, *arguments]
    process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=ROOT, env=known)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=END_TIMEOUT_S)


def word_of(process: "subprocess.Popen[bytes]", word: str) -> str:
    """Wait for a line beginning with a word; return its remainder."""
    assert process.stdout is not None
    said, _, rest = process.stdout.readline().decode().strip().partition(" ")
    if said != word:
        raise RuntimeError(f"{process.args!r} did not say {word}")
    return rest


def folder() -> "tempfile.TemporaryDirectory[str]":
    """Return a temporary folder."""
    return tempfile.TemporaryDirectory(prefix="dudo-table-bench-")
