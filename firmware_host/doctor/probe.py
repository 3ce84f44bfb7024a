"""One short exchange with a cup or seat board, for its identity and whether its display answers.

Events stay unacknowledged. A seat board's display is probed with a black picture. That disturbs no match: the doctor
probes only while no table runs.
"""

import errno
import select
import time
from collections.abc import Callable, Sequence
from contextlib import closing

from msgspec import Struct

from drivers.link.port import FAILURES, Port, Prompt
from firmware_host.devices.host_io.sync_link import acknowledges, black_picture, decode, encode, write_all
from hardware.link import messages as link
from hardware.link.framing import FrameParser

RETRY_S = 0.3
"""Seconds to wait for an answer before asking again."""
LEASE_MS = 500
"""Lease of its pings, which a cup without a display ignores."""
PICTURE_NUMBER = 0xFFFE
"""Number of the black picture; a daemon counts from 1."""


class Answer(Struct, frozen=True):
    """A device's answer: its hello, or `why` it is missing. `is_lit` is whether its display took a picture."""

    hello: link.Hello | None = None
    why: str = ""
    number: int | None = None
    """An unusable port's errno."""
    has_spoken: bool = False
    prompt_fault: str | None = None
    """The fault of a board at MicroPython's prompt."""
    is_lit: bool = False
    running: link.Running | None = None
    """Its program; None without a report."""

    @property
    def is_busy(self) -> bool:
        """Whether another program uses the port."""
        return self.number in (errno.EAGAIN, errno.EBUSY)


def probe(open_port: Callable[[], Port], addresses: Sequence[int], until_s: float) -> dict[int, Answer]:
    """Ask the devices at these addresses behind a port until all have answered, or until `until_s`."""
    try:
        with closing(open_port()) as port:
            exchange = _Exchange(port, addresses)
            exchange.run(until_s)
            return exchange.answers()
    except FAILURES as error:
        number = getattr(error, "errno", None)
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return dict.fromkeys(addresses, Answer(why=why, number=number))


class _Exchange:
    """The requests and answers over one open port."""

    def __init__(self, port: Port, addresses: Sequence[int]) -> None:
        self._port = port
        self._addresses = addresses
        self._parser = FrameParser()
        self._hellos: dict[int, link.Hello] = {}
        self._lit: dict[int, bool] = {}
        self._running: dict[int, link.Running] = {}
        self._has_answered: set[int] = set()
        self._prompt = Prompt()
        self._has_spoken = False

    def run(self, until_s: float) -> None:
        """Repeat unanswered requests until all are answered or the time is up."""
        while time.monotonic() < until_s and (requests := self._requests()):
            write_all(self._port, b"\0" + b"".join(requests), until_s)
            retry_at_s = min(time.monotonic() + RETRY_S, until_s)
            while (rest_s := retry_at_s - time.monotonic()) > 0 and self._requests() == requests:
                if select.select([self._port.fileno()], [], [], rest_s)[0]:
                    self._receive()

    def answers(self) -> dict[int, Answer]:
        """Return the answers by address."""
        return {
            address: Answer(
                self._hellos.get(address),
                has_spoken=self._has_spoken,
                prompt_fault=self._prompt.fault,
                is_lit=self._lit.get(address, False),
                running=self._running.get(address),
            )
            for address in self._addresses
        }

    def _requests(self) -> list[bytes]:
        """Return the unanswered requests."""
        requests = ((address, self._request(address)) for address in self._addresses)
        return [encode(message, address) for address, message in requests if message is not None]

    def _request(self, address: int) -> link.LinkMessage | None:
        hello = self._hellos.get(address)
        if hello is None:
            return link.Ask()
        if hello.version != link.VERSION:
            return None
        if hello.fitted & link.PANEL:
            return None if self._lit.get(address) else black_picture(PICTURE_NUMBER)
        return None if address in self._has_answered else link.Ping(1, LEASE_MS)  # its Running comes before the Pong

    def _receive(self) -> None:
        chunk = self._port.read(max(1, self._port.in_waiting))
        self._has_spoken = self._has_spoken or bool(chunk.strip(b"\0"))
        self._prompt.feed(chunk)
        for body in self._parser.feed(chunk):
            address, message = decode(body)
            match message:
                case link.Hello():
                    self._hellos[address] = message
                case link.Running():
                    self._running[address] = message
                case link.Pong():
                    self._has_answered.add(address)
                case link.PictureAck() if acknowledges(message, PICTURE_NUMBER):
                    self._lit[address] = bool(message.lit)
