"""Who runs the table: a user, the groups that user is in, and what may be touched with them."""

import os
import stat

from msgspec import Struct

from firmware_host.doctor.machine import Machine

SERVICE_USER = "dudo-table"


class User(Struct, frozen=True):
    """A user of this computer. `login_groups` are those of this very login, None where it is somebody else's."""

    name: str
    uid: int
    groups: frozenset[int]
    login_groups: frozenset[int] | None = None

    def may_use(self, at: os.stat_result, *, login: bool = False) -> bool:
        """Whether the user may read and write a thing; with `login` by the groups of this login."""
        groups = self.login_groups if login and self.login_groups is not None else self.groups
        if self.uid == 0:
            return True
        if at.st_uid == self.uid:
            return bool(at.st_mode & stat.S_IRUSR and at.st_mode & stat.S_IWUSR)
        if at.st_gid in groups:
            return bool(at.st_mode & stat.S_IRGRP and at.st_mode & stat.S_IWGRP)
        return bool(at.st_mode & stat.S_IROTH and at.st_mode & stat.S_IWOTH)


def service_user(machine: Machine) -> User | None:
    """The user the package makes for the daemon; None where there is none."""
    for row in _rows(machine, "/etc/passwd"):
        if row[0] == SERVICE_USER and len(row) > 3:
            return User(row[0], int(row[2]), groups_of(machine, row[0], int(row[3])))
    return None


def myself(machine: Machine) -> User:
    """Whoever asks."""
    uid = os.geteuid()
    login = frozenset({os.getegid(), *os.getgroups()})
    for row in _rows(machine, "/etc/passwd"):
        if len(row) > 3 and row[2] == str(uid):
            return User(row[0], uid, groups_of(machine, row[0], int(row[3])), login)
    return User(f"user {uid}", uid, login, login)


def groups_of(machine: Machine, name: str, own: int) -> frozenset[int]:
    """The groups that /etc/group has a user in, and the user's own one."""
    rows = (row for row in _rows(machine, "/etc/group") if len(row) > 3)
    return frozenset({own, *(int(row[2]) for row in rows if name in row[3].split(","))})


def group_name(machine: Machine, gid: int) -> str:
    """What a group is called."""
    return next((row[0] for row in _rows(machine, "/etc/group") if len(row) > 2 and row[2] == str(gid)), str(gid))


def _rows(machine: Machine, file: str) -> list[list[str]]:
    lines = (machine.text(file) or "").splitlines()
    return [line.split(":") for line in lines if line.count(":") > 1]
