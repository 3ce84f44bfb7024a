"""A whole robot match at emulated wires in virtual time: its presses, pictures, records and CPU time."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.tools.ledger import DRIVERS, FAR_END, Ledger, clock_of_threads
from bench.tools.table import BenchTable, CountedTable, Traffic
from drivers.messages import Button, Levelled, Message, Pressed, Released, Settled, Shaken, Tilted
from engine import Bid, Rules
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import Announce, Effect, HostMessage
from firmware_host.table.events import ActionTaken, PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SeatInfo
from firmware_host.table.table import Table
from firmware_host.wire import MatchWon
from hardware.config.layout import Layout
from hardware.emulated.chips.i2c import FAST_MODE_HZ, wire_time_s
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link
from hardware.link.framing import FramingError, unframe

LAST_LOOK_S = 1.0
MAX_SHORT_FRAME = 12
"""Bytes, which no picture fits into."""
USB_PACKET_BYTES = 64
USB_PACKETS_A_FRAME = 19
"""Bulk packets of 64 bytes that fit into one 1 ms frame at full speed (USB 2.0, table 5-9)."""


def i2c_s(traffic: Traffic, clock_hz: int = FAST_MODE_HZ) -> float:
    """Return the seconds on I2C: nine clocks a byte, address bytes included, and one each for start and stop."""
    transfers = traffic["transfers"]
    return wire_time_s(traffic["i2c"], clock_hz) + (transfers - 1) * wire_time_s(0, clock_hz) if transfers else 0.0


def usb_s(sent_bytes: int) -> float:
    """Return the seconds on full-speed USB: each bulk packet takes a nineteenth of a frame on an idle bus."""
    return -(-sent_bytes // USB_PACKET_BYTES) * 0.001 / USB_PACKETS_A_FRAME


class PictureDelay(NamedTuple):
    """A press's picture on one display: its loop times, and its seconds on I2C and on the link."""

    seat: int
    first_s: float
    last_s: float
    i2c_s: float
    link_s: float


@dataclass(eq=False)
class TimedPress:
    """A press and the displays it changed; `at_s` is the deciding edge's stamp."""

    message: Message
    at_s: float
    is_hiding: bool = False
    makes_bid: bool = False
    seats: set[int] = field(default_factory=set)
    waiting: set[int] = field(default_factory=set)
    shown: list[PictureDelay] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether it changed a display, and no later picture overtook it."""
        return bool(self.shown) and not self.waiting

    @property
    def moves_cursor(self) -> bool:
        """Whether it is an arrow."""
        return isinstance(self.message, Pressed) and self.message.button in (Button.LEFT, Button.RIGHT)


Recorded = tuple[Scene, Sequence[PublicEvent]]
"""A match record: the scene and its public events."""


class _KeptJournal(Journal):
    """A journal that also keeps its records in memory."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.kept: list[Recorded] = []

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        self.kept.append((scene, told))
        await super().write(scene, heard, told)


class _WatchedTable(Table):
    """A table that notes the press behind its last effects, even one held until a tick."""

    def __init__(self, rules: Rules, seats: tuple[SeatInfo, ...]) -> None:
        super().__init__(rules, seats)
        self.press: TimedPress | None = None
        self.presses: list[TimedPress] = []
        self._numbers = range(len(seats))

    def handle(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        if not (self.press and self._is_racing):
            self.press = _press(message)
            self.presses += [self.press] if self.press else []
        return self._marked(super().handle(message, now_ns))

    def tick(self, now_ns: int) -> list[Effect]:
        if not self._is_racing:
            self.press = None
        return self._marked(super().tick(now_ns))

    @property
    def _is_racing(self) -> bool:
        return any(map(self.scene.has_pending_action, self._numbers))

    def _marked(self, effects: list[Effect]) -> list[Effect]:
        events = [effect.event for effect in effects if isinstance(effect, Announce)]
        if self.press and any(isinstance(event, ActionTaken) and isinstance(event.action, Bid) for event in events):
            self.press.makes_bid = True
        return effects


def _press(message: Message | HostMessage, *, is_hiding: bool = False) -> TimedPress | None:
    if isinstance(message, Pressed | Released | Tilted | Levelled | Shaken | Settled):
        return TimedPress(message, message.at_ns / 1e9, is_hiding)
    return None


class WatchedMatch(BenchTable):
    """One match, from the lobby to its end. `played` plays it."""

    table = _WatchedTable
    journal = _KeptJournal

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, CountedTable(layout, asyncio.get_running_loop()))
        self.ledger = Ledger()
        self.presses: list[TimedPress]
        self.pressed = 0
        """Buttons pressed, bounces and ignored ones included."""
        self.virtual_s = 0.0
        self._hiding: TimedPress | None = None
        self._won = asyncio.Event()
        self._pending: dict[int, tuple[TimedPress | None, Traffic]] = {}
        self._loop = asyncio.get_running_loop()

    async def play(self) -> None:
        """Play it and count."""
        with self.wires:
            async with self.running():
                self.presses = self.conduct.presses
                self.wires.on_sent = self._count_pictures
                for seat, watch in enumerate(self.watches):
                    watch.aside = self.ledger.aside
                    watch.on_new, watch.on_complete = partial(self._new, seat), partial(self._complete, seat)
                began_s = self._loop.time()
                with self.ledger:
                    async with self.playing():
                        await self._won.wait()
                        await asyncio.sleep(LAST_LOOK_S)
                        threads_ns = clock_of_threads("display-bus") + clock_of_threads("journal")
                self.virtual_s = self._loop.time() - began_s
        self.ledger.spent_ns[DRIVERS] += threads_ns - self.wires.far_end_ns
        self.ledger.spent_ns[FAR_END] += self.wires.far_end_ns

    def post(self, message: Message) -> None:
        """Note a press hiding dice before the table handles it."""
        self.pressed += isinstance(message, Pressed)
        self._hiding = _press(message, is_hiding=True)
        super().post(message)
        if self._hiding is not None and self._hiding.seats:
            self.presses.append(self._hiding)
        self._hiding = None

    def tell(self, event: PublicEvent) -> None:
        """Note the end."""
        if isinstance(event, MatchWon):
            self._won.set()

    def _new(self, seat: int) -> None:
        press = self._hiding or self.conduct.press
        self._pending[seat] = press, self.wires.traffic[seat].copy()
        if press is not None:
            press.seats.add(seat)
            press.waiting.add(seat)

    def _complete(self, seat: int) -> None:
        press, before = self._pending[seat]
        if press is not None:
            press.waiting.discard(seat)
            traffic = self.wires.traffic[seat] - before
            times = self.watches[seat].first_s, self._loop.time(), i2c_s(traffic), usb_s(traffic["pictures"])
            press.shown.append(PictureDelay(seat, *times))

    def _count_pictures(self, seat: int, data: bytes) -> None:
        for piece in data.split(b"\0"):
            with suppress(FramingError):
                if len(piece) > MAX_SHORT_FRAME and isinstance(link.from_body(unframe(piece))[1], link.Picture):
                    self.wires.traffic[seat]["pictures"] += len(piece) + 1


def played(layout: Layout) -> WatchedMatch:
    """Play a match with a robot at every seat."""

    async def play() -> WatchedMatch:
        match = WatchedMatch(layout)
        await match.play()
        return match

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=60)) as runner:
        return runner.run(play())
