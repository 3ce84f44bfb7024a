"""Keeps the names that players enter at a running table: of the evening, and of each match for as long as is set.

`SessionRunner` has one. The file is used in a thread of its own; a disk that fails costs the names alone.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from firmware_host.errors import UserError
from firmware_host.house.names import NameBook, evening_of
from firmware_host.table.events import MatchBegan, PublicEvent
from firmware_host.table.names import NO_NAMES, KeepNames, NameOptions
from firmware_host.table.scenes.scene import Scene

CHECK_S = 1800.0
"""Seconds between two looks at whether the evening is over, and which names have been kept for long enough."""

log = logging.getLogger("dudo-table")

T = TypeVar("T")


class NameKeeper:
    """The names at one table. `now` is the local time."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self._book = NameBook(folder)
        self._now = now
        self._thread: ThreadPoolExecutor | None = None  # without names there is none
        self._places: tuple[str, ...] = ()
        self._days: int | None = None
        self._names: tuple[str, ...] = ()
        self._evening = ""
        self._match: tuple[str, tuple[int, ...]] | None = None
        self._on_read: Callable[[NameOptions], None] = lambda options: None
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, places: Sequence[str], days: int | None, scene: Scene | None) -> NameOptions:
        """Return what the table of a new session knows. `days` is how long names are kept, None if it asks for none.

        Blocks.
        """
        self._places, self._days, self._evening = tuple(places), days, evening_of(self._now())
        game = None if scene is None else scene.game
        self._match = None if game is None else (game.id, game.players)
        options = NO_NAMES
        if days is not None:
            options = self._try(self._read) or NameOptions(True)
        self._names = options.names
        return options

    def follow(self, on_read: Callable[[NameOptions], None]) -> None:
        """Call `on_read` with what the table knows when that was changed by the owner, or when the evening ends."""
        self._on_read = on_read
        self._cancel()
        if self._days is not None:
            self._schedule()

    def keep(self, names: KeepNames) -> None:
        """Keep the names of this evening, and of the match that is played or was the last."""
        self._names = names.names
        day = self._evening
        self._submit(lambda: self._book.keep_evening(self._places, names.names, names.skipped, day))
        self._keep_match()

    def announce(self, event: PublicEvent) -> None:
        """Keep who plays in a match that begins."""
        if isinstance(event, MatchBegan):
            self._match = event.match, event.players
            if any(self._names):
                self._keep_match()

    async def read_again(self) -> None:
        """Read what the owner has changed."""
        if self._days is not None:
            loop = asyncio.get_running_loop()
            options = await loop.run_in_executor(self._pool(), self._try, self._read)
            if options is not None:
                self._take(options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Wait until everything is kept."""
        self._cancel()
        if self._thread is not None:
            self._thread.shutdown()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _take(self, options: NameOptions) -> None:
        self._names = options.names
        self._on_read(options)

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(CHECK_S, self._check)

    def _check(self) -> None:
        self._schedule()
        self._submit(self._expire)
        evening = evening_of(self._now())
        if evening != self._evening:
            self._evening, self._match = evening, None
            asyncio.get_running_loop().create_task(self.read_again())

    def _keep_match(self) -> None:
        if self._match is not None and self._days:
            match, players = self._match
            names = [self._names[seat] if seat < len(self._names) else "" for seat in players]
            day = date.isoformat(self._now().date())
            self._submit(lambda: self._book.keep_match(match, names, day))

    def _read(self) -> NameOptions:
        self._expire()
        return self._book.options(self._places, self._evening)

    def _expire(self) -> None:
        if self._days is not None:
            self._book.expire((self._now().date() - timedelta(days=self._days - 1)).isoformat())

    def _pool(self) -> ThreadPoolExecutor:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="names")
        return self._thread

    def _submit(self, work: Callable[[], object]) -> None:
        if self._days is not None:
            self._pool().submit(self._try, work)

    def _try(self, work: Callable[[], T]) -> T | None:
        """Do it; a file that can't be used is logged, without a name."""
        try:
            return work()
        except (sqlite3.Error, OSError, UserError) as error:
            log.error("%s: %s; names are not kept", self._book.path, error)
            return None
