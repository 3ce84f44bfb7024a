"""The time until a record is durable and its bytes on disk, compared with a bare fsync."""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.report import Spread
from firmware_host.public.encoder import LineEncoder
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene

RECORDS = 200
APPENDED = bytes(4096)  # a page of SQLite's log
NAMES = [f"Seat {number}" for number in range(8)]
"""In the public lines that are written with a record."""
HEARD = {f"e6614103e7452d{board:02x}": 0x5EED_CAFE << 32 | 1000 for board in range(8)}
"""The acknowledgement positions that a table of eight boards has in every record."""


class Recorded(NamedTuple):
    """A record of a match: the scene and the public events with it."""

    scene: Scene
    told: Sequence[PublicEvent]


class OnDisk(NamedTuple):
    """Bytes that the journal has written in a match, and the size of its file afterwards."""

    written: int
    file: int


def on_disk(records: Sequence[Recorded]) -> OnDisk:
    """Write all records of a match to a new journal; return their bytes, with its opening and closing."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        path = Path(folder) / "journal.sqlite"
        before = _written_bytes()
        asyncio.run(_all_written(path, records))
        return OnDisk(_written_bytes() - before, path.stat().st_size)


async def _all_written(path: Path, records: Sequence[Recorded]) -> None:
    with Journal(path) as journal:
        journal.lines.encode = LineEncoder(NAMES).event
        for scene, told in records:
            await journal.write(scene, HEARD, told)
            for event in told:
                journal.lines.publish(event)


def _written_bytes() -> int:
    """Return the bytes that this process has written so far; it writes nothing else meanwhile."""
    return int(dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())["wchar"])


def records_ms(records: Sequence[Recorded]) -> tuple[Spread, Spread]:
    """Return the milliseconds of `Journal.write` for each record, and of a bare fsync after each."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        return asyncio.run(_written(Path(folder), records[:RECORDS]))


async def _written(folder: Path, records: Sequence[Recorded]) -> tuple[Spread, Spread]:
    journal_ms, bare_ms = [], []
    bare = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY)
    with Journal(folder / "journal.sqlite") as journal:
        journal.lines.encode = LineEncoder(NAMES).event
        for scene, told in records:
            began_s = time.perf_counter()
            await journal.write(scene, HEARD, told)
            journal_ms.append(1000 * (time.perf_counter() - began_s))
            for event in told:
                journal.lines.publish(event)
            os.write(bare, APPENDED)
            began_s = time.perf_counter()
            os.fsync(bare)
            bare_ms.append(1000 * (time.perf_counter() - began_s))
    os.close(bare)
    return Spread.of(journal_ms), Spread.of(bare_ms)
