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
from firmware_host.i18n import phrases
from firmware_host.wire import Seat
from hardware.firmware.loader import LOADER
from hardware.link.messages import Running

BY_CLIP = phrases.BOARD_BY_CLIP
"""Remedy for a program that takes no updates over its cable."""

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

    return OwnProgram(pico_bundle.release(), pico_bundle.best_image)


class BoardUpdates:
    """The updates at one table. `load` returns its own program; it and the image are made outside the loop.
    `tell` gets the seats with a device for the paper clip, whenever they change.
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
        """The seats with a device that takes no program over its cable."""
        self._own: OwnProgram | None = None
        self._image: ProgramImage | None = None
        self._is_free = False
        self._is_forced = False
        self._task: asyncio.Task[None] | None = None
        links.on_program_change = self._look

    def close(self) -> None:
        """Stop every update."""
        self._links.on_program_change = lambda: None
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
        """Take the news from a device."""
        found = self._links.facts()
        for facts in found:
            if facts.is_up and facts.running is None and not facts.has_no_release:
                self._links.ask_for_program(facts.seat)
        by_clip = tuple(facts.seat for facts in found if self._needs_clip(facts))
        if by_clip != self.by_clip:
            self.by_clip = by_clip
            self._tell(by_clip)
        self._check()

    def _needs_clip(self, facts: LinkFacts) -> bool:
        """Return whether no update reaches a device's program. The last answer stands while a device is away or has not
        told its program: a slow device or a bad line changes nothing.
        """
        if facts.is_up and (facts.running is not None or facts.has_no_release):
            return not takes_updates(facts.running)
        return facts.seat in self.by_clip

    def _check(self) -> None:
        """Look for boards to update."""
        if self._is_free and (self._task is None or self._task.done()):
            self._task = self._loop.create_task(self._begin())

    async def _begin(self) -> None:
        if not any(map(_is_ready, self._links.facts())):
            return
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
        if not _is_ready(facts) or running is None or running.release == own.release:
            return False
        return self._is_forced or not (facts.update_fault or running.rejected == own.release)

    async def _own_program(self) -> OwnProgram:
        if self._own is None:
            self._own = await asyncio.to_thread(self._load)
        return self._own


def _is_ready(facts: LinkFacts) -> bool:
    """Return whether a device would take a program now."""
    return facts.is_up and not facts.is_installing and takes_updates(facts.running)
