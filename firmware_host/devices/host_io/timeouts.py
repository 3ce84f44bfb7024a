"""System calls that may never return, each on a thread that can be abandoned: `host_io.ports` opens and closes ports
so.

Closing a serial port blocks for good if its hub died in the middle of a transfer. The event loop waits `TIMEOUT_S` once
and then goes on. Until the call returns, the same call fails at once, so that only one thread hangs for each port.
"""

import errno
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

TIMEOUT_S = 0.3
"""Seconds for which the event loop may block. Opening a port takes a few milliseconds, closing one at most 20."""

Result = TypeVar("Result")

_hanging: dict[str, Thread] = {}


def run_with_timeout(
    name: str,
    call: Callable[[], Result],
    timeout_s: float = TIMEOUT_S,
    *,
    on_late_result: Callable[[Result], object] = id,
) -> Result:
    """Return the result of `call`, or raise its exception.

    Raises TimeoutError, which is an OSError, on a timeout or while the last call with this name still hangs.
    `on_late_result` gets a result arriving after the timeout.
    """
    if name in _hanging and _hanging[name].is_alive():
        raise TimeoutError(errno.ETIMEDOUT, "the kernel has not come back from it; pull it out, or its hub")
    outcome: Future[Result] = Future()
    lock = Lock()
    is_abandoned: list[bool] = []

    def work() -> None:
        settle: Callable[[], Any]
        try:
            result = call()
        except BaseException as error:
            raised = error
            settle = lambda: outcome.set_exception(raised)  # noqa: E731
        else:
            settle = lambda: on_late_result(result) if is_abandoned else outcome.set_result(result)  # noqa: E731
        with lock, suppress(Exception):
            settle()

    thread = Thread(target=work, name=f"open or close {name}", daemon=True)
    thread.start()
    thread.join(timeout_s)
    with lock:
        if not outcome.done():
            is_abandoned.append(True)
            _hanging[name] = thread
            raise TimeoutError(errno.ETIMEDOUT, "it hangs; pull it out, or its hub")
    _hanging.pop(name, None)
    return outcome.result()
