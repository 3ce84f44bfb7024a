"""The serial devices that are plugged in, by the names the system gives their ports: which port is whose.

/dev/serial/by-id has a link for every port, named after the device's maker, model and own id: the same name whichever
socket the device is in. `wires.RealWires` opens ports by it; `strangers` looks here for devices that are nobody's.

Which program has a serial port open, as far as whoever asks may know: /proc tells root of all, others of their own.

`wires` asks before it opens a port, and the doctor. What keeps quiet in /proc may have left a lock of the UUCP kind, as
minicom does. On many systems anybody can write where these are, so a lock counts only if it belongs to somebody who
could open the port. All of this blocks for at most about `SEARCH_S`, unless the kernel hangs: call it on a thread.
"""

import errno
import grp
import os
import pwd
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from hardware.config import regular_file
from hardware.config.problems import escaped

SERIAL = Path("/dev/serial/by-id")


class Plug(NamedTuple):
    """A device in a socket. `mark` is another one each time it is plugged in."""

    name: str
    mark: int


def plugs(folder: Path = SERIAL) -> tuple[Plug, ...]:
    """What is plugged in, a device once. The folder comes with the first device: without it there is none."""
    found: list[Plug] = []
    for port in _ports(folder):
        try:
            mark = os.lstat(port).st_ctime_ns
        except OSError:
            continue  # it has just been pulled
        if not found or _device(found[-1].name) != _device(port.name):
            found.append(Plug(port.name, mark))
    return tuple(found)


def is_named_after(name: str, serial_id: str) -> bool:
    """Whether a port's name has this id in it, as a whole and in capitals or not."""
    return re.search(rf"(^|[_-]){re.escape(serial_id)}([_-]|$)", name, re.IGNORECASE) is not None


def is_own_name(name: str, identity: str) -> bool:
    """Whether a device that calls itself so is the only one whose port can have that name.

    It must be the end, where the system puts the device's own id: what is before it, others have as well.
    """
    return re.search(rf"(^|[_-]){re.escape(identity)}$", _device(name), re.IGNORECASE) is not None


def port_of(serial_id: str, folder: Path = SERIAL) -> Path:
    """The port of the one device with this id, the first where a device has several.

    Raises FileNotFoundError where there is none, OSError with both names where two devices have it.
    """
    found = [port for port in _ports(folder) if is_named_after(port.name, serial_id)]
    if not found:
        raise FileNotFoundError(errno.ENOENT, f"nothing in {folder} has {serial_id} in its name", str(folder))
    other = next((port for port in found if _device(port.name) != _device(found[0].name)), None)
    if other is not None:
        both = f"{found[0].name} and {other.name} both have {serial_id} in their names; pull one of them"
        raise OSError(errno.ENOTUNIQ, both)
    return found[0]


def _ports(folder: Path) -> Sequence[Path]:
    return sorted(port for port in folder.glob("*") if port.exists())


def _device(name: str) -> str:
    """A port's name without which of its device's interfaces it is."""
    return re.sub(r"-if[0-9a-f]{2}(-port\d+)?$", "", name)


ROOT = Path("/")
LOCKS = "run/lock/LCK.."
LOCK_BYTES = 64
"""The bytes of a lock file that are read; ten columns for the process and the name of its program take 27."""
GROUP = "dialout"
"""The group of the serial ports, on Debian and its derivatives."""
NAME_CHARACTERS = 32
"""The characters of a program's name that are shown; the kernel keeps 15, of its own threads' names more."""
SEARCH_S = 0.1
"""The seconds a search in /proc may take. A Pi's few hundred processes take a tenth; anybody may start thousands."""


@dataclass(frozen=True)
class Holder:
    """A process and what it is called. `lock` is the file that names it, where nothing else does; it may be stale."""

    process: int
    name: str
    lock: Path | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.process})"

    @property
    def remedy(self) -> str:
        """Return the command that has it let go of the port, or for a lock alone where to look."""
        if self.lock is not None:
            return f"look at {self.lock}: it is stale if no such program has the port, and may be taken away then"
        return _SERVICES.get(self.name, f"sudo kill {self.process}")

    @property
    def finding(self) -> str:
        """Tell who has the port open, or who has by a lock that may be stale."""
        if self.lock is not None:
            return f"the lock file {self.lock} says that {self} has it open"
        return f"{self} has it open"


_SERVICES = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "dudo-table": "sudo systemctl stop dudo-table",
}
"""What would be started again."""


def holder_of(port: Path, root: Path = ROOT) -> Holder | None:
    """Who else has a port open (`/dev/ttyACM0`, no link); None where nobody does, or nobody known. Blocks."""
    return next(_holders(str(port), root), None) or _locker(port, root)


def _holders(port: str, root: Path) -> Iterator[Holder]:
    """Yield every process with the port among its descriptors, as far as `SEARCH_S` allows."""
    processes = root / "proc"
    until_s = time.monotonic() + SEARCH_S
    for process in os.listdir(processes) if processes.is_dir() else ():
        if process.isdecimal() and int(process) != os.getpid():
            if _has_open(f"{root}/proc/{process}/fd", port, until_s):
                yield _named(int(process), root)
            if time.monotonic() > until_s:
                return


def _has_open(descriptors: str, port: str, until_s: float) -> bool:
    try:
        with os.scandir(descriptors) as entries:
            return any(_leads_to(entry.path, port) for entry in entries if time.monotonic() < until_s)
    except OSError:  # another user's, or it has just ended
        return False


def _leads_to(descriptor: str, port: str) -> bool:
    try:  # in a container another port may have the same name
        return os.readlink(descriptor) == port and os.path.samefile(descriptor, port)
    except OSError:
        return False


def _locker(port: Path, root: Path) -> Holder | None:
    """Whose lock is on a port: ten columns for the process, and sometimes its name behind them."""
    lock = root / f"{LOCKS}{port.name}"
    said = _read_lock(lock).split()
    if not said or not said[0].isdecimal():
        return None
    process = int(said[0])
    if process == os.getpid() or not _lives(process):
        return None
    return replace(_named(process, root, said[1] if len(said) > 1 else "a program"), lock=lock)


def _read_lock(lock: Path) -> str:
    """Return the first `LOCK_BYTES` of a lock that counts, nothing of any other."""
    try:
        descriptor = regular_file.opened(lock, os.O_NOFOLLOW)
    except OSError:
        return ""
    try:
        found = os.fstat(descriptor)
        counts = found.st_nlink == 1 and _may_open_ports(found.st_uid)  # a second name may be another's doing
        return os.read(descriptor, LOCK_BYTES).decode("ascii", "replace") if counts else ""
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _may_open_ports(user: int) -> bool:
    """Return whether a user is root, the one who asks, or in the group of the ports.

    The owner of a file is whoever made it: only root can give one away. Where the system hides its users behind one
    number, as from a service with PrivateUsers, that number is no member of any group, and only root's locks count.
    """
    if user in (0, os.geteuid()):
        return True
    try:
        group, account = grp.getgrnam(GROUP), pwd.getpwuid(user)
        return group.gr_gid in os.getgrouplist(account.pw_name, account.pw_gid)
    except (KeyError, OSError):  # no such group or user here
        return False


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
    """Return a process with the name it gives itself, which may be anything."""
    try:
        name = regular_file.read(root / "proc" / str(process) / "comm", 1 << 10).decode("utf-8", "replace").strip()
    except OSError:
        name = ""
    return Holder(process, escaped(name or otherwise)[:NAME_CHARACTERS])
