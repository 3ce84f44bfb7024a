"""The thread that owns a panel wire: one thing after the other, and nobody waits for it for ever.

What the kernel does on a wire may not come back. The standard library's pools are waited for when a process ends; this
thread is left behind then, and while the table plays on with another.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class WireThread(Executor):
    """An executor of one thread. Raises RuntimeError where the system gives no more threads."""

    def __init__(self, name: str) -> None:
        self._given: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._is_shut = False
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<WireThread {self._thread.name}{'' if self._thread.is_alive() else ', ended'}>"

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Have it do something after what it was given before. RuntimeError once it was shut down."""
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        outcome: Future[Result] = Future()
        self._given.put(partial(_settle, outcome, partial(fn, *args, **kwargs)))
        return outcome

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take nothing more; it ends after what it was given. It is waited for only with `wait`."""
        self._is_shut = True
        self._given.put(None)
        if wait:
            self._thread.join()

    def _work(self) -> None:
        while (given := self._given.get()) is not None:
            given()
            del given  # what it drew should not outlive it


def _settle(outcome: "Future[Any]", act: Callable[[], Any]) -> None:
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        result = act()
    except BaseException as error:  # a thread that ends takes the wire with it
        outcome.set_exception(error)
    else:
        outcome.set_result(result)
