"""What `support.crash.table` is worth: daemons with a fault in them are killed, and it is found."""

import asyncio
from pathlib import Path

import pytest
from support.crash.planted_faults import PLANTS, SLOW_S
from support.crash.table import KilledTable
from support.table.harness import TableHarness

pytestmark = pytest.mark.slow


KILLS = 20
KILLS_AT_RANDOM = 100
AT = {
    "acknowledges what it has heard": "asked",
    "shows before it records": "asked",
    "tells before it records": "asked",
    "begins again": "told",
}
"""At which point its daemon dies; others anywhere in play."""
LATER_S = SLOW_S / 2
"""Time for a cup to hear of it, not for the record."""
QUICK = ("acknowledges what it has heard", "tells before it records")
"""Found wherever the daemon dies at their point; the others take a moment that chance has to hit."""
CASES = [pytest.param(plant, marks=[] if plant in QUICK else pytest.mark.soak) for plant in PLANTS]


@pytest.mark.parametrize("plant", CASES)
def test_a_planted_fault_is_found(plant: str, tmp_path: Path) -> None:
    most = KILLS if plant in QUICK else KILLS_AT_RANDOM

    async def harness() -> tuple[int, list[str]]:
        scene = TableHarness(seats=2).joined().dealt().table.scene
        async with KilledTable(tmp_path / "table", seed=1, plant=plant, scene=scene) as table:
            return await table.until_wrong(most, AT.get(plant, ""), LATER_S), table.wrong

    kills, wrong = asyncio.run(harness())
    print(f"{plant}: after {kills} kills: {wrong}")
    assert wrong
