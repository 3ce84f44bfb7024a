"""Exports the journal's finished matches and deletes old ones after a while without new records.

This timing keeps presses fast. If the daemon dies early, the next one does the work.
"""

import asyncio
import logging
from collections.abc import Iterable
from concurrent.futures import Executor
from typing import Protocol

from firmware_host.public.line_log import LineLog
from firmware_host.store.journal.errors import JournalError
from firmware_host.store.journal.store import JournalFile, MatchLog

IDLE_S = 2.0
"""Seconds without a record before maintenance begins."""

log = logging.getLogger("dudo-table")


class Archive(Protocol):
    """A destination for finished matches, such as `scores.archive.MatchArchive`."""

    def export(self, finished: Iterable[tuple[int, MatchLog | None]]) -> list[int]:
        """Write matches, given with their row ids. Return the ids no longer needed for this. Blocks."""


class Maintenance:
    """One journal's maintenance. `thread` owns the file; without an `archive` it only deletes."""

    def __init__(self, file: JournalFile, thread: Executor, archive: Archive | None, lines: LineLog) -> None:
        self._file = file
        self._thread = thread
        self._archive = archive
        self._lines = lines
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_due = True

    def schedule(self) -> None:
        """Schedule maintenance after `IDLE_S`. Without a running loop, `finish` or the next daemon does it."""
        self._is_due = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self.cancel()
        self._timer = loop.call_later(IDLE_S, self._begin, loop)

    def cancel(self) -> None:
        """Cancel scheduled work."""
        if self._timer is not None:
            self._timer.cancel()

    def finish(self) -> None:
        """Do all due work at once. On the journal's thread."""
        if self._is_due and self._file.is_open:
            try:
                self._file.forget_lines(self._lines.first)
                self._file.mark_exported(self._export(self._file.finished_matches()))
            except JournalError as error:
                log.warning("%s; finished matches are exported the next time", error)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._task is None:
            self._task = loop.create_task(self._run(loop))
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()):
            if not isinstance(error, JournalError):
                raise error
            log.warning("%s; finished matches are exported later", error)

    async def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._file.is_open:
            return
        self._is_due = False
        await loop.run_in_executor(self._thread, self._file.forget_lines, self._lines.first)
        if finished := await loop.run_in_executor(self._thread, self._file.finished_matches):
            done = await loop.run_in_executor(None, self._export, finished)
            await loop.run_in_executor(self._thread, self._file.mark_exported, done)

    def _export(self, finished: list[tuple[int, MatchLog | None]]) -> list[int]:
        """Return the row ids of matches no longer needed for the archive."""
        return [row_id for row_id, _ in finished] if self._archive is None else self._archive.export(finished)
