"""One round at emulated wires, played twice with other dice under some cups, and everything that came out of it.

    ours = Round(layout, Dealt(KILL_SPOT, RoundKind.OPEN, hands, owner=0)).play(folder)
    theirs = Round(layout, Dealt(KILL_SPOT, RoundKind.OPEN, other_hands, owner=0)).play(folder)
    assert ours.reaching(2) == theirs.reaching(2)

The daemon, its drivers, its journal and the cups' programs are the real ones. Hands press and shake by a script that
looks at nothing, so that the two rounds differ in their dice alone. What is heard ends with the reveal.
"""

import asyncio
import logging
import re
import reprlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine import Match, Phase, Position, RoundKind, Rules, View
from firmware_host.assembly import Devices, seat_infos
from firmware_host.daemon import Daemon
from firmware_host.glass import Glass
from firmware_host.journal import Journal
from firmware_host.play.album import Album
from firmware_host.public.server import PublicSocket
from firmware_host.story import Story
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.table.menu import Menu
from firmware_host.table.scene import Game
from firmware_host.table.seat_view import SeatView
from firmware_host.table.shaking import Shaking
from firmware_host.table.table import Table
from hardware.emulated.clock import VirtualLoop
from hardware.emulated.port import EmulatedPort
from hardware.emulated.table import EmulatedSeat, EmulatedTable
from hardware.layout import Layout

Hands = tuple[tuple[int, ...], ...]
Seats = Sequence[EmulatedSeat]
ROOM = -1
"""Where everybody in the room hears what is said, and the owner reads the log."""
_BY_CHANCE = re.compile(
    r"(?<=0x)[0-9a-f]{6,}|(?<=Task-)[0-9]+|(?<=os\.stat_result)\([^)]+\)"
    r"|[^\s'\"]+/(?=album|journal\.sqlite|events\.sock)"
)

under_the_cups: list[Hands] = [()]
"""The dice of the round that is being played, for leaks to be planted."""


@dataclass(frozen=True)
class Dealt:
    """A round before its shake, and what will be dealt; seats of the layout without a hand watch."""

    rules: Rules
    kind: RoundKind
    hands: Hands
    owner: int | None = None

    @property
    def game(self) -> Game:
        dice = tuple(map(len, self.hands))
        seats = tuple(range(len(dice)))
        position = Position(
            rules=self.rules,
            phase=Phase.ROLLING,
            order=seats,
            dice=dice,
            starting_dice=5 * len(dice),
            first=0,
            kind=self.kind,
            owner=self.owner,
            rolling=tuple(seat for seat in seats if dice[seat]),
        )
        fallen = tuple(seat for seat in seats if not dice[seat])
        return Game("the same", Match(position), seats, fallen=fallen)


@dataclass(frozen=True)
class Heard:
    """One thing that came out: where it can be heard, when, and what it was."""

    seat: int
    channel: str
    at_s: float
    what: object


@dataclass
class Tape:
    """Everything that came out of a round up to its reveal, in order."""

    heard: list[Heard] = field(default_factory=list)
    covered: list[bytes] = field(default_factory=list)  # every panel's picture, while nobody looks under a cup
    pages: Mapping[str, bytes] = field(default_factory=dict)  # of the album
    ended: bool = False
    left: list[bytes] = field(default_factory=list)  # every panel's picture when the daemon is gone

    def hear(self, seat: int, channel: str, at_s: float, what: object) -> None:
        if not self.ended:
            self.heard.append(Heard(seat, channel, at_s, what))

    def reaching(self, seat: int) -> list[Heard]:
        """What somebody at a seat can come to know, with every tool there is."""
        return [heard for heard in self.heard if heard.seat in (seat, ROOM)]


class Round:
    """A table of a layout's seats at which one round is played by the script."""

    def __init__(self, layout: Layout, dealt: Dealt, *, debug: bool = False, album: bool = False) -> None:
        self.layout = layout
        self.dealt = dealt
        self.debug = debug
        self.album = album
        self.tape = Tape()

    def play(self, folder: Path) -> Tape:
        """Play it; `folder` is for the journal and the album."""
        with pytest.MonkeyPatch.context() as patch, asyncio.Runner(loop_factory=self._make_loop) as runner:
            patch.setattr("firmware_host.table.dice.deal", self._deal)
            patch.setattr(reprlib.aRepr, "maxother", 10_000)  # asyncio's debug lines would cut what might tell
            under_the_cups[0] = self.dealt.hands
            runner.run(self._play(folder))
        return self.tape

    def _make_loop(self) -> VirtualLoop:
        loop = VirtualLoop(patience_s=10.0)
        if self.debug:
            loop.set_debug(True)
            loop.slow_callback_duration = 0.0  # every callback is told of
        return loop

    def _deal(self, match: str, number: int, seed: bytes, entropies: object, dice: Mapping[int, int]) -> object:
        assert dice == {seat: len(hand) for seat, hand in enumerate(self.dealt.hands) if hand}
        return {seat: list(self.dealt.hands[seat]) for seat in dice}

    async def _play(self, folder: Path) -> None:
        self._loop = loop = asyncio.get_running_loop()
        names = [seat.name for seat in self.layout.seats]
        story, self._public = Story(names), PublicSocket(folder / "events.sock", names)
        table = Table(self.dealt.rules, seat_infos(self.layout), Shaking(game=self.dealt.game))
        album = Album(folder / "album")
        with ExitStack() as open_things:
            emulated = open_things.enter_context(EmulatedTable(self.layout, loop, seed=5))
            journal = open_things.enter_context(Journal(folder / "journal.sqlite"))
            open_things.enter_context(_listening(partial(self._hear, ROOM, "log")))

            def tell(event: PublicEvent) -> None:
                if isinstance(event, Revealed):
                    self._hear(ROOM, "disk", [(file.name, file.stat().st_size) for file in sorted(folder.glob("j*"))])
                    self._hear(ROOM, "reveal", None)
                    self.tape.pages = _pages(folder / "album")
                    self.tape.ended = True
                self._hear(ROOM, "event", event)
                self._hear(ROOM, "story", story.lines(event))
                self._public.tell(event)

            daemon = Daemon(table, journal, seeds=lambda: b"s" * 32, tell=tell, publish=self._public.publish)
            wires = _Tapped(self.layout, emulated, self._hear)
            open_things.callback(lambda: self.tape.left.extend(seat.picture().tobytes() for seat in emulated.seats))
            async with (
                _then(0.2),
                self._public,
                self._reader() as reader,
                Devices(self.layout, wires, loop=loop, post=daemon.post) as devices,
            ):
                onlookers = [album.onlooker] if self.album else []
                glasses = [
                    Glass(panel, [partial(self._see, number), *(look(number, seat) for look in onlookers)])
                    for number, (panel, seat) in enumerate(zip(devices.panels, emulated.seats, strict=True))
                ]
                conducting = loop.create_task(daemon.run(glasses, devices.durable))
                reading = loop.create_task(self._read(reader))
                things = [*devices._drivers, *devices.panels, *glasses]
                owners = [daemon, table, devices, self._public]
                self._texts = lambda: _texts([*things, *owners, *(part for owner in owners for part in _parts(owner))])
                try:
                    await self.script(emulated.seats)
                finally:
                    loop.set_debug(False)
                    conducting.cancel()
                    reading.cancel()
                    await asyncio.gather(conducting, reading, return_exceptions=True)

    def _hear(self, seat: int, channel: str, what: object) -> None:
        self.tape.hear(seat, channel, self._loop.time(), what)

    @asynccontextmanager
    async def _reader(self) -> AsyncIterator[asyncio.StreamReader]:
        """Somebody in the room, at the socket."""
        reader, writer = await asyncio.open_unix_connection(self._public.path)
        try:
            yield reader
        finally:
            writer.close()
            await writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            self._hear(ROOM, "socket", line)

    def _see(self, seat: int, view: SeatView, menu: Menu, look: View | None) -> None:
        hands = look and [hand and tuple(hand) for hand in look.hands]
        self._hear(seat, "eyes", (view, menu, hands))
        self._hear(ROOM, "text", _shown_as_text([view, menu, look, look and look.hands, look and look.legal]))

    async def script(self, seats: Seats) -> None:
        """Shake, look, bid, look at the bid, lose a cable, bid, call. Every moment in it is fixed."""
        living = [seat for seat, hand in zip(seats, self.dealt.hands, strict=False) if hand]
        first, second, caller = (living[place % len(living)] for place in range(3))
        await self.shaken(seats)
        await self.tilted(seats)
        first.tap("ok")  # a bid that everybody hears of with the cup in the hand
        await self._pause(0.3)
        for seat in seats:
            seat.level()
        await self._pause(0.3, covered=seats)
        for seat in reversed(seats):
            seat.press("ok")
        await self._pause(0.6)
        for seat in seats[1:]:
            seat.release("ok")
        seats[-1].tap("right")
        await self._pause(0.1)
        seats[0].release("ok")
        await self._pause(0.2)
        seats[0].tilt()
        await self._pause(0.5)
        cable = "board" if self.layout.seats[0].board else "panel"
        seats[0].unplug(cable)
        seats[-1].tilt()
        await self._pause(3)  # longer than a wire goes unused before its panels are asked
        seats[0].plug(cable)
        await self._pause(3)
        for seat in seats:
            seat.level()
        await self._pause(0.3, covered=seats)
        second.tap("ok")
        await self._pause(0.2)
        for seat in seats:
            seat.tilt()
        await self._pause(0.3)
        caller.tap("dudo")
        await self._pause(0.6)  # the call is read
        await asyncio.sleep(1.2)

    async def shaken(self, seats: Seats) -> None:
        """Let links say hello and everybody shake, until the dice are dealt."""
        await asyncio.sleep(3)
        for seat, hand in zip(seats, self.dealt.hands, strict=False):
            if hand:
                seat.shake()
        await self._pause(2.5)

    async def tilted(self, seats: Seats) -> None:
        """Let everybody look under the cup, so close on each other that pictures wait for the wire."""
        for seat in seats:
            seat.tilt()
            await asyncio.sleep(0.003)
        await self._pause(0.7)

    async def _pause(self, for_s: float, covered: Seats = ()) -> None:
        await asyncio.sleep(for_s)
        self._hear(ROOM, "text", self._texts())
        async with self._reader() as late:
            self._hear(ROOM, "socket to who comes late", await late.readline())
        if not self.tape.ended:
            self.tape.covered += [seat.picture().tobytes() for seat in covered]


class _Tapped:
    """An emulated table's wires with an ear on each."""

    def __init__(self, layout: Layout, emulated: EmulatedTable, hear: Any) -> None:
        self._emulated = emulated
        self._hear = hear
        self.factory = emulated.factory
        self.open_bus = emulated.open_bus
        self._ports: dict[str, int] = {}
        for number, seat in enumerate(layout.seats):
            if seat.board is not None:
                self._ports[seat.board.id] = number
            if seat.panel is not None:
                emulated.buses[seat.panel.bus].listen = partial(self._transfer, number)

    def open_port(self, serial_id: str) -> Any:
        port = self._emulated.open_port(serial_id)
        port.write = partial(self._written, self._ports[serial_id], port)
        return port

    def _transfer(self, seat: int, address: int, payload: bytes) -> None:
        self._hear(seat, f"i2c {address:#x}", bytes(payload))

    def _written(self, seat: int, port: EmulatedPort, data: bytes) -> int:
        self._hear(seat, "port", bytes(data))
        return EmulatedPort.write(port, data)


class _Ear(logging.Handler):
    """Hears every record of every logger, with its traceback as it would be written."""

    def __init__(self, hear: Any) -> None:
        super().__init__(logging.DEBUG)
        self._hear = hear

    def emit(self, record: logging.LogRecord) -> None:
        self._hear((record.name, record.levelno, _written(self.format(record))))


@asynccontextmanager
async def _then(wait_s: float) -> AsyncIterator[None]:
    """Afterwards, however it went, leave the far ends of the wires time for what was sent last."""
    try:
        yield
    finally:
        await asyncio.sleep(wait_s)


@contextmanager
def _listening(hear: Any) -> Iterator[None]:
    root, ear = logging.getLogger(), _Ear(hear)
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(ear)


def _texts(things: Iterable[object]) -> list[str]:
    """Everything that a careless log line could make of these things and of whatever is under way in the loop."""
    tasks = asyncio.all_tasks()
    stacks = [(task.get_name(), task.get_coro(), *task.get_stack(limit=1)) for task in tasks]
    return _shown_as_text([*things, *sorted(map(repr, stacks))])


def _shown_as_text(things: Iterable[object]) -> list[str]:
    return [_written(text) for thing in things for text in (repr(thing), str(thing))]


def _parts(thing: object) -> Iterable[object]:
    """What an object holds, and what its scene is made of."""
    scene = getattr(thing, "scene", None)
    return [*vars(thing).values(), *([scene.game, scene.game.match] if scene else [])]


def _written(text: str) -> str:
    """A text without what differs between any two rounds: where things lie, how many tasks there were."""
    return _BY_CHANCE.sub("", text)


def _pages(album: Path) -> Mapping[str, bytes]:
    return {str(page.relative_to(album)): page.read_bytes() for page in sorted(album.rglob("*.png"))}
