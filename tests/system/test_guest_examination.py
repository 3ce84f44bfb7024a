"""A daemon that loses or mixes up something is caught by the examination of guests whose power was cut."""

import asyncio
from pathlib import Path

import pytest
from support.guest.examination import Left, look_at_resumed
from support.guest.installed import Started, at_table, cut_power, switched_on
from support.guest.planted_faults import PLANTS, plant
from support.guest.players import GuestEvening

MOST_CUTS = 3
PLAYS_S = 6.0


@pytest.mark.soak
@pytest.mark.parametrize("fault", PLANTS)
def test_a_planted_fault_is_found_on_a_guest(fault: str, runner: asyncio.Runner, kept: Started, tmp_path: Path) -> None:
    async def cut_until_found() -> list[str]:
        async with at_table(kept, tmp_path, seed=8) as evening:
            await plant(evening, fault)
            for _ in range(MOST_CUTS):
                await played_on(evening)
                left = Left(evening)
                cut_power(evening)
                await switched_on(evening)
                await look_at_resumed(evening, left)
                if evening.wrong:
                    break
            return evening.wrong

    wrong = runner.run(cut_until_found())
    print(f"{fault}: {wrong}")
    assert wrong


async def played_on(evening: GuestEvening) -> None:
    """Play for a while, to where dice are under the cups and were seen."""
    playing = asyncio.create_task(evening.play_on())
    await asyncio.sleep(PLAYS_S)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await evening.until_bidding()
    await evening.everybody_peeks()
