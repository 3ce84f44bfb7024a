"""Reads a file at a path from outside: only regular files with a bounded size.
Everything that opens such a file calls it: layouts, rules, records, the state folder, other programs' lock files. A
pipe, a device or a socket at the path raises `OSError` at once, without waiting.
"""

import errno
import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""O_NONBLOCK: a pipe may have no writer, and another process may hold a lease on a file (fcntl(2), F_SETLEASE)."""
_CHUNK_BYTES = 1 << 20
_KINDS = {
    stat.S_IFIFO: "is a pipe, not a file",
    stat.S_IFSOCK: "is a socket, not a file",
    stat.S_IFCHR: "is a device, not a file",
    stat.S_IFBLK: "is a device, not a file",
}


class UnfitFileError(OSError):
    """A path to an unfit file; `problem` is the reason."""

    def __init__(self, problem: str, path: str | Path) -> None:
        super().__init__(errno.EINVAL, problem, str(path))
        self.problem = problem


class TooLargeError(UnfitFileError):
    """A file with more bytes than allowed."""


class OutsideError(UnfitFileError):
    """A path that leads out of its folder."""


def read(path: str | Path, max_bytes: int, *, below: Path | None = None, flags: int = 0) -> bytes:
    """Return a regular file's content. Raises `OSError`, and `ValueError` for a name with a null byte.
    `flags` are further ones for open(2), such as O_NOFOLLOW. With `below` the file must lie in that folder or in one
    inside it, wherever links lead.
    """
    descriptor = opened(path, flags) if below is None else opened_below(path, below, flags)
    try:
        return first_bytes(descriptor, path, max_bytes)
    finally:
        os.close(descriptor)


def opened(path: str | Path, flags: int = 0) -> int:
    """Return a descriptor for reading a regular file. Raises `OSError`."""
    _check(os.stat(path, follow_symlinks=not flags & os.O_NOFOLLOW), path)  # opening some devices has effects
    descriptor = os.open(path, _FLAGS | flags)
    try:
        _check(os.fstat(descriptor), path)  # it may have been swapped since
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def opened_below(path: str | Path, below: Path, flags: int = 0) -> int:
    """Return a descriptor for reading a regular file in a folder or in one inside it, wherever links lead.

    Raises `OSError`.
    """
    descriptor = opened(path, flags)
    if not _real(descriptor, path).is_relative_to(folder := os.path.realpath(below)):
        os.close(descriptor)
        raise OutsideError(f"leads out of {folder}", path)
    return descriptor


def first_bytes(descriptor: int, path: str | Path, max_bytes: int) -> bytes:
    """Return everything in an open file. Raises `TooLargeError` for more than `max_bytes`."""
    content = bytearray()
    if os.fstat(descriptor).st_size <= max_bytes:
        while len(content) <= max_bytes:  # files in /proc have a size of 0
            if not (chunk := os.read(descriptor, min(max_bytes + 1 - len(content), _CHUNK_BYTES))):
                return bytes(content)
            content += chunk
    raise TooLargeError(f"is larger than {max_bytes >> 10} KiB", path)


def _check(found: os.stat_result, path: str | Path) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise UnfitFileError(_KINDS.get(stat.S_IFMT(found.st_mode), "is not a file"), path)


def _real(descriptor: int, path: str | Path) -> Path:
    """Return an open file's real path, from the kernel: a link may have been swapped since it was opened."""
    try:
        return Path(os.readlink(f"/proc/self/fd/{descriptor}"))
    except OSError:  # not on Linux
        return Path(os.path.realpath(path))
