"""Phones as seats of a real daemon, spoken by the program of a board over the phones' sockets; the daemon is killed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from support.crash.table import KilledTable

from engine import PERUDO

pytestmark = pytest.mark.slow


def test_a_phone_and_a_board_play_a_match_whose_daemons_are_killed(tmp_path: Path) -> None:
    rules = replace(PERUDO, name="short", starting_dice=2)

    async def scenario() -> KilledTable:
        async with KilledTable(tmp_path, seed="phones", rules=rules, phones=(1,), reckless=True) as table:
            await table.go(2)
            await table.finish()
        return table

    table = asyncio.run(scenario())
    assert table.wrong == []
    assert table.counts["matches won"] == table.counts["matches verified"] == 1
