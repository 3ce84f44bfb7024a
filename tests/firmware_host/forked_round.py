"""One round at emulated wires, played twice with other dice under some cups, and everything that came out of it.

    ours = Round(layout, Dealt(KILL_SPOT, RoundKind.OPEN, hands, owner=0)).play(folder)
    theirs = Round(layout, Dealt(KILL_SPOT, RoundKind.OPEN, other_hands, owner=0)).play(folder)
    assert ours.reaching(2) == theirs.reaching(2)

The daemon, its drivers, its journal and the cups' programs are the real ones. Hands press and shake by a script that
looks at nothing but what the whole room knows, so that the two rounds differ alone in their dice and in what these are
made of: the house's seed and all entropies. The commitments to these are held fixed. What is heard ends with the
reveal.
"""

import asyncio
import reprlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from held_commitments import hold_commitments
from readable_texts import listening, parts, shown_as_text, texts
from round_tape import Dealt, Hands, Tape
from tapped_wires import ROOM, TappedWires

from engine import DUDO, Bid, Call, Position, View
from firmware_host.daemon import Daemon
from firmware_host.devices.devices import Devices
from firmware_host.furniture import seat_infos
from firmware_host.glass import Glass
from firmware_host.journal.journal import Journal
from firmware_host.play.album import Album
from firmware_host.public.server import PublicSocket
from firmware_host.story import Story
from firmware_host.table.commands import Command, Item
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView
from firmware_host.table.shaking import Shaking
from firmware_host.table.table import Table
from hardware.emulated.clock import VirtualLoop
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.table import EmulatedSeat, EmulatedTable
from hardware.layout import Layout

Seats = Sequence[EmulatedSeat]
STEP_S = 7.3
"""How long a picture stands at one place in these rounds: it is to wander while dice are on the glass."""
under_the_cups: list[Hands] = [()]
"""The dice of the round that is being played, for leaks to be planted."""

Incident = Callable[["Round"], Awaitable[None]]
"""Something that befalls the table in mid-round; everybody is to end with the cup down and every cable in."""


class Round:
    """A table of a layout's seats at which one round is played by the script: some incidents, then the `call`-th call.

    Calls are counted over all that anybody could make. A round whose folder has a journal already goes on where that
    ends, and its `tape` as well. While the round is played `seats` are those of the layout, `living` those with dice.
    """

    table: Table
    devices: Devices
    wires: TappedWires
    seats: Seats
    living: Seats

    def __init__(
        self,
        layout: Layout,
        dealt: Dealt,
        *,
        incidents: Sequence[Incident] = (),
        call: int = 0,
        debug: bool = False,
        album: bool = False,
        tape: Tape | None = None,
    ) -> None:
        self.layout = layout
        self.dealt = dealt
        self.incidents = incidents
        self.call = call
        self.debug = debug
        self.album = album
        self.tape = Tape() if tape is None else tape
        self._before_s = self.tape.heard[-1].at_s if self.tape.heard else 0.0
        self._seed = sha256(f"{dealt.hands}".encode()).digest()
        self.disk_s = 0.0
        """How long a record takes to be written, from now on."""

    def play(self, folder: Path) -> Tape:
        """Play it; `folder` is for the journal and the album."""
        with pytest.MonkeyPatch.context() as patch, asyncio.Runner(loop_factory=self._make_loop) as runner:
            patch.setattr("firmware_host.fairness.dice.deal", self._deal)
            hold_commitments(patch, self._seed)
            patch.setattr("drivers.wander.STEP_S", STEP_S)
            patch.setattr("drivers.seat_board.STEP_S", STEP_S)
            patch.setattr(EmulatedCup, "_write_panel", self._board_tapped(EmulatedCup._write_panel))
            patch.setattr(Journal, "write", self._slowed(Journal.write))
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
        assert seed == self._seed
        assert dice == {seat: len(hand) for seat, hand in enumerate(self.dealt.hands) if hand}
        return {seat: list(self.dealt.hands[seat]) for seat in dice}

    def _board_tapped(self, write: Callable[[EmulatedCup, bytes], None]) -> Callable[[EmulatedCup, bytes], None]:
        def tapped(cup: EmulatedCup, data: bytes) -> None:
            if hasattr(self, "wires"):
                self.wires.hear_board(cup, data)
            write(cup, data)

        return tapped

    def _slowed(self, write: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def slowed(*arguments: Any) -> None:
            if self.disk_s:
                await asyncio.sleep(self.disk_s)
            await write(*arguments)

        return slowed

    async def _play(self, folder: Path) -> None:
        self._loop = loop = asyncio.get_running_loop()
        names = [seat.name for seat in self.layout.seats]
        story, self._public = Story(names), PublicSocket(folder / "events.sock", names)
        album = Album(folder / "album")
        with ExitStack() as open_things:
            emulated = open_things.enter_context(EmulatedTable(self.layout, loop, seed=5))
            journal = open_things.enter_context(Journal(folder / "journal.sqlite"))
            scene = journal.last() or Shaking(game=self.dealt.game)
            self.table = table = Table(self.dealt.rules, seat_infos(self.layout), scene)
            open_things.enter_context(listening(partial(self._hear, ROOM, "log")))

            def tell(event: PublicEvent) -> None:
                if isinstance(event, Revealed):
                    self._hear(ROOM, "reveal", None)
                    self.tape.pages = _pages(folder / "album")
                    self.tape.ended = True
                self._hear(ROOM, "event", event)
                self._hear(ROOM, "story", story.lines(event))
                self._public.tell(event)

            daemon = Daemon(table, journal, seeds=lambda: self._seed, tell=tell, publish=self._public.publish)
            self.wires = TappedWires(self.layout, emulated, self._hear, loop)
            self._sit_down(emulated.seats)
            self._sizes = lambda: [(file.name, file.stat().st_size) for file in sorted(folder.glob("j*"))]
            open_things.callback(lambda: self.tape.left.extend(seat.picture().tobytes() for seat in emulated.seats))
            async with (
                _then(0.2),
                self._public,
                self._reader() as reader,
                Devices(self.layout, self.wires, loop=loop, post=daemon.post) as devices,
            ):
                self.devices = devices
                onlookers = [album.onlooker] if self.album else []
                glasses = [
                    Glass(panel, [partial(self._see, number), *(look(number, seat) for look in onlookers)])
                    for number, (panel, seat) in enumerate(zip(devices.panels, emulated.seats, strict=True))
                ]
                conducting = loop.create_task(daemon.run(glasses, devices.links))
                reading = loop.create_task(self._read(reader))
                wards = devices.wards._wards
                things = [*(ward.driver for ward in wards), *wards, *devices.panels, *glasses]
                owners = [daemon, table, devices, devices.links, devices.wards, devices._panel_wires, self._public]
                self._texts = lambda: texts([*things, *owners, *(part for owner in owners for part in parts(owner))])
                try:
                    await self.script(emulated.seats)
                finally:
                    loop.set_debug(False)
                    conducting.cancel()
                    reading.cancel()
                    await asyncio.gather(conducting, reading, return_exceptions=True)

    def _sit_down(self, seats: Seats) -> None:
        self.seats = seats
        self.living = [seat for seat, hand in zip(seats, self.dealt.hands, strict=False) if hand]
        for number, seat in enumerate(seats):
            seat.moved = partial(self._moved, number, seat)
            seat.moved()

    def _moved(self, number: int, seat: EmulatedSeat) -> None:
        self.tape.looks.append((number, self._now_s(), seat.cup == "up" or "ok" in seat.pressed))

    def _hear(self, seat: int, channel: str, what: object) -> None:
        self.tape.hear(seat, channel, self._now_s(), what)

    def _now_s(self) -> float:
        return self._before_s + self._loop.time()

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
        self._hear(ROOM, "text", shown_as_text([view, menu, look, look and look.hands, look and look.legal]))

    async def script(self, seats: Seats) -> None:
        """Shake, look, whatever is to befall the table, a call. Every moment in it is fixed."""
        await self.shaken(seats)
        await self.tilted(seats)
        self.all_down()
        for incident in self.incidents:
            await self.noted(0.5, covered=seats)
            await incident(self)
        await self.noted(0.5, covered=seats)
        await self.called()

    async def shaken(self, seats: Seats) -> None:
        """Let links say hello and everybody shake, until the dice are dealt."""
        await asyncio.sleep(3)
        for seat, hand in zip(seats, self.dealt.hands, strict=False):
            if hand:
                seat.shake()
        await self.noted(2.5)

    async def tilted(self, seats: Seats) -> None:
        """Let everybody look under the cup, so close on each other that pictures wait for the wire."""
        for seat in seats:
            seat.tilt()
            await asyncio.sleep(0.003)
        await self.noted(0.7)

    async def made_a_call(self) -> tuple[EmulatedSeat, Seats]:
        """Everybody looks while somebody calls: who that was, and the others with dice."""
        if self.position.standing is None:
            await self.bid()
        calls = [(player, call) for player in self.position.living for call in Call if self._may(player, call)]
        player, call = calls[self.call % len(calls)]
        caller, *others = sorted(self.living, key=lambda seat: seat is not self.seats[player])
        for seat in (*others, *self.seats):
            if seat is not caller:
                seat.tilt()
        await self.choose(caller, call)
        await self.noted(0.1)  # the call is read from now on
        return caller, others

    async def called(self) -> None:
        """Somebody calls; then they look, press and pull at cables, until the cups go up."""
        caller, others = await self.made_a_call()
        for seat in self.seats:
            seat.tilt()
        await self.noted(0.2)
        self.all_down()
        others[0].press("ok")
        for seat in self.seats:
            seat.tap("right")
        await self.noted(0.2)
        cable = "board" if "board" in caller.devices else "panel"
        caller.unplug(cable)
        self.seats[-1].tap("ok")
        await self.noted(0.2)
        caller.plug(cable)
        await self.noted(0.5)
        others[0].release("ok")
        await asyncio.sleep(0.5)

    # What the whole room knows, and what hands do knowing it

    @property
    def position(self) -> Position:
        """The round, as everybody knows it."""
        assert self.table.scene.game is not None
        return self.table.scene.game.position

    @property
    def in_turn(self) -> EmulatedSeat:
        """The seat in turn."""
        assert self.position.turn is not None
        return self.seats[self.position.turn]

    async def bid(self) -> None:
        """Who is in turn bids the likeliest, unless there are only calls left."""
        menu = self._menu(self.in_turn)
        bids = [item for item in menu.items if isinstance(item, Bid)]
        if bids:
            await self.choose(self.in_turn, bids[0])

    def bid_at_once(self, for_s: float = 0.08) -> None:
        """Who is in turn presses OK, cup in hand or not, unless that would be a call."""
        if isinstance(self._menu(self.in_turn).chosen, Bid):
            self.in_turn.tap("ok", for_s)

    async def choose(self, seat: EmulatedSeat, item: Item) -> None:
        """Move the cursor there and press OK, with the cup down."""
        while Command.BACK in self._menu(seat).items:  # a hand that leaned on ▶ comes back from what lies behind
            seat.tap("left")
            await asyncio.sleep(0.15)
        menu = self._menu(seat)
        if item is DUDO and "dudo" in seat.buttons:
            seat.tap("dudo")
        elif item in menu.items:
            steps = menu.items.index(item) - menu.cursor
            for _ in range(abs(steps)):
                seat.tap("right" if steps > 0 else "left")
                await asyncio.sleep(0.15)
            seat.tap("ok")
        await asyncio.sleep(0.2)

    def all_up(self) -> None:
        """Everybody looks, who is out and who watches as well."""
        for seat in self.seats:
            seat.tilt()

    def all_down(self) -> None:
        """Nobody looks any more."""
        for seat in self.seats:
            seat.level()

    async def noted(self, for_s: float, covered: Seats = ()) -> None:
        """Let time pass, then note what could be read of the daemon, and what `covered` seats have on their glasses."""
        await asyncio.sleep(for_s)
        self._hear(ROOM, "text", self._texts())
        self._hear(ROOM, "disk", self._sizes())
        async with self._reader() as late:
            self._hear(ROOM, "socket to who comes late", await late.readline())
        if not self.tape.ended:
            self.tape.covered += [seat.picture().tobytes() for seat in covered]

    def number(self, seat: EmulatedSeat) -> int:
        """The layout's number of a seat."""
        return self.seats.index(seat)

    def _may(self, player: int, call: Call) -> bool:
        in_menu = call in self._menu(self.seats[player]).items
        return in_menu or (call is DUDO and call in self.position.legal(player))

    def _menu(self, seat: EmulatedSeat) -> Menu:
        return self.table._places[self.number(seat)].menu


@asynccontextmanager
async def _then(wait_s: float) -> AsyncIterator[None]:
    """Afterwards, however it went, leave the far ends of the wires time for what was sent last."""
    try:
        yield
    finally:
        await asyncio.sleep(wait_s)


def _pages(album: Path) -> Mapping[str, bytes]:
    return {str(page.relative_to(album)): page.read_bytes() for page in sorted(album.rglob("*.png"))}
