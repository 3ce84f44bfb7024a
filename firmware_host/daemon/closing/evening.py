"""The end of an evening: wait until no match is played, publish the recap, and request a copy on the USB drive.

`dudo-table closing` runs it, started by a systemd timer. It reads the public socket and the kept matches but not the
journal, so the table loses no time.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Connection

from firmware_host.daemon.service.jobs import Places
from firmware_host.errors import UserError
from firmware_host.public import recap
from firmware_host.public.reader import ReadLine, TableAway, TableReader
from firmware_host.store.house.database import remembered
from firmware_host.store.house.figures import Figures, PlayerFigures, Selection, figures
from firmware_host.table.staff.machine import Job
from firmware_host.util.counted import counted
from firmware_host.util.evening import evening_of
from firmware_host.util.system_error import reason_of
from firmware_host.wire import PublicState

EXPORT_S = 5.0
"""Seconds until the daemon has kept a match that just ended: it begins after two."""
LATE_H = 6
"""Hours after an evening's end during which closing time still counts for it."""
NO_MATCH = frozenset({"lobby", "over"})
"""Scenes without a running match."""

log = logging.getLogger("dudo-table")


async def close_evening(events: Path, state: Path, *, grace_s: float, recap_s: float) -> list[str]:
    """Carry out closing time; return a line for each completed step."""
    done = []
    if await is_idle(events, grace_s):
        await asyncio.sleep(EXPORT_S)
        done.append(await asyncio.to_thread(_publish, events, state, recap_s))
    else:
        played = counted(grace_s / 60, "minute")
        done.append(f"a match has been played for {played} since closing time: no recap is shown")
    done.append(await asyncio.to_thread(_request_copy, events))
    return done


async def is_idle(events: Path, grace_s: float) -> bool:
    """Wait for a limited time until the table is between matches; return whether it is. A missing table counts as
    idle."""
    try:
        async with asyncio.timeout(grace_s), aclosing(TableReader(events).lines()) as lines:
            async for read in lines:
                if isinstance(read, TableAway):
                    log.warning("%s; closing goes on without it", read.why)
                    return True
                state = read.message() if isinstance(read, ReadLine) and read.is_state else None
                if isinstance(state, PublicState) and state.scene in NO_MATCH:
                    return True
    except TimeoutError:
        pass
    return False


def recap_of(found: Figures, until: float) -> recap.Recap:
    """Return an evening's highlights."""
    bluff = next(iter(found.bluffs), None)
    caller = _best(found, lambda one: one.share_right or 0)
    streak = _best(found, lambda one: one.best_streak if one.best_streak > 1 else 0)
    slayer = _best(found, lambda one: one.slain)
    return recap.Recap(
        until=until,
        matches=found.matches,
        rounds=found.rounds,
        winners=tuple(recap.Winner(one.name[:64], one.won, one.matches) for one in found.players[:3] if one.won),
        bluff=bluff and recap.BluffOfTheNight(bluff.name[:64], bluff.quantity, bluff.face, bluff.missing),
        caller=caller and recap.Praised(caller.name[:64], round(100 * (caller.share_right or 0))),
        streak=streak and recap.Praised(streak.name[:64], streak.best_streak),
        slayer=slayer and recap.Praised(slayer.name[:64], slayer.slain),
        rules=recap.Praised(found.rules[0].rules[:64], found.rules[0].matches) if len(found.rules) > 1 else None,
        robots=tuple(recap.Winner(one.name[:64], one.won, one.matches) for one in found.robots[:3] if one.name),
        longest=found.longest.rounds if found.longest else 0,
    )


def first_day(now: datetime) -> str:
    """Return the evening closing at `now`, which may have ended some hours ago."""
    return evening_of(now - timedelta(hours=LATE_H))


def _publish(events: Path, state: Path, recap_s: float) -> str:
    since = first_day(datetime.now())

    def read(house: Connection) -> Figures:
        return figures(house, Selection(since))

    try:
        found, until = remembered(state, read, public=True), time.time() + recap_s
        if not found.matches:
            return f"no match was played since {since}: no recap is shown"
        recap.write(recap_of(found, until), events)
    except UserError as error:
        return f"no recap is shown: {error}"
    except OSError as error:
        return f"no recap is shown: {recap.path_beside(events)}: {reason_of(error)}"
    return f"the recap of {counted(found.matches, 'match', 'matches')} is shown for {counted(recap_s / 60, 'minute')}"


def _request_copy(events: Path) -> str:
    try:
        Places(events.parent).request(Job.EXPORT)
    except OSError as error:
        return f"no copy is made: {events.parent}: {reason_of(error)}"
    return "a copy on the stick is requested; journalctl -u dudo-table-backup says what came of it"


def _best(found: Figures, worth: Callable[[PlayerFigures], float]) -> PlayerFigures | None:
    best = max(found.players, key=worth, default=None)
    return best if best and worth(best) > 0 else None
