"""A table's journal and public socket without the table: a test says what happens, and may kill it."""

import shutil
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace
from support.table.harness import NAMES, TableHarness

from engine import KILL_SPOT
from firmware_host.public.server import PublicSocket
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import Publish
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.lobby import Lobby

SEATS = NAMES[:3]
(LOBBY,) = (effect.state for effect in TableHarness(KILL_SPOT, seats=3).effects if isinstance(effect, Publish))


class PublicTable:
    """A table that can be killed: its journal and its socket, and every line that it has published."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "events.sock"
        self._folder = folder
        self._deaths = 0
        self.public: PublicSocket | None = None
        self.state = LOBBY

    @property
    def _state_folder(self) -> Path:
        return self._folder / f"{self._deaths}"

    async def start(self) -> None:
        if self.public is not None:
            return
        self._state_folder.mkdir(exist_ok=True)
        self._stack = AsyncExitStack()
        self.journal = self._stack.enter_context(Journal(self._state_folder / "journal.sqlite"))
        self.public = await self._stack.enter_async_context(PublicSocket(self.path, SEATS, lines=self.journal.lines))
        self.public.publish(self.state)

    async def die(self) -> None:
        """Die as in a power cut: nothing is closed in good order, and the files are as they were."""
        if self.public is None:
            return
        shutil.copytree(self._state_folder, self._folder / f"{self._deaths + 1}")
        await self._stack.aclose()
        self._deaths += 1
        self.public = None

    async def close(self) -> None:
        """Stop in good order."""
        if self.public is not None:
            self.public = None
            await self._stack.aclose()

    async def happen(self, *events: PublicEvent, records: bool = False) -> None:
        if self.public is None:
            return
        if records:
            await self.journal.write(Lobby(), {}, events)
        else:
            await self.journal.write_events(events)
        for event in events:
            self.public.announce(event)
        self.public.publish(replace(self.state, countdown_s=self.journal.lines.last % 10))

    def cut(self) -> None:
        """Cut every connection."""
        for client in [*self.public._clients] if self.public else ():
            client.close()

    def lines(self) -> list[bytes]:
        log = self.journal.lines
        return [line[:-1] for line in log.page_after(log.first - 1, 1 << 30)]
