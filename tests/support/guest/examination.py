"""What must hold when a guest's table is up again: what was told last is so, on disk and on every display.

Nobody was told anything that is not on disk, and the dice under every cup are those that were seen there.
"""

import asyncio
import base64
import gzip
import tempfile
from pathlib import Path

from support.crash.display_reader import DisplayReader, ResumedTable, plain
from support.guest import image
from support.guest.machine import Guest
from support.guest.players import GuestSession, steady

from engine import PERUDO
from firmware_host import wire
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal.journal import Journal
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName

STATE = "/var/lib/dudo-table"
FILES = ("journal.sqlite", "journal.sqlite-wal")
LIST = f"cd {STATE}/matches 2>/dev/null && ls | grep dudo$"
SHOWN_WITHIN_S = 20.0
WRITTEN_WITHIN_S = 60.0
"""A match is written down when the table has been quiet for two seconds, which are many on an emulated processor."""
WIRED = (0, 1)
"""The seats whose display is on the guest's bus."""


class LastState:
    """What there was when the power went: `states` last, and whether a hand was `acting` on it."""

    def __init__(self, session: GuestSession) -> None:
        self.states = [plain(state) for state in session.states]
        self.acting = session.acting


async def look_at_resumed(session: GuestSession, last_state: LastState) -> None:
    """The table is up again and no hand has done anything new; what does not hold is said in `session.wrong`."""
    first, last = plain(session.states[len(last_state.states)]), last_state.states[-1]
    if not goes_on(first, last, last_state):
        session.wrong.append(f"left as {last}, up as {first}")
    resumed_table = await _resumed_table(session)
    if resumed_table.state.scene == SceneName.SHAKING:  # cups that lost their power draw again, and the display says so
        return
    if resumed_table.state != plain(session.state):
        session.wrong.append(f"told {session.state}, in the journal is {resumed_table.state}")
    for number in WIRED:
        if not await _shows(session, number, resumed_table):
            session.wrong.append(f"seat {number} does not show what is in the journal: {resumed_table.state.position}")
    await session.everybody_peeks()


async def _resumed_table(session: GuestSession) -> ResumedTable:
    """Return the table on disk, read while nothing happens: cups go up by themselves after a call."""
    await session.until(lambda: session.state.scene != SceneName.CALLED)
    while True:
        before = plain(session.state)
        resumed_table = ResumedTable(await scene_of(session.table.guest), DisplayReader(image.TABLE, PERUDO))
        if plain(session.state) == before:
            return resumed_table


async def scene_of(guest: Guest) -> Scene:
    """Return the scene that a guest's journal ends in."""
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            packed = await guest.do(f"[ ! -e {STATE}/{name} ] || gzip -1c {STATE}/{name} | base64 -w0")
            (Path(folder) / name).write_bytes(gzip.decompress(base64.b64decode(packed)))
        return scene_in(Path(folder))


def scene_in(folder: Path) -> Scene:
    """Return the scene that the journal in a folder ends in."""
    with Journal(folder / FILES[0]) as journal:
        return journal.scene or Lobby()


async def records_of(guest: Guest, *, at_least: int = 0) -> list[str]:
    """Check the records of the matches that are over, and return them; wait until there are so many."""
    async with asyncio.timeout(WRITTEN_WITHIN_S):
        while len(names := (await guest.do(LIST, fails=True)).split()) < at_least:
            await asyncio.sleep(0.5)
    records = [await guest.do(f"cat {STATE}/matches/{name}") for name in names]
    for record in records:
        for verdict in verify(record):
            assert verdict.closed, verdict
            assert verdict.wrong is None, verdict
    return records


def goes_on(first: wire.PublicState, last: wire.PublicState, last_state: LastState) -> bool:
    """Return whether a table that came up as `first` has lost nothing of what was told until `last`."""
    if first == last:
        return True
    if last.scene is first.scene is SceneName.SHAKING:  # cups that lost their power have to draw again
        return (first.match, first.round) == (last.match, last.round)
    return last_state.acting and first not in last_state.states


async def _shows(session: GuestSession, number: int, resumed_table: ResumedTable) -> bool:
    until_s = asyncio.get_running_loop().time() + SHOWN_WITHIN_S
    while asyncio.get_running_loop().time() < until_s:
        for dots in steady(session.table.seats[number].picture()):
            if any(resumed_table.shows(number, dots, resumed=resumed) for resumed in (True, False)):
                return True
        await asyncio.sleep(0.2)
    return False
