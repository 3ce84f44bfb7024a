"""A daemon that loses or mixes up something is caught by the examination of guests whose power was cut."""

import asyncio
from pathlib import Path

import pytest
from support.guest.examination import LastState, look_at_resumed
from support.guest.installed import Started, at_table, cut_power, switched_on
from support.guest.planted_faults import PLANTS, plant
from support.guest.players import GuestSession

MOST_CUTS = 3
PLAYS_S = 6.0


@pytest.mark.soak
@pytest.mark.parametrize("fault", PLANTS)
def test_a_planted_fault_is_found_on_a_guest(fault: str, runner: asyncio.Runner, kept: Started, tmp_path: Path) -> None:
    async def cut_until_found() -> list[str]:
        async with at_table(kept, tmp_path, seed=8) as session:
            await plant(session, fault)
            for _ in range(MOST_CUTS):
                await played_on(session)
                last_state = LastState(session)
                cut_power(session)
                await switched_on(session)
                await look_at_resumed(session, last_state)
                if session.wrong:
                    break
            return session.wrong

    wrong = runner.run(cut_until_found())
    print(f"{fault}: {wrong}")
    assert wrong


async def played_on(session: GuestSession) -> None:
    """Play for a while, to where dice are under the cups and were seen."""
    playing = asyncio.create_task(session.play_on())
    await asyncio.sleep(PLAYS_S)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await session.until_bidding()
    await session.everybody_peeks()
