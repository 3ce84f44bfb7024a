"""Answers to public socket clients, each made by a project module in a process of its own: figures and verdicts.

The TV's page runs without access to the state folder, and a guest's phone checks dice alone. The table itself has no
time to read thousands of matches, or to verify one.
"""

import asyncio
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware_host.wire import FiguresAnswer, RecordAnswer, VerdictAnswer


class SideProgram(NamedTuple):
    """A module that prints one line of at most `max_bytes` within `timeout_s`; `command` tells more about failures."""

    module: str
    command: str
    timeout_s: float
    max_bytes: int


FIGURES = SideProgram("firmware_host.store.house.page", "dudo-table stats", timeout_s=120.0, max_bytes=48 * 1024)
"""Makes `house.sqlite` from tens of thousands of matches; twelve players take about 6,000 bytes."""
VERDICT = SideProgram(
    "firmware_host.store.scores.record_verdict", "dudo-table verify", timeout_s=60.0, max_bytes=24 * 1024
)
"""Checks the longest record on a slow computer; eight players take about 2,000 bytes."""
FRESH_S = 30.0
"""Seconds for reusing figures, however often clients ask."""

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
        text = await _answer("the figures of the house can't be made", FIGURES, str(self._folder.absolute()))
        self._answer = FiguresAnswer(text)
        self._made_s = asyncio.get_running_loop().time()
        return self._answer


class LastVerdict:
    """The verdict from `dudo-table verify` on the last won match, made once for each record."""

    def __init__(self, record: Callable[[], RecordAnswer]) -> None:
        self._record = record
        self._making: tuple[RecordAnswer, asyncio.Task[str | None]] | None = None

    async def get(self) -> VerdictAnswer:
        """Return the verdict; without text if there is no record or after a logged failure."""
        record = self._record()
        if not record.match or not record.text:
            return VerdictAnswer(record.match)
        if self._making is None or self._making[0] != record:
            making = _answer(f"match {record.match} can't be verified", VERDICT, text=record.text)
            self._making = record, asyncio.get_running_loop().create_task(making)
        return VerdictAnswer(record.match, await asyncio.shield(self._making[1]))


async def _answer(problem: str, program: SideProgram, *arguments: str, text: str = "") -> str | None:
    """Return a program's line, None after logging a failure as `problem`."""
    try:
        return await printed(program, *arguments, text=text)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        log.warning("%s: %s; %s says more", problem, error or "no answer", program.command)
        return None


async def printed(program: SideProgram, *arguments: str, text: str = "") -> str:
    """Return a program's line of output for `text` on its standard input.

    Raises `OSError`, including on a timeout, or `ValueError` for too many bytes or a failure.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        program.module,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=program.max_bytes,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(program.timeout_s):
            process.stdin.write(text.encode())
            process.stdin.close()
            try:
                line = await process.stdout.readline()  # raises ValueError past the limit
            except ValueError:
                raise ValueError(f"its process prints more than {program.max_bytes} bytes") from None
            code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
        while await process.stdout.read(program.max_bytes):  # asyncio closes a process when its pipe is at its end
            pass
        await process.wait()
    if code != 0:
        raise ValueError(f"its process ended with {code}")
    return line.decode().strip()
