"""Where the daemon's output ends in `taped_sessions`: timers, service manager, terminal, files, socket."""

import asyncio
import io
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from firmware_host.util.systemd import Notify
from hardware.emulated.virtual_loop import Ready, VirtualLoop

_SOON_S = 5.0
LOOK_INTERVAL_S = 0.01
"""Seconds between two looks at the files of the state folder."""


class TapedLoop(VirtualLoop):
    """A loop that says for when each timer is set, and looks at the files while all threads rest."""

    def __init__(self, timed: Callable[[float], None], look: Callable[[], None]) -> None:
        self._timed = timed
        self._look = look
        self._looked_s = 0.0
        super().__init__(patience_s=10.0)

    def _idle(self, timeout_s: float | None) -> Ready:
        if self._running is None and self.time() - self._looked_s >= LOOK_INTERVAL_S:
            self._looked_s = self.time()
            self._look()
        return super()._idle(timeout_s)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, **more: Any
    ) -> asyncio.TimerHandle:
        self._timed(when)
        return super().call_at(when, callback, *args, **more)


class Service(Notify):
    """What the service manager is told."""

    def __init__(self, record: Callable[[object], None]) -> None:
        super().__init__({})
        self.watchdog_s = 3.0
        self.is_ready = False
        self._record = record

    def _send(self, lines: str) -> bool:
        self.is_ready = self.is_ready or lines == "READY=1"
        self._record(re.sub(r"(?<=MONOTONIC_USEC=)\d+", _as_now, lines))
        return True


def _as_now(usec: re.Match[str]) -> str:
    """Return a moment of the real clock without what differs between any two rounds."""
    return "now" if abs(time.monotonic() - int(usec[0]) / 1e6) < _SOON_S else usec[0]


class Terminal(io.TextIOBase):
    """What the daemon would write on the terminal that it was started in, besides its log."""

    def __init__(self, record: Callable[[object], None]) -> None:
        self._record = record

    def write(self, text: str) -> int:
        self._record(text)
        return len(text)


class Nobody:
    """A robot whose chair is always somebody's."""

    async def run(self) -> None:
        raise AssertionError("nobody gives up a chair")


def read_by_others(file: Path) -> tuple[object, ...]:
    """Return the facts of a file for another account: its content, if that is readable."""
    about = file.stat()
    may_be_read = file.is_file() and about.st_mode & 0o077
    return file.name, about.st_size, oct(about.st_mode), file.read_bytes() if may_be_read else b""


async def answer(path: Path) -> list[bytes]:
    """Return the table's answer to a reader who has missed everything."""
    lines, writer = await asyncio.open_unix_connection(path)
    writer.write(b'{"since":0}\n')
    answered = [await lines.readline()]
    while answered[-1] and not re.search(rb'^ *{"type":"state".*"since":\d', answered[-1]):
        answered.append(await lines.readline())
    writer.close()
    await writer.wait_closed()
    return answered


async def requested(what: str, path: Path) -> bytes:
    """Return the table's answer to a guest's request for the record, or for the match statistics."""
    lines, writer = await asyncio.open_unix_connection(path)
    writer.write(f'{{"{what}":true}}\n'.encode())
    while not (line := await lines.readline()).startswith(f'{{"type":"{what}"'.encode()):
        pass
    writer.close()
    await writer.wait_closed()
    return line


@asynccontextmanager
async def reader(path: Path) -> AsyncIterator[asyncio.StreamReader]:
    lines, writer = await asyncio.open_unix_connection(path)
    try:
        yield lines
    finally:
        writer.close()
        await writer.wait_closed()
