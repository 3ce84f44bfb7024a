"""The emulated table's clock: an asyncio loop with a clock that moves only while all work is done.
The daemon, the drivers and the emulated devices share one `VirtualLoop`. Bounces, motors and time-outs are plain
`call_at`/`call_later` timers on it, so a whole match takes as long as its computations do, and the same seed gives the
same match.
"""

import asyncio
import heapq
import itertools
import selectors
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, TypeVarTuple, Unpack

START_S = 1000.0
"""Start of every virtual clock in seconds: not zero, to reveal time stamps that were never set."""

Args = TypeVarTuple("Args")
Result = TypeVar("Result")
Ready = list[tuple[selectors.SelectorKey, int]]


class DeadlockError(RuntimeError):
    """A deadlock: everything waits, without a timer, thread work, or a byte within `patience_s`."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own.
    The clock stands at `START_S` seconds and jumps to the next timer when no callback is ready, no file descriptor is
    readable and no executor work is under way. Work given to `run_in_executor` runs on its real thread, but one piece
    at a time, in the order given and only while the loop itself is idle: the loop and its threads are deterministic
    together. One executor's work never overlaps, however many threads it has.

    `speed` paces the jumps: at 4.0 a jump over two seconds takes half a second of real time, cut short by a readable
    descriptor or `call_soon_threadsafe`; `None` does not wait at all. It may be changed while the loop runs.

    With neither timer nor work the loop blocks for real, as any loop does, until a descriptor or another thread wakes
    it; with `patience_s` (real seconds) it raises `DeadlockError` instead, for tests.
    """

    def __init__(self, *, speed: float | None = None, patience_s: float | None = None) -> None:
        self._wires = _Wires(self._idle)
        super().__init__(self._wires)
        self._now_s = START_S
        self._patience_s = patience_s
        self._claims: list[_Work] = []  # without a thread yet
        self._held: dict[Executor, _Work] = {}
        self._running: _Work | None = None
        self._asleep: list[tuple[float, int, _Work]] = []  # a heap, by the virtual time at which each goes on
        self._sleeps = itertools.count()
        self._threads = ThreadPoolExecutor(thread_name_prefix="virtual")
        self.set_default_executor(self._threads)
        self.speed = speed

    @property
    def speed(self) -> float | None:
        """Virtual seconds a real second, or None for full speed."""
        return self._speed

    @speed.setter
    def speed(self, speed: float | None) -> None:
        if speed is not None and not speed > 0:
            raise ValueError(f"speed is {speed!r}; it must be greater than 0, or None for no pacing")
        self._speed = speed

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now_s

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Args]], Result], *args: *Args
    ) -> asyncio.Future[Result]:
        """Run `func(*args)` on a thread of `executor`; the clock stands still until it is done."""
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        outcome: asyncio.Future[Result] = self.create_future()
        self._claims.append(_Work(executor or self._threads, partial(func, *args), outcome))
        return outcome

    def elapse(self, duration_s: float) -> None:
        """Let work on an executor's thread take `duration_s` of virtual time: it sleeps, the table goes on.
        Call it from that thread. On any other thread it returns at once.
        """
        work = self._running
        if work is None or work.thread != threading.get_ident():
            return
        wakes_s = self._now_s + duration_s
        sleep = wakes_s, next(self._sleeps), work
        first_s, _, first = min(self._asleep[0], sleep) if self._asleep else sleep
        if self._speed is None and self._has_nothing_until(first_s):  # the loop sleeps on: saves two changes of thread
            self._now_s = first_s
            if first is work:
                return
            heapq.heapreplace(self._asleep, sleep)
            self._running = first
            first.turn.set()
        else:
            heapq.heappush(self._asleep, sleep)
            self.call_soon_threadsafe(self._rest)
        work.turn.wait()
        work.turn.clear()
        if self.is_closed():
            raise RuntimeError("the loop was closed while work on a thread still took virtual time")

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Join the default threads; `timeout` is a real time and therefore not used."""
        self._threads.shutdown(wait=True)

    def close(self) -> None:
        """Close the loop; work set aside in `elapse` gets a RuntimeError so that its thread can end."""
        super().close()
        for work in self._held.values():
            work.turn.set()

    def _idle(self, timeout_s: float | None) -> Ready:
        """Handle an idle moment: run the work of a thread, or let time pass."""
        if self._running is None:
            self._give_turn()
        if self._asleep:
            wakes_in_s = max(0.0, self._asleep[0][0] - self._now_s)
            timeout_s = wakes_in_s if timeout_s is None else min(timeout_s, wakes_in_s)
        if self._running is not None or timeout_s is None:
            return self._wait()
        if self._speed is not None:
            return self._pace(timeout_s, self._speed)
        self._now_s += timeout_s
        return []

    def _wait(self) -> Ready:
        ready = self._wires.wait(self._patience_s)
        if not ready and self._patience_s is not None:
            waiting = "work on a thread did not end" if self._running else "nothing left to wait for"
            raise DeadlockError(f"{waiting} at {self._now_s:.3f} s of virtual time")
        return ready

    def _pace(self, timeout_s: float, speed: float) -> Ready:
        began_s = time.monotonic()
        ready = self._wires.wait(timeout_s / speed)
        passed_s = (time.monotonic() - began_s) * speed
        self._now_s += min(passed_s, timeout_s) if ready else timeout_s
        return ready

    def _has_nothing_until(self, until_s: float) -> bool:
        """Return whether the loop has no callback, timer or new work before a time."""
        timers = self._scheduled  # type: ignore[attr-defined]  # asyncio's heap, the next one first
        is_free = not self._ready and not self._claims  # type: ignore[attr-defined]
        return is_free and (not timers or timers[0].when() > until_s)

    def _give_turn(self) -> None:
        """Resume work after its sleep, or else start new work."""
        if self._asleep and self._asleep[0][0] <= self._now_s:
            _, _, self._running = heapq.heappop(self._asleep)
            self._running.turn.set()
            return
        self._claims[:] = [work for work in self._claims if not work.outcome.cancelled()]
        for work in self._claims:
            if work.executor not in self._held:
                self._claims.remove(work)
                self._start(work)
                return

    def _start(self, work: "_Work") -> None:
        self._running = self._held[work.executor] = work
        try:
            work.executor.submit(self._perform, work)
        except RuntimeError as error:  # its executor was shut down meanwhile
            self.call_soon_threadsafe(self._finish, work, partial(work.outcome.set_exception, error))

    def _perform(self, work: "_Work") -> None:
        work.thread = threading.get_ident()
        settle: Callable[[], None]
        try:
            settle = partial(work.outcome.set_result, work.func())
        except BaseException as error:
            settle = partial(work.outcome.set_exception, error)
        with suppress(RuntimeError):  # the loop is closed, and the result is not awaited
            self.call_soon_threadsafe(self._finish, work, settle)

    def _rest(self) -> None:
        self._running = None

    def _finish(self, work: "_Work", settle: Callable[[], None]) -> None:
        self._running = None
        del self._held[work.executor]
        if not work.outcome.done():
            settle()


class _Work:
    """One call on a thread: waiting for its turn, running, or asleep while virtual time passes."""

    def __init__(self, executor: Executor, func: Callable[[], Any], outcome: asyncio.Future[Any]) -> None:
        self.executor = executor
        self.func = func
        self.outcome = outcome
        self.turn = threading.Event()
        self.thread: int | None = None


class _Wires(selectors.DefaultSelector):
    """The loop's selector. Where asyncio would sleep, it calls the loop to handle the idle moment."""

    def __init__(self, idle: Callable[[float | None], Ready]) -> None:
        super().__init__()
        self._ask = idle

    def select(self, timeout: float | None = None) -> Ready:
        ready = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        return self._ask(timeout)

    def wait(self, timeout_s: float | None) -> Ready:
        """Wait for real, at most `timeout_s` seconds."""
        return super().select(timeout_s)
