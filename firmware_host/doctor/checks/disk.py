"""The disk below the state folder, and the folder itself: room, whether it can be written, and whose it is."""

import os
from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, right, unknown, wrong

NAME = "disk"
LEAST_BYTES = 50 << 20
"""A match takes a few hundred kilobytes; the rest is for the system's own log."""

READ_ONLY = os.ST_RDONLY


def check(patient: Patient) -> Iterator[Finding]:
    """The file system, the card's own count of errors, and the folder."""
    folder = patient.state
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    sizes = os.statvfs(above)
    free = sizes.f_bavail * sizes.f_frsize
    if sizes.f_flag & READ_ONLY:
        yield wrong(NAME, f"the file system of {folder} is read-only: nothing is kept", _remount(above))
    elif free < LEAST_BYTES:
        yield wrong(NAME, f"{_megabytes(free)} MB are free where {folder} is: the disk is nearly full", _ROOM)
    elif sizes.f_files and not sizes.f_favail:
        yield wrong(NAME, f"there is no room for another file where {folder} is", _ROOM)
    else:
        yield right(NAME, f"{_megabytes(free)} MB are free where {folder} is")
    yield from _errors(patient)
    yield from _folder(patient, folder)


def _errors(patient: Patient) -> Iterator[Finding]:
    for name in patient.machine.names("/sys/fs/ext4", "*/errors_count"):
        if errors := patient.machine.number(name):
            device = Path(name).parent.name
            yield wrong(NAME, f"the file system on {device} has had {errors} errors", _CARD)


def _folder(patient: Patient, folder: Path) -> Iterator[Finding]:
    user = patient.user
    try:
        at = folder.stat()
    except PermissionError:
        yield unknown(NAME, f"{folder} can't be looked into by you", "sudo dudo-table doctor")
        return
    except FileNotFoundError:
        yield right(NAME, f"{folder} is not there yet; the first run makes it")
        return
    strangers = sorted(_not_of(user.uid, folder)) if user.uid else []
    if strangers:
        what = f"{', '.join(strangers)} in {folder} can't be written by {user.name}, who runs the table"
        yield wrong(NAME, what, f"sudo chown -R {user.name}: {folder}")
    elif not user.may_use(at):
        yield wrong(NAME, f"{folder} can't be written by {user.name}, who runs the table", _chown(user.name, folder))
    else:
        yield right(NAME, f"{folder} is {user.name}'s")


def _not_of(uid: int, folder: Path) -> Iterator[str]:
    """The names of files that are somebody else's."""
    try:
        yield from (path.name for path in folder.iterdir() if path.lstat().st_uid != uid)
    except OSError:
        return


def _chown(name: str, folder: Path) -> str:
    return f"sudo chown -R {name}: {folder} && sudo chmod 700 {folder}"


def _remount(path: Path) -> str:
    while not os.path.ismount(path) and path != path.parent:
        path = path.parent
    return f"sudo mount -o remount,rw {path}"


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f}"


_ROOM = "sudo journalctl --vacuum-size=50M && sudo apt clean"
_CARD = "the card is wearing out: copy it to a new one"
