"""`dudo-table play`: a whole match at emulated wires, to read, to watch or to take pictures of."""

import asyncio
import secrets
import sys
from collections.abc import Coroutine, Sequence
from functools import partial
from pathlib import Path

from engine import Rules
from firmware_host.assembly import seat_infos
from firmware_host.play.album import Album
from firmware_host.play.evening import Evening, Onlooker
from firmware_host.story import Story
from firmware_host.table.events import PublicEvent
from hardware.emulated.clock import VirtualLoop
from hardware.layout import Layout

WATCHED_SPEED = 4.0
"""How much faster than life a match runs to be watched."""


def play(
    layout: Layout,
    *,
    rules: Rules,
    seed: int | None,
    headless: bool,
    pictures: Path | None,
    speed: float | None,
    real_time: bool,
) -> int:
    """Play one match and return the exit code; `speed` None is as fast as it goes, or when watched a pleasant pace."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    evening = Evening(layout, rules, seed, real_time)
    onlookers = [] if pictures is None else [Album(pictures).onlooker]
    if headless or not sys.stdout.isatty():
        _run(_told(evening, onlookers), speed, real_time)
    else:
        pace = 1.0 if real_time else speed or WATCHED_SPEED
        _run(_watched(evening, onlookers, pace), pace, real_time)
    return 0


def _run(match: Coroutine[None, None, None], speed: float | None, real_time: bool) -> None:
    loop = asyncio.new_event_loop if real_time else partial(VirtualLoop, speed=speed)
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(match)


async def _told(evening: Evening, onlookers: Sequence[Onlooker]) -> None:
    story = Story([seat.name for seat in evening.layout.seats])

    def tell(event: PublicEvent) -> None:
        for line in story.lines(event):
            print(line, flush=True)

    await evening.play(tell, onlookers)


async def _watched(evening: Evening, onlookers: Sequence[Onlooker], speed: float) -> None:
    from rich.console import Console

    from firmware_host.play.watch import Watch

    console = Console()
    story = Story([seat.name for seat in evening.layout.seats])
    watch = Watch(console, seat_infos(evening.layout), story.lines)
    with watch:
        drawing = asyncio.create_task(watch.run(speed))
        try:
            await evening.play(watch.tell, [*onlookers, watch.onlooker])
        finally:
            drawing.cancel()
    console.print("\n".join(watch.last_lines()))
