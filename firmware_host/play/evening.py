"""One match at the emulated table: the real daemon with its real drivers, robots in the chairs, a story to read.

Nothing here reaches into the table: robots press emulated buttons and shake emulated cups, and see their own glass.
"""

import asyncio
import random
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import Rules
from firmware_host.assembly import Devices, has_dudo_button, seat_infos
from firmware_host.daemon import Daemon
from firmware_host.glass import Eyes, Glass
from firmware_host.journal import Journal
from firmware_host.play.robot import Robot
from firmware_host.table.events import MatchWon, PublicEvent
from firmware_host.table.table import Table
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedSeat, EmulatedTable
from hardware.layout import Layout

LAST_LOOK_S = 1.0
"""Time for the last pictures to reach their panels."""

Onlooker = Callable[[int, EmulatedSeat], Eyes]
"""Gives the eyes with which somebody besides the player looks at a seat's glass."""


@dataclass(frozen=True)
class Evening:
    """What is played: the furniture, the rules, and the seed from which everything comes that chance decides."""

    layout: Layout
    rules: Rules
    seed: int
    real_time: bool = False
    """On the machine's clock, cups and boards as processes on terminals; then one seed is not one story."""

    async def play(self, tell: Callable[[PublicEvent], None], onlookers: Sequence[Onlooker] = ()) -> None:
        """Play until somebody has won; `tell` hears the public story."""
        won = asyncio.Event()

        def heard(event: PublicEvent) -> None:
            tell(event)
            if isinstance(event, MatchWon):
                won.set()

        loop = asyncio.get_running_loop()
        cups = CupProcess if self.real_time else EmulatedCup
        emulated = EmulatedTable(self.layout, loop, seed=self.seed, cups=cups)
        robots = [self._robot(number, seat) for number, seat in enumerate(emulated.seats)]
        table = Table(self.rules, seat_infos(self.layout))
        with emulated, _passing_journal() as journal:
            seeds = partial(self._random("house").randbytes, 32)
            daemon = Daemon(table, journal, seeds=seeds, tell=heard, publish=lambda _: None)
            async with Devices(self.layout, emulated, loop=loop, post=daemon.post) as devices:
                glasses = [
                    Glass(panel, [robot.see, *(look(number, emulated.seats[number]) for look in onlookers)])
                    for number, (panel, robot) in enumerate(zip(devices.panels, robots, strict=True))
                ]
                await _until(won, [daemon.run(glasses, devices.durable), *(robot.live() for robot in robots)])

    def _robot(self, number: int, seat: EmulatedSeat) -> Robot:
        furniture = self.layout.seats[number]
        everybody = len(self.layout.seats)
        return Robot(
            seat,
            self._random(furniture.name),
            dudo_button=has_dudo_button(furniture),
            starts_with=everybody if number == 0 else None,
        )

    def _random(self, whose: str) -> random.Random:
        return random.Random(f"{self.seed}/{whose}")


@contextmanager
def _passing_journal() -> Iterator[Journal]:
    """A journal on this disk for one evening: what is played at emulated wires is recorded as at real ones."""
    with (
        tempfile.TemporaryDirectory(prefix="dudo-table-") as folder,
        Journal(Path(folder) / "journal.sqlite") as journal,
    ):
        yield journal


async def _until(won: asyncio.Event, work: Iterable[Coroutine[None, None, None]]) -> None:
    """Run `work` until the match is won; an error in any part of it ends the evening and is raised."""

    async def last_look() -> None:
        await won.wait()
        await asyncio.sleep(LAST_LOOK_S)

    tasks = [asyncio.ensure_future(part) for part in (last_look(), *work)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
