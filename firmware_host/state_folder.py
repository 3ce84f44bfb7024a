"""The folder in which a daemon keeps its journal: the owner's alone, and one daemon's at a time."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from firmware_host.commands import Refusal

LOCK = "lock"


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
        raise Refusal("you have no home directory to keep the journal in; name a folder with --state") from None


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Hold `folder`, made if it is not there, against every other daemon. Raises `Refusal`.

    The kernel lets the lock go with the process, however that ends.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(f"{folder}: can't keep the journal there: {why}; name another folder with --state") from error
    try:
        _take(lock, folder)
        yield folder
    finally:
        os.close(lock)


def _take(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        problem = "another dudo-table keeps its journal there"
        raise Refusal(f"{folder}: {problem}; stop that one, or name another folder with --state") from error
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(f"{folder}: can't be locked: {why}; name another folder with --state") from error
