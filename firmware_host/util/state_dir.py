"""The folder in which a daemon keeps its journal: the owner's alone, and one daemon's at a time."""

import fcntl
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware_host.errors import UserError

LOCK = "lock"

log = logging.getLogger("dudo-table")


def usual(environment: Mapping[str, str] = os.environ) -> Path:
    """Where systemd says, else the user's own folder for such things."""
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given)
    home = environment.get("XDG_STATE_HOME", "")
    if os.path.isabs(home):  # the specification has relative ones passed over
        return Path(home) / "dudo-table"
    try:
        return Path.home() / ".local/state/dudo-table"
    except RuntimeError:
        raise UserError("you have no home directory to keep the journal in; name a folder with --state") from None


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Hold `folder`, made if it is not there, against every other daemon. Raises `UserError` for one that is held.

    The kernel lets the lock go with the process, however that ends. A disk that lets nothing be written keeps nobody
    from playing: what can't be locked is not.
    """
    lock = _opened(folder)
    try:
        if lock is not None:
            _take(lock, folder)
        yield folder
    finally:
        if lock is not None:
            os.close(lock)


def _opened(folder: Path) -> int | None:
    """What is locked: a file in the folder; where none can be made or written, what is there, or the folder itself."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (NotADirectoryError, FileExistsError) as error:
        why = (error.strerror or str(error)).lower()
        raise UserError(f"{folder}: can't keep the journal there: {why}; name another folder with --state") from error
    except OSError:
        pass  # the journal says what is wrong
    file = folder / LOCK
    for path, flags in ((file, os.O_CREAT | os.O_RDWR), (file, os.O_RDONLY), (folder, os.O_RDONLY | os.O_DIRECTORY)):
        with suppress(OSError):
            return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW, 0o600)  # a pipe can be in the file's place
    return None


def _take(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        problem = "another dudo-table keeps its journal there"
        raise UserError(f"{folder}: {problem}; stop that one, or name another folder with --state") from error
    except OSError as error:
        log.warning("%s: can't be locked: %s", folder, error.strerror or error)
