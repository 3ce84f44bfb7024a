"""The state directory, for a daemon's journal: private to its user, and locked by one daemon at a time."""

import fcntl
import logging
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

LOCK = "lock"

log = logging.getLogger("dudo-table")


def default(environment: Mapping[str, str] = os.environ) -> Path:
    """Return systemd's state directory, else the user's by the XDG specification.

    Raises `UserError` for a user without a home directory.
    """
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given)
    home = environment.get("XDG_STATE_HOME", "")
    if os.path.isabs(home):  # the specification says to ignore relative paths
        return Path(home) / "dudo-table"
    try:
        return Path.home() / ".local/state/dudo-table"
    except RuntimeError:
        raise UserError("you have no home directory to keep the journal in; name a folder with --state") from None


@contextmanager
def locked(folder: Path) -> Iterator[Path]:
    """Make `folder` if it is missing and lock it. Raises `UserError` where another daemon holds the lock.

    The kernel releases the lock with the process. An unlockable folder, as on a read-only disk, is used without a lock:
    people can still play.
    """
    lock = _open_lock(folder)
    try:
        if lock is not None:
            _lock(lock, folder)
        yield folder
    finally:
        if lock is not None:
            os.close(lock)


def require_file(path: Path, remedy: str) -> None:
    """Raise `UserError` if `path` exists and is no file; `remedy` describes the start without it."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise UserError(f"{path}: is not a file; move it away, and {remedy}")


def create_file(path: Path, mode: int) -> None:
    """Make sure of a writable file, owned by its folder's user. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, mode)
    try:
        if os.geteuid() == 0:
            owner = path.parent.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    finally:
        os.close(descriptor)


def _open_lock(folder: Path) -> int | None:
    """Open the object to lock: a file in the folder, read-only if necessary, or the folder itself."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (NotADirectoryError, FileExistsError) as error:
        why = reason_of(error)
        raise UserError(f"{folder}: can't keep the journal there: {why}; name another folder with --state") from error
    except OSError:
        pass  # the journal reports the cause
    file = folder / LOCK
    for path, flags in ((file, os.O_CREAT | os.O_RDWR), (file, os.O_RDONLY), (folder, os.O_RDONLY | os.O_DIRECTORY)):
        with suppress(OSError):
            return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW, 0o600)  # the file may be a pipe
    return None


def _lock(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        problem = "another dudo-table keeps its journal there"
        raise UserError(f"{folder}: {problem}; stop that one, or name another folder with --state") from error
    except OSError as error:
        log.warning("%s: can't be locked: %s", folder, reason_of(error))
