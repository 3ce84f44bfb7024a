"""The daemon, a process of its own, is killed over and over; `killed_table` says what must hold."""

import asyncio
from pathlib import Path

from killed_table import KilledTable


def test_a_match_whose_daemon_is_killed_ten_times_goes_on_where_it_was(tmp_path: Path) -> None:
    async def evening() -> KilledTable:
        async with KilledTable(tmp_path / "table", seed=1, reckless=True) as table:
            await table.go(10)
            await table.finish()
        return table

    table = asyncio.run(evening())
    assert table.wrong == []
    assert table.counts["matches won"] == 1
