"""The journal: every scene of a table, with the public events before it, on disk before anybody sees it.

`write` returns when a record is durable. The daemon has one record in flight; later ones wait behind it. A record has
each device's last event before its scene: after a restart, a device may resend an event with a lost acknowledgement,
and it must not count twice. A match's public events make its record, across any number of restarts.

Problems with the file or its disk never stop the play or raise an error here: a bad file is set aside; unwritten
records wait in memory, and the journal retries. `report` sets the callbacks for problems. `docs/journal.md` describes
all this for owners.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from firmware_host import wire
from firmware_host.public.line_log import LineBatch, LineLog
from firmware_host.store.journal import records
from firmware_host.store.journal.errors import JournalError, NewerJournalError, journal_error
from firmware_host.store.journal.maintenance import Archive, Maintenance
from firmware_host.store.journal.quarantine import disk_works, set_aside, temporary_copy
from firmware_host.store.journal.schema import SCHEMA
from firmware_host.store.journal.store import JournalFile, MatchLog, MatchLogEntry, Snapshot, StateRow
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import Alert
from firmware_host.table.scenes.scene import Scene
from firmware_host.util.evening import this_evening

__all__ = ["SCHEMA", "Journal", "JournalError"]

MIN_RETRY_S = 1.0
MAX_RETRY_S = 60.0
CHECKPOINT_RECORDS = 64
"""Records between two checkpoints of the write-ahead log."""
MAX_BACKLOG_BYTES = 4 << 20
"""About forty long matches. Beyond it the oldest match is lost first."""

log = logging.getLogger("dudo-table")


class Journal:
    """One table's records in one file. The constructor never fails: problems are reported.

    Finished matches are exported to the `archive`, if there is one.
    """

    def __init__(self, path: Path, archive: Archive | None = None, *, day: Callable[[], str] = this_evening) -> None:
        self.path = path
        self._day = day
        self._file = JournalFile(path)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._error: JournalError | None = None
        self._restart_reason = ""  # why the file is new, until its first match is over
        self._on_raised: Callable[[Alert, str], None] = lambda what, why: log.error("%s", why)
        self._on_cleared: Callable[[Alert], None] = lambda what: None
        self._retry: asyncio.TimerHandle | None = None
        self._retry_s = MIN_RETRY_S
        self._writing: asyncio.Task[None] | None = None
        self._records_in_log = 0
        snapshot = self._thread.submit(self._first_open).result()
        self._scene, self._last_events = snapshot.scene, snapshot.last_events
        self._backlog = Backlog(snapshot.match)
        self.lines = LineLog(snapshot.lines)
        """The public lines for events passed to `write` and `write_events`."""
        if self._error is not None:
            self.lines.renumber()
        self._maintenance = Maintenance(self._file, self._thread, archive, self.lines)

    @property
    def scene(self) -> Scene | None:
        """The latest scene, None in a new journal."""
        return self._scene

    @property
    def last_events(self) -> Mapping[str, int]:
        """Each device's last event number before that scene."""
        return self._last_events

    @property
    def match(self) -> MatchLog | None:
        """That scene's match and its events so far. None if its beginning is unknown."""
        return self._backlog.current_match

    def report(self, on_raised: Callable[[Alert, str], None], on_cleared: Callable[[Alert], None]) -> None:
        """Set the callbacks for problems and their end. Existing problems are reported at once.

        Both are called on the loop's thread, and must not block.
        """
        self._on_raised, self._on_cleared = on_raised, on_cleared
        self._maintenance.schedule()
        if self._restart_reason:
            on_raised(Alert.JOURNAL_RESET, self._restart_reason)
        if self._error is not None:
            on_raised(self._error.alert, str(self._error))

    async def write(self, scene: Scene, last_events: Mapping[str, int], announced: Sequence[PublicEvent] = ()) -> None:
        """Make a scene durable, with each device's last event in it and the public events that led to it.

        While the disk fails, the record stays in memory and the call returns at once.
        """
        won = any(isinstance(event, wire.MatchWon) for event in announced)
        ends = any(isinstance(event, wire.MatchWon | wire.MatchBrokenOff) for event in announced)
        reopens = any(isinstance(event, wire.MatchReopened) for event in announced)
        begins = any(isinstance(event, wire.MatchBegan) for event in announced)
        state, body = _state_row(scene, last_events), b""
        if scene.game is not None or ends:  # events in the lobby belong to no match
            body = records.encode_events(announced)
        self._backlog.add(state, body, day=self._day() if begins else "", ends=ends, reopens=reopens)
        self.lines.prepare(announced)
        self._scene, self._last_events = scene, dict(last_events)
        await self._write()
        if ends or reopens or scene.game is None:
            self._maintenance.schedule()
        if won:
            self._forget_restart()

    async def write_events(self, announced: Sequence[PublicEvent]) -> None:
        """Make public events' lines durable without another scene, like `write`."""
        self.lines.prepare(announced)
        if not self.lines.unwritten().lines:
            return
        if self._scene is not None:  # a removed file is made again with it
            self._backlog.add(_state_row(self._scene, self._last_events), b"")
        await self._write()
        if self._scene is None or self._scene.game is None:
            self._maintenance.schedule()

    def close(self) -> None:
        """Close the file. Unless the disk still fails, it has everything passed to `write`."""
        if self._retry is not None:
            self._retry.cancel()
        self._maintenance.cancel()
        self._thread.submit(self._finish).result()
        self._thread.shutdown()

    # On the loop's thread

    async def _write(self) -> None:
        """Wait until the backlog is durable, or the disk fails."""
        self._start_writing()
        while self._error is None and self._writing is not None:
            await asyncio.shield(self._writing)

    @property
    def _has_backlog(self) -> bool:
        return bool(self._backlog or self.lines.unwritten().lines)

    def _start_writing(self) -> None:
        """Write the backlog in a separate task, unless one is running."""
        if self._writing is None and self._has_backlog:
            self._writing = asyncio.get_running_loop().create_task(self._write_backlog())
            self._writing.add_done_callback(self._wrote)

    async def _write_backlog(self) -> None:
        loop = asyncio.get_running_loop()
        batch = self._backlog.take(self.lines.unwritten())
        try:
            await loop.run_in_executor(self._thread, self._put, batch)
        except JournalError as error:
            self._backlog.failed()
            self._fail(error, loop)
            return
        self._backlog.written()
        self.lines.written(batch.lines)
        self._recover()
        self._records_in_log += 1
        if self._records_in_log >= CHECKPOINT_RECORDS:
            self._records_in_log = 0
            loop.run_in_executor(self._thread, self._file.checkpoint)

    def _wrote(self, done: asyncio.Task[None]) -> None:
        self._writing = None
        if not done.cancelled() and self._error is None:
            self._start_writing()

    def _fail(self, error: JournalError, loop: asyncio.AbstractEventLoop) -> None:
        before, self._error = self._error, error
        if before is None:
            self.lines.renumber()  # a power cut would take back the lines published from now on
        if before is None or before.alert is not error.alert:
            if before is not None:
                self._on_cleared(before.alert)
            self._on_raised(error.alert, str(error))
        if self._retry is not None:
            self._retry.cancel()
        self._retry = loop.call_later(self._retry_s, self._start_writing)
        self._retry_s = min(2 * self._retry_s, MAX_RETRY_S)

    def _recover(self) -> None:
        if self._error is None:
            return
        before, self._error, self._retry_s = self._error, None, MIN_RETRY_S
        if self._retry is not None:
            self._retry.cancel()
        self._on_cleared(before.alert)

    def _forget_restart(self) -> None:
        if self._restart_reason:
            self._restart_reason = ""
            self._on_cleared(Alert.JOURNAL_RESET)

    # On the journal's thread

    def _first_open(self) -> Snapshot:
        try:
            return self._open()
        except JournalError as error:
            self._error = error
            return self._read_copy()

    def _read_copy(self) -> Snapshot:
        """Return the content of a journal that can't be used in place."""
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
            at_fault = error.alert is Alert.JOURNAL_RESET
            if not at_fault and not (error.may_be_file_damage and disk_works(self.path.parent)):
                raise
            self._set_aside(error)
            return self._file.open()

    def _put(self, batch: "Batch") -> None:
        if self._file.is_open:
            try:
                self._file.put(batch.state, batch.entries, batch.lines)
                return
            except JournalError as error:
                if error.alert is Alert.DISK_FULL:
                    raise
                try:
                    if error.alert is not Alert.JOURNAL_RESET:
                        raise
                    self._set_aside(error)  # before it is closed, as SQLite would then copy the log into it
                finally:
                    self._file.close()  # a new connection may work
        self._open()
        try:
            self._file.put(batch.state, batch.with_whole_match(), batch.lines, replaces_match=True)
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
        self._restart_reason = f"{self.path}: {error.problem}; it is kept as {aside.name}"
        log.warning("%s", self._restart_reason)

    def _finish(self) -> None:
        if self._has_backlog:
            try:
                self._put(self._backlog.take(self.lines.unwritten()))
            except JournalError as error:
                log.error("%s; the latest records are not in it", error)
        self._maintenance.finish()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Journal {self.path}>"


def _state_row(scene: Scene, last_events: Mapping[str, int]) -> StateRow:
    game = scene.game or scene.ended  # a match's events stay at hand until the next one begins
    row = records.encode_scene(scene), records.encode_last_events(last_events)
    return StateRow(None if game is None else game.id, records.scene_name(scene), *row)


class Batch(NamedTuple):
    """Records for one write attempt, and the current match's events by then."""

    state: StateRow | None
    entries: list[MatchLogEntry]
    lines: LineBatch
    match: str | None
    match_entries: list[MatchLogEntry]
    match_entry_count: int  # `match_entries` may grow during the attempt

    def with_whole_match(self) -> list[MatchLogEntry]:
        """Return the entries with all the current match's, for a file that lacks them."""
        others = [entry for entry in self.entries if entry.match != self.match]
        return others + self.match_entries[: self.match_entry_count]


class Backlog:
    """Records not durable yet, kept in memory while the disk fails. On the loop's thread.

    Only the latest state is kept, but all public events, up to a limit. The current match's events are kept as well,
    for a new file that begins in the middle of it. `take` begins an attempt; `written` or `failed` ends it.
    """

    def __init__(self, match: MatchLog | None) -> None:
        self._match = None if match is None else match.name
        self._match_entries = [] if match is None else [*match.entries]
        self._waiting: list[MatchLogEntry] = []
        self._state: StateRow | None = None
        self._attempt: Batch | None = None

    def __bool__(self) -> bool:
        return self._state is not None

    @property
    def current_match(self) -> MatchLog | None:
        """The current or last match's events so far. None if its beginning is unknown."""
        if not self._match or not self._match_entries:
            return None
        return MatchLog(self._match, self._match_entries[0].day, self._match_entries[:])

    def add(self, state: StateRow, events: bytes, *, day: str = "", ends: bool = False, reopens: bool = False) -> None:
        """Add a state and its events. With a `day` a match begins with them; it may end or reopen."""
        if day:
            self._match, self._match_entries = state.game, []
        if events and self._match is not None:
            entry = MatchLogEntry(self._match, events, day, ends, reopens)
            self._waiting.append(entry)
            self._match_entries.append(entry)
        if state.game is None:
            self._match, self._match_entries = None, []
        self._state = state
        if self._size() > MAX_BACKLOG_BYTES:
            self._lose_oldest()

    def take(self, lines: LineBatch) -> Batch:
        """Return the next state and events to write, with the public lines not yet durable."""
        self._attempt = Batch(
            self._state, self._waiting, lines, self._match, self._match_entries, len(self._match_entries)
        )
        self._state, self._waiting = None, []
        return self._attempt

    def written(self) -> None:
        """Note that the taken records are durable."""
        self._attempt = None

    def failed(self) -> None:
        """Put the taken records back."""
        assert self._attempt is not None
        self._state = self._state or self._attempt.state
        self._waiting = [*self._attempt.entries, *self._waiting]
        self._attempt = None

    def _size(self) -> int:
        return max(sum(len(entry.events) for entry in entries) for entries in (self._waiting, self._match_entries))

    def _lose_oldest(self) -> None:
        oldest = (self._waiting or self._match_entries)[0].match
        log.error("match %s no longer fits into memory, and its record will be incomplete", oldest)
        self._waiting = [entry for entry in self._waiting if entry.match != oldest]
        if oldest == self._match:
            self._match, self._match_entries = None, []
