"""Whether the write-ahead log of a journal is whole: for `file`, before SQLite reads it.

SQLite takes the log up to the first page whose checksum is wrong, as a power cut leaves the last record torn. A byte
that has changed in the midst of it looks the same to SQLite, and would take the evening back by all the records behind
it, without a word. Each record is on disk before the next is written: where a whole record follows a bad page and
something follows that, it was no power cut.

The format is SQLite's: https://www.sqlite.org/fileformat2.html#the_write_ahead_log

Puts a journal that can't be used under another name, so that nothing of it is overwritten: for `journal`.
"""

import os
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from firmware_host.util.atomic_file import fsync_dir
from hardware.config import regular_file

MAX_BYTES = 1 << 30
"""The log is emptied into the journal whenever the table is quiet; while an onlooker holds it open it grows."""
_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682
"""Its last bit says whether the words that are summed have their highest byte first."""
Sums = tuple[int, int]


class _Frame(NamedTuple):
    ends_record: bool
    is_good: bool  # as far as its checksum says, which goes on from the one before


def is_log_damaged(log: Path) -> bool:
    """Whether records stand behind a damaged page, or what is there is no file. Raises `OSError`."""
    try:
        text = regular_file.read(log, MAX_BYTES)
    except (FileNotFoundError, regular_file.TooLargeError):
        return False
    except regular_file.UnfitFileError:
        return True
    if len(text) < _HEADER.size + _FRAME.size:
        return False
    magic, _, page_bytes, _, salt, other_salt, *sums = _HEADER.unpack_from(text)
    if magic & ~1 != _MAGIC or _summed(text[:24], (0, 0), magic) != tuple(sums):
        return any(text)  # no power cut tears 32 bytes; a log of zeros alone has never been written
    frames = _frames(text, magic, page_bytes, (salt, other_salt))
    bad = next((place for place, frame in enumerate(frames) if not frame.is_good), len(frames))
    return any(before.ends_record for before, _ in pairwise(frames[bad:]))


def _frames(text: bytes, magic: int, page_bytes: int, salts: Sums) -> list[_Frame]:
    """The frames of this turn of the log: those of earlier turns behind them have other salts."""
    sums: Sums | None = _summed(text[:24], (0, 0), magic)
    frames = []
    size = _FRAME.size + page_bytes
    for at in range(_HEADER.size, len(text) - size + 1, size):
        _, pages, *rest = _FRAME.unpack_from(text, at)
        if tuple(rest[:2]) != salts:
            sums = None
            continue
        if sums is not None:
            sums = _summed(text[at : at + 8] + text[at + _FRAME.size : at + size], sums, magic)
        if sums != tuple(rest[2:]):
            sums = None
        frames.append(_Frame(pages != 0, sums is not None))
    return frames


def _summed(data: bytes, sums: Sums, magic: int) -> Sums:
    words = struct.unpack(f"{'>' if magic & 1 else '<'}{len(data) // 4}I", data)
    first, second = sums
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


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
def temporary_copy(path: Path) -> Iterator[Path]:
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
    fsync_dir(path.parent)


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)
