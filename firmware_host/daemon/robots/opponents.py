"""The opponents deciding for robots, in a separate process: whatever one does, the table goes on.

A faulty opponent raises, returns an illegal action or exceeds its time. It is named in the log, and middle replaces it.
"""

import asyncio
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self

from engine import Action, View
from engine.json_field import one_line
from engine.opponents import OPPONENTS, OpponentError, fault_in, find
from firmware_host.table.robot_level import RobotLevel
from firmware_host.wire import Seat

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

LIMIT_S = 5.0
"""Seconds for an opponent's decision."""
START_TIMEOUT_S = 60.0
"""Seconds for the process to start, on a slow card."""
SUBSTITUTE = "middle"
MAX_PROBLEM_CHARACTERS = 200

Decision = tuple[Action | None, str]
"""An action, and the opponent's belief."""


class FaultyOpponentError(Exception):
    """An opponent unable to decide; the text describes its fault."""


class Opponents:
    """Opponents by seat: the last in `names` serves all further seats. `close` ends their process.

    `log` gets a line for each opponent replaced by middle, and with `why` one for each action.
    """

    def __init__(
        self, names: Sequence[str], log: Callable[[str], None], *, why: bool = False, limit_s: float = LIMIT_S
    ) -> None:
        self._names = [*names]
        self._levels: dict[Seat, str] = {}  # by seat, as requested
        self._log = log
        self._why = why
        self._limit_s = limit_s
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="opponents")

    def level(self, seat: Seat) -> RobotLevel:
        """Return the level of a seat's opponent, the nearest one for an opponent without a level."""
        name = self._names[min(seat, len(self._names) - 1)]
        alike = (level for level in RobotLevel if name == level or OPPONENTS[level] == OPPONENTS.get(name))
        return next(alike, RobotLevel(SUBSTITUTE))

    async def decide(self, seat: Seat, player: str, view: View, seed: int) -> Action | None:
        """Return the action for a robot at `seat` named `player`; the same seed gives the same action."""
        place = min(seat, len(self._names) - 1)
        name, loop = self._names[place], asyncio.get_running_loop()
        try:
            action, belief = await loop.run_in_executor(self._thread, self._ask, name, view, seed)
        except FaultyOpponentError as error:
            if self._names[place] == name:  # else another seat's decision has replaced it meanwhile
                self._log(f"{name}, the opponent at {player}, {error}; {SUBSTITUTE} plays on for it.")
                self._names[place] = SUBSTITUTE
            if name == SUBSTITUTE:  # faultless: its process may have been killed
                return view.legal.words[0] if view.legal.words else next(iter(view.legal), None)
            return await self.decide(seat, player, view, seed)
        if self._why and action is not None:
            self._log(f"{player} ({name}) chose {action}: {belief}.")
        return action

    async def decide_at_level(self, seat: Seat, level: str, player: str, view: View, seed: int) -> Action | None:
        """Return the action for a robot at `seat` with this level; another level begins without faults."""
        if self._levels.get(seat) != level:
            self._levels[seat] = level
            self._names += [self._names[-1]] * (seat + 1 - len(self._names))
            self._names[seat] = level
        return await self.decide(seat, player, view, seed)

    def close(self) -> None:
        """End the process."""
        self._kill()
        self._thread.shutdown(wait=True)
        self._kill()  # anything the thread has started meanwhile

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, name: str, view: View, seed: int) -> Decision:
        """Return a decision. Raises `FaultyOpponentError`. Called on the thread."""
        try:
            pipe = self._started()
            pipe.send((name, view, seed))
            if not pipe.poll(self._limit_s):
                self._kill()
                raise FaultyOpponentError(f"did not return within {self._limit_s:g} s")
            action, belief, problem = pipe.recv()
        except (EOFError, OSError) as error:
            self._kill()
            raise FaultyOpponentError("ended its process") from error
        if problem is not None:
            raise FaultyOpponentError(problem)
        return action, belief

    def _started(self) -> "Connection":
        if self._pipe is None:
            import multiprocessing  # a table without robots does without its memory

            spawn = multiprocessing.get_context("spawn")  # a fork would copy the table's ports and its threads' locks
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(START_TIMEOUT_S):
                raise EOFError
            self._pipe.recv()
        return self._pipe

    def _kill(self) -> None:
        process, self._process, self._pipe = self._process, None, None
        if process is not None:
            process.kill()
            process.join()


def check(name: str) -> None:
    """Raise `OpponentError` unless this opponent exists; user-defined ones are looked up as well."""
    if name not in OPPONENTS and ":" in name and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    find(name)


def _serve(pipe: "Connection") -> None:
    """Decide until the pipe closes: the process's main function."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = sys.stderr
    del sys.argv[1:]  # a seed in it would tell the dice
    with suppress(EOFError, OSError):  # the table has closed the pipe, or was killed
        pipe.send(None)
        while True:
            name, view, seed = pipe.recv()
            pipe.send(_decision(name, view, seed))


def _end_with_parent() -> None:
    """End the process with the table's, even while an opponent never returns."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _decision(name: str, view: View, seed: int) -> tuple[Action | None, str, str | None]:
    """Return the action, the belief, and the problem, if any."""
    try:
        opponent, rng = find(name), random.Random(seed)
        action, belief = opponent.explain(view, rng) if opponent.explain else (opponent.choose(view, rng), "")
        problem = fault_in(view, action)
        return (
            (action, one_line(str(belief)[:MAX_PROBLEM_CHARACTERS]), None) if problem is None else (None, "", problem)
        )
    except (Exception, SystemExit) as error:
        # Not the text of an exception: it may hold dice, and people at the page may read the terminal.
        text = str(error) if isinstance(error, OpponentError) else f"raised {type(error).__name__}"
        return None, "", one_line(text[:MAX_PROBLEM_CHARACTERS])
