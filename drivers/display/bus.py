"""Panels on I2C or SPI: each shows the latest picture it was given, whatever happens to the cables.

The daemon makes one `PanelWire` for each physical wire. A wire has one owner, a thread, because behind a mux several
buses share one wire and a panel that holds it stops them all. The loop only says what is to be shown.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self, TypeVar

from drivers.display.bus_io import Bus, BusName, Frame, Openers, WireOwner, named
from drivers.display.bus_io import place as where
from drivers.display.bus_worker import WireCrew, WireHangsError
from drivers.display.display import SILENT_S, Panel
from drivers.display.frame import Change, change_to, place
from drivers.display.oled import PanelChip
from drivers.messages import Device, Found, Lost, Post
from drivers.timing import align_up

__all__ = ["Bus", "Panel", "PanelWire"]

log = logging.getLogger(__name__)

Result = TypeVar("Result")

CHECK_S = SILENT_S
"""How long an idle wire goes unused before all its panels are asked."""

CHECK_AT_REST_S = 30.0
"""The same while no panel on it is bright: nobody is there to see that one has gone."""

TURN_S = 0.25
"""How often a wire that is never idle asks one of them: eight that are not heard otherwise have their turn in time."""


class PanelWire:
    """The owner of one physical wire. `buses` open each bus on it by its number; an opener raises OSError.

    On SPI the bus is the wire, and what is opened are its chip selects, one for each panel.

    A panel that fails is told as Lost once, with a sentence, and tried again after 0.5 to 5 s; when it answers it is
    set up anew, shows its latest picture, and is told as Found. The wire's other panels are served meanwhile; each
    attempt costs them one adapter time-out at most. A panel on SPI can't be told to be lost: it is set up and drawn
    whole at every check, so one whose cable was pulled shows its picture again within seconds.

    A transfer that never ends makes all of the wire's panels Lost; its thread is left behind and another takes over.

    Make it on the loop's thread. `close` makes every panel dark and returns at once; `wait_closed` waits for that.
    """

    def __init__(self, buses: Openers, *, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        self._buses: tuple[BusName, ...] = tuple(buses)
        self._loop = loop
        self._post = post
        self._crew = WireCrew(buses, loop=loop, came_back=self._draw_anew)
        self._panels: list[Panel] = []
        self._queue: deque[Panel] = deque()
        self._hiding: deque[Panel] = deque()
        self._wanted = asyncio.Event()
        self._drawing: Sequence[Panel] = ()
        self._is_overtaken = False
        self._retries: dict[Panel, asyncio.TimerHandle] = {}
        self._closing = False
        self._began_s = self._asked_s = loop.time()
        self._serving = loop.create_task(self._serve())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._closing else "open"
        return f"<PanelWire of {self._crew}, {state}: {self._panels}>"

    def panel(self, seat: int, bus: BusName, address: int, chip: str, *, rotate: int = 0) -> Panel:
        """Add a panel and make it black. `chip` is ssd1306, ssd1309 or sh1106; `rotate` 0 or 180.

        `address` is the panel's 7-bit one on an I2C bus; a chip select has only one panel, and this is 0.

        ValueError for another chip or rotation, and for a bus that is not on this wire.
        """
        if bus not in self._buses:
            raise ValueError(f"{named(bus)} is not on this wire; it has {', '.join(map(str, self._buses))}")
        panel = Panel(seat, bus, address, PanelChip(chip, rotate), self._want)
        self._panels.append(panel)
        self._want(panel, False)
        return panel

    def close(self) -> None:
        """Forget what was to be shown and make the panels dark, as far as they answer."""
        if self._closing:
            return
        self._closing = self._is_overtaken = True
        for retry in self._retries.values():
            retry.cancel()
        if not self._loop.is_closed():
            self._serving.cancel()
        self._crew.part([(panel.bus, panel.address, panel.chip.dark()) for panel in self._panels])

    async def wait_closed(self) -> None:
        """Wait until `close` has made the panels dark, as long as that may take."""
        await self._crew.wait_parted()

    @property
    def is_closed(self) -> bool:
        """Whether nobody touches the wire any more."""
        return self._crew.has_parted

    def abandon(self) -> None:
        """Let nothing more be sent, not even what `close` wanted: somebody else has the wire."""
        self._crew.abandon()

    def _want(self, panel: Panel, first: bool) -> None:
        """Queue a panel that should show something else; one that is lost is queued by its next retry."""
        if self._closing or panel in self._retries:
            return
        if first and panel in self._queue:
            self._queue.remove(panel)
        if panel not in self._hiding and panel not in self._queue:
            (self._hiding if first else self._queue).append(panel)
        self._is_overtaken |= first or panel in self._drawing
        self._wanted.set()

    async def _serve(self) -> None:
        while True:
            try:
                await self._serve_once()
            except WireHangsError as hangs:
                self._drawing = ()
                for panel in [panel for panel in self._panels if panel not in self._retries]:
                    self._lose(panel, str(hangs))
                await self._crew.is_to_be_had()

    async def _serve_once(self) -> None:
        if self._hiding:
            await self._draw(self._hiding)
        elif self._queue:
            await self._draw(self._queue)
            await self._ask_who_is_due()
        elif not await self._wanted_within(self._beat_s()):
            await self._check()

    async def _draw(self, waiting: deque[Panel]) -> None:
        """Draw the panels that wait, all in one go until a later picture overtakes them; then the others wait on."""
        wrong = [panel for panel in waiting if not panel.is_right]
        waiting.clear()
        drawings = self._made(wrong, self._drawing_of)
        self._drawing = panels = [*drawings]
        if not panels:
            return
        changes, frames = zip(*drawings.values(), strict=True)
        self._is_overtaken = False
        drawn, error = await self._crew.do(WireOwner.draw, frames, lambda: self._is_overtaken)
        self._drawing = ()
        for panel, change in zip(panels[:drawn], changes, strict=False):
            panel.shown = change.after
            self._find(panel)
        if error is not None:
            self._lose(panels[drawn], str(error))
            drawn += 1
        for panel in reversed(panels[drawn:]):
            if panel not in self._hiding and panel not in self._queue:
                waiting.appendleft(panel)

    def _drawing_of(self, panel: Panel) -> tuple[Change, Frame]:
        if panel.was_dark:
            panel.shown = None
        if panel.shown is None:
            panel.asked_s = panel.set_up_s = self._loop.time()
        change = change_to(panel.wanted, panel.shown)
        return change, Frame(panel.bus, panel.address, panel.chip.frame(change, panel.shown))

    def _made(self, panels: Sequence[Panel], make: Callable[[Panel], Result]) -> dict[Panel, Result]:
        """What is to be sent to each panel; one for which it can't be made is lost, and the others are not."""
        made: dict[Panel, Result] = {}
        for panel in panels:
            try:
                made[panel] = make(panel)
            except Exception as error:
                reason = type(error).__name__  # its text may quote what was to be drawn, dice among it
                log.error("%r can't be drawn (%s)", panel, reason)
                self._lose(panel, f"the panel {where(panel.bus, panel.address)} can't be drawn ({reason})")
        return made

    def _draw_anew(self) -> None:
        """Nobody knows what is on the glasses."""
        for panel in self._panels:
            panel.shown = None
            self._want(panel, False)

    def _beat_s(self) -> float:
        """Until all wires are checked, so that the loop wakes once for them."""
        every_s = CHECK_S if any(panel.is_looked_at for panel in self._panels) else CHECK_AT_REST_S
        return align_up(self._loop.time(), every_s) - self._loop.time()

    async def _wanted_within(self, within_s: float) -> bool:
        self._wanted.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._wanted.wait()
        return self._wanted.is_set()

    async def _check(self) -> None:
        """Let the pictures wander, and ask the panels whether they are still there."""
        at = place(self._loop.time() - self._began_s)
        for panel in self._panels:
            panel.move(at)
        await self._ask(self._panels)

    async def _ask_who_is_due(self) -> None:
        """A wire that is never idle for long asks between its pictures, while more of them wait one panel at a time."""
        now_s = self._loop.time()
        due = sorted((panel for panel in self._panels if panel.is_due(now_s)), key=lambda panel: panel.asked_s)
        if not (self._hiding or self._queue):
            await self._ask(due)
        elif now_s - self._asked_s >= TURN_S:
            await self._ask(due[:1])

    async def _ask(self, panels: Sequence[Panel]) -> None:
        """Ask panels that are there, all in one go; if one fails and a picture waits, the others keep for next time."""
        unasked = [panel for panel in panels if panel.shown is not None]
        while unasked:
            self._asked_s = now_s = self._loop.time()
            questions = self._made(unasked, lambda panel, now_s=now_s: panel.question(now_s))  # type: ignore[misc]
            unasked = [*questions]
            answers, error = await self._crew.do(WireOwner.ask, [*questions.values()])
            for panel, status in zip(unasked, answers, strict=False):
                self._find(panel)
                if panel.has_forgotten(status):
                    panel.shown = None
                    self._want(panel, False)
            if error is not None:
                self._lose(unasked[len(answers)], str(error))
            unasked = [] if self._hiding or self._queue else unasked[len(answers) + 1 :]

    def _lose(self, panel: Panel, why: str) -> None:
        self._retries[panel] = self._loop.call_later(panel.backoff.next_s(), self._retry, panel)
        panel.shown = None
        for waiting in (self._queue, self._hiding):
            if panel in waiting:
                waiting.remove(panel)  # the retry will draw it
        if not panel.lost:
            panel.lost = True
            self._post(Lost(panel.seat, Device.PANEL, why))

    def _retry(self, panel: Panel) -> None:
        del self._retries[panel]
        self._want(panel, False)

    def _find(self, panel: Panel) -> None:
        panel.backoff.reset()
        if panel.lost:
            panel.lost = False
            self._post(Found(panel.seat, Device.PANEL))
