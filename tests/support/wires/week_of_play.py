"""Days of play at one daemon: robots come, play some matches and go home, and the table stands untouched until they do.

    week = Week("boards-8", 3, folder, loop)
    loop.run_until_complete(week.live(days=7, matches=6))

Drivers, wires, journal, socket's lines and displays are the real ones; only the time is not.
"""

import asyncio
import gc
import random
import sys
from collections import Counter
from functools import _lru_cache_wrapper
from pathlib import Path

from msgspec import Struct

from engine import PERUDO
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.daemon.seats import has_dudo_button, seat_infos, words_of
from firmware_host.devices.devices import Devices
from firmware_host.devices.pairing.replacements import Replacements
from firmware_host.devices.pairing.scanner import UnassignedScanner
from firmware_host.play.robot import Robot
from firmware_host.public.encoder import LineEncoder
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.seat.view import SceneName
from firmware_host.table.table import Table
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import MatchWon
from hardware.config.layout import load_builtin
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

DAY_S = 86_400.0
AN_EVENING_S = 14_400.0


class Day(Struct, frozen=True):
    """What is held when a day is over, but for caches: those take days to be full, and then they are."""

    matches: int
    blocks: int
    rss_kib: int
    journal_bytes: int
    tasks: int
    timers: int


class Week:
    """A table and its days."""

    def __init__(self, layout: str, seats: int, folder: Path, loop: VirtualLoop, seed: int = 1) -> None:
        self._layout = load_builtin(layout).first(seats)
        self._folder = folder
        self._loop = loop
        self._seed = seed
        self.won = 0
        self.events: Counter[str] = Counter()
        self.errors = ErrorCounter()

    async def live(self, *, days: int, matches: int, day_s: float = DAY_S) -> list[Day]:
        """Let so many days pass with at most so many matches each; return what was held after each."""
        layout, loop = self._layout, self._loop
        rng = random.Random(self._seed)
        with (
            Journal(self._folder / "journal.sqlite") as journal,
            EmulatedTable(layout, loop, seed=self._seed) as wires,
        ):
            self._writer = LineEncoder([seat.name for seat in layout.seats])
            robots = [
                Robot(
                    seat,
                    random.Random(f"{self._seed}/{number}"),
                    dudo_button=has_dudo_button(layout.seats[number]),
                    starts_with=len(layout.seats) if number == 0 else None,
                )
                for number, seat in enumerate(wires.seats)
            ]
            self._table = table = Table(PERUDO, seat_infos(layout))
            daemon = Daemon(
                table, journal, seeds=lambda: rng.randbytes(32), tell=self._on_event, publish=self._writer.state
            )
            spoken = words_of(layout)
            scanner = UnassignedScanner(Replacements(layout, self._folder), wires, words=spoken, loop=loop)
            post = scanner.tap(daemon.post)
            with scanner:
                async with Devices(layout, wires, loop=loop, post=post, errors=self.errors) as devices:
                    panels = zip(devices.displays, robots, spoken, strict=True)
                    displays = [SeatDisplay(panel, [robot.see], words) for panel, robot, words in panels]
                    conducting = loop.create_task(daemon.run(displays, devices.links))
                    try:
                        return [await self._day(wires, robots, matches, day_s) for _ in range(days)]
                    finally:
                        conducting.cancel()
                        await asyncio.gather(conducting, return_exceptions=True)

    async def _day(self, wires: EmulatedTable, robots: list[Robot], matches: int, day_s: float) -> Day:
        began_s, won = self._loop.time(), self.won
        playing = [self._loop.create_task(robot.run()) for robot in robots]
        while self.won - won < matches and self._loop.time() - began_s < AN_EVENING_S:
            await asyncio.sleep(1.0)
            if self._table.scene.name is SceneName.OVER:
                wires.seats[0].tap("ok")
        for task in playing:
            task.cancel()
        for seat in wires.seats:
            seat.let_go()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.sleep(began_s + day_s - self._loop.time())
        return self._held(self.won - won)

    def _held(self, matches: int) -> Day:
        _empty_caches()
        gc.collect()
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * 4
        journal = sum(path.stat().st_size for path in self._folder.glob("journal.sqlite*"))
        timers = len(self._loop._scheduled)  # type: ignore[attr-defined]
        return Day(matches, sys.getallocatedblocks(), resident, journal, len(asyncio.all_tasks()), timers)

    def _on_event(self, event: PublicEvent) -> None:
        self._writer.event(event)
        self.events[type(event).__name__] += 1
        self.won += isinstance(event, MatchWon)


def _empty_caches() -> None:
    """Empty every cache that is full at some number of entries."""
    for held in gc.get_objects():
        if isinstance(held, _lru_cache_wrapper) and held.cache_parameters()["maxsize"] is not None:
            held.cache_clear()
