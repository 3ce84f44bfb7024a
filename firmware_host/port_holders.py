"""Which program has a serial port open, as far as whoever asks may know: /proc tells root of all, others of their own.

`wires` asks before it opens a port, and the doctor. What keeps quiet in /proc may have left a lock of the UUCP kind, as
minicom does, which everybody can read.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path("/")
LOCKS = "run/lock/LCK.."


class Holder(NamedTuple):
    """A process and what it is called."""

    process: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.process})"

    @property
    def remedy(self) -> str:
        """The command that has it let go of the port."""
        return _SERVICES.get(self.name, f"sudo kill {self.process}")


_SERVICES = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "dudo-table": "sudo systemctl stop dudo-table",
}
"""What would be started again."""


def holder_of(port: Path, root: Path = ROOT) -> Holder | None:
    """Who else has a port open (`/dev/ttyACM0`, no link); None where nobody does, or nobody known."""
    return next(_holders(str(port), root), None) or _locker(port, root)


def _holders(port: str, root: Path) -> Iterator[Holder]:
    processes = root / "proc"
    for process in os.listdir(processes) if processes.is_dir() else ():
        if process.isdecimal() and int(process) != os.getpid() and _has_open(f"{root}/proc/{process}/fd", port):
            yield _named(int(process), root)


def _has_open(descriptors: str, port: str) -> bool:
    try:
        names = os.listdir(descriptors)
    except OSError:  # another user's, or it has just ended
        return False
    return any(_leads_to(f"{descriptors}/{name}", port) for name in names)


def _leads_to(descriptor: str, port: str) -> bool:
    try:  # in a container another port may have the same name
        return os.readlink(descriptor) == port and os.path.samefile(descriptor, port)
    except OSError:
        return False


def _locker(port: Path, root: Path) -> Holder | None:
    """Whose lock is on a port: ten columns for the process, and sometimes its name behind them."""
    try:
        said = (root / f"{LOCKS}{port.name}").read_text("ascii", "replace").split()
        process = int(said[0])
    except (OSError, ValueError, IndexError):
        return None
    if process == os.getpid() or not _lives(process):
        return None
    return _named(process, root, said[1] if len(said) > 1 else "a program")


def _lives(process: int) -> bool:
    if process <= 0:  # to kill() these are groups
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _named(process: int, root: Path, otherwise: str = "a program") -> Holder:
    try:
        name = (root / "proc" / str(process) / "comm").read_text("utf-8", "replace").strip()
    except OSError:
        name = ""
    return Holder(process, name or otherwise)
