"""One serial port: opened, reopened after a loss, and shared by the devices behind it.
A cup or seat board on its own cable has address 0; cups behind a radio dongle have addresses 1 to 255. The port carries
frames; `drivers.link.session` decides which. `Prompt` recognises a board at MicroPython's prompt instead of in its
program. Three things leave a Pico there: a byte 0x03 that arrives just before the program starts to treat it as an
ordinary byte, a failing program, and a grounded service pin.
"""

import asyncio
import errno
import re
import select
import termios
from collections.abc import Callable
from typing import Protocol

from drivers.timing import RateLimiter, align_up
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame

RETRY_S = 0.5
"""Seconds between attempts to open a missing port."""
MAX_READ_BYTES = 1024
"""Bytes in one read: an endless sender must not keep the loop from hiding another seat's dice."""
MAX_BACKLOG_BYTES = 8192
"""Maximum number of bytes waiting for a device that does not read; far more than all data in flight."""
NOISE_UNIT_BYTES = 32
"""Bytes outside of frames charged like one frame to an unknown address."""
MAX_NOISE, NOISE_PER_S = 2000, 1000

FAILURES = (OSError, termios.error)
"""Exceptions from a pyserial port without its device; SerialException is an OSError, termios.error is not."""

_UNPLUGGED = (None, errno.EIO, errno.ENXIO, errno.ENODEV)  # None: pyserial's own exception for a read of nothing

RESTART = b"\x03\x02\x03\x04"
"""Bytes to clear the line, leave the raw prompt, clear the line again and restart the program by a soft reset."""

_MARKS = (b">>> ", b"raw REPL; CTRL-B")
_ERROR = re.compile(rb"\n([A-Z]\w{0,40}(?:Error|Exception|Interrupt)(?::[\x20-\x7e]{0,120})?)")
_KEPT_BYTES = 1024


class Port(Protocol):
    """The part of pyserial's `Serial`, opened with `timeout=0, write_timeout=0`, used by the link."""

    @property
    def in_waiting(self) -> int:
        """Number of bytes ready to read."""

    def fileno(self) -> int:
        """Return the descriptor to watch for reading and writing."""

    def read(self, size: int = ..., /) -> bytes:
        """Return up to `size` bytes without waiting."""

    def write(self, data: bytes, /) -> int | None:
        """Write without waiting; return the number of bytes written."""

    def close(self) -> None:
        """Release the port."""


class LinkEndpoint(Protocol):
    """A port's user for one address: a link session."""

    def on_open(self) -> None:
        """React to the port's opening."""

    def on_lost(self, why: str, is_strange: bool) -> None:
        """React to the port's loss. `on_open` is called when it is back; `why` continues "the cup".
        `is_strange` means more than a pulled cable.
        """

    def on_noise(self) -> None:
        """React to a port with too much noise to be used."""

    def handle(self, message: link.LinkMessage | None) -> None:
        """Handle a frame: its message, or None for an unknown kind."""

    def on_error(self, error: Exception) -> None:
        """Handle this endpoint's own exception; the port and its other endpoints go on."""


class Prompt:
    """The line's text since its last valid frame."""

    def __init__(self) -> None:
        self._text = b""

    def __repr__(self) -> str:
        return f"<Prompt {'seen' if self.is_seen else 'not seen'}>"

    def feed(self, chunk: bytes) -> None:
        """Add the line's next bytes."""
        self._text = (self._text + chunk)[-_KEPT_BYTES:]

    def clear(self) -> None:
        """Forget the text: a frame has come, or the board was told to start its program."""
        self._text = b""

    @property
    def is_seen(self) -> bool:
        """Whether the board sits at the prompt."""
        return any(mark in self._text for mark in _MARKS)

    @property
    def error(self) -> str | None:
        """MicroPython's last printed error, printable and at most 160 characters long."""
        found = _ERROR.findall(self._text)
        return found[-1].decode().rstrip(": ") if found else None

    @property
    def fault(self) -> str | None:
        """A sentence about the board, to continue "the board"; None without a prompt."""
        if not self.is_seen:
            return None
        at_prompt = "sits at MicroPython's prompt: its program"
        return f"{at_prompt} failed with {self.error}" if self.error else f"{at_prompt} does not start"


class SerialPort:
    """A port and its endpoints, owned by the loop's thread.
    `open_port` returns an open `Port` or raises OSError. The port is open while an endpoint has acquired it.
    """

    def __init__(self, open_port: Callable[[], Port], *, loop: asyncio.AbstractEventLoop) -> None:
        self._open_port = open_port
        self._loop = loop
        self._ends: dict[int, LinkEndpoint] = {}
        self._acquired: set[int] = set()
        self._port: Port | None = None
        self._descriptor = -1
        self._parser = FrameParser()
        self.prompt = Prompt()
        self._has_received = False
        self._unknown_addresses: set[int] = set()
        self._noise = RateLimiter(MAX_NOISE, NOISE_PER_S)
        self._outgoing = bytearray()
        self._timer: asyncio.Handle | None = None

    def __repr__(self) -> str:
        state = "open" if self._port is not None else "closed" if self._timer is None else "looked for"
        return f"<SerialPort with {', '.join(map(str, sorted(self._ends))) or 'nobody'}: {state}>"

    @property
    def has_received(self) -> bool:
        """Whether any bytes arrived since the port was opened."""
        return self._has_received

    @property
    def unknown_addresses(self) -> frozenset[int]:
        """Addresses without an endpoint that sent frames since the port was opened."""
        return frozenset(self._unknown_addresses)

    def register(self, address: int, end: LinkEndpoint) -> None:
        """Add an endpoint, which must `acquire` the port to use it. Raises ValueError if the address has one."""
        if address in self._ends:
            raise ValueError(f"somebody talks to address {address} already")
        self._ends[address] = end

    def acquire(self, address: int) -> None:
        """Request an open port; `on_open` is called at once if it is open already."""
        self._acquired.add(address)
        if self._port is not None:
            self._notify(self._ends[address], lambda end: end.on_open())
        elif self._timer is None:
            self._timer = self._loop.call_soon(self._open)

    def release(self, address: int) -> None:
        """Do without the port for a while; it is closed when no endpoint has acquired it."""
        self._acquired.discard(address)
        if not self._acquired:
            self._close()

    def close(self) -> None:
        """Close the port for good, even if it is acquired."""
        self._acquired.clear()
        self._close()

    def unregister(self, address: int) -> None:
        """Remove an endpoint. Its last messages are written if the device takes them at once."""
        try:
            self._write_now()
            self.release(address)
        finally:
            self._acquired.discard(address)
            self._ends.pop(address, None)

    def send(self, address: int, message: link.LinkMessage) -> None:
        """Send a message to the device at an address; it is dropped while the port is closed."""
        if self._port is None:
            return
        if len(self._outgoing) > MAX_BACKLOG_BYTES:
            self._reopen_later("does not read what it is sent")
            return
        if not self._outgoing:
            self._outgoing += b"\0"  # ends a truncated frame
        self._outgoing += frame(link.to_body(address, message))
        self._loop.add_writer(self._descriptor, self._writable)

    def restart_program(self) -> None:
        """Restart the program on a board at MicroPython's prompt."""
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
            self._reopen_later(*_explain_open_failure(error))
            return
        self._port = port
        self._parser = FrameParser()
        self.prompt.clear()
        self._has_received = False
        self._unknown_addresses.clear()
        self._noise.reset()
        self._outgoing.clear()
        self._loop.add_reader(self._descriptor, self._readable)
        self._notify_all(lambda end: end.on_open())

    def _reopen_later(self, why: str, is_strange: bool = False) -> None:
        """Close the port, report why, and look for it again."""
        self._close()
        self._timer = self._loop.call_at(align_up(self._loop.time(), RETRY_S), self._open)
        self._notify_all(lambda end: end.on_lost(why, is_strange))

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
            return  # it is gone anyway

    def _notify_all(self, news: Callable[[LinkEndpoint], None]) -> None:
        for address in sorted(self._acquired):
            if address in self._acquired:  # the other endpoints may have released it
                self._notify(self._ends[address], news)

    def _notify(self, end: LinkEndpoint, news: Callable[[LinkEndpoint], None]) -> None:
        try:
            news(end)
        except Exception as error:
            end.on_error(error)

    def _readable(self) -> None:
        port, parser = self._port, self._parser
        if port is None:
            return
        wasted = parser.wasted
        try:
            chunk = port.read(max(1, min(port.in_waiting, MAX_READ_BYTES)))
        except FAILURES as error:
            self._reopen_later(_explain_disconnect(error))
            return
        self._has_received = self._has_received or bool(chunk.strip(b"\0"))
        self.prompt.feed(chunk)
        for body in parser.feed(chunk):
            if self._port is port:
                self._handle_body(body)
        if self._port is port:
            self._count_noise((parser.wasted - wasted) / NOISE_UNIT_BYTES)

    def _handle_body(self, body: bytes) -> None:
        self.prompt.clear()
        end = self._ends.get(body[0]) if body else None
        if end is None:
            self._unknown_addresses.update(body[:1])
            self._count_noise(1)
            return
        try:
            _, message = link.from_body(body)
        except link.MessageError:
            message = None  # a correct frame with an invalid body: the cup repeats its events anyway
        self._notify(end, lambda end: end.handle(message))

    def _count_noise(self, cost: float) -> None:
        if cost and not self._noise.charge(cost, self._loop.time()):
            self._notify_all(lambda end: end.on_noise())

    def _writable(self) -> None:
        # Only when the descriptor is ready: pyserial spins in a blocked write.
        if self._port is None:
            return
        try:
            written = self._port.write(bytes(self._outgoing))
        except FAILURES as error:
            self._reopen_later(_explain_disconnect(error))
            return
        del self._outgoing[: written or 0]
        if not self._outgoing:
            self._loop.remove_writer(self._descriptor)

    def _write_now(self) -> None:
        if self._port is not None and self._outgoing and select.select([], [self._descriptor], [], 0)[1]:
            self._writable()


def _explain_disconnect(error: BaseException) -> str:
    """Return why an open port is gone. The system's text for a pulled cable, input/output error, is useless."""
    cause = _cause(error)
    return "was unplugged" if _errno(cause) in _UNPLUGGED else f"was unplugged: {_reason(cause)}"


def _explain_open_failure(error: BaseException) -> tuple[str, bool]:
    """Return why a port can't be opened, and whether that is strange. Missing permission is not: udev sets it late."""
    if isinstance(error, FileNotFoundError):
        return f"is not there: {_reason(error)}", False
    if _errno(error) == errno.ENOTUNIQ:
        return f"can't be told from another: {_reason(error)}", True
    return f"can't be opened: {_reason(error)}", not isinstance(error, PermissionError)


def _cause(error: BaseException) -> BaseException:
    """Return the error wrapped in pyserial's own exception, or the error itself."""
    within = error.__cause__ or error.__context__
    return within if isinstance(within, FAILURES) else error


def _errno(error: BaseException) -> int | None:
    """Return an error's errno; termios.error has it only in its arguments."""
    number = error.errno if isinstance(error, OSError) else error.args[0] if error.args else None
    return number if isinstance(number, int) else None


def _reason(error: BaseException) -> str:
    if isinstance(error, termios.error) and len(error.args) > 1:
        return str(error.args[1])
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
