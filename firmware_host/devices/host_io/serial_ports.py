"""This computer's serial ports: the plugged-in devices, and the programs using the ports.

/dev/serial/by-id has a link for every port, named after the device's maker, model and serial number. The name is the
same whichever socket the device is in. `host_io.ports` opens ports by it; `pairing.scanner` looks there for devices
without a seat.

`holder_of` finds the program using a port: `host_io.ports` asks it before opening a port, and so does the doctor. /proc
shows root all processes, and other users their own. Programs such as minicom also leave a UUCP lock file. On many
systems any user can write to the folder of these locks, so a lock counts only if its owner could open the port. The
search blocks for about `SEARCH_TIMEOUT_S`, or longer if the kernel hangs: call it on a thread.
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
ROOT = Path("/")
LOCKS = "run/lock/LCK.."
MAX_LOCK_BYTES = 64
"""Bytes read from a lock file; ten columns for the process and its program's name take 27."""
GROUP = "dialout"
"""Group owning the serial ports on Debian and its derivatives."""
MAX_NAME_CHARACTERS = 32
"""Characters shown from a program's name; the kernel keeps 15, more for its own threads."""
SEARCH_TIMEOUT_S = 0.1
"""Seconds a search in /proc may take. A Pi's few hundred processes take a tenth; any user may start thousands."""

_SERVICES = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "dudo-table": "sudo systemctl stop dudo-table",
}
"""Programs that would be restarted if killed, each with the command to stop them."""


class PluggedDevice(NamedTuple):
    """A serial device by its port's name, and the time of plugging it in."""

    name: str
    inserted_at_ns: int


def plugged_devices(folder: Path = SERIAL) -> tuple[PluggedDevice, ...]:
    """Return the plugged-in devices, each once. The system makes the folder for the first device."""
    found: list[PluggedDevice] = []
    for port in _ports(folder):
        try:
            inserted_at_ns = os.lstat(port).st_ctime_ns
        except OSError:
            continue  # it has just been unplugged
        if not found or _device(found[-1].name) != _device(port.name):
            found.append(PluggedDevice(port.name, inserted_at_ns))
    return tuple(found)


def is_named_after(name: str, serial_id: str) -> bool:
    """Return whether a port's name contains this id as a whole word; case does not matter."""
    return re.search(rf"(^|[_-]){re.escape(serial_id)}([_-]|$)", name, re.IGNORECASE) is not None


def is_own_name(name: str, identity: str) -> bool:
    """Return whether only a device with this identity can have a port of this name.

    The identity must be at the end, where the system puts the serial number; other devices share the text before it.
    """
    return re.search(rf"(^|[_-]){re.escape(identity)}$", _device(name), re.IGNORECASE) is not None


def port_of(serial_id: str, folder: Path = SERIAL) -> Path:
    """Return a device's port by its id, the first one if the device has several.

    Raises FileNotFoundError without one, and OSError with both names if two devices match.
    """
    found = [port for port in _ports(folder) if is_named_after(port.name, serial_id)]
    if not found:
        raise FileNotFoundError(errno.ENOENT, f"nothing in {folder} has {serial_id} in its name", str(folder))
    other = next((port for port in found if _device(port.name) != _device(found[0].name)), None)
    if other is not None:
        both = f"{found[0].name} and {other.name} both have {serial_id} in their names; unplug one of them"
        raise OSError(errno.ENOTUNIQ, both)
    return found[0]


def _ports(folder: Path) -> Sequence[Path]:
    return sorted(port for port in folder.glob("*") if port.exists())


def _device(name: str) -> str:
    """Return a port's name without the interface number."""
    return re.sub(r"-if[0-9a-f]{2}(-port\d+)?$", "", name)


@dataclass(frozen=True)
class Holder:
    """A process with its name. `lock` is set where only this lock file names the process; it may be stale."""

    process: int
    name: str
    lock: Path | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.process})"

    @property
    def remedy(self) -> str:
        """The command to make it release the port, or the place to look for a mere lock file."""
        if self.lock is not None:
            return f"look at {self.lock}: if no such program has the port open, the file is stale and can be removed"
        return _SERVICES.get(self.name, f"sudo kill {self.process}")

    @property
    def finding(self) -> str:
        """A sentence naming the program holding the port open."""
        if self.lock is not None:
            return f"the lock file {self.lock} says that {self} has it open"
        return f"{self} has it open"


def holder_of(port: Path, root: Path = ROOT) -> Holder | None:
    """Return another process using a port (`/dev/ttyACM0`, not a link), or None. Blocks."""
    return next(_holders(str(port), root), None) or _locker(port, root)


def _holders(port: str, root: Path) -> Iterator[Holder]:
    """Yield every process with the port among its descriptors, until `SEARCH_TIMEOUT_S` has passed."""
    processes = root / "proc"
    until_s = time.monotonic() + SEARCH_TIMEOUT_S
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
    except OSError:  # another user's process, or one that has just ended
        return False


def _leads_to(descriptor: str, port: str) -> bool:
    try:  # in a container another port may have the same name
        return os.readlink(descriptor) == port and os.path.samefile(descriptor, port)
    except OSError:
        return False


def _locker(port: Path, root: Path) -> Holder | None:
    """Return the process in a port's lock file: ten columns for its number, then perhaps its name."""
    lock = root / f"{LOCKS}{port.name}"
    said = _read_lock(lock).split()
    if not said or not said[0].isdecimal():
        return None
    process = int(said[0])
    if process == os.getpid() or not _lives(process):
        return None
    return replace(_named(process, root, said[1] if len(said) > 1 else "a program"), lock=lock)


def _read_lock(lock: Path) -> str:
    """Return the first `MAX_LOCK_BYTES` of a valid lock file, else an empty text."""
    try:
        descriptor = regular_file.opened(lock, os.O_NOFOLLOW)
    except OSError:
        return ""
    try:
        found = os.fstat(descriptor)
        counts = found.st_nlink == 1 and _may_open_ports(found.st_uid)  # another user may have made a second name
        return os.read(descriptor, MAX_LOCK_BYTES).decode("ascii", "replace") if counts else ""
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _may_open_ports(user: int) -> bool:
    """Return whether a user is root, this process's user, or in the ports' group.

    A file's owner is its creator: only root can change that. A service with PrivateUsers sees all other users as one
    number without groups, so only root's locks count there.
    """
    if user in (0, os.geteuid()):
        return True
    try:
        group, account = grp.getgrnam(GROUP), pwd.getpwuid(user)
        return group.gr_gid in os.getgrouplist(account.pw_name, account.pw_gid)
    except (KeyError, OSError):  # no such group or user here
        return False


def _lives(process: int) -> bool:
    if process <= 0:  # kill() would take them for groups
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _named(process: int, root: Path, otherwise: str = "a program") -> Holder:
    """Return a process with its self-chosen name, which may be any text."""
    try:
        name = regular_file.read(root / "proc" / str(process) / "comm", 1 << 10).decode("utf-8", "replace").strip()
    except OSError:
        name = ""
    return Holder(process, escaped(name or otherwise)[:MAX_NAME_CHARACTERS])
