"""One serial port: opened, opened again when it was lost, and shared by the cups behind it.

A cup or seat board on a cable of its own is alone on its line and has address 0; the cups behind a radio dongle have
addresses 1 to 255. What is said is the links' business (`drivers.link.session`); the line carries it in frames.
"""

import asyncio
import errno
import select
import termios
from collections.abc import Callable
from typing import Protocol

from drivers.link.prompt import RESTART, Prompt
from drivers.timing import Patience, next_beat_s
from hardware.link import messages as link
from hardware.link.framing import Parser, frame

RETRY_EVERY_S = 0.5
"""How often a port that is not there is looked for; a look is cheap."""

AT_ONCE_BYTES = 1024
"""What is heard of one line before the others have their turn: one that talks on must not keep dice on show."""

LONGEST_BACKLOG = 8192
"""Bytes that may wait for a far end that does not read; far more than one picture and all else that is on its way."""

NOISE_BYTES = 32
"""So many bytes that are in no frame count as much as one frame for somebody who isn't there."""

MOST_NOISE, NOISE_A_SECOND = 2000, 1000

FAILURES = (OSError, termios.error)
"""What a pyserial port raises when its far end is gone; SerialException is an OSError, termios.error is not."""

_PULLED = (None, errno.EIO, errno.ENXIO, errno.ENODEV)  # None: pyserial's own words, for a read of nothing


class Port(Protocol):
    """The part of pyserial's `Serial`, opened with `timeout=0, write_timeout=0`, that the link uses."""

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""

    def fileno(self) -> int:
        """The descriptor that becomes readable and writable."""

    def read(self, size: int = ..., /) -> bytes:
        """Return up to `size` bytes without waiting."""

    def write(self, data: bytes, /) -> int | None:
        """Write without waiting; return how many bytes went."""

    def close(self) -> None:
        """Give the port back."""


class End(Protocol):
    """Who talks over a line with one address."""

    def line_opened(self) -> None:
        """The port is open."""

    def line_lost(self, why: str, is_strange: bool) -> None:
        """There is no port, and `line_opened` comes when there is; `why` goes on after "the cup".

        It is strange when more is wrong than that somebody pulled the cable.
        """

    def line_noisy(self) -> None:
        """So much comes over the line that is in no frame that nobody can use it."""

    def hear(self, message: link.LinkMessage | None) -> None:
        """A frame has come: a message of a kind that is known, or None."""

    def failed(self, error: Exception) -> None:
        """It raised this at what it was told. The line and who else talks over it go on."""


class SerialLine:
    """A port and who talks over it, owned by the loop's thread.

    `open_port` returns an open `Port` or raises OSError. The port is open while somebody wants it.
    """

    def __init__(self, open_port: Callable[[], Port], *, loop: asyncio.AbstractEventLoop) -> None:
        self._open_port = open_port
        self._loop = loop
        self._ends: dict[int, End] = {}
        self._wanting: set[int] = set()
        self._port: Port | None = None
        self._descriptor = -1
        self._parser = Parser()
        self.prompt = Prompt()
        self._has_spoken = False
        self._strays: set[int] = set()
        self._patience = Patience(MOST_NOISE, NOISE_A_SECOND)
        self._outgoing = bytearray()
        self._timer: asyncio.Handle | None = None

    def __repr__(self) -> str:
        state = "open" if self._port is not None else "closed" if self._timer is None else "looked for"
        return f"<SerialLine with {', '.join(map(str, sorted(self._ends))) or 'nobody'}: {state}>"

    @property
    def has_spoken(self) -> bool:
        """Whether anything has come since the port was opened."""
        return self._has_spoken

    @property
    def strays(self) -> frozenset[int]:
        """The addresses of which nobody here knows and from which frames have come since then."""
        return frozenset(self._strays)

    def join(self, address: int, end: End) -> None:
        """Let somebody talk to the cup at an address; he says when he wants the port. ValueError when it is taken."""
        if address in self._ends:
            raise ValueError(f"somebody talks to address {address} already")
        self._ends[address] = end

    def want(self, address: int) -> None:
        """Have the port open; `line_opened` is told at once where it is."""
        self._wanting.add(address)
        if self._port is not None:
            self._hand(self._ends[address], lambda end: end.line_opened())
        elif self._timer is None:
            self._timer = self._loop.call_soon(self._open)

    def rest(self, address: int) -> None:
        """Do without the port for a while; it is closed when nobody else wants it."""
        self._wanting.discard(address)
        if not self._wanting:
            self._close()

    def close(self) -> None:
        """Give the port back for good, whoever wants it."""
        self._wanting.clear()
        self._close()

    def leave(self, address: int) -> None:
        """Never come back. What was said last is written if the far end takes it."""
        try:
            self._write_now()
            self.rest(address)
        finally:
            self._wanting.discard(address)
            self._ends.pop(address, None)

    def send(self, address: int, message: link.LinkMessage) -> None:
        """Say something to the cup at an address; without an open port nobody hears it."""
        if self._port is None:
            return
        if len(self._outgoing) > LONGEST_BACKLOG:
            self._lose("does not read what it is sent")
            return
        if not self._outgoing:
            self._outgoing += b"\0"  # what was cut on its way before must not take this with it
        self._outgoing += frame(link.to_body(address, message))
        self._loop.add_writer(self._descriptor, self._writable)

    def restart_program(self) -> None:
        """Have a board that sits at MicroPython's prompt start its program."""
        if self._port is not None:
            self.prompt.clear()
            self._outgoing += RESTART
            self._loop.add_writer(self._descriptor, self._writable)

    def _open(self) -> None:
        self._timer = None
        try:
            port = self._open_port()
            self._descriptor = port.fileno()
        except FAILURES as error:
            self._lose(*_absence(error))
            return
        self._port = port
        self._parser = Parser()
        self.prompt.clear()
        self._has_spoken = False
        self._strays.clear()
        self._patience.recover()
        self._outgoing.clear()
        self._loop.add_reader(self._descriptor, self._readable)
        self._tell(lambda end: end.line_opened())

    def _lose(self, why: str, is_strange: bool = False) -> None:
        """Close the port, say why, and look for it again."""
        self._close()
        self._timer = self._loop.call_at(next_beat_s(self._loop.time(), RETRY_EVERY_S), self._open)
        self._tell(lambda end: end.line_lost(why, is_strange))

    def _close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        port, self._port = self._port, None
        if port is None:
            return
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        try:
            port.close()
        except FAILURES:
            return  # it is gone all the same

    def _tell(self, news: Callable[[End], None]) -> None:
        for address in sorted(self._wanting):
            if address in self._wanting:  # still, after what the others did about it
                self._hand(self._ends[address], news)

    def _hand(self, end: End, news: Callable[[End], None]) -> None:
        try:
            news(end)
        except Exception as error:
            end.failed(error)

    def _readable(self) -> None:
        port, parser = self._port, self._parser
        if port is None:
            return
        wasted = parser.wasted
        try:
            chunk = port.read(max(1, min(port.in_waiting, AT_ONCE_BYTES)))
        except FAILURES as error:
            self._lose(_parting(error))
            return
        self._has_spoken = self._has_spoken or bool(chunk.strip(b"\0"))
        self.prompt.feed(chunk)
        for body in parser.feed(chunk):
            if self._port is port:
                self._hear(body)
        if self._port is port:
            self._bear((parser.wasted - wasted) / NOISE_BYTES)

    def _hear(self, body: bytes) -> None:
        self.prompt.clear()
        end = self._ends.get(body[0]) if body else None
        if end is None:
            self._strays.update(body[:1])
            self._bear(1)
            return
        try:
            _, message = link.from_body(body)
        except link.MessageError:
            message = None  # a sound frame with nonsense in it: the cup repeats what matters
        self._hand(end, lambda end: end.hear(message))

    def _bear(self, cost: float) -> None:
        if cost and not self._patience.bears(cost, self._loop.time()):
            self._tell(lambda end: end.line_noisy())

    def _writable(self) -> None:
        # Only when the descriptor says so: pyserial spins in a write that cannot go on.
        if self._port is None:
            return
        try:
            written = self._port.write(bytes(self._outgoing))
        except FAILURES as error:
            self._lose(_parting(error))
            return
        del self._outgoing[: written or 0]
        if not self._outgoing:
            self._loop.remove_writer(self._descriptor)

    def _write_now(self) -> None:
        if self._port is not None and self._outgoing and select.select([], [self._descriptor], [], 0)[1]:
            self._writable()


def _parting(error: BaseException) -> str:
    """Why an open port is gone. What the system calls a pulled cable, an input/output error, tells nobody more."""
    cause = _cause(error)
    return "was unplugged" if _number(cause) in _PULLED else f"was unplugged: {_reason(cause)}"


def _absence(error: BaseException) -> tuple[str, bool]:
    """Why a port can't be opened, and whether that is strange. Just after it was plugged in it isn't allowed."""
    if isinstance(error, FileNotFoundError):
        return f"is not there: {_reason(error)}", False
    if _number(error) == errno.ENOTUNIQ:
        return f"can't be told from another: {_reason(error)}", True
    return f"can't be opened: {_reason(error)}", not isinstance(error, PermissionError)


def _cause(error: BaseException) -> BaseException:
    """What pyserial has wrapped into an exception of its own, or the error itself."""
    within = error.__cause__ or error.__context__
    return within if isinstance(within, FAILURES) else error


def _number(error: BaseException) -> int | None:
    """The system's number of an error; termios.error keeps it among its arguments alone."""
    number = error.errno if isinstance(error, OSError) else error.args[0] if error.args else None
    return number if isinstance(number, int) else None


def _reason(error: BaseException) -> str:
    if isinstance(error, termios.error) and len(error.args) > 1:
        return str(error.args[1])
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
