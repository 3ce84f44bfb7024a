"""The journal: every position of the evening and what was told on the way to it, on disk before anybody sees of it.

`write` returns when a record is durable. The daemon keeps one record in flight; what comes later waits behind it. With
each position stands which events of the cups it rests on, so that a cup whose acknowledgement was lost with a daemon is
not heard twice. What the room was told of a match makes its score, however often the daemon died in it.

Nothing that befalls the file or its disk stops the play, and nothing here raises it: what can't be used is set aside,
what can't be written waits in memory and is tried again. `report` says who is told of it. `docs/journal.md` has all of
it in the owner's words.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_host.journal import records
from firmware_host.journal.backlog import Backlog, Batch
from firmware_host.journal.errors import JournalError, NewerJournalError, journal_error
from firmware_host.journal.maintenance import Maintenance
from firmware_host.journal.quarantine import disk_works, set_aside, temporary_copy
from firmware_host.journal.records import encode_events
from firmware_host.journal.schema import SCHEMA
from firmware_host.journal.store import JournalFile, MatchLog, Snapshot, StateRow
from firmware_host.scores.archive import MatchArchive
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import Alert
from firmware_host.table.scenes.scene import Scene

__all__ = ["SCHEMA", "Journal", "JournalError"]

MIN_RETRY_S = 1.0
MAX_RETRY_S = 60.0
CHECKPOINT_RECORDS = 64
"""After so many the write-ahead log is folded into the file, behind the record that was the last of them."""

log = logging.getLogger("dudo-table")


def _today() -> str:
    return date.today().isoformat()


class Journal:
    """The records of one table in one file. Opening it never fails: what ails it is told by `report`.

    Matches that are over are written down among the `matches`, if there are any.
    """

    def __init__(self, path: Path, matches: MatchArchive | None = None, *, day: Callable[[], str] = _today) -> None:
        self.path = path
        self._day = day
        self._file = JournalFile(path)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._ails: JournalError | None = None
        self._anew = ""  # why the evening begins anew
        self._troubled: Callable[[Alert, str], None] = lambda what, why: log.error("%s", why)
        self._mended: Callable[[Alert], None] = lambda what: None
        self._retry: asyncio.TimerHandle | None = None
        self._retry_s = MIN_RETRY_S
        self._trying: asyncio.Task[None] | None = None
        self._in_the_log = 0
        kept = self._thread.submit(self._first_open).result()
        self._scene, self._heard = kept.scene, kept.heard
        self._backlog = Backlog(kept.match)
        self._tidying = Maintenance(self._file, self._thread, matches)

    def last(self) -> Scene | None:
        """The scene the evening stands in, None in a new journal."""
        return self._scene

    def heard(self) -> Mapping[str, int]:
        """The last event of each device on which that scene rests, as drivers number them; nothing in a new journal."""
        return self._heard

    @property
    def match(self) -> MatchLog | None:
        """The match of that scene as far as it was told; None if nobody knows how it began."""
        return self._backlog.played

    def report(self, troubled: Callable[[Alert, str], None], mended: Callable[[Alert], None]) -> None:
        """Say who is told what ails the journal, and that it does not any more; what ails it already is told at once.

        Both are called on the loop's thread, and never block.
        """
        self._troubled, self._mended = troubled, mended
        self._tidying.soon()
        if self._anew:
            troubled(Alert.JOURNAL_RESET, self._anew)
        if self._ails is not None:
            troubled(self._ails.trouble, str(self._ails))

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        """Make a scene durable, up to which event of each device it rests on them, and what the room is told with it.

        While the disk fails it is kept in memory instead, and this returns at once.
        """
        won = any(isinstance(event, events.MatchWon) for event in told)
        begins = any(isinstance(event, events.MatchBegan) for event in told)
        self._backlog.add(_position(scene, heard), encode_events(told), day=self._day() if begins else "", won=won)
        self._scene, self._heard = scene, dict(heard)
        self._try_beside()
        while self._ails is None and self._trying is not None:
            await asyncio.shield(self._trying)
        if won or scene.game is None:
            self._tidying.soon()
        if won:
            self._told_that_it_began_anew()

    def close(self) -> None:
        """Close the file; what `write` has returned from is in it, unless the disk fails to the end."""
        if self._retry is not None:
            self._retry.cancel()
        self._tidying.stop()
        self._thread.submit(self._finish).result()
        self._thread.shutdown()

    # On the loop's thread

    def _try_beside(self) -> None:
        """Try to write what waits, if that is not being tried; nobody has to wait for it."""
        if self._trying is None and self._backlog:
            self._trying = asyncio.get_running_loop().create_task(self._try())
            self._trying.add_done_callback(self._tried)

    async def _try(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._put, self._backlog.take())
        except JournalError as error:
            self._backlog.failed()
            self._fail(error, loop)
            return
        self._backlog.written()
        self._work()
        self._in_the_log += 1
        if self._in_the_log >= CHECKPOINT_RECORDS:
            self._in_the_log = 0
            loop.run_in_executor(self._thread, self._file.checkpoint)

    def _tried(self, done: asyncio.Task[None]) -> None:
        self._trying = None
        if not done.cancelled() and self._ails is None:
            self._try_beside()

    def _fail(self, error: JournalError, loop: asyncio.AbstractEventLoop) -> None:
        before, self._ails = self._ails, error
        if before is None or before.trouble is not error.trouble:
            if before is not None:
                self._mended(before.trouble)
            self._troubled(error.trouble, str(error))
        if self._retry is not None:
            self._retry.cancel()
        self._retry = loop.call_later(self._retry_s, self._try_beside)
        self._retry_s = min(2 * self._retry_s, MAX_RETRY_S)

    def _work(self) -> None:
        if self._ails is None:
            return
        before, self._ails, self._retry_s = self._ails, None, MIN_RETRY_S
        if self._retry is not None:
            self._retry.cancel()
        self._mended(before.trouble)

    def _told_that_it_began_anew(self) -> None:
        if self._anew:
            self._anew = ""
            self._mended(Alert.JOURNAL_RESET)

    # On the journal's thread

    def _first_open(self) -> Snapshot:
        try:
            return self._open()
        except JournalError as error:
            self._ails = error
            return self._of_copy()

    def _of_copy(self) -> Snapshot:
        """What a journal says that can't be used where it is."""
        try:
            with temporary_copy(self.path) as copy:
                file = JournalFile(copy)
                try:
                    return file.open()
                finally:
                    file.close()
        except OSError:
            return Snapshot()

    def _open(self) -> Snapshot:
        try:
            return self._file.open()
        except JournalError as error:
            at_fault = error.trouble is Alert.JOURNAL_RESET
            if not at_fault and not (error.may_be_file_damage and disk_works(self.path.parent)):
                raise
            self._set_aside(error)
            return self._file.open()

    def _put(self, batch: Batch) -> None:
        if self._file.is_open:
            try:
                self._file.put(batch.position, batch.lines)
                return
            except JournalError as error:
                if error.trouble is Alert.DISK_FULL:
                    raise
                self._file.close()  # a fresh one may do
                if error.trouble is not Alert.JOURNAL_RESET:
                    raise
                self._set_aside(error)
        self._open()
        try:
            self._file.put(batch.position, batch.whole(), anew=True)
        except JournalError as error:
            self._file.close()
            error.blame_the_disk()
            raise

    def _set_aside(self, error: JournalError) -> None:
        why = "newer" if isinstance(error, NewerJournalError) else "damaged"
        try:
            aside = set_aside(self.path, why)
        except FileNotFoundError:
            return
        except OSError as failed:
            raise journal_error(self.path, "set aside", failed) from failed
        self._anew = f"{self.path}: {error.problem}; it is kept as {aside.name}"
        log.warning("%s", self._anew)

    def _finish(self) -> None:
        if self._backlog:
            try:
                self._put(self._backlog.take())
            except JournalError as error:
                log.error("%s; the end of the evening is not in it", error)
        self._tidying.finish()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Journal {self.path}>"


def _position(scene: Scene, heard: Mapping[str, int]) -> StateRow:
    game = None if scene.game is None else scene.game.id
    return StateRow(game, records.scene_name(scene), records.encode_scene(scene), records.encode_last_events(heard))
