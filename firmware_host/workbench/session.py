"""An evening with a page: the table is laid, the page served, people come or don't."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_host.play.chairs import UNVISITED_S, Chairs
from firmware_host.play.virtual_seconds import PLAYED, WATCHED, of_the_loop
from firmware_host.workbench.relay import relay
from firmware_host.workbench.server import served
from firmware_host.workbench.workbench import Workbench
from hardware.config.layout import Layout
from hardware.emulated.virtual_loop import VirtualLoop


@dataclass(frozen=True)
class Invitation:
    """Everything a page needs besides the chairs. `say` tells the terminal what is no part of the public story."""

    layout: Layout
    listening: socket.socket
    events: Path
    say: Callable[[str], None]
    speed: float | None = None
    """Asked for; if None people play at life's pace and robots alone faster."""

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}/"

    @asynccontextmanager
    async def company(self, chairs: Chairs) -> AsyncIterator[None]:
        """Serve the page for these chairs until left."""
        workbench = Workbench(self.layout, chairs)
        self._set_pace(chairs)
        chairs.listen(lambda: self._set_pace(chairs))
        try:
            async with served(workbench, self.listening):
                tasks = [asyncio.ensure_future(work) for work in (relay(self.events, workbench), self._wait(chairs))]
                try:
                    yield
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            workbench.close()

    async def _wait(self, chairs: Chairs) -> None:
        """Robots take the chairs that nobody comes to."""
        await asyncio.sleep(of_the_loop(UNVISITED_S))
        for seat in chairs.give_up_waiting():
            name = self.layout.seats[seat].name
            self.say(f"Nobody came to {name}’s chair, so a robot plays there until somebody opens the page.")

    def _set_pace(self, chairs: Chairs) -> None:
        loop = asyncio.get_running_loop()
        # A loop without a pace stays without, as tests want it.
        if isinstance(loop, VirtualLoop) and loop.speed is not None:
            loop.speed = self.speed or (PLAYED if chairs.company else WATCHED)
