"""`dudo-table play`: an evening at emulated wires, to play, to watch, to read or to take pictures of."""

import asyncio
import secrets
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from engine import Rules
from firmware_host.daemon.seats import seat_infos
from firmware_host.errors import PublicSocketError, UserError
from firmware_host.play.emulated_session import Company, Evening, Onlooker, nobody_else
from firmware_host.play.screenshots import Album
from firmware_host.play.virtual_seconds import PLAYED, WATCHED
from firmware_host.public.address import NAME
from firmware_host.public.narration import Narrator
from firmware_host.public.server import PublicSocket
from firmware_host.scores.recorder import recording
from firmware_host.table.events import PublicEvent
from firmware_host.table.public_state import PublicState
from firmware_host.util.escaping import raw_stdout
from hardware.config.layout import Layout
from hardware.emulated.virtual_loop import VirtualLoop

Mode = Literal["page", "watch", "headless"]


def play(
    layout: Layout,
    *,
    rules: Rules,
    seed: int | None,
    mode: Mode,
    humans: int,
    port: int | None,
    browser: bool,
    events: Path | None,
    record: Path | None,
    pictures: Path | None,
    speed: float | None,
    real_time: bool,
) -> int:
    """Play an evening and return the exit code.

    On the page `humans` chairs are kept for people. The public lines can be read at `events`, if anywhere. Scores
    are written to the end of `record`. `speed` None is a pleasant pace, headless as fast as it goes. Without a `seed`
    people are dealt dice that nobody can foresee.
    """
    _stop_as_for_ctrl_c()
    # A match's name tells which of a million seeds it came from, and a seed tells the dice: none that people play with.
    house = partial(secrets.token_bytes, 32) if seed is None and mode == "page" and humans else None
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    room = _Room(Evening(layout, rules, seed, real_time, house), events)
    if pictures is not None:
        room.onlookers.append(Album(pictures).onlooker)
    try:
        with recording(record, rules, room.names) as hear:
            room.listeners.append(hear)
            match mode:
                case "page":
                    _on_a_page(room, humans, port, browser, speed)
                case "watch" if sys.stdout.isatty():
                    pace = PLAYED if real_time else speed or WATCHED
                    _run(_watched(room, pace), pace, real_time)
                case _:
                    room.listeners.append(room.say_story)
                    _say_seed(room, exactly=not real_time)
                    _run(room.evening_long(), speed, real_time)
    except PublicSocketError as error:
        raise UserError(str(error)) from error
    return 0


@dataclass
class _Room:
    """An evening and everybody who hears or sees it.

    Add to `listeners` who is to hear the public story, to `readers` who is to have the public state.
    """

    evening: Evening
    events: Path | None
    listeners: list[Callable[[PublicEvent], None]] = field(default_factory=list)
    readers: list[Callable[[PublicState], None]] = field(default_factory=list)
    onlookers: list[Onlooker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = [seat.name for seat in self.evening.layout.seats]
        self.story = Narrator(self.names)

    def say_story(self, event: PublicEvent) -> None:
        """Print what an event adds to the story."""
        for line in self.story.lines(event):
            print(line, flush=True)

    async def evening_long(self, people: int = 0, company: Company = nobody_else) -> None:
        """Let the evening pass."""
        async with AsyncExitStack() as stack:
            if self.events is not None:
                public = await stack.enter_async_context(PublicSocket(self.events, self.names))
                self.listeners.append(public.tell)
                self.readers.append(public.publish)
            await self.evening.play(self._tell, self.onlookers, publish=self._publish, people=people, company=company)

    def _tell(self, event: PublicEvent) -> None:
        for listener in self.listeners:
            listener(event)

    def _publish(self, state: PublicState) -> None:
        for reader in self.readers:
            reader(state)


def _stop_as_for_ctrl_c() -> None:
    """End so for every signal that ends a process politely: with nothing left behind."""
    for stop in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(stop) is signal.SIG_DFL:  # else it was started with nohup
            signal.signal(stop, _interrupt)


def _interrupt(*_: object) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job: SIGINT would do nothing
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def _run(evening: Coroutine[None, None, None], speed: float | None, real_time: bool) -> None:
    loop = asyncio.new_event_loop if real_time else partial(VirtualLoop, speed=speed)
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(evening)


def _say_seed(room: _Room, *, exactly: bool) -> None:
    seed = room.evening.seed
    if room.evening.house is not None:
        return
    print(f"seed {seed}: --seed {seed} {'plays it again' if exactly else 'begins it again'}", flush=True)


def _on_a_page(room: _Room, humans: int, port: int | None, browser: bool, speed: float | None) -> None:
    try:
        from firmware_host.workbench.access import listen
        from firmware_host.workbench.browser import open_page
        from firmware_host.workbench.session import Invitation
    except ModuleNotFoundError as error:
        if error.name != "aiohttp":
            raise
        raise UserError(
            "play: the page needs aiohttp: sudo apt install python3-aiohttp; --watch and --headless play without it"
        ) from error
    layout, real_time = room.evening.layout, room.evening.real_time
    if humans > len(layout.seats):
        raise UserError(f"--humans {humans}: the table has {len(layout.seats)} seats; name at most so many")
    with listen(port) as listening, tempfile.TemporaryDirectory(prefix="dudo-table-") as folder:
        room.events = room.events or Path(folder) / NAME
        room.listeners.append(room.say_story)
        invitation = Invitation(layout, listening, room.events, partial(print, flush=True), speed)
        _say_seed(room, exactly=not (humans or real_time))
        print(f"The table is at {invitation.address} (Ctrl-C ends the evening).", flush=True)
        if browser:
            open_page(invitation.address)
        _run(room.evening_long(humans, invitation.company), speed or PLAYED, real_time)


async def _watched(room: _Room, speed: float) -> None:
    from rich.console import Console

    from firmware_host.play.terminal_view import Watch

    console = Console(file=raw_stdout())
    watch = Watch(console, seat_infos(room.evening.layout), room.story.lines)
    room.listeners.append(watch.tell)
    room.onlookers.append(watch.onlooker)
    _say_seed(room, exactly=not room.evening.real_time)
    try:
        with watch:
            drawing = asyncio.create_task(watch.run(speed))
            try:
                await room.evening_long()
            finally:
                drawing.cancel()
    finally:
        console.print("\n".join(watch.last_lines()), markup=False, highlight=False)
