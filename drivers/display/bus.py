"""Displays on I2C or SPI: each shows its latest picture, whatever happens to the cables.
The daemon makes one `DisplayBus` for each physical bus. A bus has one owner, a thread, because several I2C buses
behind a mux share one wire and one stuck display stops them all. The loop only sets the desired pictures.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self, TypeVar

from msgspec.structs import replace
from PIL import Image

from drivers.display.bus_worker import (
    IS_OFF,
    BusHangsError,
    BusIO,
    BusName,
    BusWorker,
    DisplayError,
    DisplayWrite,
    Openers,
    StatusPoll,
    describe_address,
    describe_bus,
)
from drivers.display.frame import DesiredFrame, DeviceFrame, FrameUpdate, Offset, Regions, diff, offset_at
from drivers.display.oled import OledController
from drivers.display.spi import Select
from drivers.messages import Brightness, Device, Found, Lost, Post
from drivers.timing import Backoff, align_up

log = logging.getLogger(__name__)

Result = TypeVar("Result")

POLL_INTERVAL_S = 2.0
"""Seconds between polls of a display; an idle bus polls all its displays at once.
Shorter than a pulled cable takes to be put back: a display that loses its supply unnoticed stays off.
"""

MAX_POLL_INTERVAL_S = 30.0
"""The same on a bus without new pictures, reached by doubling: each transfer wakes the processor."""

LONE_AFTER_S = 10.0
"""Seconds since the last picture after which a single one, such as the empty lobby's, does not shorten the interval."""

BUSY_POLL_INTERVAL_S = 0.25
"""Seconds between single polls on a bus that is never idle: eight displays get their turn in time."""

REINITIALISE_INTERVAL_S = 10.0
"""Seconds between set-ups of a display: after a brief supply failure it stays dark no longer than this."""


class Display:
    """One seat's display; made by `DisplayBus.add`. Calls `on_change` when there is something to send."""

    def __init__(
        self,
        seat: int,
        bus: BusName,
        address: int,
        controller: OledController,
        on_change: Callable[["Display", bool], None],
    ) -> None:
        self.seat = seat
        self.bus = bus
        self.address = address
        self.controller = controller
        self.lost = False
        self.desired = DesiredFrame()
        self.shown: DeviceFrame | None = None
        """The frame on the display; None if it is unknown, and the display must be set up again."""
        self.polled_s = 0.0
        self.set_up_s = 0.0
        self.backoff = Backoff()
        self._reports_status = False
        self._on_change = on_change

    def __repr__(self) -> str:
        state = "lost" if self.lost else "there"
        return f"<Display of seat {self.seat} {describe_address(self.bus, self.address)}, {state}>"

    @property
    def can_be_polled(self) -> bool:
        """Whether the host can notice its loss; a display on SPI never answers."""
        return not isinstance(self.bus, Select)

    @property
    def is_up_to_date(self) -> bool:
        """Whether it shows the desired frame already."""
        return self.shown is not None and self.shown.shows(self.desired)

    def show(self, image: Image.Image, *, first: bool = False, dice: Regions = (), lamp: bool = False) -> None:
        """Replace the picture (128×64, mode "1", ValueError for others) and return at once.
        Sends only the differences from the shown picture. `first`, for hiding, puts it before the bus's other displays.
        `dice` are regions (left, top, width, height) for dice. They are sent whole when they appear and when they go:
        the number of differing bytes would reveal the dice to the displays waiting for the bus. `lamp` is ignored: a
        wired seat has none.
        """
        dots, secret_regions = self.controller.dots(image), self.controller.regions(dice)
        if self._set_desired(replace(self.desired, dots=dots, secret_regions=secret_regions)):
            self._on_change(self, first)

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness; a dark display is switched off, and keeps its picture for when it is on again."""
        is_new = brightness is not self.desired.brightness
        if is_new and self._set_desired(replace(self.desired, brightness=brightness)):
            self._on_change(self, False)

    def shift(self, offset: Offset) -> None:
        """Shift the picture by at most three columns and rows."""
        offset = self.controller.offset(offset)
        if offset != self.desired.offset and self._set_desired(replace(self.desired, offset=offset)):
            self._on_change(self, False)

    def is_due(self, now_s: float) -> bool:
        """Return whether the last poll is at least POLL_INTERVAL_S ago."""
        return self.shown is not None and now_s - self.polled_s >= POLL_INTERVAL_S

    def poll(self, now_s: float) -> StatusPoll:
        """Return a status poll that also sets the display up again from time to time; on SPI always, with its picture.

        A dark display is set up only when it is switched on.
        """
        self.polled_s = now_s
        payloads: list[bytes] = []
        is_due = now_s - self.set_up_s >= REINITIALISE_INTERVAL_S or not self.can_be_polled
        if self.shown is not None and self._is_lit and is_due:
            self.set_up_s = now_s
            payloads = self.controller.reinitialise(self.shown, whole=not self.can_be_polled)
        return StatusPoll(self.bus, self.address, payloads, stays_on=self._reports_status and self._is_lit)

    def lost_power(self, status: int | None) -> bool:
        """Return whether a status reports a lost supply: a display that should be on is off then.
        Some modules can't be read, so this needs an earlier status that reported the display on.
        """
        if status is not None and not status & IS_OFF:
            self._reports_status = True
        return status is not None and bool(status & IS_OFF) and self._reports_status and self._is_lit

    @property
    def was_dark(self) -> bool:
        """Whether it must be switched on again; it may have lost its memory in the dark."""
        return self.shown is not None and not self._is_lit and self.desired.brightness is not Brightness.DARK

    @property
    def _is_lit(self) -> bool:
        return self.shown is not None and self.shown.desired.brightness is not Brightness.DARK

    def _set_desired(self, desired: DesiredFrame) -> bool:
        """Set the desired frame; return whether to send anything, as always for a picture with dice."""
        is_new = not desired.is_same(self.desired)
        if is_new:
            self.desired = desired
        return is_new


_Drawings = dict[Display, tuple[FrameUpdate, DisplayWrite]]
"""The bytes to send to each display, and its frame afterwards."""


class DisplayBus:
    """The displays on one physical bus. `buses` maps bus names to openers, which raise OSError.
    On SPI each opener is for a chip select with one display.

    A failing display is posted as Lost once, with a sentence, and retried after 0.5 to 5 s. When it answers it is set
    up again, shows its latest picture, and is posted as Found. The other displays are served meanwhile; each attempt
    costs them one adapter time-out at most. On SPI a lost display can't be noticed: every poll sets it up and draws it
    whole, so after a pulled cable its picture returns with the next one.

    A transfer that never ends makes all displays on the bus Lost; its thread is left behind and another takes over.

    Make it on the loop's thread. `close` makes every display dark and returns at once; `wait_closed` waits for that.
    """

    def __init__(self, buses: Openers, *, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        self.displays: list[Display] = []
        self._buses: tuple[BusName, ...] = tuple(buses)
        self._loop = loop
        self._post = post
        self._worker = BusWorker(buses, loop=loop, on_recovered=self._redraw_all)
        self._queue: deque[Display] = deque()
        self._hiding: deque[Display] = deque()
        self._has_work = asyncio.Event()
        self._drawing: Sequence[Display] = ()
        self._is_overtaken = False
        self._retries: dict[Display, asyncio.TimerHandle] = {}
        self._is_closing = False
        self._began_s = self._polled_s = self._drawn_s = loop.time()
        self._polls = Backoff(POLL_INTERVAL_S, MAX_POLL_INTERVAL_S)
        self._serving = loop.create_task(self._serve())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._is_closing else "open"
        return f"<DisplayBus of {self._worker}, {state}: {self.displays}>"

    def add(self, seat: int, bus: BusName, address: int, chip: str, *, rotate: int = 0) -> Display:
        """Add a display and make it black. `chip` is a name in `hardware.chips.CHIPS`, `rotate` 0 or 180.
        `address` is the 7-bit one on an I2C bus; a chip select has only one display, at address 0.

        Raises ValueError for an unknown chip or rotation, and for a bus on another wire.
        """
        if bus not in self._buses:
            raise ValueError(f"{describe_bus(bus)} is not on this wire; it has {', '.join(map(str, self._buses))}")
        display = Display(seat, bus, address, OledController(chip, rotate), self._enqueue)
        self.displays.append(display)
        self._enqueue(display, False)
        return display

    def close(self) -> None:
        """Make the reachable displays dark, and drop the pending pictures."""
        if self._is_closing:
            return
        self._is_closing = self._is_overtaken = True
        for retry in self._retries.values():
            retry.cancel()
        if not self._loop.is_closed():
            self._serving.cancel()
        self._worker.shutdown([(display.bus, display.address, display.controller.blank()) for display in self.displays])

    async def wait_closed(self) -> None:
        """Wait until `close` has made the displays dark, for SHUTDOWN_TIMEOUT_S at most."""
        await self._worker.wait_shutdown()

    @property
    def is_closed(self) -> bool:
        """Whether the bus is no longer used by any thread."""
        return self._worker.is_shut_down

    def abandon(self) -> None:
        """Stop all sending, even by `close`: another driver has the bus."""
        self._worker.abandon()

    def _enqueue(self, display: Display, first: bool) -> None:
        """Queue a display with a new frame to show; the next retry queues a lost one."""
        if self._is_closing or display in self._retries:
            return
        if first and display in self._queue:
            self._queue.remove(display)
        if display not in self._hiding and display not in self._queue:
            (self._hiding if first else self._queue).append(display)
        self._is_overtaken |= first or display in self._drawing
        self._has_work.set()

    async def _serve(self) -> None:
        while True:
            try:
                if waiting := self._hiding or self._queue:
                    if drawings := self._take(waiting):
                        writes = [write for _, write in drawings.values()]
                        sent, error = await self._worker.run(BusIO.draw, writes, lambda: self._is_overtaken)
                        self._on_drawn(drawings, sent, error, waiting)
                        del drawings, writes  # they hold pictures with dice
                    if waiting is self._queue:
                        await self._poll_due()
                elif not await self._work_within(self._idle_s()):
                    await self._poll_idle()
            except BusHangsError as hangs:
                self._drawing = ()
                for display in [display for display in self.displays if display not in self._retries]:
                    self._lose(display, str(hangs))
                await self._worker.wait_available()
            except SystemExit as error:  # a library called exit(); asyncio would end the daemon on it
                self._loop.call_exception_handler({"message": f"the task of {self!r}", "exception": error})
                return

    def _take(self, waiting: deque[Display]) -> _Drawings:
        """Empty the queue and return pending updates for outdated displays."""
        outdated = [display for display in waiting if not display.is_up_to_date]
        waiting.clear()
        drawings = self._prepare(outdated, self._prepare_drawing)
        self._drawing, self._is_overtaken = [*drawings], False
        if self._loop.time() - self._drawn_s < LONE_AFTER_S:
            self._polls.reset()
        self._drawn_s = self._loop.time()
        return drawings

    def _on_drawn(self, drawings: _Drawings, sent: int, error: DisplayError | None, waiting: deque[Display]) -> None:
        """Update the known frames after `sent` drawings; overtaken displays are `waiting` again."""
        self._drawing, displays = (), [*drawings]
        for display in displays[:sent]:
            display.shown = drawings[display][0].after
            self._find(display)
        if error is not None:
            self._lose(displays[sent], str(error))
            sent += 1
        for display in reversed(displays[sent:]):
            if display not in self._hiding and display not in self._queue:
                waiting.appendleft(display)

    def _prepare_drawing(self, display: Display) -> tuple[FrameUpdate, DisplayWrite]:
        if display.was_dark:
            display.shown = None
        if display.shown is None:
            display.polled_s = display.set_up_s = self._loop.time()
        update = diff(display.desired, display.shown)
        return update, DisplayWrite(display.bus, display.address, display.controller.apply(update, display.shown))

    def _prepare(self, displays: Sequence[Display], make: Callable[[Display], Result]) -> dict[Display, Result]:
        """Call `make` for each display; if it raises, only that display is lost."""
        made: dict[Display, Result] = {}
        for display in displays:
            try:
                made[display] = make(display)
            except Exception as error:
                reason = type(error).__name__  # the text may quote the data to draw, with dice
                log.error("%r can't be drawn (%s)", display, reason)
                where = describe_address(display.bus, display.address)
                self._lose(display, f"the display {where} can't be drawn ({reason})")
        return made

    def _redraw_all(self) -> None:
        """Draw all displays whole: their frames are unknown."""
        for display in self.displays:
            display.shown = None
            self._enqueue(display, False)

    def _idle_s(self) -> float:
        """Return the seconds until all buses are polled at the same moment, so that the loop wakes once for them."""
        now_s = self._loop.time()
        return align_up(now_s, self._polls.next_s()) - now_s

    async def _work_within(self, within_s: float) -> bool:
        self._has_work.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._has_work.wait()
        return self._has_work.is_set()

    async def _poll_idle(self) -> None:
        """Shift the pictures, and poll the displays."""
        offset = offset_at(self._loop.time() - self._began_s)
        for display in self.displays:
            display.shift(offset)
        await self._poll(self.displays)

    async def _poll_due(self) -> None:
        """Poll between pictures on a busy bus; while more of them wait, one display at a time."""
        now_s = self._loop.time()
        due = sorted((display for display in self.displays if display.is_due(now_s)), key=lambda due: due.polled_s)
        if not (self._hiding or self._queue):
            await self._poll(due)
        elif now_s - self._polled_s >= BUSY_POLL_INTERVAL_S:
            await self._poll(due[:1])

    async def _poll(self, displays: Sequence[Display]) -> None:
        """Poll connected displays in one call; after a failure with a picture waiting, the others are polled later."""
        waiting = [display for display in displays if display.shown is not None]
        while waiting:
            self._polled_s = now_s = self._loop.time()
            polls = self._prepare(waiting, lambda display, now_s=now_s: display.poll(now_s))  # type: ignore[misc]
            waiting = [*polls]
            statuses, error = await self._worker.run(BusIO.poll, [*polls.values()])
            for display, status in zip(waiting, statuses, strict=False):
                self._find(display)
                if display.lost_power(status):
                    display.shown = None
                    self._enqueue(display, False)
            if error is not None:
                self._lose(waiting[len(statuses)], str(error))
            waiting = [] if self._hiding or self._queue else waiting[len(statuses) + 1 :]

    def _lose(self, display: Display, why: str) -> None:
        self._retries[display] = self._loop.call_later(display.backoff.next_s(), self._retry, display)
        display.shown = None
        for waiting in (self._queue, self._hiding):
            if display in waiting:
                waiting.remove(display)  # the retry will draw it
        if not display.lost:
            display.lost = True
            self._post(Lost(display.seat, Device.PANEL, why))

    def _retry(self, display: Display) -> None:
        del self._retries[display]
        self._enqueue(display, False)

    def _find(self, display: Display) -> None:
        display.backoff.reset()
        if display.lost:
            display.lost = False
            self._post(Found(display.seat, Device.PANEL))
