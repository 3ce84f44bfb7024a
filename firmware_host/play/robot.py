"""A robot at the emulated table: it sees one display, operates one seat, and decides as an opponent of the engine.

It knows only its display, and acts by pressing buttons and moving its cup. It has no reference to the table.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Protocol

from engine import DUDO, Action, View
from engine.opponents.odds import choose
from firmware_host.play.memory import Memory
from firmware_host.table.cues import MAX_MS
from firmware_host.table.seat.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName, SeatView

TAP_S = 0.08
BETWEEN_TAPS_S = 0.07
RETRY_S = 4.0
"""Seconds without an answer after which a robot tries again, as a person would."""

# With people at the table, who have to follow the robots:
SLOWDOWN = 2.0
"""Factor on the time that a robot thinks."""
SHAKE_SLOWDOWN = 0.9
"""The same for the moment before it shakes: all shake at once, without a second's wait for a robot."""
CALL_DELAY_S = 5.0
"""Seconds that a robot lets a bid stand before it calls out of turn."""
REVEAL_DELAY_S = 2.0
"""Seconds that a robot looks at the outcome of a call once all is told."""

Decide = Callable[[View, random.Random], Awaitable[Action | None]]
"""Returns the action of a view's seat, this robot's; the decision may come from elsewhere."""


class Hands(Protocol):
    """A hand's actions at a seat, implemented by `hardware.emulated.seat`."""

    def tap(self, button: str, for_s: float = TAP_S) -> None:
        """Press and release a button."""

    def shake(self, for_s: float = 0.8) -> None:
        """Shake the cup and put it down."""

    def tilt(self) -> None:
        """Lift the cup to look under it."""

    def level(self) -> None:
        """Put the cup down again."""


class Robot:
    """One seat's robot. It starts the match once `starts_with` have joined, never if that is None.

    `people` returns the names of people's seats. While `has_people` is true, the robot leaves the start to them and
    plays slowly. Without `decide` it decides by the odds, and chooses any round.
    """

    def __init__(
        self,
        hands: Hands,
        rng: random.Random,
        *,
        dudo_button: bool = True,
        starts_with: int | None = None,
        decide: Decide | None = None,
    ) -> None:
        self.people: Callable[[], Collection[str]] = frozenset
        self.has_people: Callable[[], bool] = lambda: bool(self.people())
        self._hands = hands
        self._rng = rng
        self._dudo_button = dudo_button
        self._starts_with = starts_with
        self._decide = decide
        self._view: SeatView | None = None
        self._menu = Menu()
        self._look: View | None = None
        self._memory = Memory()
        self._thought_about: object = None
        self._news = asyncio.Event()

    def see(self, view: SeatView, menu: Menu, look: View | None) -> None:
        """Take in the display's content. This seat's `FrameListener`."""
        self._view, self._menu, self._look = view, menu, look
        self._memory.see(view, look)
        self._news.set()

    async def run(self) -> None:
        """Play until cancelled, from any scene on."""
        self._memory.hands, self._thought_about = (), None
        self._news.set()
        while True:
            if not await self._news_within(RETRY_S):
                self._thought_about = None  # without effect: try again
            if self._view is not None:
                await self._react(self._view)

    async def _react(self, view: SeatView) -> None:
        if view.robot is not None:  # the table's own; this one only watches
            return
        mine = view.me is not None and view.me in view.waiting_for
        match view.scene:
            case SceneName.LOBBY:
                await self._lobby(view)
            case SceneName.SHAKING if mine:
                await self._shake()
            case SceneName.CHOOSING if mine:
                await self._think(1.5)
                await self._choose_round(view)
            case SceneName.BIDDING if view.me is not None:
                await self._bid(view, mine)
            case SceneName.REVEAL if mine:
                await self._look_at_reveal(view)
                await self._pick(MenuCommand.GO_ON)

    async def _lobby(self, view: SeatView) -> None:
        if view.me is None:
            await self._think(1.0)
            await self._pick(MenuCommand.JOIN)
        elif self._starts_with == len(view.names) and MenuCommand.START in self._menu.items and not self.has_people():
            await self._think(1.0)
            await self._pick(MenuCommand.START)

    async def _shake(self) -> None:
        self._thought_about = None
        if MenuCommand.ROLL in self._menu.items:
            await self._pick(MenuCommand.ROLL)
            return
        await self._think(0.8, slowdown=SHAKE_SLOWDOWN)
        self._hands.shake(self._rng.uniform(0.6, 1.2))
        await self._until(lambda view: view.scene is not SceneName.SHAKING or view.me not in view.waiting_for)

    async def _choose_round(self, view: SeatView) -> None:
        if self._decide is None or view.position is None or view.me is None:
            await self._pick(self._rng.choice(self._menu.items))
        elif (kind := await self._decide(self._memory.view(view.position, view.me), self._rng)) is not None:
            await self._act(kind)

    async def _bid(self, view: SeatView, mine: bool) -> None:
        """Decide once about each bid; out of turn only if there is something to call."""
        position = view.position
        about = position and (position.number, position.standing, position.passer, mine)
        if about == self._thought_about or not self._menu.items:
            return
        if not self._memory.hands:
            await self._peek()
        await self._think(*((1.5, 0.0) if mine else (0.8, CALL_DELAY_S)), until=lambda now: _about(now) != _about(view))
        if self._view is None or _about(self._view) != _about(view) or position is None or view.me is None:
            return
        self._thought_about = about
        known = self._memory.view(position, view.me)  # without dice if the cup can't be lifted: bid blind
        action = choose(known, self._rng) if self._decide is None else await self._decide(known, self._rng)
        if action is not None and self._view is not None and _about(self._view) == _about(view):
            await self._act(action)

    async def _peek(self) -> None:
        """Lift the cup, remember the dice, put it down."""
        self._hands.tilt()
        await self._until(lambda _: self._look is not None, within_s=1.0)
        if self._look is not None:
            await self._think(0.7)
        self._hands.level()
        await self._until(lambda _: self._look is None, within_s=1.0)

    async def _act(self, action: Action) -> None:
        if action is DUDO and self._dudo_button:
            self._hands.tap("dudo")
            return
        # A bid above the dice in play is legal, but missing from every menu.
        await self._pick(action if action in self._menu.items else self._menu.items[0])

    async def _pick(self, item: MenuItem) -> None:
        """Move the cursor to an item and press OK; no-op if the menu has lost it."""
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

    async def _look_at_reveal(self, view: SeatView) -> None:
        """Look at a reveal until all is told and for a while, but no longer than the people at the table."""
        looking = self._people_awaited(view)

        def has_ended(now: SeatView) -> bool:
            return now.scene is not SceneName.REVEAL or (looking and not self._people_awaited(now))

        if self.has_people():
            await self._until(lambda now: now.cue_ms is None or has_ended(now), MAX_MS / 1000)
        await self._think(3.0, REVEAL_DELAY_S, until=has_ended)

    def _people_awaited(self, view: SeatView) -> bool:
        """Return whether the table waits for a person."""
        people = self.people()
        return any(view.names[player] in people for player in view.waiting_for)

    async def _think(
        self,
        at_most_s: float,
        delay_s: float = 0.0,
        *,
        slowdown: float = SLOWDOWN,
        until: Callable[[SeatView], bool] = lambda _: False,
    ) -> None:
        """Wait a random time, at most `at_most_s`; with people longer, and only until `until` holds."""
        think_s = self._rng.uniform(0.3, 1.0) * at_most_s
        if not self.has_people():
            await asyncio.sleep(think_s)
        else:
            await self._until(until, delay_s + think_s * slowdown)

    async def _until(self, seen: Callable[[SeatView], bool], within_s: float = RETRY_S) -> None:
        """Wait until `seen` holds for the display, at most for `within_s`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while self._view is None or not seen(self._view):
                    self._news.clear()
                    await self._news.wait()
        self._news.set()

    async def _news_within(self, within_s: float) -> bool:
        """Wait for a change on the display; return False after `within_s` without one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._news.wait()
        came = self._news.is_set()
        self._news.clear()
        return came


def _about(view: SeatView) -> object:
    """Return a decision's inputs."""
    return view.scene, view.position
