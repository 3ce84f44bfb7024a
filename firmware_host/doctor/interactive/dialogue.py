"""What happens while the doctor goes round: what hands do at the table, and what is typed. One queue for both."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from drivers.messages import Device, Found, Lost, Message

Say = Callable[[str], None]


class Typed(Struct, frozen=True):
    """A line that was typed."""

    line: str


class Ended(EOFError):
    """Nobody can type any more."""


Happening = Message | Typed


class Talk:
    """The doctor's ears and mouth. `hear` takes the drivers' messages, `type` typed lines, None at their end."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self._queue: asyncio.Queue[Happening | None] = asyncio.Queue()
        self.lost: dict[tuple[int, Device], str] = {}
        """Why a seat's device does not answer just now."""

    def hear(self, message: Message) -> None:
        """Something was done at the table."""
        match message:
            case Lost(seat, device, why):
                self.lost[seat, device] = why
            case Found(seat, device):
                self.lost.pop((seat, device), None)
            case _:
                self._queue.put_nowait(message)

    def type(self, line: str | None) -> None:
        """A line was typed, or none ever will be."""
        self._queue.put_nowait(None if line is None else Typed(line.strip()))

    def forget(self) -> None:
        """What was done before a question is no answer to it."""
        kept = [happening for happening in self._drained() if happening is None]
        for happening in kept:
            self._queue.put_nowait(happening)

    async def next(self, within_s: float) -> Happening | None:
        """What happens next; None if nothing does in time. Raises `Ended`."""
        try:
            happening = await asyncio.wait_for(self._queue.get(), within_s)
        except TimeoutError:
            return None
        if happening is None:
            self._queue.put_nowait(None)
            raise Ended
        return happening

    async def answer(self, question: str) -> str:
        """The next line that is typed; what hands do meanwhile is passed over. Raises `Ended`."""
        self.forget()
        self.say(question)
        while True:
            happening = await self.next(FOR_EVER_S)
            if isinstance(happening, Typed):
                return happening.line

    def _drained(self) -> list[Happening | None]:
        drained = []
        while not self._queue.empty():
            drained.append(self._queue.get_nowait())
        return drained


FOR_EVER_S = 86_400.0
