"""The disk of a guest, as it was after each flush of a match: what a drive that loses its own cache leaves."""

import asyncio
from pathlib import Path

import pytest
from support.crash.display_reader import DisplayReader, ResumedTable, hand_in, plain
from support.guest import image
from support.guest.examination import FILES, STATE, scene_in
from support.guest.installed import Started, at_table
from support.guest.players import GuestSession
from support.system.disk_log import files_on, replayed

from engine import PERUDO


@pytest.mark.soak
def test_after_every_flush_of_a_match_the_journal_has_what_was_told(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    log, base = tmp_path / "writes.log", tmp_path / "base.raw"
    session, sizes = runner.run(played(kept, tmp_path, log, base))
    states, reader = [plain(state) for state in session.states], DisplayReader(image.TABLE, PERUDO)
    looked = tmp_path / "looked"
    looked.mkdir()
    flushes, wrong = 0, []
    for end in replayed(base, log, tmp_path / "work.raw", after=sizes[0]):
        flushes += 1
        files_on(tmp_path / "work.raw", tuple(f"{STATE}/{name}" for name in FILES), looked)
        scene = scene_in(looked)
        state = ResumedTable(scene, reader).state
        known = sum(size <= end for size in sizes) - 1  # what the room had been told by then
        if state in states[:known] and state not in states[known:]:
            wrong.append(f"{end}: {state.position} is on disk, and {states[known].position} had been told")
        for ((match, number), seat), dice in session.seen.items():
            if state.match == match and state.round is not None and state.round.number == number:
                hand = hand_in(scene, seat)
                if hand is not None and tuple(hand) != dice:
                    wrong.append(f"{end}: seat {seat} has {hand}, and has seen {dice}")
    print(f"\n{flushes} flushes, {len(wrong)} wrong")
    assert wrong == []
    assert flushes > len(states) / 2


async def played(kept: Started, folder: Path, log: Path, base: Path) -> tuple[GuestSession, list[int]]:
    """Play a match on a disk whose writes are logged; with how long the log was when each state had been told."""
    async with at_table(kept, folder, seed=6, bold=0.8, log=log, base=base) as session:
        sizes: list[int] = []
        watching = asyncio.create_task(_watch(session, log, sizes))
        await session.play()
        watching.cancel()
        assert session.wrong == []
    return session, sizes


async def _watch(session: GuestSession, log: Path, sizes: list[int]) -> None:
    """Note late rather than early: what is in the log by then was there when it was told."""
    while True:
        size = log.stat().st_size
        sizes.extend([size] * (len(session.states) - len(sizes)))
        await asyncio.sleep(0.01)
