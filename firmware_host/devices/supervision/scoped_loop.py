"""The event loop as seen by one driver: an exception in its callbacks, readers or tasks fails that driver alone.

`SupervisedDriver` gives each driver one. When the driver has failed or is closed, its loop is detached: its remaining
callbacks never run, so a failed driver and its successor never act together.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple, cast

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

FAILURES = (Exception, SystemExit)
"""Exceptions that fail a driver. A library that calls exit() ends its driver, not the daemon."""


class ScopedLoop:
    """The part of `loop` used by drivers. `on_failure` is called once, on the loop's thread, after detaching."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_failure: Callable[[BaseException], None]) -> None:
        self._loop = loop
        self._on_failure = on_failure
        self._is_detached = False
        self._readers: set[Any] = set()
        self._writers: set[Any] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        # The loop's own. A detached driver still makes its displays dark on a thread.
        self.time = loop.time
        self.is_closed = loop.is_closed
        self.run_in_executor = loop.run_in_executor

    def __repr__(self) -> str:
        return f"<ScopedLoop{', detached' if self._is_detached else ''}, {len(self._tasks)} tasks>"

    def for_driver(self) -> asyncio.AbstractEventLoop:
        """Return this loop with the drivers' declared type; they use only that."""
        return cast(asyncio.AbstractEventLoop, self)

    @property
    def is_detached(self) -> bool:
        """Whether the driver has failed or was closed."""
        return self._is_detached

    def detach(self) -> None:
        """Stop calling this driver."""
        self._is_detached = True
        for descriptor in self._readers:
            self._loop.remove_reader(descriptor)
        for descriptor in self._writers:
            self._loop.remove_writer(descriptor)
        self._readers.clear()
        self._writers.clear()
        for task in self._tasks:
            task.cancel()

    def call(self, act: Callable[[*Arguments], Result], *args: *Arguments) -> Result | None:
        """Call a driver's function; return None when it raises, or when the loop is detached."""
        if self._is_detached:
            return None
        try:
            return act(*args)
        except FAILURES as error:
            self.fail(error)
            return None

    def fail(self, error: BaseException) -> None:
        """Detach the loop and report the failure."""
        if not self._is_detached:
            self.detach()
            self._on_failure(error)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Take a failure reported by the driver itself."""
        self.fail(context["exception"])

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:
        """Call it in the loop's next round."""
        return self._loop.call_soon(self.call, callback, *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Call it in the loop's next round; from any thread."""
        return self._loop.call_soon_threadsafe(self.call, callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call it after `delay` seconds."""
        return self._loop.call_later(delay, self.call, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call it at this time of the loop."""
        return self._loop.call_at(when, self.call, callback, *args, context=context)

    def add_reader(self, fd: Any, callback: Callable[..., object], *args: Any) -> None:
        """Call it whenever there is something to read."""
        if not self._is_detached:
            self._loop.add_reader(fd, self.call, callback, *args)
            self._readers.add(fd)

    def remove_reader(self, fd: Any) -> bool:
        """Stop calling for reads; return whether there was a callback."""
        if fd not in self._readers:
            return False
        self._readers.remove(fd)
        return self._loop.remove_reader(fd)

    def add_writer(self, fd: Any, callback: Callable[..., object], *args: Any) -> None:
        """Call it whenever there is room to write."""
        if not self._is_detached:
            self._loop.add_writer(fd, self.call, callback, *args)
            self._writers.add(fd)

    def remove_writer(self, fd: Any) -> bool:
        """Stop calling for writes; return whether there was a callback."""
        if fd not in self._writers:
            return False
        self._writers.remove(fd)
        return self._loop.remove_writer(fd)

    def create_task(
        self, coro: Coroutine[Any, Any, Result], *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        """Run a task for the driver's lifetime: its end is a failure.

        asyncio ends the loop with a SystemExit, so the task must report one to `call_exception_handler` instead.
        """
        task = self._loop.create_task(coro, name=name, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        self.fail(error or RuntimeError("its task has ended"))
