"""What it takes until a record is durable: the journal's own way, and the bare fsync of this disk beside it."""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.spread import Spread
from firmware_host.journal import Journal
from firmware_host.table.scene import Scene

RECORDS = 200
APPENDED = bytes(4096)  # a page of SQLite's log
HEARD = {f"e6614103e7452d{board:02x}": 0x5EED_CAFE << 32 | 1000 for board in range(8)}
"""What a table of eight boards has in every record besides the scene."""


def records_ms(scenes: Sequence[Scene]) -> tuple[Spread, Spread]:
    """Milliseconds from `Journal.write` to its return for real records, and of an fsync after each in turn."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        return asyncio.run(_written(Path(folder), scenes[:RECORDS]))


async def _written(folder: Path, scenes: Sequence[Scene]) -> tuple[Spread, Spread]:
    journal_ms, bare_ms = [], []
    bare = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY)
    with Journal(folder / "journal.sqlite") as journal:
        for scene in scenes:
            began_s = time.perf_counter()
            await journal.write(scene, HEARD)
            journal_ms.append(1000 * (time.perf_counter() - began_s))
            os.write(bare, APPENDED)
            began_s = time.perf_counter()
            os.fsync(bare)
            bare_ms.append(1000 * (time.perf_counter() - began_s))
    os.close(bare)
    return Spread.of(journal_ms), Spread.of(bare_ms)
