"""The interactive test's inputs in one queue: actions at the table, and typed lines."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from drivers.messages import Device, Found, Lost, Message

Say = Callable[[str], None]

NO_TIMEOUT_S = 86_400.0
"""Seconds; a day exceeds any answer time."""


class TypedLine(Struct, frozen=True):
    """A typed line."""

    line: str


class EndOfInput(EOFError):
    """The terminal is closed."""


Input = Message | TypedLine


class Dialogue:
    """The questions and the inputs. `on_message` takes the drivers' messages, `on_line` typed lines."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self._queue: asyncio.Queue[Input | None] = asyncio.Queue()
        self.lost: dict[tuple[int, Device], str] = {}
        """By seat and device, the reason why it does not answer now."""

    def on_message(self, message: Message) -> None:
        """Queue a driver's message, or note a lost or found device."""
        match message:
            case Lost(seat, device, why):
                self.lost[seat, device] = why
            case Found(seat, device):
                self.lost.pop((seat, device), None)
            case _:
                self._queue.put_nowait(message)

    def on_line(self, line: str | None) -> None:
        """Queue a typed line; None ends the input."""
        self._queue.put_nowait(None if line is None else TypedLine(line.strip()))

    def discard(self) -> None:
        """Discard the inputs so far: actions before a question do not answer it."""
        kept = [received for received in self._drained() if received is None]
        for received in kept:
            self._queue.put_nowait(received)

    async def next(self, timeout_s: float) -> Input | None:
        """Return the next input, or None after the timeout. Raises `EndOfInput`."""
        try:
            received = await asyncio.wait_for(self._queue.get(), timeout_s)
        except TimeoutError:
            return None
        if received is None:
            self._queue.put_nowait(None)
            raise EndOfInput
        return received

    async def answer(self, question: str) -> str:
        """Return the next typed line, skipping other inputs. Raises `EndOfInput`."""
        self.discard()
        self.say(question)
        while True:
            received = await self.next(NO_TIMEOUT_S)
            if isinstance(received, TypedLine):
                return received.line

    def _drained(self) -> list[Input | None]:
        drained = []
        while not self._queue.empty():
            drained.append(self._queue.get_nowait())
        return drained
