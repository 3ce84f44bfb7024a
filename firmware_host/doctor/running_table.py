"""A table that runs on this computer, found without disturbing it, and what it says in its public state.

Its process is found by the lock on the state directory, read from the kernel's list and not taken, or by its command
line. Its state is the first line that it sends on its public socket.
"""

import json
import os
import re
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware_host.doctor.machine import Machine, service_user
from firmware_host.public import MAX_LINE_BYTES
from firmware_host.util.state_dir import LOCK
from hardware.config.layout_schema import SEATS

UNIT = "dudo-table.service"
UNIT_FOLDERS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system", "/run/systemd/system")
ANSWER_TIMEOUT_S = 2.0
"""Seconds in which a table must send its state."""
MAX_ITEMS = 20
"""Devices of a seat and troubles of a table that are read; there are four and six kinds."""


@dataclass(frozen=True)
class PublicState:
    """The public state of a running table: the devices it misses, by seat, and its troubles."""

    missing: Mapping[int, tuple[str, ...]]
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunningTable:
    """A table that runs here. `process` is None if unknown, `state` is None if it does not answer."""

    process: int | None = None
    state: PublicState | None = None


def has_service(machine: Machine) -> bool:
    """Return whether the service is installed on this computer."""
    return any(machine.path(f"{folder}/{UNIT}").exists() for folder in UNIT_FOLDERS)


def find_running_table(machine: Machine, state_dir: Path, sockets: Sequence[Path]) -> RunningTable | None:
    """Return the table that runs here, or None. Nothing is locked to find out."""
    process = _lock_holder(machine, state_dir / LOCK) or _find_process(machine)
    state = next((state for path in sockets if (state := _read_state(path)) is not None), None)
    return None if process is None and state is None else RunningTable(process or None, state)


def _lock_holder(machine: Machine, lock: Path) -> int | None:
    """Return the process that holds the lock of the state directory, from the kernel's list of locks."""
    try:
        at = lock.stat()
    except OSError:
        return None
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    for line in (machine.text("/proc/locks") or "").splitlines():
        if match := re.match(r"\d+: FLOCK +\S+ +\S+ +(-?\d+) +(\S+)", line):
            process, where = int(match[1]), match[2]
            if where == place:
                return process
            if where.endswith(f":{at.st_ino}") and _is_table(machine, process):  # overlayfs has other device numbers
                return process
    return None


def _find_process(machine: Machine) -> int | None:
    """Return a process with the command line of a table, if its user may run tables: any user can choose such a name.

    No other process is read: a process can make whoever reads its command line wait.
    """
    service = service_user(machine)
    users = {0, os.geteuid(), *([service.uid] if service is not None else [])}
    processes = (int(Path(name).name) for name in machine.names("/proc", "[0-9]*"))
    own = (process for process in processes if (at := machine.stat(f"/proc/{process}")) and at.st_uid in users)
    return next((process for process in own if _is_table(machine, process)), None)


def _is_table(machine: Machine, process: int) -> bool:
    words = (machine.text(f"/proc/{process}/cmdline") or "").split("\0")
    commands = [at for at, word in enumerate(words) if Path(word).name in ("dudo-table", "firmware_host.cli", "cli.py")]
    return process != os.getpid() and any(words[at + 1 : at + 2] == ["run"] for at in commands[:1])


def _read_state(path: Path) -> PublicState | None:
    """Return what a table says at a socket, or None for anything else: the first line is the table's state."""
    try:
        state = json.loads(_first_line(path))
        seats = enumerate(state["seats"][: SEATS.stop - 1])
        missing = {number: tuple(map(str, seat["missing"][:MAX_ITEMS])) for number, seat in seats if seat["missing"]}
        return PublicState(missing, tuple(map(str, state.get("troubles", ())[:MAX_ITEMS])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _first_line(path: Path) -> bytes:
    """Return the first line from a socket, or the part of it that came in time. Raises `OSError`."""
    until_s = time.monotonic() + ANSWER_TIMEOUT_S
    line = bytearray()
    with socket.socket(socket.AF_UNIX) as table:
        table.settimeout(ANSWER_TIMEOUT_S)
        table.connect(os.fspath(path))
        while b"\n" not in line and len(line) <= MAX_LINE_BYTES and (left_s := until_s - time.monotonic()) > 0:
            table.settimeout(left_s)
            if not (chunk := table.recv(1 << 16)):
                break
            line += chunk
    return bytes(line.partition(b"\n")[0])
