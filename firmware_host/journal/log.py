"""Whether the write-ahead log of a journal is whole: for `file`, before SQLite reads it.

SQLite takes the log up to the first page whose checksum is wrong, as a power cut leaves the last record torn. A byte
that has changed in the midst of it looks the same to SQLite, and would take the evening back by all the records behind
it, without a word. Each record is on disk before the next is written: where a whole record follows a bad page and
something follows that, it was no power cut.

The format is SQLite's: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

import struct
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from hardware import regular_file

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


def is_damaged(log: Path) -> bool:
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
