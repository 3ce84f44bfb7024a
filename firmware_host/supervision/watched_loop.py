"""The loop as one driver sees it: whatever raises in a callback, a reader or a task of that driver is that driver's.

`supervision` gives each driver one. When the driver is done with, its loop is cut: nothing that it left there is called
any more, so that a dead driver and the one that takes its place never act together.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple, cast

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

FAILURES = (Exception, SystemExit)
"""What a driver may raise. A library that calls exit() ends its driver, not the table."""


class WatchedLoop:
    """As much of `loop` as drivers use. `failed` is told once what raised, on the loop's thread; then it is cut."""

    def __init__(self, loop: asyncio.AbstractEventLoop, failed: Callable[[BaseException], None]) -> None:
        self._loop = loop
        self._failed = failed
        self._is_cut = False
        self._readers: set[Any] = set()
        self._writers: set[Any] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    def __repr__(self) -> str:
        return f"<WatchedLoop{', cut' if self._is_cut else ''}, {len(self._tasks)} tasks>"

    def for_driver(self) -> asyncio.AbstractEventLoop:
        """This loop as drivers take one; they use no more of it."""
        return cast(asyncio.AbstractEventLoop, self)

    @property
    def is_cut(self) -> bool:
        """Whether the driver is done with."""
        return self._is_cut

    def cut(self) -> None:
        """Call nothing of this driver's any more."""
        self._is_cut = True
        for descriptor in self._readers:
            self._loop.remove_reader(descriptor)
        for descriptor in self._writers:
            self._loop.remove_writer(descriptor)
        self._readers.clear()
        self._writers.clear()
        for task in self._tasks:
            task.cancel()

    def guard(self, act: Callable[[*Arguments], Result], *args: *Arguments) -> Result | None:
        """Call something of this driver's; None when it raises, or is not to be called any more."""
        if self._is_cut:
            return None
        try:
            return act(*args)
        except FAILURES as error:
            self.fail(error)
            return None

    def fail(self, error: BaseException) -> None:
        """This driver has failed."""
        if not self._is_cut:
            self.cut()
            self._failed(error)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """A driver says itself that something of it failed."""
        self.fail(context["exception"])

    def time(self) -> float:
        """The loop's time."""
        return self._loop.time()

    def is_closed(self) -> bool:
        """Whether the loop is."""
        return self._loop.is_closed()

    def call_soon(
        self, callback: Callable[[*Arguments], object], *args: *Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        """Call it in the loop's next round."""
        return self._loop.call_soon(self.guard, callback, *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[[*Arguments], object], *args: *Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        """The same from another thread."""
        return self._loop.call_soon_threadsafe(self.guard, callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call it after so many seconds."""
        return self._loop.call_later(delay, self.guard, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call it at this time."""
        return self._loop.call_at(when, self.guard, callback, *args, context=context)

    def add_reader(self, fd: Any, callback: Callable[[*Arguments], object], *args: *Arguments) -> None:
        """Call it whenever there is something to read."""
        if not self._is_cut:
            self._loop.add_reader(fd, self.guard, callback, *args)
            self._readers.add(fd)

    def remove_reader(self, fd: Any) -> bool:
        """Don't any more."""
        if fd not in self._readers:
            return False
        self._readers.remove(fd)
        return self._loop.remove_reader(fd)

    def add_writer(self, fd: Any, callback: Callable[[*Arguments], object], *args: *Arguments) -> None:
        """Call it whenever there is room to write."""
        if not self._is_cut:
            self._loop.add_writer(fd, self.guard, callback, *args)
            self._writers.add(fd)

    def remove_writer(self, fd: Any) -> bool:
        """Don't any more."""
        if fd not in self._writers:
            return False
        self._writers.remove(fd)
        return self._loop.remove_writer(fd)

    def create_task(
        self,
        coro: Coroutine[Any, Any, Result] | Generator[Any, None, Result],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[Any]:
        """Have a task that lives as long as the driver: one that ends is one that failed."""
        task = self._loop.create_task(self._watch(coro), name=name, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        """Run it on a thread: also for a driver whose loop is cut, which makes its panels dark like that."""
        return self._loop.run_in_executor(executor, func, *args)

    async def _watch(self, coro: Any) -> None:
        try:
            await coro
        except FAILURES as error:
            self.fail(error)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        self.fail(RuntimeError("its task has ended"))
