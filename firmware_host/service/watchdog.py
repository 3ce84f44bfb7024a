"""Tells the service manager that the table is alive, as long as it is: the loop turns, and the table answers.

`run` has one where somebody watches. A loop that hangs in a call, a table that does not come back from a message and a
journal whose disk takes for ever all end the same way: nothing is said, the service manager kills the daemon, and the
next one goes on where the journal ends.
"""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from drivers.timing import align_up
from firmware_host.service.notify import Notify

TIMES = 2
"""So often it is said within the time the service manager waits, as sd_watchdog_enabled(3) advises.

At three seconds that is every one and a half: what a table at rest does seldom falls on the same moments.
"""


class Watchdog:
    """Says `alive` while `answers` says so; does nothing where nobody watches. Use it as a context."""

    def __init__(self, notify: Notify, *, loop: asyncio.AbstractEventLoop, answers: Callable[[], bool]) -> None:
        self._notify = notify
        self._loop = loop
        self._answers = answers
        self._timer: asyncio.TimerHandle | None = None

    def _look(self) -> None:
        assert self._notify.watchdog_s is not None
        # With all that beats at this table, so that the loop wakes once for everything.
        due_s = align_up(self._loop.time(), self._notify.watchdog_s / TIMES)
        self._timer = self._loop.call_at(due_s, self._look)
        if self._answers():
            self._notify.alive()

    def __enter__(self) -> Self:
        if self._notify.watchdog_s is not None:
            self._look()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __repr__(self) -> str:
        return f"<Watchdog {'at work' if self._timer else 'asleep'}>"
