"""What it takes until a record is durable, and how many bytes: the journal's own way, and a bare fsync beside it."""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.spread import Spread
from firmware_host.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene

RECORDS = 200
APPENDED = bytes(4096)  # a page of SQLite's log
HEARD = {f"e6614103e7452d{board:02x}": 0x5EED_CAFE << 32 | 1000 for board in range(8)}
"""What a table of eight boards has in every record besides the scene."""


class Recorded(NamedTuple):
    """A record of a match: the scene, and what the room was told with it."""

    scene: Scene
    told: Sequence[PublicEvent]


class OnDisk(NamedTuple):
    """Bytes: what the journal has written in a match, and what its file takes after it."""

    written: int
    file: int


def on_disk(records: Sequence[Recorded]) -> OnDisk:
    """What all of a match's records come to on the disk, the journal's opening and closing with them."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        path = Path(folder) / "journal.sqlite"
        before = _written_bytes()
        asyncio.run(_all_written(path, records))
        return OnDisk(_written_bytes() - before, path.stat().st_size)


async def _all_written(path: Path, records: Sequence[Recorded]) -> None:
    with Journal(path) as journal:
        for scene, told in records:
            await journal.write(scene, HEARD, told)


def _written_bytes() -> int:
    """What this process has given the kernel to write; nothing else of it writes meanwhile."""
    return int(dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())["wchar"])


def records_ms(records: Sequence[Recorded]) -> tuple[Spread, Spread]:
    """Milliseconds from `Journal.write` to its return for real records, and of an fsync after each in turn."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        return asyncio.run(_written(Path(folder), records[:RECORDS]))


async def _written(folder: Path, records: Sequence[Recorded]) -> tuple[Spread, Spread]:
    journal_ms, bare_ms = [], []
    bare = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY)
    with Journal(folder / "journal.sqlite") as journal:
        for scene, told in records:
            began_s = time.perf_counter()
            await journal.write(scene, HEARD, told)
            journal_ms.append(1000 * (time.perf_counter() - began_s))
            os.write(bare, APPENDED)
            began_s = time.perf_counter()
            os.fsync(bare)
            bare_ms.append(1000 * (time.perf_counter() - began_s))
    os.close(bare)
    return Spread.of(journal_ms), Spread.of(bare_ms)
