"""Facts about this computer: files below a root folder, the output of a few commands, and its users.

It only reads. An unreadable file counts as missing. Tests use their own root folder.
"""

import os
import stat
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from hardware.config import regular_file

COMMAND_TIMEOUT_S = 3.0
MAX_BYTES = 1 << 20
"""Maximum file size in bytes; the longest one read is /proc/locks, with 70 bytes a lock."""
SERVICE_USER = "dudo-table"

Run = Callable[[Sequence[str]], str | None]


def run_command(command: Sequence[str]) -> str | None:
    """Return a command's output; None if it is missing, fails, or takes too long."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return None
    return done.stdout.strip()


class Machine:
    """The computer with its files below `root`; `run` runs its commands."""

    def __init__(self, root: Path = Path("/"), run: Run = run_command) -> None:
        self.root = root
        self.run = run

    def __repr__(self) -> str:
        return f"<Machine at {self.root}>"

    def path(self, name: str) -> Path:
        """Return the path of the computer's file `name`."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """Return a file's text, stripped of blanks and zero bytes; None if it can't be read."""
        try:
            return regular_file.read(self.path(name), MAX_BYTES).decode("utf-8", "replace").strip(" \t\r\n\0")
        except OSError:
            return None

    def number(self, name: str) -> int | None:
        """Return the whole number in a file, or None."""
        try:
            return int(self.text(name) or "")
        except ValueError:
            return None

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        """Return the paths of a folder's entries, as the computer names them."""
        found = sorted(self.path(folder).glob(pattern))
        return [f"/{path.relative_to(self.root)}" for path in found]

    def stat(self, name: str) -> os.stat_result | None:
        """Return a file's owner and mode; None if it is missing."""
        try:
            return self.path(name).stat()
        except OSError:
            return None


class User(Struct, frozen=True):
    """A user of this computer. `login_groups` are the current login's groups, None for another user."""

    name: str
    uid: int
    groups: frozenset[int]
    login_groups: frozenset[int] | None = None

    def may_use(self, at: os.stat_result, *, login: bool = False) -> bool:
        """Return whether the user may read and write a file; with `login`, by the current login's groups."""
        groups = self.login_groups if login and self.login_groups is not None else self.groups
        if self.uid == 0:
            return True
        if at.st_uid == self.uid:
            return bool(at.st_mode & stat.S_IRUSR and at.st_mode & stat.S_IWUSR)
        if at.st_gid in groups:
            return bool(at.st_mode & stat.S_IRGRP and at.st_mode & stat.S_IWGRP)
        return bool(at.st_mode & stat.S_IROTH and at.st_mode & stat.S_IWOTH)


def service_user(machine: Machine) -> User | None:
    """Return the daemon's user, made by the package; None without one."""
    for row in _rows(machine, "/etc/passwd"):
        if row[0] == SERVICE_USER and len(row) > 3:
            return User(row[0], int(row[2]), groups_of(machine, row[0], int(row[3])))
    return None


def current_user(machine: Machine) -> User:
    """Return this process's user."""
    uid = os.geteuid()
    login = frozenset({os.getegid(), *os.getgroups()})
    for row in _rows(machine, "/etc/passwd"):
        if len(row) > 3 and row[2] == str(uid):
            return User(row[0], uid, groups_of(machine, row[0], int(row[3])), login)
    return User(f"user {uid}", uid, login, login)


def groups_of(machine: Machine, name: str, own: int) -> frozenset[int]:
    """Return a user's groups in /etc/group, and the user's own group."""
    rows = (row for row in _rows(machine, "/etc/group") if len(row) > 3)
    return frozenset({own, *(int(row[2]) for row in rows if name in row[3].split(","))})


def group_name(machine: Machine, gid: int) -> str:
    """Return a group's name."""
    return next((row[0] for row in _rows(machine, "/etc/group") if len(row) > 2 and row[2] == str(gid)), str(gid))


def _rows(machine: Machine, file: str) -> list[list[str]]:
    lines = (machine.text(file) or "").splitlines()
    return [line.split(":") for line in lines if line.count(":") > 1]
