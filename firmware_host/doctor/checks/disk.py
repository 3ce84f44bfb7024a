"""The state directory and its disk: free space, write access and owner."""

import os
from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, right, unknown, wrong
from firmware_host.util.counted import counted

MIN_FREE_BYTES = 50 << 20
"""Free bytes. A match takes a few hundred kilobytes; the rest is for the system's log."""

READ_ONLY = os.ST_RDONLY


def check(context: Context) -> Iterator[Finding]:
    """Yield findings on the file system, its error count, and the directory."""
    folder = context.state
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    sizes = os.statvfs(above)
    free = sizes.f_bavail * sizes.f_frsize
    if sizes.f_flag & READ_ONLY:
        yield wrong(f"the file system of {folder} is read-only: nothing is saved", _remount(above))
    elif free < MIN_FREE_BYTES:
        yield wrong(f"{_megabytes(free)} MB are free where {folder} is: the disk is nearly full", _ROOM)
    elif sizes.f_files and not sizes.f_favail:
        yield wrong(f"no more files can be made where {folder} is", _ROOM)
    else:
        yield right(f"{_megabytes(free)} MB are free where {folder} is")
    yield from _errors(context)
    yield from _folder(context, folder)


def _errors(context: Context) -> Iterator[Finding]:
    for name in context.machine.names("/sys/fs/ext4", "*/errors_count"):
        if errors := context.machine.number(name):
            device = Path(name).parent.name
            yield wrong(f"the file system on {device} has had {counted(errors, 'error')}", _CARD)


def _folder(context: Context, folder: Path) -> Iterator[Finding]:
    user = context.user
    try:
        at = folder.stat()
    except PermissionError:
        yield unknown(f"{folder} can't be read by you", "sudo dudo-table doctor")
        return
    except FileNotFoundError:
        yield right(f"{folder} does not exist yet; the first run makes it")
        return
    others = sorted(_not_of(user.uid, folder)) if user.uid else []
    if others:
        what = f"{', '.join(others)} in {folder} can't be written by {user.name}, who runs the table"
        yield wrong(what, f"sudo chown -R {user.name}: {folder}")
    elif not user.may_use(at):
        yield wrong(f"{folder} can't be written by {user.name}, who runs the table", _chown(user.name, folder))
    else:
        yield right(f"{folder} belongs to {user.name}")


def _not_of(uid: int, folder: Path) -> Iterator[str]:
    """Yield the names of other users' files."""
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
