"""The players at robot seats: each waits, decides, and hands the table an action, as a press would.

The daemon passes each `AskRobot` to `RobotPlayers.ask`. A decision is computed while the robot waits, so its duration
is independent of the dice.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from engine import Action, View
from firmware_host.daemon.robots.opponents import SUBSTITUTE, Opponents
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import RobotAction, RobotTurn
from firmware_host.table.seat.menu import MenuCommand, MenuItem
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import Seat

SHAKE_S = 0.6, 1.8
BID_S = 2.0, 4.5
"""Thinking time in seconds: long enough for people to follow, short enough not to bore them."""
CALL_S = 5.0, 7.0
"""Seconds for a bid to stand before a robot calls out of turn: people come first."""
REVEAL_S = 2.0, 3.0
"""Seconds for a robot to look at a reveal after its last cue."""
HURRIED_S = 0.3, 0.6
RETRY_S = 4.0
"""Seconds without an effect before a robot tries again."""

Decide = Callable[[Seat, RobotLevel, View, int], Awaitable[Action | None]]
"""Returns the action for a seat's robot, given its level, view and a seed."""


class RobotPlayers:
    """One table's robots. `post` queues an action for the table; `now_ns` is the table's clock."""

    def __init__(
        self,
        decide: Decide,
        rng: random.Random,
        *,
        post: Callable[[RobotAction], None],
        errors: ErrorCounter | None = None,
    ) -> None:
        self._decide = decide
        self._rng = rng
        self._post = post
        self._errors = errors
        self._tasks: dict[Seat, asyncio.Task[None]] = {}

    def ask(self, seat: Seat, turn: RobotTurn | None) -> None:
        """Let a seat's robot act, and drop its pending action. It never blocks."""
        before = self._tasks.pop(seat, None)
        if before is not None:
            before.cancel()
        if turn is not None:
            self._tasks[seat] = asyncio.get_running_loop().create_task(self._play(seat, turn))

    def close(self) -> None:
        """Drop all pending robot actions."""
        for seat in tuple(self._tasks):
            self.ask(seat, None)

    async def _play(self, seat: Seat, turn: RobotTurn) -> None:
        wait_s, seed = self._rng.uniform(*_waits_s(turn)), self._rng.getrandbits(64)
        level = turn.level
        while True:
            item = (await asyncio.gather(self._item(seat, level, turn, seed), asyncio.sleep(wait_s)))[0]
            if item is None:
                return
            self._post(RobotAction(seat, item, turn.subject, round(asyncio.get_running_loop().time() * 1e9)))
            wait_s, level = RETRY_S, RobotLevel(SUBSTITUTE)

    async def _item(self, seat: Seat, level: RobotLevel, turn: RobotTurn, seed: int) -> MenuItem | None:
        """Return the robot's choice. A failing robot takes an option open to every player: the table goes on."""
        if turn.view is None:
            return turn.item
        try:
            return await self._decide(seat, level, turn.view, seed)
        except Exception as error:
            if self._errors is not None:
                self._errors.log("deciding for a robot", error)
            return _any_action(turn)


@contextmanager
def robot_players(
    names: Sequence[str],
    log: Callable[[str], None],
    rng: random.Random,
    post: Callable[[RobotAction], None],
    errors: ErrorCounter | None = None,
) -> Iterator[RobotPlayers]:
    """Provide a table's robots at seats with these `names`. Their process starts with the first decision."""
    with Opponents([SUBSTITUTE], log) as opponents:

        async def decide(seat: Seat, level: RobotLevel, view: View, seed: int) -> Action | None:
            return await opponents.decide_at_level(seat, level, names[seat], view, seed)

        players = RobotPlayers(decide, rng, post=post, errors=errors)
        try:
            yield players
        finally:
            players.close()


def _any_action(turn: RobotTurn) -> Action | None:
    if turn.view is None or not turn.is_in_turn:
        return None
    return turn.view.legal.words[0] if turn.view.legal.words else next(iter(turn.view.legal), None)


def _waits_s(turn: RobotTurn) -> tuple[float, float]:
    if turn.item is MenuCommand.ROLL:
        return SHAKE_S
    if turn.item is MenuCommand.GO_ON:
        return HURRIED_S if turn.is_hurried else REVEAL_S
    return BID_S if turn.is_in_turn else CALL_S
