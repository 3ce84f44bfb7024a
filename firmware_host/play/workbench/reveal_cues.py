"""Reveal cues for the middle of the page, in step with the displays. `Workbench` passes lines on."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from firmware_host.clients.tv.picture import PageContent
from firmware_host.table.cues import Cue
from firmware_host.wire import LineError


class RevealCues:
    """The current reveal's cues so far; `changed` is called at each change.

    They follow the loop's clock, as the displays do: at another table speed they keep pace.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.reached: tuple[Cue, ...] | None = None
        """The cues so far, None while no reveal is under way, or all is told."""
        self._changed = changed
        self._picture = PageContent("")
        self._began_s: float | None = None
        self._due: list[asyncio.TimerHandle] = []

    def read(self, line: bytes) -> None:
        """Take a public line."""
        loop = asyncio.get_running_loop()
        with suppress(LineError, LookupError):
            self._picture.take(line, loop.time())
        moment = self._picture.moment
        began_s = None if moment is None or not moment.cues else moment.began_s
        if began_s == self._began_s:
            return
        self.end()
        self._began_s = began_s
        if moment is not None and began_s is not None:
            self._reach(moment.cues[:1])
            for at, cue in enumerate(moment.cues[1:], start=2):
                self._due.append(loop.call_at(began_s + cue.at_ms / 1000, self._reach, moment.cues[:at]))
        else:
            self._reach(None)

    def end(self) -> None:
        """Stop at the current cue."""
        for timer in self._due:
            timer.cancel()
        self._due.clear()

    def _reach(self, cues: tuple[Cue, ...] | None) -> None:
        self.reached = cues
        self._changed()
