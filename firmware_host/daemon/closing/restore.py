"""Restoring a copy: `dudo-table restore` puts its files into the state folder, and layouts into another one. A copy is
read twice: first whole, to refuse a damaged or tampered one without a change. The second time its files are written
into a separate folder, and when all are on disk, each is moved to its place. This may run as root in a folder of the
table's user, so no link is followed, and each file gets the folder's owner. Everything here blocks.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from gzip import GzipFile
from pathlib import Path

from firmware_host.daemon.closing import archive
from firmware_host.daemon.closing.archive import HOUSE, OLD_COUNTERS, Member
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

MATCHES, LAYOUTS = "matches", "etc"
FOLDER_MODE = 0o755
_OF_HOUSE = (f"{HOUSE}-journal", f"{HOUSE}-shm", f"{HOUSE}-wal")
"""Files of SQLite that belong to the database which a restored one replaces.

Counters in a file of their own, those of an older version, replace the database too: its own counters would count on.
"""
_CHUNK = 1 << 20


@dataclass
class Restored:
    """The restored files."""

    matches: int = 0
    files: list[tuple[str, int]] = field(default_factory=list)
    """The other files, each with its mode."""
    left: list[str] = field(default_factory=list)
    """Layouts and rules left in the copy, as not requested."""


def restore(copy: Path, state: Path, layouts: Path | None = None) -> Restored:
    """Put a copy's files back into the state folder, and its layouts and rules into `layouts`, if given. Matches that
    are only in the state folder stay. Raises `UserError`, without a change unless the disk failed in between.
    """
    restored = Restored()
    for member, _ in archive.members(copy):
        if member.name.startswith(f"{LAYOUTS}/") and layouts is None:
            restored.left.append(member.name.partition("/")[2])
    for folder in (state, layouts):
        if folder is not None:
            try:
                _restore_into(folder, copy, restored, is_state=folder is state)
            except OSError as error:
                remedy = "make room there, or mend what is in the way, and run the command again"
                raise UserError(f"{folder}: can't be written: {reason_of(error)}; {remedy}") from error
    return restored


def _restore_into(folder: Path, copy: Path, restored: Restored, *, is_state: bool) -> None:
    with _workshop(folder) as (target, scratch):
        owner = os.fstat(target)
        names = []
        for number, (member, content) in enumerate(archive.members(copy)):
            if member.name.startswith(f"{LAYOUTS}/") is not is_state:
                _write(member, content, scratch, str(number), owner)
                names.append((str(number), member.name))
        os.sync()
        for part, name in names:
            _move(part, name, scratch, target, owner)
            if name.startswith(f"{MATCHES}/"):
                restored.matches += 1
            else:
                restored.files.append((str(folder / Path(name).name), archive.mode_of(name) or 0))
        os.fsync(target)


@contextmanager
def _workshop(folder: Path) -> Iterator[tuple[int, int]]:
    """Provide a folder and a new one within it, opened; the new one is removed in the end."""
    target = _open_folder(folder)
    own = ""
    try:
        own = tempfile.mkdtemp(prefix=".restored-", dir=folder)
        scratch = _open_folder(own)
        try:
            yield target, scratch
        finally:
            os.close(scratch)
    finally:
        shutil.rmtree(own, ignore_errors=True)
        os.close(target)


def _open_folder(folder: str | Path, within: int | None = None) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=within)


def _write(member: Member, content: GzipFile, scratch: int, part: str, owner: os.stat_result) -> None:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(part, flags, 0o600, dir_fd=scratch)
    with open(descriptor, "wb") as file:
        left = member.size
        while left and (data := content.read(min(left, _CHUNK))):
            file.write(data)
            left -= len(data)
        file.flush()
        _give(descriptor, archive.mode_of(member.name) or 0o600, owner)


def _move(part: str, name: str, scratch: int, target: int, owner: os.stat_result) -> None:
    folder, _, file = name.rpartition("/")
    if folder != MATCHES:
        replaced = {HOUSE: _OF_HOUSE, OLD_COUNTERS: (*_OF_HOUSE, HOUSE)}
        for old in replaced.get(name, ()):
            with suppress(FileNotFoundError):
                os.unlink(old, dir_fd=target)
        os.rename(part, file, src_dir_fd=scratch, dst_dir_fd=target)
        return
    with suppress(FileExistsError):
        os.mkdir(MATCHES, FOLDER_MODE, dir_fd=target)
    matches = _open_folder(MATCHES, target)
    try:
        _give(matches, FOLDER_MODE, owner)
        os.rename(part, file, src_dir_fd=scratch, dst_dir_fd=matches)
    finally:
        os.close(matches)


def _give(descriptor: int, mode: int, owner: os.stat_result) -> None:
    """Set an open file's mode and owner, whatever the umask."""
    os.fchmod(descriptor, mode)
    if not os.geteuid():
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
