"""The processes of a daemon at a taped session: what `ps` shows of each, and what the one of the robots is asked.

What they do is done here and now, since virtual time waits for no process.
"""

import asyncio
import sys
from asyncio.selector_events import _SelectorSocketTransport  # type: ignore[attr-defined]
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import View
from firmware_host.daemon.answers import VERDICT
from firmware_host.daemon.robots import opponents
from firmware_host.store.house.page import made as figures_made
from firmware_host.store.scores.record_verdict import told

Record = Callable[[str, object], None]


def tap_processes(patch: pytest.MonkeyPatch, record: Record, without_folder: Callable[[str], str]) -> None:
    """Record how each process begins, and do its work: that of the figures, or of the verdict on a record."""

    async def begin(*command: str, **options: Any) -> _Process:
        record("process", [without_folder(part) for part in command] + [sorted(map(str, options.items()))])
        return _Process(told if VERDICT.module in command else lambda _: figures_made(Path(command[-1])))

    patch.setattr(asyncio, "create_subprocess_exec", begin)


def tap_opponents(patch: pytest.MonkeyPatch, record: Record) -> None:
    """Let the opponents of robots decide, and record the level and the seed of each decision."""

    def ask(asked: opponents.Opponents, name: str, view: View, seed: int) -> opponents.Decision:
        record("robot", (name, view.seat, seed))
        action, belief, problem = opponents._decision(name, view, seed)
        if problem is not None:
            raise opponents.FaultyOpponentError(problem)
        return action, belief

    patch.setattr(opponents.Opponents, "_ask", ask)


def tap_writes(patch: pytest.MonkeyPatch, record: Record) -> None:
    """Record how what a socket of the daemon sends is cut into writes."""
    write, write_lines = _SelectorSocketTransport.write, _SelectorSocketTransport.writelines

    def note(transport: Any, lengths: Sequence[int]) -> None:
        name = transport.get_extra_info("sockname")
        if isinstance(name, str) and name:  # that of a client has none
            record("write", (Path(name).name, lengths))

    def written(transport: Any, data: bytes) -> None:
        note(transport, [len(data)])
        write(transport, data)

    def lines_written(transport: Any, lines: Sequence[bytes]) -> None:
        lines = [*lines]
        note(transport, [len(line) for line in lines])
        write_lines(transport, lines)

    patch.setattr(_SelectorSocketTransport, "write", written)
    patch.setattr(_SelectorSocketTransport, "writelines", lines_written)


class _Process:
    """A process that prints a line for the text that it is given."""

    returncode = 0

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.stdin = self
        self.stdout = asyncio.StreamReader(limit=1 << 20)
        self._answer = answer
        self._text = b""

    def write(self, data: bytes) -> None:
        """Take a part of the text."""
        self._text += data

    def close(self) -> None:
        """Print the line. How much the process does for that is no work of a thread of the daemon."""
        traced = sys.gettrace()
        sys.settrace(None)
        try:
            self.stdout.feed_data(self._answer(self._text.decode()).encode() + b"\n")
        finally:
            sys.settrace(traced)
        self.stdout.feed_eof()

    async def wait(self) -> int:
        """Return the exit code."""
        return self.returncode
