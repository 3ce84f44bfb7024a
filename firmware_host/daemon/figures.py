"""House figures for public socket clients, made by a separate process on request.

The TV's page runs without access to the state folder, and the table has no time to read thousands of matches.
"""

import asyncio
import logging
from pathlib import Path

from firmware_host.daemon.side_process import printed
from firmware_host.public.messages import FiguresAnswer

TIMEOUT_S = 120.0
"""Seconds for making `house.sqlite` from tens of thousands of matches."""
MAX_BYTES = 48 * 1024
"""Bytes of figures sent at most; twelve players take about 6,000."""
FRESH_S = 30.0
"""Seconds for reusing figures, however often clients ask."""
MODULE = "firmware_host.store.house.page"

log = logging.getLogger("dudo-table")


class HouseFigures:
    """Figures from the matches in a state folder. One process at a time makes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answer = FiguresAnswer()
        self._made_s: float | None = None
        self._making: asyncio.Task[FiguresAnswer] | None = None

    async def get(self) -> FiguresAnswer:
        """Return the figures; empty after a logged failure."""
        loop = asyncio.get_running_loop()
        if self._made_s is not None and loop.time() - self._made_s < FRESH_S:
            return self._answer
        if self._making is None or self._making.done():
            self._making = loop.create_task(self._make())
        return await asyncio.shield(self._making)

    async def _make(self) -> FiguresAnswer:
        try:
            text = await _printed(self._folder)
        except (OSError, ValueError) as error:  # a timeout is an OSError
            log.warning("the figures of the house can't be made: %s; dudo-table stats says more", error or "no answer")
            text = None
        self._answer = FiguresAnswer(text)
        self._made_s = asyncio.get_running_loop().time()
        return self._answer


async def _printed(folder: Path) -> str:
    return await printed(MODULE, str(folder.absolute()), timeout_s=TIMEOUT_S, max_bytes=MAX_BYTES)
