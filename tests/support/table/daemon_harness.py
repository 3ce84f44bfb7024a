"""A daemon at work on a table, with a slow disk, far cups and panels that remember, under a virtual clock."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from support.table.harness import NAMES, lay_out
from support.table.program_cup import ProgramCup

from drivers.messages import Button, DeviceEvent, Levelled, Message, Pressed, Released, Tilted
from engine import PYRUDO, Bid, Rules, View
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.screens import draw, draw_peek
from firmware_host.store.journal.journal import Batch, Journal, JournalError
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import Alert
from firmware_host.table.scenes.called import CALL_SHOWN_NS
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatInfo, SeatView
from firmware_host.table.table import Table
from firmware_host.wire import PublicState
from hardware.emulated.virtual_loop import VirtualLoop

WRITE_S = 0.2
ROUND_TRIP_S = 0.01
"""Over the link to a cup and back."""
READ_S = CALL_SHOWN_NS / 1e9 - 0.1
DICE = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]


class Panel:
    """A panel that remembers what it was given, and what was on disk at that moment."""

    def __init__(self, journal: "SlowJournal") -> None:
        self._journal = journal
        self.pictures: list[bytes] = []
        self.records_by_then: list[int] = []

    def show(self, image: Image.Image, *, first: bool = False, dice: object = (), lamp: bool = False) -> None:
        assert image.size == (128, 64)
        self.pictures.append(image.tobytes())
        self.records_by_then.append(len(self._journal.written))

    def set_brightness(self, brightness: object) -> None:
        """Shine."""


class SlowJournal(Journal):
    """A journal whose disk takes its time, and fails when told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written: list[Scene] = []
        self.in_flight = 0
        self.fails = False

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        self.in_flight += 1
        assert self.in_flight == 1, "two records in flight"
        await asyncio.sleep(WRITE_S)
        self.in_flight -= 1
        await super().write(scene, heard, told)
        self.written.append(scene)

    def _put(self, batch: Batch) -> None:
        if self.fails:
            raise JournalError(self.path, "cannot be written: the disk is full", "make room", Alert.DISK_FULL)
        super()._put(batch)


class FarCups:
    """The cups' ends of the links: what they were asked, and what was on disk and told by then."""

    def __init__(self, harness: "DaemonHarness") -> None:
        self._harness = harness
        self.programs = [ProgramCup(seat, Random(seat)) for seat in range(len(NAMES))]
        self.forgotten: list[Message] = []
        self.lost: set[int] = set()  # cups that answer nothing
        self.opened: list[bytes] = []  # the heads with which they were asked to
        self.known_by_then: list[tuple[Scene, PublicState]] = []  # the last record and what was public

    def event_id(self, message: Message) -> DeviceEvent | None:
        event = getattr(message, "event", None)
        return None if event is None else DeviceEvent(NAMES[message.seat], event)

    def durable(self, message: Message) -> None:
        self.forgotten.append(message)

    def draw(self, seat: int, deal: bytes) -> None:
        self.programs[seat].draw(deal)
        self._harness.loop.call_later(ROUND_TRIP_S, self._answer, seat)

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        self.opened.append(head)
        self.known_by_then.append((self._harness.journal.written[-1], self._harness.published[-1]))
        self.programs[seat].open(deal)
        self._harness.loop.call_later(ROUND_TRIP_S, self._answer, seat)

    def _answer(self, seat: int) -> None:
        if seat in self.lost:
            return
        self._harness.post(self.programs[seat].answers.pop(0))


class DaemonHarness:
    """A daemon at work on a table, with everything that it does written down."""

    def __init__(
        self,
        loop: VirtualLoop,
        journal: SlowJournal,
        rules: Rules,
        seats: int,
        scene: Scene | None,
        commits: bool,
    ) -> None:
        self.loop = loop
        self.journal = journal
        self.table = Table(rules, tuple(SeatInfo(name, commits=commits) for name in NAMES[:seats]), scene)
        self.events: list[PublicEvent] = []
        self.records_before: list[int] = []  # records that were on disk by then
        self.published: list[PublicState] = []
        self.published_after: list[int] = []
        self.daemon = Daemon(
            self.table, journal, seeds=lambda: b"s" * 32, tell=self._on_event, publish=self._see_published
        )
        self.panels = [Panel(journal) for _ in range(seats)]
        self.seen: list[list[tuple[SeatView, Menu, View | None]]] = [[] for _ in range(seats)]
        self.displays = [SeatDisplay(panel, [self._eyes(seat)]) for seat, panel in enumerate(self.panels)]
        self.cups = FarCups(self)
        self._numbers = count(1)  # of events of taps
        self._task = loop.create_task(self.daemon.run(self.displays, self.cups))
        self.wait(0)

    def _on_event(self, event: PublicEvent) -> None:
        self.events.append(event)
        self.records_before.append(len(self.journal.written))

    def _see_published(self, state: PublicState) -> None:
        self.published.append(state)
        self.published_after.append(len(self.journal.written))

    def _eyes(self, seat: int) -> Callable[[SeatView, Menu, View | None], None]:
        return lambda view, menu, look: self.seen[seat].append((view, menu, look))

    @property
    def now_ns(self) -> int:
        return round(self.loop.time() * 1e9)

    def post(self, *messages: Message) -> None:
        """Messages that come in one moment, from the loop's thread."""
        for message in messages:
            self.daemon.post(message)

    def wait(self, duration_s: float) -> None:
        """Let virtual seconds pass."""
        self._run(asyncio.sleep(duration_s))
        if self._task.done():
            self._task.result()

    def close(self) -> None:
        self._task.cancel()
        self._run(asyncio.gather(self._task, return_exceptions=True))

    def _run(self, work: Coroutine[Any, Any, Any] | asyncio.Future[Any]) -> None:
        self.loop.run_until_complete(work)

    def tap(self, seat: int, button: Button = Button.OK) -> None:
        self.post(Pressed(seat, button, self.now_ns, next(self._numbers)))
        self.wait(0.05)
        self.post(Released(seat, button, self.now_ns, next(self._numbers)))

    def tilt(self, seat: int) -> None:
        self.post(Tilted(seat, self.now_ns))

    def level(self, seat: int) -> None:
        self.post(Levelled(seat, self.now_ns))

    def forgotten(self) -> list[type]:
        """Return the kinds of messages that their devices may forget."""
        return [type(message) for message in self.cups.forgotten]

    def dice_on(self, seat: int) -> bool:
        """Return whether the display of a seat has dice on it now."""
        view, menu, look = self.seen[seat][-1]
        picture = draw(view, menu) if look is None else draw_peek(view, menu, look)
        assert self.panels[seat].pictures[-1] == picture.tobytes()
        return look is not None


Start = Callable[..., DaemonHarness]


def in_a_round(start: Start, rules: Rules = PYRUDO, bid: Bid | None = None) -> DaemonHarness:
    return start(rules, 3, lay_out(rules, DICE, bid).table.scene)
