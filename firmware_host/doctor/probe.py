"""One short conversation with a cup or board: who are you, and does your panel answer? Nothing is acknowledged.

A board's panel is asked by a dark picture: nobody plays at this table now, so nothing is on it that is missed.
"""

import errno
import select
import time
from collections.abc import Callable, Sequence
from contextlib import closing

from msgspec import Struct

from drivers.link.port import FAILURES, Port, Prompt
from firmware_host.host_io.sync_link import black, framed, is_taken, read, write
from hardware.link import messages as link
from hardware.link.framing import Parser

AGAIN_S = 0.3
NUMBER = 0xFFFE
"""Of the picture; a daemon counts from 1."""


class Answer(Struct, frozen=True):
    """What was heard: a hello, or `why` there was none. `is_lit` is whether a board's panel took a picture."""

    hello: link.Hello | None = None
    why: str = ""
    number: int | None = None
    """The system's number of what went wrong."""
    has_spoken: bool = False
    prompt_fault: str | None = None
    """What is wrong with a board that sits at MicroPython's prompt."""
    is_lit: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether somebody else has the port open."""
        return self.number in (errno.EAGAIN, errno.EBUSY)


def ask(open_port: Callable[[], Port], addresses: Sequence[int], until_s: float) -> dict[int, Answer]:
    """Ask whoever is behind a port at these addresses, until all have answered or the time is up."""
    try:
        with closing(open_port()) as port:
            talk = _Talk(port, addresses)
            talk.go_on(until_s)
            return talk.answers()
    except FAILURES as error:
        number = getattr(error, "errno", None)
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return dict.fromkeys(addresses, Answer(why=why, number=number))


class _Talk:
    """What is said over one open port."""

    def __init__(self, port: Port, addresses: Sequence[int]) -> None:
        self._port = port
        self._addresses = addresses
        self._ears = Parser()
        self._hellos: dict[int, link.Hello] = {}
        self._lit: dict[int, bool] = {}
        self._prompt = Prompt()
        self._has_spoken = False

    def go_on(self, until_s: float) -> None:
        """Say again what was not answered, until all is."""
        while time.monotonic() < until_s and (wanted := self._wanted()):
            write(self._port, b"\0" + b"".join(wanted), until_s)
            again_s = min(time.monotonic() + AGAIN_S, until_s)
            while (rest_s := again_s - time.monotonic()) > 0 and self._wanted() == wanted:
                if select.select([self._port.fileno()], [], [], rest_s)[0]:
                    self._listen()

    def answers(self) -> dict[int, Answer]:
        """What was heard, by address."""
        return {
            address: Answer(
                self._hellos.get(address),
                has_spoken=self._has_spoken,
                prompt_fault=self._prompt.fault,
                is_lit=self._lit.get(address, False),
            )
            for address in self._addresses
        }

    def _wanted(self) -> list[bytes]:
        """What is still to be said."""
        said = ((address, self._next(address)) for address in self._addresses)
        return [framed(message, address) for address, message in said if message is not None]

    def _next(self, address: int) -> link.LinkMessage | None:
        hello = self._hellos.get(address)
        if hello is None:
            return link.Ask()
        has_panel = hello.version == link.VERSION and hello.fitted & link.PANEL
        return black(NUMBER) if has_panel and not self._lit.get(address) else None

    def _listen(self) -> None:
        chunk = self._port.read(max(1, self._port.in_waiting))
        self._has_spoken = self._has_spoken or bool(chunk.strip(b"\0"))
        self._prompt.feed(chunk)
        for body in self._ears.feed(chunk):
            address, message = read(body)
            if isinstance(message, link.Hello):
                self._hellos[address] = message
            elif isinstance(message, link.PictureAck) and is_taken(message, NUMBER):
                self._lit[address] = bool(message.lit)
