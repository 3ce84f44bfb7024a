"""How daemons that are to be killed come to life: from nothing, or as a fork of a process that has loaded everything.

A fork is at the first line of `main` a third of a second earlier, and is as dead when it is dead: a thousand deaths
need not be a thousand times the same loading. `support.crash.table` starts some of them from nothing all the same.
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from support import ROOT

RUNNER = "-m", "support.crash.daemon"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}


@dataclass(frozen=True)
class Running:
    """A daemon at work; `ended` gives its exit code, a signal's as a negative number."""

    pid: int
    ended: "asyncio.Task[int]"

    def send_signal(self, number: int) -> None:
        """Unless it has ended."""
        if not self.ended.done():
            with suppress(ProcessLookupError):  # its end is known here a moment later
                os.kill(self.pid, number)


class Daemons:
    """Starts them one after the other; all write to one log."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._warm: asyncio.subprocess.Process | None = None
        self._running: list[Running] = []

    async def __aenter__(self) -> Self:
        with self._log.open("ab") as log:
            command = [sys.executable, *RUNNER]
            self._warm = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=log, env=ENVIRONMENT
            )
        await self._number()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._warm is not None
        assert self._warm.stdin is not None
        for running in self._running:  # of a test that failed: the process that forks waits for their end
            running.send_signal(signal.SIGKILL)
        self._warm.stdin.close()
        await self._warm.wait()

    async def begin(self, task: Mapping[str, Any], run: Sequence[str], *, cold: bool = False) -> Running:
        """Start one with what `support.crash.daemon` is told and the command line it runs."""
        running = await (self._cold if cold else self._forked)(task, run)
        self._running = [running, *(earlier for earlier in self._running if not earlier.ended.done())]
        return running

    async def _cold(self, task: Mapping[str, Any], run: Sequence[str]) -> Running:
        with self._log.open("ab") as log:
            command = [sys.executable, *RUNNER, json.dumps(task), *run]
            process = await asyncio.create_subprocess_exec(*command, stdout=log, stderr=log, env=ENVIRONMENT)
        return Running(process.pid, asyncio.create_task(process.wait()))

    async def _forked(self, task: Mapping[str, Any], run: Sequence[str]) -> Running:
        assert self._warm is not None
        assert self._warm.stdin is not None
        self._warm.stdin.write(json.dumps([task, *run]).encode() + b"\n")
        pid = await self._number()
        return Running(pid, asyncio.create_task(self._number()))

    async def _number(self) -> int:
        assert self._warm is not None
        assert self._warm.stdout is not None
        return int(await self._warm.stdout.readline())
