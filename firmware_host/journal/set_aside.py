"""Puts a journal that can't be used under another name, so that nothing of it is overwritten: for `journal`."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware_host.whole_file import keep_names

LOG_SUFFIXES = ("-wal", "-shm")
_PROBE = bytes(4096)


def set_aside(path: Path, why: str) -> Path:
    """Rename `journal.sqlite` and its logs, as `journal.damaged-1.sqlite` where `why` is "damaged". Raises `OSError`.

    The file goes first: a log without it can't be taken for that of the next one, see `set_aside_orphans`.
    """
    new = _free(path, why)
    path.rename(new)
    _rename_logs(path, new)
    return new


def set_aside_orphans(path: Path) -> None:
    """Rename logs that a death has left behind between two renames: SQLite would play them into the next file."""
    if not _is_there(path) and any(_is_there(Path(f"{path}{suffix}")) for suffix in LOG_SUFFIXES):
        _rename_logs(path, _free(path, "damaged"))


def disk_works(folder: Path) -> bool:
    """Whether a page can be written there and read again: then what is wrong with a file is the file."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(_PROBE)
            probe.flush()
            os.fsync(probe.fileno())
            probe.seek(0)
            return probe.read() == _PROBE
    except OSError:
        return False


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """Give a copy of a journal and its log in a passing folder of its owner's alone. Raises `OSError`.

    A journal can't be read where nothing can be written beside it.
    """
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        prefix="dudo-table-", dir=memory if os.access(memory, os.W_OK) else None
    ) as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        log = Path(f"{path}-wal")
        if log.exists():
            shutil.copyfile(log, f"{copy}-wal")
        yield copy


def _free(path: Path, why: str) -> Path:
    number = 1
    while any(_is_there(Path(f"{_named(path, why, number)}{suffix}")) for suffix in ("", *LOG_SUFFIXES)):
        number += 1
    return _named(path, why, number)


def _named(path: Path, why: str, number: int) -> Path:
    return path.with_name(f"{path.stem}.{why}-{number}{path.suffix}")


def _rename_logs(path: Path, new: Path) -> None:
    for suffix in LOG_SUFFIXES:
        with suppress(FileNotFoundError):
            os.rename(f"{path}{suffix}", f"{new}{suffix}")
            os.chmod(f"{new}{suffix}", 0o600)  # dice are in it, whoever brought it here
    keep_names(path.parent)


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)
