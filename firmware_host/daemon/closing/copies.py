"""Copies of a table's data, each one file: `dudo-table-bar-2026-11-23-040100.tar.gz`.

A copy has the matches, staff settings, counters, figures, and the owner's layouts and rules. It never has the journal,
because that holds dice. `backup` writes copies to USB drives and into folders. Everything here blocks.

Older copies make room in the order of the numbers in them: a clock may be wrong by years. A file without this
computer's proof is never counted or removed, whatever its name.
"""

import errno
import gzip
import io
import os
import re
import sqlite3
import stat
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from firmware_host.daemon.closing import archive
from firmware_host.daemon.closing.archive import HOUSE, MAX_FILE_BYTES, STATE_FILES, SUFFIX
from firmware_host.errors import UserError
from firmware_host.table.staff.machine import JobOutcome
from firmware_host.util import atomic_file
from firmware_host.util.system_error import reason_of
from hardware.config.problems import escaped

MAX_COPIES = 7
"""Copies from one computer on a USB drive, including the new one."""
MAX_LOOKED_AT = 1000
"""Files opened by their copy-like name to find the older copies."""
PART = ".part"
LOCKED_S = 5.0
_CHUNK = 1 << 20


class BackupError(UserError):
    """A failed copy. The text names drive or folder, reason and remedy."""

    def __init__(self, text: str, outcome: JobOutcome = JobOutcome.NO_COPY) -> None:
        super().__init__(text)
        self.outcome = outcome


class Sources(NamedTuple):
    """Copied folders: the table's state, and the owner's configuration."""

    state: Path
    configuration: Path


@dataclass
class Copy:
    """A written copy: its file, its content, and the unreadable parts of the table."""

    file: Path
    digest: str = ""
    size: int = 0
    matches: int = 0
    problems: list[str] = field(default_factory=list)


class _Hashed(io.RawIOBase):
    """A file that hashes written data."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = sha256()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        written = self._file.write(data)
        self.hash.update(data)
        self.size += written
        return written


def write_copy(sources: Sources, folder: Path, host: str, stamp: str) -> Copy:
    """Write a copy into `folder` and return it once it is on the disk. Older ones make room; the newest stays.

    `stamp` is the local time as in 2026-11-23-040100. Raises `BackupError`.
    """
    own = re.sub(r"[^0-9A-Za-z-]", "-", host)[:32] or "table"
    try:
        _forget_parts(folder, own)
        older = _copies(folder, own)
        number = older[-1][0] + 1 if older else 1
        while len(older) >= MAX_COPIES:
            older.pop(0)[1].unlink()
        while True:
            try:
                return _write(sources, folder, own, stamp, number)
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT) or len(older) < 2:
                    raise
                _forget_parts(folder, own)
                older.pop(0)[1].unlink()
    except OSError as error:
        with suppress(OSError):
            _forget_parts(folder, own)
        raise _failed(str(folder), error) from error


def check_copy(copy: Copy) -> None:
    """Read a copy back and compare it with the written data. Raises `BackupError`; a differing copy is removed."""
    digest = sha256()
    try:
        with open(copy.file, "rb") as file:
            while data := file.read(_CHUNK):
                digest.update(data)
    except OSError as error:
        raise _failed(f"{copy.file}: can't be read back", error) from error
    if digest.hexdigest() != copy.digest:
        with suppress(OSError):
            copy.file.unlink()
        raise BackupError(f"{copy.file}: what is read back is not what was written; use another stick")


def _copies(folder: Path, host: str) -> list[tuple[int, Path]]:
    """Return this computer's whole copies with their numbers, the oldest first."""
    named = islice(_named(folder, host, SUFFIX), MAX_LOOKED_AT)
    return sorted((number, file) for file in named if (number := archive.number_of(file)) is not None)


def _forget_parts(folder: Path, host: str) -> None:
    """Remove an interrupted copy's remains."""
    for file in _named(folder, host, SUFFIX + PART):
        with suppress(IsADirectoryError):  # which no copy makes
            file.unlink()


def _named(folder: Path, host: str, suffix: str) -> Iterator[Path]:
    """Yield files named like a computer's copy, however many others are on a drive.

    One by one: a list of millions of names would exceed the service's memory, and cost the next drive its copy.
    """
    pattern = re.compile(rf"dudo-table-{re.escape(host)}-\d{{4}}-\d\d-\d\d-\d{{6}}(-\d)?{re.escape(suffix)}")
    with os.scandir(folder) as entries:
        yield from (Path(entry.path) for entry in entries if pattern.fullmatch(entry.name))


def _write(sources: Sources, folder: Path, host: str, stamp: str, number: int) -> Copy:
    names = (f"dudo-table-{host}-{stamp}{again}{SUFFIX}" for again in ("", *(f"-{each}" for each in range(2, 10))))
    free = next((folder / name for name in names if not os.path.lexists(folder / name)), None)
    if free is None:
        raise FileExistsError(errno.EEXIST, "nine copies have this time in their names")
    copy = Copy(free)
    part = free.with_name(free.name + PART)
    descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        hashed = _Hashed(file)
        with (
            gzip.GzipFile(fileobj=hashed, mode="wb", compresslevel=6, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as tar,
        ):
            archive.write_seal(tar, free.name, number)
            _add_all(sources, tar, copy)
        file.flush()
        os.fsync(descriptor)
    part.rename(free)
    atomic_file.fsync_dir(folder)
    copy.digest, copy.size = hashed.hash.hexdigest(), hashed.size
    return copy


def _add_all(sources: Sources, tar: tarfile.TarFile, copy: Copy) -> None:
    matches = _small_files(sources.state / "matches", ".dudo", copy)
    copy.matches = sum(_add(tar, f"matches/{name}", data, copy) for name, data in matches)
    for name, data in _small_files(sources.configuration, ".toml", copy):
        _add(tar, f"etc/{name}", data, copy)
    for name, data in _small_files(sources.state, ".toml", copy):
        if name in STATE_FILES:
            _add(tar, name, data, copy)
    with tempfile.TemporaryDirectory(prefix="dudo-table-") as scratch:
        house = Path(scratch) / HOUSE
        try:
            _snapshot(sources.state / HOUSE, house)
        except (sqlite3.Error, OSError) as error:
            copy.problems.append(f"{HOUSE} is left out with its counters: {error}; dudo-table stats makes it again")
        else:
            if house.exists():
                with house.open("rb") as file:
                    archive.write(tar, HOUSE, file, house.stat().st_size)


def _add(tar: tarfile.TarFile, name: str, data: bytes, copy: Copy) -> bool:
    """Add a restorable file, or note its unusable name."""
    try:
        if archive.mode_of(name) is None:
            raise ValueError("no file of a table has this name")
        archive.write(tar, name, io.BytesIO(data), len(data))
    except ValueError as error:
        copy.problems.append(f"{escaped(name)} is left out: {error}; rename it")
        return False
    return True


def _small_files(folder: Path, suffix: str, copy: Copy) -> Iterator[tuple[str, bytes]]:
    """Yield a folder's plain files, without following a link: this may run as root."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno != errno.ENOENT:
            copy.problems.append(f"{folder} is left out: {reason_of(error)}")
        return
    try:
        for name in sorted(os.listdir(descriptor)):
            if not name.endswith(suffix) or name.startswith("."):
                continue
            try:
                data = _content(name, descriptor)
            except FileNotFoundError:  # removed meanwhile
                continue
            except OSError as error:
                copy.problems.append(f"{escaped(name)} is left out: {reason_of(error)}")
            else:
                yield name, data
    finally:
        os.close(descriptor)


def _content(name: str, folder: int) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(name, flags, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MAX_FILE_BYTES >> 20} MB")
    return data


def _snapshot(house: Path, into: Path) -> None:
    """Copy the database, if any, as it stands between two transactions."""
    if house.is_symlink() or not house.is_file():
        return
    with (
        closing(sqlite3.connect(f"{house.absolute().as_uri()}?mode=ro", uri=True, timeout=LOCKED_S)) as kept,
        closing(sqlite3.connect(into)) as copied,
    ):
        kept.backup(copied)


_FULL = JobOutcome.STICK_FULL, "is full; delete files on it, or take a larger stick"
_FORBIDDEN = JobOutcome.NO_COPY, "this user may not write there; run the command with sudo"
_FAILURES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: (JobOutcome.NO_COPY, "takes no file of this size; format the stick as exFAT or ext4"),
    errno.EROFS: (JobOutcome.READ_ONLY, "is read-only; move the switch of the stick, or use another one"),
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EIO: (
        JobOutcome.PULLED_OUT,
        "the stick was pulled out, or is broken; older copies on it are as they were",
    ),
    errno.ENODEV: (JobOutcome.PULLED_OUT, "the stick was pulled out; older copies on it are as they were"),
    errno.ENOENT: (JobOutcome.NO_COPY, "there is no such folder; make it, or name another one"),
    errno.ENOTDIR: (JobOutcome.NO_COPY, "is not a folder; name another one"),
}
"""Failures as staff see them at their display, each with reason and remedy."""


def _failed(place: str, error: OSError) -> BackupError:
    """Return the error for a failure at a folder or file."""
    outcome, why = _FAILURES.get(error.errno or 0, (JobOutcome.NO_COPY, f"{reason_of(error)}; try another stick"))
    return BackupError(f"{place}: {why}", outcome)
