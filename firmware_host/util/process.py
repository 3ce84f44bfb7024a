"""A process beside the daemon: its end, priority and coroutines, and its problems in log and `systemctl status`."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any

from firmware_host.util.systemd import Notify

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

log = logging.getLogger(__name__)


def run_program(
    command: Sequence[str], timeout_s: float, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a program without input, and return its output. Raises `FileNotFoundError` and `TimeoutExpired`."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout_s,
        check=False,
        env=environment,
    )


def end_with_standard_input() -> None:
    """End this process, at the latest, when its standard input reaches its end.

    A parent holding the other end of that pipe takes its child along even when it is killed, on every system.
    """

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True, name="parent").start()


def yield_to_daemon() -> None:
    """Give this process the lowest priority, and let the kernel end it first when memory is short."""
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(20)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


async def run_until_signal(work: Coroutine[object, object, None]) -> None:
    """Run `work` until it ends or raises, or one of `ENDING` cancels it."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work)
    for number in ENDING:
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


async def serve(service: AbstractAsyncContextManager[object], notify: Notify) -> None:
    """Report to the service manager that a service has begun, and run it until cancelled."""
    async with service:
        notify.ready()
        await asyncio.Event().wait()


async def together(*works: Coroutine[Any, Any, None]) -> None:
    """Run coroutines until one raises, or all are cancelled."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        await ended(*tasks)


async def ended(*tasks: "asyncio.Task[None]") -> None:
    """Cancel tasks until they have ended: `asyncio.wait_for`, which aiomqtt uses, may lose a cancellation."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.5)


class Problems:
    """A process's problems by part, each logged once when it begins and once when it is solved.

    `on_status` is called with the status line: all open problems, or `idle`.
    """

    def __init__(self, on_status: Callable[[str], None], idle: str) -> None:
        """Start without problems; `idle` is the status then."""
        self._on_status = on_status
        self._idle = idle
        self._by_part: dict[str, str] = {}

    def __contains__(self, part: str) -> bool:
        return part in self._by_part

    def __bool__(self) -> bool:
        return bool(self._by_part)

    @property
    def parts(self) -> list[str]:
        """The parts with a problem, in alphabetical order."""
        return sorted(self._by_part)

    @property
    def idle(self) -> str:
        """The status without a problem."""
        return self._idle

    @idle.setter
    def idle(self, line: str) -> None:
        self._idle = line
        self.show()

    def add(self, part: str, text: str) -> None:
        """Note a part's problem, and log it if the part had none."""
        if part not in self._by_part:
            log.warning("%s", text)
        self._by_part[part] = text
        self.show()

    def solve(self, part: str, text: str) -> None:
        """End a part's problem, and log the end if it had one."""
        if self._by_part.pop(part, None) is not None:
            log.warning("%s", text)
            self.show()

    def show(self) -> None:
        """Show the status."""
        self._on_status("; ".join(self._by_part.values()) or self._idle)
