"""A CPU profile by owner, for a process with the table, the emulated far ends and the opponents.

Each loop callback counts for its module's owner, a task for its coroutine's module. The remainder is the loop itself
and threads; `clock_of_threads` measures those.
"""

import asyncio
import functools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, TracebackType
from typing import Any, Self
from unittest.mock import patch

from firmware_host.devices.supervision.scoped_loop import ScopedLoop

TABLE, DRIVERS, FAR_END, PLAYERS, LOOP, BENCH = "table", "drivers", "far end", "players", "loop", "bench"
OWNERS = {
    "bench": BENCH,
    "firmware_host.play": PLAYERS,
    "firmware_host": TABLE,
    "drivers": DRIVERS,
    "hardware.emulated.virtual_loop": LOOP,
    "hardware": FAR_END,
}
"""Owners by the longest matching prefix of a module's name; the loop owns the rest."""


class Ledger:
    """A profiler: after the block `spent_ns` has this thread's CPU nanoseconds by owner, `process_ns` the process's."""

    def __init__(self) -> None:
        self.spent_ns: Counter[str] = Counter()
        self.process_ns = 0
        self._patch = patch.object(asyncio.Handle, "_run", self._booked())

    def __enter__(self) -> Self:
        self._process_ns, self._began_ns = time.process_time_ns(), time.thread_time_ns()
        self._patch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._patch.stop()
        self.process_ns = time.process_time_ns() - self._process_ns
        callbacks_ns = self.spent_ns.total() - self.spent_ns[LOOP]
        self.spent_ns[LOOP] = time.thread_time_ns() - self._began_ns - callbacks_ns

    @contextmanager
    def aside(self, who: str) -> Iterator[None]:
        """Count the block for the benchmark instead of `who`, its callback's owner."""
        began_ns = time.thread_time_ns()
        try:
            yield
        finally:
            spent_ns = time.thread_time_ns() - began_ns
            self.spent_ns.update({who: -spent_ns, BENCH: spent_ns})

    def _booked(self) -> Callable[[asyncio.Handle], None]:
        run: Callable[[asyncio.Handle], None] = asyncio.Handle._run
        owner_of = functools.cache(owner)
        spent_ns, clock_ns = self.spent_ns, time.thread_time_ns

        def booked(handle: asyncio.Handle) -> None:
            who = owner_of(_module_of(handle._callback, handle._args))  # type: ignore[attr-defined]
            began_ns = clock_ns()
            run(handle)
            spent_ns[who] += clock_ns() - began_ns

        return booked


def owner(module: str) -> str:
    """Return a module's owner."""
    names = [name for name in OWNERS if f"{module}.".startswith(f"{name}.")]
    return OWNERS[max(names, key=len)] if names else LOOP


def clock_of_threads(prefix: str) -> int:
    """Return the CPU nanoseconds of living threads by name prefix."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(prefix)]
    clocks = [time.pthread_getcpuclockid(thread.ident) for thread in threads if thread.ident is not None]
    return sum(map(time.clock_gettime_ns, clocks))


def _module_of(callback: Any, arguments: tuple[Any, ...]) -> str:
    while isinstance(callback, functools.partial):
        callback = callback.func
    bound = getattr(callback, "__self__", None)
    if isinstance(bound, ScopedLoop) and callback.__name__ == ScopedLoop.call.__name__:
        return _module_of(arguments[0], ())  # the supervisor itself costs next to nothing
    if isinstance(bound, asyncio.Task):
        frame = getattr(bound.get_coro(), "cr_frame", None)
        return "" if frame is None else str(frame.f_globals.get("__name__", ""))
    if bound is not None and not isinstance(bound, ModuleType):
        return type(bound).__module__
    return getattr(callback, "__module__", None) or ""
