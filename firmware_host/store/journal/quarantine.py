"""Detects a journal's damaged write-ahead log, and sets damaged files aside under another name.

SQLite reads the log up to the first page with a wrong checksum, because a power cut tears the last record. A changed
byte in the middle looks the same to SQLite: it would silently drop all records behind it. But each record is on disk
before the next is written. So a bad page with a whole record and more behind it was no power cut. The format is
SQLite's: https://www.sqlite.org/fileformat2.html#the_write_ahead_log

A bad journal is renamed, so that it can't be overwritten.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from firmware_host.util.atomic_file import fsync_dir
from hardware.config import regular_file

LOG_SUFFIXES = ("-wal", "-shm")
MAX_LOG_BYTES = 1 << 30
"""Maximum log size to read, in bytes. It grows only while another program holds the journal open."""
_PROBE = bytes(4096)
_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682
"""The last bit says whether checksums are made of big-endian words."""
Sums = tuple[int, int]


# The write-ahead log


class _Frame(NamedTuple):
    ends_record: bool
    is_good: bool  # its checksum, which continues the one before, is right


def is_log_damaged(log: Path) -> bool:
    """Return whether a log has records behind a damaged page, or is not a regular file. Raises `OSError`."""
    try:
        text = regular_file.read(log, MAX_LOG_BYTES)
    except (FileNotFoundError, regular_file.TooLargeError):
        return False
    except regular_file.UnfitFileError:
        return True
    if len(text) < _HEADER.size + _FRAME.size:
        return False
    magic, _, page_bytes, _, salt, other_salt, *sums = _HEADER.unpack_from(text)
    if magic & ~1 != _MAGIC or _summed(text[:24], (0, 0), magic) != tuple(sums):
        return any(text)  # no power cut tears 32 bytes; a log of zeros alone was never written
    frames = _frames(text, magic, page_bytes, (salt, other_salt))
    bad = next((place for place, frame in enumerate(frames) if not frame.is_good), len(frames))
    return any(before.ends_record for before, _ in pairwise(frames[bad:]))


def _frames(text: bytes, magic: int, page_bytes: int, salts: Sums) -> list[_Frame]:
    """Return the log's current frames. Frames from earlier generations have other salts."""
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


# Setting aside


def set_aside(path: Path, why: str) -> Path:
    """Rename `journal.sqlite` and its logs, to `journal.damaged-1.sqlite` if `why` is "damaged". Raises `OSError`.

    The file goes first: `set_aside_orphans` deals with logs left without it.
    """
    new = _free(path, why)
    path.rename(new)
    _rename_logs(path, new)
    return new


def set_aside_orphans(path: Path) -> None:
    """Rename orphaned logs, left by a death between two renames. SQLite would apply them to the next file."""
    if not _is_there(path) and any(_is_there(Path(f"{path}{suffix}")) for suffix in LOG_SUFFIXES):
        _rename_logs(path, _free(path, "damaged"))


def disk_works(folder: Path) -> bool:
    """Return whether a page written in a folder reads back correctly. If so, the file is bad and the disk good."""
    import tempfile  # a table with a sound journal starts sooner without

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
    """Yield a copy of a journal and its log in a private temporary folder. Raises `OSError`.

    SQLite can't read a journal in a read-only folder.
    """
    import shutil
    import tempfile

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
            os.chmod(f"{new}{suffix}", 0o600)  # it has dice, whatever its mode was before
    fsync_dir(path.parent)


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)
