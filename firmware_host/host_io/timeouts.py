"""What the kernel may never come back from, done on a thread that can be left behind: `wires` treats ports so.

A hub that has died in the middle of a transfer keeps whoever closes its port. The loop waits for so long, once, and
then goes on; until the kernel comes back nobody tries the same thing again, so that only one thread hangs for it.
"""

import errno
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

WITHIN_S = 0.3
"""The loop stands still for so long, once: opening a port takes a few milliseconds, closing one at most 20."""

Result = TypeVar("Result")

_hanging: dict[str, Thread] = {}


def done_within(
    what: str, act: Callable[[], Result], within_s: float = WITHIN_S, *, too_late: Callable[[Result], object] = id
) -> Result:
    """Return what `act` does, or raise what it raises. TimeoutError, an OSError, when it hangs, or hangs still.

    What hangs is known by the name `what`. `too_late` is given what came of it when nobody waits any more.
    """
    if what in _hanging and _hanging[what].is_alive():
        raise TimeoutError(errno.ETIMEDOUT, "the kernel has not come back from it; pull it out, or its hub")
    outcome: Future[Result] = Future()
    lock = Lock()
    is_left: list[bool] = []

    def work() -> None:
        settle: Callable[[], Any]
        try:
            result = act()
        except BaseException as error:
            raised = error
            settle = lambda: outcome.set_exception(raised)  # noqa: E731
        else:
            settle = lambda: too_late(result) if is_left else outcome.set_result(result)  # noqa: E731
        with lock, suppress(Exception):
            settle()

    thread = Thread(target=work, name=f"open or close {what}", daemon=True)
    thread.start()
    thread.join(within_s)
    with lock:
        if not outcome.done():
            is_left.append(True)
            _hanging[what] = thread
            raise TimeoutError(errno.ETIMEDOUT, "it hangs; pull it out, or its hub")
    _hanging.pop(what, None)
    return outcome.result()
