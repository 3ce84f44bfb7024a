"""Updates for the programs on cups and boards: each gets this release while nobody plays, all at the same time.

`SessionRunner` says when the table is free. A board whose program takes no update over its cable, or which rejected
this release, keeps its program until staff ask (`dudo-table boards update`) or an owner uses the paper clip.
"""

import asyncio
import logging
from collections.abc import Callable

from msgspec import Struct

from drivers.link.transfer import ProgramImage
from firmware_host.devices.links import LinkFacts, LinkRegistry
from firmware_host.wire import Seat
from hardware.firmware.loader import LOADER
from hardware.link.messages import Running

BY_CLIP = "update it once with the paper clip: hardware/README.md, “Newer firmware”"
"""Remedy for a program that takes no updates over its cable."""

SETTLE_S = 2.0
"""Seconds from the last news of a device to their use: all are in by then, and the first displays are lit."""

log = logging.getLogger("dudo-table")


def takes_updates(running: Running | None) -> bool:
    """Return whether a device takes programs over its cable, by its report."""
    return running is not None and running.loader == LOADER


class OwnProgram(Struct, frozen=True):
    """This release, and a function making its image, which takes seconds."""

    release: bytes
    make_image: Callable[[], bytes]


def own_program() -> OwnProgram:
    """Return the program in this installation. It reads some files."""
    from hardware.boards import pico_bundle  # here, because a table starts faster without

    return OwnProgram(pico_bundle.release(), lambda: pico_bundle.image(compiled=pico_bundle.can_compile()))


class BoardUpdates:
    """The updates at one table. `load` returns its own program; it and the image are made outside the loop.
    `tell` gets the seats whose device needs the paper clip, whenever they change.
    """

    def __init__(
        self,
        links: LinkRegistry,
        *,
        loop: asyncio.AbstractEventLoop,
        load: Callable[[], OwnProgram] = own_program,
        tell: Callable[[tuple[Seat, ...]], None] = lambda seats: None,
    ) -> None:
        self._links = links
        self._loop = loop
        self._load = load
        self._tell = tell
        self.by_clip: tuple[Seat, ...] = ()
        """The seats whose device takes no program over its cable."""
        self._own: OwnProgram | None = None
        self._image: ProgramImage | None = None
        self._is_free = False
        self._is_forced = False
        self._task: asyncio.Task[None] | None = None
        self._settling: asyncio.TimerHandle | None = None
        links.on_running = self._look

    def close(self) -> None:
        """Stop every update."""
        self._links.on_running = lambda: None
        if self._settling is not None:
            self._settling.cancel()
        if self._task is not None:
            self._task.cancel()

    def set_free(self, is_free: bool) -> None:
        """Begin updates while nobody plays, and stop them as soon as somebody does."""
        if is_free == self._is_free:
            return
        self._is_free = is_free
        if is_free:
            self._check()
        else:
            self._links.stop_installing()

    async def facts(self) -> tuple[bytes, tuple[LinkFacts, ...]]:
        """Return this installation's release, and the facts about each cup and board."""
        return (await self._own_program()).release, self._links.facts()

    async def update(self) -> bool:
        """Update every cup and board now, also after a failure; return whether the table is free for it."""
        if not self._is_free:
            return False
        await self._own_program()
        self._is_forced = True
        self._check()
        return True

    def _look(self) -> None:
        """Note that a device has news. An answer to a question is news, and no answer none, so the asking ends."""
        if self._settling is not None:
            self._settling.cancel()
        self._settling = self._loop.call_later(SETTLE_S, self._ask_silent)

    def _ask_silent(self) -> None:
        """Ask once more for each program that was not told: a bad line may have lost the report."""
        silent = [facts.seat for facts in self._links.facts() if facts.is_up and facts.running is None]
        for seat in silent:
            self._links.ask_for_program(seat)
        if silent:
            self._settling = self._loop.call_later(SETTLE_S, self._take_news)
        else:
            self._take_news()

    def _take_news(self) -> None:
        by_clip = tuple(facts.seat for facts in self._links.facts() if facts.is_up and not takes_updates(facts.running))
        if by_clip != self.by_clip:
            self.by_clip = by_clip
            self._tell(by_clip)
        self._check()

    def _check(self) -> None:
        """Look for boards to update."""
        if self._is_free and (self._task is None or self._task.done()):
            self._task = self._loop.create_task(self._begin())

    async def _begin(self) -> None:
        own = await self._own_program()
        due = [facts for facts in self._links.facts() if self._is_due(facts, own)]
        if not due:
            return
        if self._image is None:
            self._image = ProgramImage(await asyncio.to_thread(own.make_image))
        for facts in due:
            if self._is_free:
                log.info("%s is updated from release %s to %s", facts.name, facts.release_name, own.release.hex())
                self._links.install(facts.seat, self._image)
        self._is_forced = False

    def _is_due(self, facts: LinkFacts, own: OwnProgram) -> bool:
        running = facts.running
        if not facts.is_up or facts.is_installing or running is None or not takes_updates(running):
            return False
        if running.release == own.release:
            return False
        return self._is_forced or not (facts.update_fault or running.rejected == own.release)

    async def _own_program(self) -> OwnProgram:
        if self._own is None:
            self._own = await asyncio.to_thread(self._load)
        return self._own
