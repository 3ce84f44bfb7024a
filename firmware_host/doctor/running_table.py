"""This computer's running table, found without disturbing it, and its public state.

The lock on the state directory, read from the kernel's list and not taken, or its command line reveals its process. Its
state is the first line on its public socket; its last events give the reasons for missing devices.
"""

import os
import re
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from firmware_host.doctor.machine import Machine, service_user
from firmware_host.util.state_dir import LOCK
from firmware_host.wire import MAX_LINE_BYTES, DeviceLost, PublicState, read_known

UNIT = "dudo-table.service"
UNIT_FOLDERS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system", "/run/systemd/system")
ANSWER_TIMEOUT_S = 2.0
"""Seconds until a table must have sent its state."""
MAX_ANSWER_BYTES = 8 << 20
"""Maximum answer size in bytes, more than all stored events: a device may be missing for several matches."""
MAX_REASON = 300


Reasons = Mapping[tuple[int, str], str]
"""By seat and device, the reason for its loss, if the last events have it."""


@dataclass(frozen=True)
class RunningTable:
    """A running table here. `process` is None if unknown, `state` is None if it does not answer."""

    process: int | None = None
    state: PublicState | None = None
    reasons: Reasons = field(default_factory=dict)


def has_service(machine: Machine) -> bool:
    """Return whether this computer has the service installed."""
    return any(machine.path(f"{folder}/{UNIT}").exists() for folder in UNIT_FOLDERS)


def find_running_table(machine: Machine, state_dir: Path, sockets: Sequence[Path]) -> RunningTable | None:
    """Return this computer's running table, or None, without taking its lock."""
    process = _lock_holder(machine, state_dir / LOCK) or _find_process(machine)
    state, reasons = next((found for path in sockets if (found := _read_state(path)) is not None), (None, {}))
    return None if process is None and state is None else RunningTable(process or None, state, reasons)


def _lock_holder(machine: Machine, lock: Path) -> int | None:
    """Return the process holding the state directory's lock, from the kernel's list."""
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
    """Return a process with a table's command line, if its user may run tables: any user can choose such a name.

    Other processes are not read: a process can make readers of its command line wait.
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


def _read_state(path: Path) -> tuple[PublicState, Reasons] | None:
    """Return a table's state at a socket and the reasons for missing devices, or None for anything else."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as table:
        lines = _lines(table, path)
        state = read_known(next(lines, b""))
        if isinstance(state, PublicState):
            return state, _reasons(table, lines, state) if any(seat.missing for seat in state.seats) else {}
    return None


def _reasons(table: socket.socket, lines: Iterator[bytes], state: PublicState) -> Reasons:
    """Request the table's stored events, and return the reason for each loss among them."""
    reasons: dict[tuple[int, str], str] = {}
    if state.oldest is None:
        return reasons
    with suppress(OSError):
        table.sendall(msgspec.json.encode({"since": state.oldest - 1, "journal": state.journal}) + b"\n")
        for line in lines:
            match read_known(line):
                case DeviceLost(seat, device, why):
                    reasons[seat, device] = why[:MAX_REASON]
                case PublicState(since=int()):
                    break
    return reasons


def _lines(table: socket.socket, path: Path) -> Iterator[bytes]:
    """Connect, and yield the lines received in time; the last one may be incomplete. Raises `OSError`."""
    until_s = time.monotonic() + ANSWER_TIMEOUT_S
    rest, total = b"", 0
    table.settimeout(ANSWER_TIMEOUT_S)
    table.connect(os.fspath(path))
    while len(rest) <= MAX_LINE_BYTES and total <= MAX_ANSWER_BYTES and (left_s := until_s - time.monotonic()) > 0:
        table.settimeout(left_s)
        if not (chunk := table.recv(1 << 16)):
            break
        total += len(chunk)
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    yield rest
