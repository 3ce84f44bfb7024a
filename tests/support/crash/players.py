"""Hands at a table whose daemons are killed: they read the public lines, look at their own display, and are in a hurry.

What a hand does on purpose is an `Intent`: once its cup was told to forget it, it must have had its effect.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from support.crash.boards import KilledSeat

from engine import parse_position
from firmware_host import wire
from firmware_host.table.seat.key_input import HOLD_NS
from firmware_host.table.seat.menu import bidding_menu
from firmware_host.table.seat.view import SceneName
from hardware.link.messages import BUTTON_NAMES, PRESSED, RELEASED, SETTLED

TAP_S = 0.03
BETWEEN_S = 0.03
READS_S = 0.06
"""What a hand presses is about what its display has shown for so long."""
PATIENCE_S = 0.8
LOOKS = 0.3
"""How likely a player looks under the cup as soon as a new daemon is up: the dice must be what they were."""
SHAKE_S = 0.62
SHAKE_PATIENCE_S = 2.5

Question = tuple[object, ...]
START: Question = ("start",)


@dataclass(frozen=True)
class Intent:
    """A hand answered a question; `number` is the event on its board that decided."""

    seat: int
    question: Question
    number: int
    survives: bool  # a shake counts whichever daemon hears of it


def question(state: wire.PublicState, seat: int) -> Question | None:
    """Return the action that the table awaits from a seat, the same until it is done; None if none."""
    match state.scene:
        case SceneName.LOBBY:
            return ("lobby",) if seat not in state.players else None
        case SceneName.OVER:
            return ("over", state.match)
    if seat not in state.waiting_for:
        return None
    number = None if state.round is None else state.round.number
    return state.scene, state.match, state.deal, number, state.standing, state.passer, state.turn, state.rolls


class DaemonRun(Protocol):
    """A daemon, as the room knows it."""

    @property
    def number(self) -> int:
        """Which one."""

    @property
    def states(self) -> Sequence[wire.PublicState]:
        """The states it told."""

    @property
    def countdown_s(self) -> int | None:
        """Seconds to the start of a match, None if none is counted."""


class Player:
    """One seat's hand and eyes. `run` is the daemon that is alive, `may_act` says whether to play.

    The one at seat 0 starts the match when `everybody` is there. A reckless one bids high and doubts at once.
    """

    def __init__(
        self,
        number: int,
        seat: KilledSeat,
        rng: random.Random,
        *,
        run: Callable[[], DaemonRun],
        may_act: Callable[[], bool],
        everybody: int,
        reckless: bool = False,
    ) -> None:
        self.intents: list[Intent] = []
        self._number = number
        self._seat = seat
        self._board = seat.board
        self._rng = rng
        self._daemon_run = run
        self._may_act = may_act
        self._everybody = everybody
        self._reckless = reckless
        self._since_s = 0.0
        self._about: tuple[int, Question | None] | None = None
        self._tried_s = 0.0
        self._is_hasty = False  # nothing came of the last try: the cursor is nobody knows where

    async def live(self) -> None:
        """Play until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(0.01)
            run = self._daemon_run()
            if not run.states or not self._may_act():
                self._about = None
                continue
            state = run.states[-1]
            asked = question(state, self._number)
            is_new = self._about is None
            if self._about != (run.number, asked):
                self._about, self._since_s, self._tried_s = (run.number, asked), loop.time(), 0.0
            if is_new and state.scene == SceneName.BIDDING and self._rng.random() < LOOKS:
                await self.peek()
                continue
            if self._number == 0 and run.countdown_s is None and self._can_start(state):
                asked = START
            if asked is not None and self._has_read() and loop.time() >= self._tried_s:
                self._is_hasty, self._tried_s = self._tried_s > 0, loop.time() + PATIENCE_S
                await self._answer(state, asked)
            elif self._rng.random() < 0.004:
                await self._fidget()

    def _can_start(self, state: wire.PublicState) -> bool:
        return state.scene == SceneName.LOBBY and len(state.players) == self._everybody

    def _has_read(self) -> bool:
        now_s = asyncio.get_running_loop().time()
        return self._board.is_lit and now_s - max(self._since_s, self._board.shown_s) > READS_S

    async def _answer(self, state: wire.PublicState, asked: Question) -> None:
        match state.scene:
            case SceneName.SHAKING if state.deal is not None:
                self._tried_s += SHAKE_PATIENCE_S
                await self._shake(asked)
            case SceneName.BIDDING:
                await self._bid(state, asked)
            case SceneName.CHOOSING:
                await self._tap("right", 0 if self._is_hasty else self._rng.randint(0, len(state.choices) - 1))
                await self._ok(asked)
            case SceneName.REVEAL:
                await self._tap("right", self._rng.randint(0, 1))
                await self._ok(asked)
            case SceneName.OVER if self._number == 0:
                await self._ok(asked)
            case SceneName.LOBBY:
                await self._ok(asked)

    async def _shake(self, asked: Question) -> None:
        before = self._last_event()
        self._seat.shake(SHAKE_S)
        await self._until(lambda: self._found(before, SETTLED) is not None, SHAKE_PATIENCE_S)
        self._intend(asked, self._found(before, SETTLED), survives=True)

    async def _bid(self, state: wire.PublicState, asked: Question) -> None:
        if self._rng.random() < 0.4:
            await self.peek()
        if state.standing is not None and self._rng.random() < (1.0 if self._reckless else 0.45):
            if not self._is_still(asked):
                return
            before = self._last_event()
            await self._tap("dudo")
            self._intend(asked, self._found(before, PRESSED, "dudo"))
        else:
            await self._tap("right", self._steps(state))
            await self._ok(asked)

    def _steps(self, state: wire.PublicState) -> int:
        """Return how far to climb before OK; never beyond the last bid, where a seat is given up."""
        if self._is_hasty:
            return 0
        position = parse_position(state.position or "")
        menu = bidding_menu(position, state.players.index(self._number), dudo_button=True)
        return min(len(menu.items) - 1 - menu.cursor, 8 if self._reckless else self._rng.randint(0, 3))

    async def peek(self) -> None:
        """Lift the cup or hold OK, for as long as it takes to see dice and a moment more."""
        seen = len(self._board.shown)
        by_cup = self._rng.random() < 0.6
        self._seat.tilt() if by_cup else self._seat.press("ok")
        await self._until(lambda: len(self._board.shown) > seen, 0.8)
        await asyncio.sleep(self._rng.uniform(0.03, 0.15))
        self._seat.level() if by_cup else self._seat.release("ok")
        await asyncio.sleep(BETWEEN_S)

    async def _fidget(self) -> None:
        """Look, or lean on buttons that do no harm; ◀ undoes where ▶ may have led."""
        if self._rng.random() < 0.5:
            await self.peek()
        else:
            await self._tap("right", self._rng.randint(0, 1))
            await self._tap("left", 2)

    async def _ok(self, asked: Question) -> None:
        if not self._is_still(asked):
            return
        before = self._last_event()
        await self._tap("ok")
        down, up = self._found(before, PRESSED, "ok"), self._found(before, RELEASED, "ok")
        if (
            down and up and self._board.events[up].at_ns - self._board.events[down].at_ns < HOLD_NS / 2
        ):  # else it peeked
            self._intend(asked, up)

    def _is_still(self, asked: Question) -> bool:
        """Return whether the daemon that asked is alive, and asks it still."""
        run = self._daemon_run()
        is_same = self._about is not None and self._about[0] == run.number and self._may_act()
        return is_same and (asked == START or question(run.states[-1], self._number) == asked)

    async def _tap(self, button: str, times: int = 1) -> None:
        for _ in range(times):
            self._seat.tap(button, TAP_S)
            await asyncio.sleep(TAP_S + BETWEEN_S)

    def _intend(self, asked: Question, number: int | None, *, survives: bool = False) -> None:
        if number is not None and (survives or self._may_act()):
            self.intents.append(Intent(self._number, asked, number, survives))

    def _last_event(self) -> int:
        return max(self._board.events, default=0)

    def _found(self, after: int, what: int, button: str = "") -> int | None:
        """Return the first event of a kind after another."""
        detail = bytes([BUTTON_NAMES.index(button)]) if button else b""
        found = (n for n, e in self._board.events.items() if n > after and e.what == what and e.detail == detail)
        return min(found, default=None)

    async def _until(self, is_so: Callable[[], bool], within_s: float) -> None:
        until_s = asyncio.get_running_loop().time() + within_s
        while not is_so() and asyncio.get_running_loop().time() < until_s:
            await asyncio.sleep(0.01)
