"""`dudo-table tv`: follows a table's public socket, switches the TV on when play begins and off when it has ended.

At closing time, play has ended once the evening's recap has been shown, unless somebody has played meanwhile. Staff may
keep the TV on all the time, or off.

A missing adapter, TV or table affects only the switching: the process logs it once and retries. Unless staff say off,
it switches off only a TV that it switched on.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Protocol

from drivers.timing import Backoff
from firmware_host.clients.tv.cec import CecError
from firmware_host.public import recap
from firmware_host.public.reader import ReadLine, TableAway, TableBack, TableReader
from firmware_host.util.process import Problems, together
from firmware_host.wire import ActionLine, AnyLine, Back, CupSettled, Joined, MatchBegan, PublicState, RevealLine

OFF_AFTER_MIN = 15.0
"""Minutes without a sign of play."""
FIRST_RETRY_S, MAX_RETRY_S = 5.0, 300.0
PLAY = Joined | Back | MatchBegan | CupSettled | ActionLine | RevealLine
"""Events caused by people at the table. A restarted table does not republish them."""

log = logging.getLogger(__name__)


class Tv(Protocol):
    """A switchable TV. Each method raises `CecError`."""

    def check(self) -> None:
        """Raise if this computer can't switch a TV."""

    async def switch_on(self) -> None:
        """Switch it on."""

    async def switch_off(self) -> str:
        """Switch it off, or return the other source it shows."""


class TvPower:
    """One table's TV power. `on_status` is called with a line for `systemctl status`."""

    def __init__(self, tv: Tv, off_after_s: float, on_status: Callable[[str], None] = lambda line: None) -> None:
        self._tv = tv
        self._off_after_s = off_after_s
        self._played_s: float | None = None  # the last sign of play, None before the first
        self._played = asyncio.Event()
        self._ended = asyncio.Event()
        self._staff_wants: bool | None = None  # True for on, False for off, None to follow play
        self._is_on = False  # whether this process should switch it off later
        self._problems = Problems(on_status, "follows the table; the TV is left alone")

    async def run(self, events: Path) -> None:
        """Follow the table at `events` until cancelled."""
        await together(self._follow(events), self.keep(), self.watch_closing(events))

    async def _follow(self, events: Path) -> None:
        async with aclosing(TableReader(events).lines()) as lines:
            async for read in lines:
                match read:
                    case TableAway(why):
                        self._problems.add("table", f"{why}; trying again")
                    case TableBack():
                        self._problems.solve("table", f"{events}: the table is there")
                    case ReadLine():
                        self._read(read.message())

    def _read(self, line: AnyLine | None) -> None:
        if isinstance(line, PublicState):
            self.set_by_staff(line.tv)
            self._show_status()
        elif isinstance(line, PLAY):
            self.played()

    def played(self) -> None:
        """Note a sign of play."""
        self._played_s = asyncio.get_running_loop().time()
        self._played.set()

    def set_by_staff(self, tv: str) -> None:
        """Take a state's `tv` value; a newer table may send an unknown one."""
        wants = {"on": True, "off": False}.get(tv)
        if wants is self._staff_wants:
            return
        self._staff_wants = wants
        if wants is False:
            self._is_on = True  # whoever switched it on
        self._played.set()
        self._ended.set()

    async def watch_closing(self, events: Path, wall_clock: Callable[[], float] = time.time) -> None:
        """End play with the evening's recap, if there was no play since it appeared, until cancelled."""
        shown: recap.Recap | None = None
        played_s: float | None = None  # the last sign of play when the recap first appeared
        while True:
            found = recap.read(events)
            if found is not None and found.is_shown(wall_clock()):
                if found != shown:
                    shown, played_s = found, self._played_s
            elif shown is not None:
                if self._played_s == played_s:
                    self._played_s = None
                    self._ended.set()
                shown = None
            await asyncio.sleep(recap.POLL_S)

    async def keep(self) -> None:
        """Keep the TV on during play and off afterwards, or as staff want, until cancelled."""
        loop, backoff, tried = asyncio.get_running_loop(), Backoff(FIRST_RETRY_S, MAX_RETRY_S), False
        try:
            self._tv.check()
        except CecError as error:
            self._problems.add("tv", f"{error}; trying again when somebody plays")
        while True:
            self._played.clear()
            self._ended.clear()
            wanted, wait_s = self._wanted(loop.time())
            if wanted is not self._is_on:
                if wanted is not tried:
                    backoff.reset()
                tried = wanted
                try:
                    await self._switch_to(wanted)
                    self._problems.solve("tv", "the TV can be switched again")
                    continue
                except CecError as error:
                    self._problems.add("tv", f"the TV can't be switched: {error}; trying again")
                    wait_s = backoff.next_s()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    # While it is on, signs of play only put off the end, so they need no wake-up.
                    await (self._ended if wanted else self._played).wait()

    async def _switch_to(self, wanted: bool) -> None:
        staff_wants = self._staff_wants
        if wanted:
            await self._tv.switch_on()
            log.info("%s: the TV is on", "play has begun" if staff_wants is None else "staff want it on")
        else:
            why, other = "nobody plays" if staff_wants is None else "staff want it off", await self._tv.switch_off()
            if other:
                log.info("%s, and the TV shows another source (%s): it stays on", why, other)
            else:
                log.info("%s: the TV is off", why)
        if staff_wants is False or self._staff_wants is not False:  # else they said off meanwhile
            self._is_on = wanted
        self._show_status()

    def _wanted(self, now_s: float) -> tuple[bool, float | None]:
        """Return whether the TV should be on, and the seconds until the next change."""
        if self._staff_wants is not None:
            return self._staff_wants, None
        if self._played_s is None or (left_s := self._played_s + self._off_after_s - now_s) <= 0:
            return False, None
        return True, left_s

    def _show_status(self) -> None:
        power = "on" if self._is_on else "left alone" if self._staff_wants is None else "off, as staff want"
        self._problems.idle = f"follows the table; the TV is {power}"
