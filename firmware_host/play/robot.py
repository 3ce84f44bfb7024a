"""A player of the emulated table: two eyes on one glass, two hands at one seat, and the engine's odds in between.

It knows what its glass shows and nothing else, and acts by pressing buttons and moving its cup. There is no way from
here into the table.
"""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from engine import DUDO, Action, Hand, View
from engine.opponent import choose
from firmware_host.table.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.seat_view import SceneName, SeatView

TAP_S = 0.08
BETWEEN_TAPS_S = 0.07
PATIENCE_S = 4.0
"""After this long without an answer a robot tries again, as a person would."""

# In company of people, who have to read what the robots say:
LEISURE = 2.0
"""So many times as long a robot thinks then,"""
LEAVES_THE_CALL_S = 5.0
"""lets a claim stand for so long before it calls out of turn,"""
LEAVES_THE_REVEAL_S = 6.0
"""and looks at the dice for so long."""


class Hands(Protocol):
    """What a hand can do at a seat; `hardware.emulated` has such seats."""

    def tap(self, button: str, for_s: float = TAP_S) -> None:
        """Press and let go."""

    def shake(self, for_s: float = 0.8) -> None:
        """Shake the cup and put it down."""

    def tilt(self) -> None:
        """Lift the cup to look under it."""

    def level(self) -> None:
        """Put it down again."""


class Robot:
    """One seat's player. It starts the match when `starts_with` have joined; None leaves that to others.

    `company` says whether people are at the table: then it leaves the start to them, and takes its time.
    """

    def __init__(
        self, hands: Hands, rng: random.Random, *, dudo_button: bool = True, starts_with: int | None = None
    ) -> None:
        self.company: Callable[[], bool] = lambda: False
        self._hands = hands
        self._rng = rng
        self._dudo_button = dudo_button
        self._starts_with = starts_with
        self._view: SeatView | None = None
        self._menu = Menu()
        self._look: View | None = None
        self._remembered: tuple[Hand | None, ...] = ()
        self._thought_about: object = None
        self._news = asyncio.Event()

    def see(self, view: SeatView, menu: Menu, look: View | None) -> None:
        """Look at the glass: `FrameListener` of this seat."""
        self._view, self._menu, self._look = view, menu, look
        self._news.set()

    async def live(self) -> None:
        """Play until cancelled, from wherever the evening stands."""
        self._remembered, self._thought_about = (), None
        self._news.set()
        while True:
            if not await self._news_within(PATIENCE_S):
                self._thought_about = None  # nothing came of it: try again
            if self._view is not None:
                await self._react(self._view)

    async def _react(self, view: SeatView) -> None:
        mine = view.me is not None and view.me in view.waiting_for
        match view.scene:
            case SceneName.LOBBY:
                await self._lobby(view)
            case SceneName.SHAKING if mine:
                await self._shake()
            case SceneName.CHOOSING if mine:
                await self._think(1.5)
                await self._pick(self._rng.choice(self._menu.items))
            case SceneName.BIDDING if view.me is not None:
                await self._bid(view, mine)
            case SceneName.REVEAL if mine:
                await self._think(3.0, LEAVES_THE_REVEAL_S)
                await self._pick(MenuCommand.GO_ON)

    async def _lobby(self, view: SeatView) -> None:
        if view.me is None:
            await self._think(1.0)
            await self._pick(MenuCommand.JOIN)
        elif self._starts_with == len(view.names) and MenuCommand.START in self._menu.items and not self.company():
            await self._think(1.0)
            await self._pick(MenuCommand.START)

    async def _shake(self) -> None:
        self._remembered, self._thought_about = (), None
        if MenuCommand.ROLL in self._menu.items:
            await self._pick(MenuCommand.ROLL)
            return
        await self._think(0.8)
        self._hands.shake(self._rng.uniform(0.6, 1.2))
        await self._until(lambda view: view.scene is not SceneName.SHAKING or view.me not in view.waiting_for)

    async def _bid(self, view: SeatView, mine: bool) -> None:
        """Decide once about each claim; in turn always, out of turn only if there is something to call."""
        position = view.position
        about = position and (position.number, position.standing, position.passer, mine)
        if about == self._thought_about or not self._menu.items:
            return
        if not self._remembered:
            await self._peek()
        await self._think(*((1.5, 0.0) if mine else (0.8, LEAVES_THE_CALL_S)), about=view)
        if self._view is None or _about(self._view) != _about(view) or position is None or view.me is None:
            return
        self._thought_about = about
        hands = self._remembered or (None,) * position.seats  # a cup that can't be lifted: bid blind
        action = choose(View(position, view.me, hands), self._rng)
        if action is not None:
            await self._say(action)

    async def _peek(self) -> None:
        """Lift the cup, remember what is under it, put it down."""
        self._hands.tilt()
        await self._until(lambda _: self._look is not None, within_s=1.0)
        if self._look is not None:
            self._remembered = self._look.hands
            await self._think(0.7)
        self._hands.level()
        await self._until(lambda _: self._look is None, within_s=1.0)

    async def _say(self, action: Action) -> None:
        if action is DUDO and self._dudo_button:
            self._hands.tap("dudo")
            return
        # A bid above the dice in play is legal, but in no menu.
        await self._pick(action if action in self._menu.items else self._menu.items[0])

    async def _pick(self, item: MenuItem) -> None:
        """Move the cursor to an item and press OK; give up if the menu no longer has it."""
        while item in self._menu.items and self._menu.chosen != item:
            await self._step_towards(item)
        if self._menu.chosen == item:
            self._hands.tap("ok")
            await asyncio.sleep(TAP_S + BETWEEN_TAPS_S)

    async def _step_towards(self, item: MenuItem) -> None:
        cursor = self._menu.cursor
        self._hands.tap("right" if self._menu.items.index(item) > cursor else "left")
        await self._until(lambda _: self._menu.cursor != cursor, within_s=1.0)
        await asyncio.sleep(TAP_S + BETWEEN_TAPS_S)

    async def _think(self, at_most_s: float, in_company_s: float = 0.0, about: SeatView | None = None) -> None:
        """Think for a while, in company longer, and for so many seconds at least unless it is about something else."""
        think_s = self._rng.uniform(0.3, 1.0) * at_most_s
        if not self.company():
            await asyncio.sleep(think_s)
        else:
            within_s = in_company_s + think_s * LEISURE
            await self._until(lambda view: about is not None and _about(view) != _about(about), within_s)

    async def _until(self, seen: Callable[[SeatView], bool], within_s: float = PATIENCE_S) -> None:
        """Wait until the glass shows something, or for so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while self._view is None or not seen(self._view):
                    self._news.clear()
                    await self._news.wait()
        self._news.set()

    async def _news_within(self, within_s: float) -> bool:
        """Wait until something new is on the glass; False if nothing was for so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._news.wait()
        came = self._news.is_set()
        self._news.clear()
        return came


def _about(view: SeatView) -> object:
    """What there is to think about."""
    return view.scene, view.position
