"""A computer with a real kernel, its buttons on gpio-sim, its panels on a real I2C bus, its cups on hot-plugged USB."""

import asyncio
import random
from pathlib import Path

import pytest
from support.guest.examination import LastState, look_at_resumed, records_of
from support.guest.installed import Started, at_table, cut_power, install, switched_on
from support.guest.players import GuestSession
from support.guest.wakeups import Wakeups, watched
from support.system import package

from drivers.messages import Device

CUTS = 3
CUTS_IN_A_LONG_EVENING = 50
AT_REST_S = 25.0
"""LinkRegistry at rest ping seldom, ten seconds after the last touch."""
DARK_S = 1000.0
"""A lobby that nobody has touched for so long is dark, and all is asked more seldom still."""
GPIO = "/sys/bus/platform/drivers/gpio-sim"
POLLED_HZ = 1400
"""How often lgpio looks at pins that nobody touches."""
BITES_WITHIN_S = 180.0
"""Three seconds, and however long an emulated processor takes to start a daemon."""


def test_a_match_whose_power_is_cut_goes_on_as_it_was_seen(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    session, lit_s = runner.run(cut_over_and_over(kept, tmp_path, cuts=CUTS, seed=3))
    print(f"\n{CUTS} cuts, panels lit {', '.join(f'{each:.1f}' for each in lit_s)} s after power-on")
    assert session.wrong == []


def test_a_frozen_daemon_is_bitten_and_the_match_goes_on(runner: asyncio.Runner, kept: Started, tmp_path: Path) -> None:
    async def freeze() -> GuestSession:
        async with at_table(kept, tmp_path, seed=1) as session:
            await session.until_bidding()
            await session.everybody_peeks()
            last_state = LastState(session)
            await session.table.guest.do("systemctl kill --kill-whom=main --signal=STOP dudo-table")
            await session.until(lambda: len(session.states) > len(last_state.states), BITES_WITHIN_S)
            await look_at_resumed(session, last_state)
            said = await session.table.guest.do("journalctl -u dudo-table --no-pager -q")
            assert "Watchdog timeout" in said
            return session

    assert runner.run(freeze()).wrong == []


def test_cups_boards_and_panels_are_pulled_and_put_back(runner: asyncio.Runner, kept: Started, tmp_path: Path) -> None:
    async def pull() -> None:
        async with at_table(kept, tmp_path, seed=2) as session:
            for seat, cable, device in ((1, "cup", Device.CUP), (2, "board", Device.BOARD), (0, "panel", Device.PANEL)):
                await session.until(lambda: missing(session, seat) == ())  # noqa: B023
                session.table.seats[seat].unplug(cable)
                await session.until(lambda: missing(session, seat) == (device,))  # noqa: B023
                session.table.seats[seat].plug(cable)
                await session.until(lambda: missing(session, seat) == ())  # noqa: B023

    runner.run(pull())


def test_pins_that_go_with_their_chip_are_missed_and_found_and_buttons_work_again(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    async def vanish() -> None:
        async with at_table(kept, tmp_path, seed=7) as session:
            guest = session.table.guest
            await guest.do(f"echo gpio-sim.0 >{GPIO}/unbind")
            await session.until(lambda: missing(session, 0) == (Device.BUTTONS, Device.CUP))
            await guest.do(f"echo gpio-sim.0 >{GPIO}/bind")
            await session.until(lambda: missing(session, 0) == ())
            session.table.seats[0].tap("ok")
            await session.until(lambda: session.state.players == (0,))

    runner.run(vanish())


@pytest.mark.parametrize("untouched_s", [AT_REST_S, pytest.param(DARK_S, marks=pytest.mark.soak)])
def test_nobody_polls_the_pins_of_an_untouched_table(
    untouched_s: float, runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    async def rest() -> Wakeups:
        async with at_table(kept, tmp_path, seed=6) as session:
            await asyncio.sleep(untouched_s)
            return await watched(session.table.guest)

    at_rest = runner.run(rest())
    print(f"\n{at_rest}")
    assert at_rest.loop + at_rest.others < POLLED_HZ / 10


def test_one_command_installs_the_package_and_panels_light_up(runner: asyncio.Runner, tmp_path: Path) -> None:
    made = runner.run(install(package.built(), tmp_path))
    print(f"\nboot {made.boot_s:.1f} s, one command {made.install_s:.1f} s, panels lit {made.lit_s:.1f} s later")
    assert "Setting up dudo-table" in made.printed
    assert "not execute" not in made.printed


@pytest.mark.soak
def test_a_match_is_played_by_real_edges_to_its_verified_record(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    async def play() -> list[str]:
        async with at_table(kept, tmp_path, seed=4) as session:
            await session.play()
            assert session.wrong == []
            return await records_of(session.table.guest, at_least=1)

    assert len(runner.run(play())) == 1


@pytest.mark.soak
def test_fifty_power_cuts_lose_nothing_that_was_seen(runner: asyncio.Runner, kept: Started, tmp_path: Path) -> None:
    session, lit_s = runner.run(cut_over_and_over(kept, tmp_path, cuts=CUTS_IN_A_LONG_EVENING, seed=5))
    print(f"\n{len(lit_s)} cuts, panels lit {sum(lit_s) / len(lit_s):.1f} s after power-on on average")
    assert session.wrong == []


async def cut_over_and_over(kept: Started, folder: Path, *, cuts: int, seed: int) -> tuple[GuestSession, list[float]]:
    """Play, and pull the plug of everything at any moment, so many times; every record that is whole must be right."""
    rng, lit_s = random.Random(f"{seed}/cuts"), []
    async with at_table(kept, folder, seed=seed) as session:
        for number in range(1, cuts + 1):
            playing = asyncio.create_task(session.play_on())
            await asyncio.sleep(rng.uniform(2.0, 12.0))
            playing.cancel()
            last_state = LastState(session)
            cut_power(session)
            await asyncio.gather(playing, return_exceptions=True)
            lit_s.append(await switched_on(session))
            await look_at_resumed(session, last_state)
            print(f"\ncut {number}, lit after {lit_s[-1]:.1f} s: {session.wrong or 'nothing lost'}", end="")
            if session.wrong:
                break
        records = await records_of(session.table.guest)
        print(f"\n{len(records)} matches were over by then, and their records verify")
    return session, lit_s


def missing(session: GuestSession, seat: int) -> tuple[Device, ...]:
    """Return a seat's missing devices, as the public lines have them."""
    return session.state.seats[seat].missing
