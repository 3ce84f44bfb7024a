"""People at a guest's table: they hear what the room is told, look at their display, and press, shake and peek.

They know the rules of the house and no more: what is public, and the dice on their own display.
"""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress

from PIL import Image, ImageChops
from support.crash.display_reader import dice_on, plain
from support.guest.machine import Port
from support.guest.table import GuestTable

from engine import parse_position
from firmware_host import wire
from firmware_host.table.seat.menu import bidding_menu
from firmware_host.table.seat.view import SceneName
from hardware.emulated.seat import MARGIN, EmulatedSeat

BOLD = 0.35
"""How likely somebody doubts a bid."""
TAP_S = 0.08
PATIENCE_S = 4.0
SHAKE_S = 0.8
LOOKS_S = 5.0

Deal = tuple[str | None, int]
"""A match and the number of its round."""


class GuestSession:
    """`told` are the states that the room was told, `seen` the dice that were on each seat's own display."""

    def __init__(self, table: GuestTable, *, seed: int, players: int = 2, bold: float = BOLD) -> None:
        self.table = table
        self.states: list[wire.PublicState] = []
        self.events: list[wire.AnyLine] = []
        self.seen: dict[tuple[Deal, int], tuple[int, ...]] = {}
        self.wrong: list[str] = []
        self.acting = False
        """Whether somebody may have pressed what nobody has been told of yet."""
        self._rng = random.Random(seed)
        self._players = players
        self._bold = bold
        self._news = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    @property
    def state(self) -> wire.PublicState:
        """What was told last."""
        return self.states[-1]

    def listen(self) -> None:
        """Hear the room from now on, until the power is cut."""
        self._listening = asyncio.create_task(self._read_states(self.table.guest.port("events")))

    def deafen(self) -> None:
        """Hear nothing more."""
        if self._listening is not None:
            self._listening.cancel()

    async def until(self, is_so: Callable[[], bool], within_s: float = 60.0) -> None:
        """Wait until something is so; `TimeoutError` if it never is, `GuestError` if a cable could not be moved."""
        async with asyncio.timeout(within_s):
            while not is_so():
                self.table.check()
                self._news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), 0.1)

    async def play(self) -> None:
        """Play until the match is over, from wherever it stands."""
        while self.state.scene != SceneName.OVER:
            await self.act()

    async def play_on(self) -> None:
        """Play match after match, until cancelled."""
        while True:
            await self.act()

    async def until_bidding(self) -> None:
        """Play until a bid stands."""
        while self.state.scene != SceneName.BIDDING or self.state.standing is None:
            await self.act()

    async def act(self) -> None:
        """Do one of the things that the table waits for, and wait for what comes of it."""
        before = self.state
        self.acting = True
        match before.scene:
            case SceneName.LOBBY:
                await self._lobby(before)
            case SceneName.SHAKING if before.waiting_for and before.deal is not None:
                self._seat(before).shake(SHAKE_S)
            case SceneName.CHOOSING | SceneName.REVEAL if before.waiting_for:
                await self._tap(self._seat(before), "ok")
            case SceneName.BIDDING if before.waiting_for:
                await self._bid(before)
            case SceneName.OVER:
                await self._tap(self.table.seats[0], "ok")
        with suppress(TimeoutError):
            await self.until(lambda: _asked(self.state) != _asked(before), PATIENCE_S)
        self.acting = _asked(self.state) == _asked(before)

    async def peek(self, number: int) -> tuple[int, ...]:
        """Lift a cup until dice are on its seat's display; return them. They must be those of the last look."""
        seat, deal = self.table.seats[number], _deal(self.state)
        seat.tilt()
        dice: tuple[int, ...] | None = None
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS_S):
                while (dice := dice_on(seat.picture().tobytes())) is None:
                    await asyncio.sleep(0.05)
        seat.level()
        if dice is None:
            self.wrong.append(f"seat {number} sees no dice in {self.state.position}")
            return ()
        known = self.seen.setdefault((deal, number), dice)
        if known != dice:
            self.wrong.append(f"seat {number} had {known} in {deal} and has {dice}")
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS_S):
                while dice_on(seat.picture().tobytes()) is not None:
                    await asyncio.sleep(0.05)
        return dice

    async def everybody_peeks(self) -> None:
        """Look under every cup that has dice."""
        if self.state.scene == SceneName.BIDDING:
            for number in self.state.players:
                if self.state.seats[number].dice:
                    await self.peek(number)

    async def _lobby(self, state: wire.PublicState) -> None:
        missing = [number for number in range(self._players) if number not in state.players]
        if missing:
            await self._tap(self.table.seats[missing[0]], "ok")
        elif state.countdown_s is None:
            await self._tap(self.table.seats[0], "ok")
        else:
            await asyncio.sleep(0.2)

    async def _bid(self, state: wire.PublicState) -> None:
        number = state.waiting_for[0]
        seat = self.table.seats[number]
        if (_deal(state), number) not in self.seen:
            await self.peek(number)
        if state.standing is not None and self._rng.random() < self._bold:
            await self._tap(seat, "dudo")
            return
        position = parse_position(state.position or "")
        menu = bidding_menu(position, state.players.index(number), dudo_button=True)
        for _ in range(min(len(menu.items) - 1 - menu.cursor, self._rng.randint(0, 2))):
            await self._tap(seat, "right")
        await self._tap(seat, "ok")

    def _seat(self, state: wire.PublicState) -> EmulatedSeat:
        return self.table.seats[self._rng.choice(state.waiting_for)]

    async def _tap(self, seat: EmulatedSeat, button: str) -> None:
        seat.tap(button, TAP_S)
        await asyncio.sleep(2 * TAP_S)

    async def _read_states(self, port: Port) -> None:
        while line := await port.reader.readline():
            with suppress(wire.LineError):  # the last piece of a connection that ended
                state = wire.read(line)
                if isinstance(state, wire.PublicState):
                    self.states.append(state)
                else:
                    self.events.append(state)
                self._news.set()


def steady(picture: Image.Image) -> list[bytes]:
    """Return a picture moved back from every place of its margin."""
    places = ((column, row) for column in range(MARGIN) for row in range(MARGIN))
    return [ImageChops.offset(picture, -column, -row).tobytes() for column, row in places]


def _deal(state: wire.PublicState) -> Deal:
    return state.match, 0 if state.round is None else state.round.number


def _asked(state: wire.PublicState) -> object:
    """Return a state's public facts without cables and clocks."""
    return plain(state)
