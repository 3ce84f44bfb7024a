"""What a guest wrote to its disk, write by write, and the disk as it was after each flush.

QEMU's blklogwrites keeps the log in the format of the kernel's dm-log-writes (drivers/md/dm-log-writes.c).
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.system.debian_root import run

SECTOR = 512
HEAD = struct.Struct("<QQQQ")
"""Of an entry: its first sector, how many, its flags, how much data of a mark; in a sector of its own."""
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


@dataclass(frozen=True)
class Entry:
    """One request, and where in the log it ends."""

    sector: int
    data: bytes
    is_flush: bool
    end: int


def entries(log: Path) -> Iterator[Entry]:
    """Yield everything in a log, in the order in which it reached the disk."""
    with log.open("rb") as file:
        file.seek(SECTOR)  # the first tells only how many follow, and not always all of them
        while len(head := file.read(SECTOR)) == SECTOR:
            sector, count, flags, extra = HEAD.unpack_from(head)
            size = extra if flags & MARK else 0 if flags & DISCARD else count * SECTOR
            data = file.read(size)
            if len(data) < size:
                return
            yield Entry(sector, b"" if flags & MARK else data, bool(flags & (FLUSH | FUA)), file.tell())


def replayed(base: Path, log: Path, work: Path, *, after: int = 0) -> Iterator[int]:
    """Write a log onto `work`, a copy of the disk before it; stop after every flush that ends beyond `after`."""
    run("cp", "--sparse=always", base, work)
    with work.open("r+b") as disk:
        for entry in entries(log):
            disk.seek(entry.sector * SECTOR)
            disk.write(entry.data)
            if entry.is_flush and entry.end > after:
                disk.flush()
                yield entry.end


def files_on(disk: Path, names: tuple[str, ...], folder: Path) -> None:
    """Take files out of an ext4 that lost its power, into `folder`: its own journal is replayed first, on a copy."""
    copy = folder / "copy.raw"
    run("cp", "--sparse=always", disk, copy)
    run("sh", "-c", 'e2fsck -p -E journal_only "$1" || [ $? = 1 ]', "sh", copy)
    for name in names:
        target = folder / os.path.basename(name)
        target.unlink(missing_ok=True)
        run("debugfs", "-R", f"dump {name} {target}", copy)
