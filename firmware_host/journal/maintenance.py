"""What is done about the journal when nobody waits for it: matches that are over are written down, old ones taken out.

For `journal`. It begins when nothing has been recorded for a while, so that it is in no press's way; what a death
leaves undone is done by the next daemon.
"""

import asyncio
import logging
from concurrent.futures import Executor

from firmware_host.journal.errors import JournalError
from firmware_host.journal.store import JournalFile, MatchLog
from firmware_host.scores.archive import MatchArchive

IDLE_S = 2.0
"""So long after the last record that could be followed by another at once."""

log = logging.getLogger("dudo-table")


class Maintenance:
    """One journal's. `thread` is the one that owns the file."""

    def __init__(self, file: JournalFile, thread: Executor, matches: MatchArchive | None) -> None:
        self._file = file
        self._thread = thread
        self._matches = matches
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_due = True

    def soon(self) -> None:
        """A match may be over. Without a running loop it is left to whom comes next."""
        self._is_due = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self.stop()
        self._timer = loop.call_later(IDLE_S, self._begin, loop)

    def stop(self) -> None:
        """Do not begin any more."""
        if self._timer is not None:
            self._timer.cancel()

    def finish(self) -> None:
        """Do at once, on the journal's thread, what is due."""
        if self._is_due and self._file.is_open:
            try:
                self._file.exported(self._written(self._file.over()))
            except JournalError as error:
                log.warning("%s; what is over there is tidied up the next time", error)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._task is None:
            self._task = loop.create_task(self._tidy(loop))
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()):
            if not isinstance(error, JournalError):
                raise error
            log.warning("%s; what is over there is tidied up later", error)

    async def _tidy(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._file.is_open:
            return
        self._is_due = False
        if over := await loop.run_in_executor(self._thread, self._file.over):
            done = await loop.run_in_executor(None, self._written, over)
            await loop.run_in_executor(self._thread, self._file.exported, done)

    def _written(self, over: list[tuple[int, MatchLog | None]]) -> list[int]:
        """The matches that need not be kept for this any more."""
        return [number for number, _ in over] if self._matches is None else self._matches.export(over)
