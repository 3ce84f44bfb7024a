"""A running table's counters (`house.counters`): matches, calls, time on, starts.

`SessionRunner` has a keeper. The file is used in a separate thread, and written at a start and a stop, when a match
ends, at a reset, and every `SAVE_S`. After a kill the journal supplies missing matches and calls; at most `SAVE_S` of
the time is lost. While the disk fails the counters go on in memory.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from firmware_host.store.house import counters
from firmware_host.store.house.counters import Counters, CountersError, Tally, nothing, tally_of
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.staff.actions import FiguresRead, StaffFigure
from firmware_host.table.staff.items import StaffItem
from firmware_host.util.system_error import reason_of
from firmware_host.wire import MatchBrokenOff, MatchReopened, MatchWon

SAVE_S = 300.0
"""Seconds between two writes without other counts."""
_FIELDS = {
    StaffItem.MATCHES: "matches",
    StaffItem.CALLS: "calls",
    StaffItem.HOURS: "seconds",
    StaffItem.STARTS: "starts",
}

log = logging.getLogger("dudo-table")


class CounterKeeper:
    """The counters at one table. `today` returns the local date; durations come from the loop's clock."""

    def __init__(self, folder: Path, journal: Journal, today: Callable[[], date] = date.today) -> None:
        self._folder = folder
        self._journal = journal
        self._today = today
        self._counters = nothing(today())
        self._on_since_s = 0.0  # the time that is not in the counters yet
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="counters")  # starts with its first work
        self._timer: asyncio.TimerHandle | None = None
        self._writing = set[asyncio.Future[None]]()
        self._fails = False  # the last write failed
        self._unread: OSError | None = None  # the file was not read at the start: what is in it must stay
        self._has_crashed = False
        self._on_change: Callable[[FiguresRead], None] = lambda figures: None

    async def __aenter__(self) -> Self:
        """Read the file, count this start, and recover counts lost by a kill. The write goes on beside the first
        pictures.
        """
        loop = asyncio.get_running_loop()
        self._on_since_s = loop.time()
        self._counters = await loop.run_in_executor(self._thread, self._open, _last_match(self._journal))
        self._schedule()
        self._save()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Write the counters for the last time. Only a requested stop is an orderly one."""
        if self._timer is not None:
            self._timer.cancel()
        is_orderly = not self._has_crashed and (kind is None or issubclass(kind, asyncio.CancelledError))
        self._counters = replace(self._now(), is_on=not is_orderly)
        self._on_since_s = asyncio.get_running_loop().time()
        self._save()
        await asyncio.gather(*self._writing)
        self._thread.shutdown()

    def crashed(self) -> None:
        """Note a failure about to end the daemon."""
        self._has_crashed = True

    def follow(self, on_change: Callable[[FiguresRead], None]) -> None:
        """Call `on_change` with the figures now, and after each change other than time."""
        self._on_change = on_change
        on_change(self.figures)

    def take(self, event: PublicEvent) -> None:
        """Count a durable public event."""
        before, self._counters = self._counters, self._counters.after(event)
        if (before.matches, before.calls) != (self._counters.matches, self._counters.calls):
            self._on_change(self.figures)
        if isinstance(event, MatchWon | MatchBrokenOff | MatchReopened):
            self._save()

    @property
    def figures(self) -> FiguresRead:
        """The present counters, as shown to staff."""
        now = self._now()
        shown = {item: getattr(now, field) for item, field in _FIELDS.items()}
        figures = {item: StaffFigure(count.count, count.since.isoformat()) for item, count in shown.items()}
        figures[StaffItem.STARTS] = replace(figures[StaffItem.STARTS], crashes=now.crashes)
        return FiguresRead(figures)

    async def reset(self, item: StaffItem) -> None:
        """Set a count to 0 since today, once that is on disk. Raises `OSError`, without a change."""
        loop, field, today = asyncio.get_running_loop(), _FIELDS[item], self._today()
        wanted = self._now().reset(field, today)
        await loop.run_in_executor(self._thread, self._keep, wanted)
        self._counters = self._now().reset(field, today)
        self._on_since_s = loop.time()
        self._on_change(self.figures)

    def _now(self) -> Counters:
        """Return the counters with the time until now."""
        on_s = int(asyncio.get_running_loop().time() - self._on_since_s)
        return replace(self._counters, seconds=self._counters.seconds.plus(on_s))

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SAVE_S, self._check)

    def _check(self) -> None:
        self._schedule()
        self._save()

    def _save(self) -> None:
        future: asyncio.Future[None]
        future = asyncio.get_running_loop().run_in_executor(self._thread, self._write, self._now())
        self._writing.add(future)
        future.add_done_callback(self._writing.discard)

    # In the thread

    def _open(self, tally: Tally | None) -> Counters:
        kept = self._read()
        if kept is None:  # what was played before it does not count
            kept = replace(nothing(self._today()), last=tally or Tally())
        elif tally is not None:
            kept = kept.caught_up(tally)
        return kept.started()

    def _read(self) -> Counters | None:
        """Read the file; a damaged one is logged and set aside."""
        for _ in (counters.FILE, counters.OLD_FILE):
            try:
                return counters.read(self._folder)
            except OSError as error:
                self._unread = error
                break
            except CountersError as error:
                log.error("%s", str(error).splitlines()[0])
                with suppress(OSError):
                    counters.set_aside(Path(error.file))
        return None

    def _keep(self, wanted: Counters) -> None:
        if self._unread is not None:
            raise self._unread
        counters.write(wanted, self._folder)

    def _write(self, wanted: Counters) -> None:
        """Write the file; the first of several failures is logged."""
        try:
            self._keep(wanted)
        except OSError as error:
            if not self._fails:
                goes_on = "the figures of the staff menu count on in memory"
                log.error("%s: can't be written: %s; %s", self._folder / counters.FILE, reason_of(error), goes_on)
            self._fails = True
        else:
            self._fails = False


def _last_match(journal: Journal) -> Tally | None:
    """Return the counts for the journal's match; None without a readable one."""
    match = journal.match
    if match is None:
        return None
    try:
        return replace(tally_of(match.events()), match=match.name)
    except (ValueError, LookupError):
        return None
