"""The workbench server: an emulated table's page, for as long as `play` lasts."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine import Rules
from firmware_host.play.chairs import UNVISITED_S, Chairs
from firmware_host.play.workbench.party import Party
from firmware_host.play.workbench.web_app import serve_pages
from firmware_host.play.workbench.workbench import Workbench
from firmware_host.table.events import PublicEvent
from firmware_host.util.virtual_seconds import PLAY_SPEED, WATCH_SPEED, virtual_seconds
from hardware.config.layout import Layout
from hardware.emulated.virtual_loop import VirtualLoop

MAX_LINE_BYTES = 1 << 20
RETRY_S = 0.5


@dataclass(frozen=True)
class WorkbenchServer:
    """The page's needs besides the chairs. `say` prints a line other than a public event."""

    layout: Layout
    listening: socket.socket
    events: Path
    rules: Rules
    say: Callable[[str], None]
    speed: float | None = None
    """The requested speed; if None people play in real time and robots alone faster."""
    phones: Party | None = None
    """The phones of a party's guests."""
    waits: bool = False
    """Whether the robots wait until somebody has opened the page."""
    listen: Callable[[Callable[[PublicEvent], None]], None] = lambda _: None
    """Adds a listener for the public events."""

    @property
    def address(self) -> str:
        """The page's address."""
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}/"

    @asynccontextmanager
    async def serve(self, chairs: Chairs) -> AsyncIterator[Workbench]:
        """Serve the page for these chairs until the block ends; give the workbench behind it."""
        opened = asyncio.Event()
        if self.waits:
            chairs.wait()
        chairs.expects_people = self.phones is not None
        workbench = Workbench(self.layout, self.rules, chairs, self.phones, opened.set)
        self.listen(workbench.tell)
        self._set_speed(chairs)
        chairs.on_change(lambda: self._set_speed(chairs))
        try:
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(serve_pages(workbench, self.listening))
                if self.phones is not None:
                    await stack.enter_async_context(self.phones.serve())
                work = relay(self.events, workbench), self._begin(chairs, opened)
                tasks = [asyncio.ensure_future(each) for each in work]
                try:
                    yield workbench
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            workbench.close()

    async def _begin(self, chairs: Chairs, opened: asyncio.Event) -> None:
        """Let the robots play as soon as they may, and seat some in chairs still unvisited after a while."""
        if self.waits:
            await opened.wait()
            chairs.begin()
        if self.phones is not None:
            return
        await asyncio.sleep(virtual_seconds(UNVISITED_S))
        for seat in chairs.fill_unvisited():
            name = self.layout.seats[seat].name
            self.say(f"Nobody came to {name}’s chair, so a robot plays there until somebody opens the page.")

    def _set_speed(self, chairs: Chairs) -> None:
        loop = asyncio.get_running_loop()
        # Tests use a loop without a speed, and must keep it.
        if isinstance(loop, VirtualLoop) and loop.speed is not None:
            loop.speed = self.speed or (PLAY_SPEED if chairs.has_people else WATCH_SPEED)


class _Kind(msgspec.Struct):
    type: str


async def relay(path: Path, workbench: Workbench) -> None:
    """Pass public lines from the socket at `path` to the pages until cancelled; reconnect when it closes.

    The process reads its own socket on purpose: it limits the workbench to a public reader's knowledge of the game.
    """
    kind = msgspec.json.Decoder(_Kind)
    while True:
        try:
            reader, writer = await asyncio.open_unix_connection(path, limit=MAX_LINE_BYTES)
            try:
                while (line := await reader.readline()).endswith(b"\n"):  # a partial line means that the socket closed
                    workbench.publish(line.rstrip(), is_state=kind.decode(line).type == "state")
            finally:
                writer.close()
        except OSError:
            pass
        await asyncio.sleep(virtual_seconds(RETRY_S))
