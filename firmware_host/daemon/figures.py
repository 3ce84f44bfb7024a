"""The figures of the house for clients of the public socket, made by a process of its own when one asks.

The page for a TV runs without access to the state folder, and the table has no time to read thousands of matches.
"""

import asyncio
import logging
import sys
from pathlib import Path

from firmware_host.public.messages import FiguresAnswer

TIMEOUT_S = 120.0
"""Seconds in which `house.sqlite` is made from tens of thousands of matches."""
MAX_BYTES = 64 * 1024
FRESH_S = 10.0
"""Seconds for which figures are not made again, however often clients ask."""

log = logging.getLogger("dudo-table")


class HouseFigures:
    """The figures of the matches in a state folder. One process at a time makes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answer = FiguresAnswer()
        self._made_s: float | None = None
        self._making: asyncio.Task[FiguresAnswer] | None = None

    async def get(self) -> FiguresAnswer:
        """Return the figures; nothing in them if they can't be had, which is logged."""
        loop = asyncio.get_running_loop()
        if self._made_s is not None and loop.time() - self._made_s < FRESH_S:
            return self._answer
        if self._making is None or self._making.done():
            self._making = loop.create_task(self._make())
        return await asyncio.shield(self._making)

    async def _make(self) -> FiguresAnswer:
        command = (sys.executable, "-m", "firmware_host.house.page", str(self._folder.absolute()))
        pipes = {"stdin": asyncio.subprocess.DEVNULL, "stdout": asyncio.subprocess.PIPE}
        try:
            process = await asyncio.create_subprocess_exec(*command, **pipes)
        except OSError as error:
            log.warning("the figures can't be made: %s", error)
            return FiguresAnswer()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                assert process.stdout is not None
                made = await process.stdout.read(MAX_BYTES + 1)
                code = await process.wait()
        except TimeoutError:
            code, made = None, b""
        finally:
            if process.returncode is None:
                process.kill()
        text = made.decode("utf-8", "replace").strip()
        if code != 0 or not text or len(made) > MAX_BYTES:
            log.warning("the figures can't be made; dudo-table stats says why")
            text = ""
        self._answer = FiguresAnswer(text or None)
        self._made_s = asyncio.get_running_loop().time()
        return self._answer
