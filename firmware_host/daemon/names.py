"""Keeps entered player names: for the evening, and with each match for the configured days.

`SessionRunner` has one keeper. The file is used in a separate thread; a failing disk costs the names alone.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from msgspec.structs import replace

from firmware_host.errors import UserError
from firmware_host.store.house.names import NameBook
from firmware_host.table.seat.names import NO_NAMES, KeepNames, NameOptions, NamesRead
from firmware_host.util.evening import evening_of

CHECK_S = 1800.0
"""Seconds between two checks for the evening's end and expired names."""

log = logging.getLogger("dudo-table")

T = TypeVar("T")


class NameKeeper:
    """One table's names. `now` is the local time."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self._book = NameBook(folder)
        self._now = now
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="names")  # starts with its first work
        self._has_names = False  # kept ones, perhaps to expire
        self._places: tuple[str, ...] = ()
        self._days: int | None = None
        self._is_public = False
        self._evening = ""
        self._on_read: Callable[[NamesRead], None] = lambda read: None
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.Task[None] | None = None
        self._pending = set[asyncio.Future[object]]()
        self._in_match = False

    async def begin(self, places: Sequence[str], days: int | None, *, public: bool = False) -> NameOptions:
        """Return the names for a new session's table. `days` is the retention of names, None if the table does not ask
        for any. Earlier names expire in either case.
        """
        self._places, self._days, self._is_public = tuple(places), days, public
        self._evening = evening_of(self._now())
        self._has_names = days is not None or self._book.path.exists()
        if days is None:
            if self._has_names:
                await self._in_thread(self._forget)
            return NO_NAMES
        return await self._in_thread(self._read) or NameOptions(True, public)

    def follow(self, on_read: Callable[[NamesRead], None]) -> None:
        """Call `on_read` with the table's names when the owner changes them, or when the evening ends."""
        self._on_read = on_read
        self._cancel()
        if self._has_names:
            self._schedule()

    def keep(self, names: KeepNames) -> None:
        """Keep this evening's names, and those for the current or just won match."""
        evening, days = self._evening, self._days
        self._in_match = names.match is not None
        self._submit(lambda: self._book.keep_evening(self._places, names.names, names.skipped, evening))
        if names.match is not None and days:
            match, entered = names.match, [names.names[seat] for seat in names.players]
            self._submit(lambda: self._book.keep_match(match, entered, evening))

    async def read_again(self) -> None:
        """Read the owner's changes."""
        if self._days is not None and (options := await self._in_thread(self._read)) is not None:
            self._on_read(NamesRead(options))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Wait until everything is kept."""
        self._cancel()
        await asyncio.gather(*self._pending)
        self._thread.shutdown()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(CHECK_S, self._check)

    def _check(self) -> None:
        self._schedule()
        self._submit(self._expire)
        evening = evening_of(self._now())
        if evening != self._evening and not self._in_match:
            self._evening = evening
            self._reading = asyncio.get_running_loop().create_task(self.read_again())

    def _read(self) -> NameOptions:
        assert self._days is not None
        self._book.set_wishes(self._days, public=self._is_public)
        self._expire()
        return replace(self._book.options(self._places, self._evening), public=self._is_public)

    def _expire(self) -> None:
        self._book.expire(evening_of(self._now()))

    def _forget(self) -> None:
        self._book.forget_evening()
        self._expire()

    def _submit(self, work: Callable[[], object]) -> None:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.run_in_executor(self._thread, self._try, work)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)

    async def _in_thread(self, work: Callable[[], T]) -> T | None:
        """Return the result of `work`, done after all earlier submissions; None if the file is unusable."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._try, work)

    def _try(self, work: Callable[[], T]) -> T | None:
        """Return the result of `work`; None, with a log line free of names, if the file is unusable."""
        try:
            return work()
        except (sqlite3.Error, OSError, UserError) as error:
            why = str(error).removeprefix(f"{self._book.path}: ")
            log.error("%s: %s; names are not kept", self._book.path, why)
            return None
