"""An evening at the emulated table: the real daemon with its real drivers, robots in the chairs, a story to read.

It is one match, and as many more as people stay for. Nothing here reaches into the table: robots press emulated buttons
and shake emulated cups, and see their own glass.
"""

import asyncio
import random
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import Rules
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import Eyes, Glass
from firmware_host.daemon.seats import has_dudo_button, seat_infos, words_of
from firmware_host.devices.devices import Devices
from firmware_host.journal.journal import Journal
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.robot import Robot
from firmware_host.table.events import MatchBegan, MatchWon, PublicEvent
from firmware_host.table.public_state import PublicState
from firmware_host.table.table import Table
from hardware.config.layout import Layout
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedSeat, EmulatedTable

LAST_LOOK_S = 1.0
"""Time for the last pictures to reach their panels."""

Onlooker = Callable[[int, EmulatedSeat], Eyes]
"""Gives the eyes with which somebody besides the player looks at a seat's glass."""

Company = Callable[[Chairs], AbstractAsyncContextManager[object]]
"""Brings people to the chairs: entered once the table is laid, left when the evening is over."""


def nobody_else(_: Chairs) -> AbstractAsyncContextManager[object]:
    """The robots stay among themselves."""
    return nullcontext()


@dataclass(frozen=True)
class Evening:
    """What is played: the furniture, the rules, and the seed from which everything comes that chance decides."""

    layout: Layout
    rules: Rules
    seed: int
    real_time: bool = False
    """On the machine's clock, cups and boards as processes on terminals; then one seed is not one story."""
    house: Callable[[], bytes] | None = None
    """Draws the house's seeds of 32 bytes; None has them come from `seed` too."""

    async def play(
        self,
        tell: Callable[[PublicEvent], None],
        onlookers: Sequence[Onlooker] = (),
        *,
        publish: Callable[[PublicState], None] = lambda _: None,
        people: int = 0,
        company: Company = nobody_else,
    ) -> None:
        """Play until somebody has won and no people are there any more.

        `tell` hears the public story, `publish` the public state. The first `people` chairs are kept for whom
        `company` brings.
        """
        loop = asyncio.get_running_loop()
        cups = CupProcess if self.real_time else EmulatedCup
        emulated = EmulatedTable(self.layout, loop, seed=self.seed, cups=cups)
        won = asyncio.Event()
        robots = [self._robot(number, seat) for number, seat in enumerate(emulated.seats)]
        chairs = Chairs(
            Chair(seat, robot, for_people=number < people)
            for number, (seat, robot) in enumerate(zip(emulated.seats, robots, strict=True))
        )
        for robot in robots:
            robot.company = lambda: chairs.company
        spoken = words_of(self.layout)
        table = Table(self.rules, seat_infos(self.layout), turn_clock_s=self.layout.turn_clock_s)
        with emulated, _passing_journal() as journal:
            seeds = self.house or partial(self._random("house").randbytes, 32)
            daemon = Daemon(table, journal, seeds=seeds, tell=_marking(won, tell), publish=publish)
            async with Devices(self.layout, emulated, loop=loop, post=daemon.post) as devices, company(chairs):
                glasses = [
                    Glass(panel, [robot.see, *(look(number, emulated.seats[number]) for look in onlookers)], words)
                    for number, (panel, robot, words) in enumerate(zip(devices.panels, robots, spoken, strict=True))
                ]
                await _until(_over(won, chairs), [daemon.run(glasses, devices.links), chairs.run()])

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


def _marking(won: asyncio.Event, tell: Callable[[PublicEvent], None]) -> Callable[[PublicEvent], None]:
    """`tell`, and `won` set while the last match that began is over."""

    def told(event: PublicEvent) -> None:
        tell(event)
        if isinstance(event, MatchWon):
            won.set()
        elif isinstance(event, MatchBegan):
            won.clear()

    return told


async def _over(won: asyncio.Event, chairs: Chairs) -> None:
    """Return when a match is won and nobody is there to begin another."""
    while not won.is_set():
        await won.wait()
        await chairs.deserted()
    await asyncio.sleep(LAST_LOOK_S)


async def _until(over: Coroutine[None, None, None], work: Iterable[Coroutine[None, None, None]]) -> None:
    """Run `work` until the evening is over; an error in any part of it ends the evening too and is raised."""
    tasks = [asyncio.ensure_future(part) for part in (over, *work)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
