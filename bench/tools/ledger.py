"""A profile by owner of the CPU of one process that runs the table, the emulated far ends and the opponents.

Each callback of the loop counts for the owner of the module that it comes from; a task counts for the module of its
coroutine. The rest of the process is the loop itself and threads, which `clock_of_threads` measures.
"""

import asyncio
import functools
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

from firmware_host.devices.supervision.scoped_loop import ScopedLoop

TABLE, FAR_END, PLAYERS, LOOP, BENCH = "table", "far end", "players", "loop", "bench"
OWNERS: Mapping[str, str] = {
    "bench": BENCH,
    "firmware_host.play": PLAYERS,
    "firmware_host": TABLE,
    "drivers": TABLE,
    "hardware.emulated.virtual_loop": LOOP,
    "hardware": FAR_END,
}
"""Owners in a whole match."""


class Ledger:
    """A profiler; after the block `spent_ns` has nanoseconds of CPU on this thread by owner.

    `owners` maps prefixes of module names to owners; the longest matching prefix decides, and the loop owns the rest.
    """

    def __init__(self, owners: Mapping[str, str] = OWNERS) -> None:
        self._owners = owners
        self.spent_ns: Counter[str] = Counter()
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
    def aside(self, owner: str = TABLE) -> Iterator[None]:
        """Count the block for the benchmark instead of `owner`, whose callback it is in."""
        began_ns = time.thread_time_ns()
        try:
            yield
        finally:
            spent_ns = time.thread_time_ns() - began_ns
            self.spent_ns[owner] -= spent_ns
            self.spent_ns[BENCH] += spent_ns

    def _booked(self) -> Callable[[asyncio.Handle], None]:
        run: Callable[[asyncio.Handle], None] = asyncio.Handle._run
        owner_of = functools.cache(functools.partial(owner, owners=self._owners))
        spent_ns, clock_ns = self.spent_ns, time.thread_time_ns

        def booked(handle: asyncio.Handle) -> None:
            who = owner_of(_module_of(handle._callback, handle._args))  # type: ignore[attr-defined]
            began_ns = clock_ns()
            run(handle)
            spent_ns[who] += clock_ns() - began_ns

        return booked


def owner(module: str, owners: Mapping[str, str] = OWNERS) -> str:
    """Return the owner of a module."""
    names = [name for name in owners if module == name or module.startswith(f"{name}.")]
    return owners[max(names, key=len)] if names else LOOP


def clock_of_threads(prefix: str) -> int:
    """Return the nanoseconds of CPU of living threads whose names begin with `prefix`."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(prefix)]
    clocks = [time.pthread_getcpuclockid(thread.ident) for thread in threads if thread.ident is not None]
    return sum(time.clock_gettime_ns(clock) for clock in clocks)


def _module_of(callback: Any, arguments: Sequence[Any] = ()) -> str:
    while isinstance(callback, functools.partial):
        callback = callback.func
    bound = getattr(callback, "__self__", None)
    if isinstance(bound, ScopedLoop) and callback.__name__ == ScopedLoop.call.__name__:
        return _module_of(arguments[0])  # the supervisor itself costs next to nothing
    if isinstance(bound, asyncio.Task):
        return _module_of_coroutine(bound.get_coro())
    if bound is not None and not isinstance(bound, type(sys)):
        return type(bound).__module__
    return getattr(callback, "__module__", None) or ""


def _module_of_coroutine(coroutine: Any) -> str:
    frame = getattr(coroutine, "cr_frame", None)
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))
