"""The host's end of a link to a cup or a seat board: what `SerialCup` and `SeatBoard` share.

It opens the port and opens it again when it was lost, asks who is there, keeps the cup's clock in sight, and
turns the cup's numbered events into messages. See `hardware/link/LINK.md` for what is said and when.
"""

import asyncio
import select
import termios
from collections.abc import Callable
from types import TracebackType
from typing import ClassVar, Protocol, Self

from drivers.backoff import FIRST_S, Backoff
from drivers.cup_clock import CupClock
from drivers.event_order import EventOrder
from drivers.messages import (
    Button,
    Device,
    Event,
    Found,
    Levelled,
    Lost,
    Post,
    Pressed,
    Released,
    Settled,
    Shaken,
    Tilted,
)
from hardware.link import messages as link
from hardware.link.framing import Parser, frame

ASK_EVERY_S = 0.25
HELLO_WITHIN_S = 2.0
PING_EVERY_S = 1.0
PING_AT_REST_S = 4.0
"""How often a cup is asked that nobody has touched for `REST_AFTER_S`: an idle table should hardly wake."""
REST_AFTER_S = 10.0
EARLY_S = 0.001
"""More than a loop runs a timer too early, which asyncio does by its clock's resolution."""
LEASE_MS = 10_000
SILENT_AFTER = 3
"""Pings without an answer, a second apart; then the port is opened anew."""
AT_ONCE_BYTES = 1024
"""What is heard of one cup before the others have their turn: one that talks without end must not keep dice on show."""
LONGEST_BACKLOG = 8192
"""Bytes that may wait for a cup that does not read; far more than one picture and all else that can be on its way."""

FAILURES = (OSError, termios.error)
"""What a pyserial port raises when its far end is gone; SerialException is an OSError, termios.error is not."""


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


class SerialLink:
    """One cup or board on one port, owned by the loop's thread.

    `open_port` returns an open `Port` or raises OSError. With `identity` only the cup that says so is accepted;
    `address` is the cup's on a line that several share. `after` is the last event an earlier run made durable,
    0 for none.
    """

    DEVICE: ClassVar[Device]
    NEEDS: ClassVar[int]

    def __init__(
        self,
        seat: int,
        open_port: Callable[[], Port],
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        identity: str | None = None,
        address: int = 0,
        after: int = 0,
    ) -> None:
        self.seat = seat
        self.identity = identity
        self._address = address
        self._open_port = open_port
        self._loop = loop
        self._post = post
        self._events = EventOrder(after)
        self._clock = CupClock()
        self._parser = Parser()
        self._port: Port | None = None
        self._descriptor = -1
        self._outgoing = bytearray()
        self._is_up = False
        self._told: str | None = None
        self._closed = False
        self._opened_s = 0.0
        self._touched_s = 0.0
        self._ping: tuple[int, int] = (0, 0)
        self._unanswered = 0
        self._backoff = Backoff()
        self._timer: asyncio.Handle = loop.call_soon(self._open)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "up" if self._is_up else self._told or "not heard yet"
        return f"<{type(self).__name__} seat {self.seat}: {state}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def is_up(self) -> bool:
        """Whether the cup has said hello and nothing went wrong since."""
        return self._is_up

    @property
    def clock_error_ns(self) -> int | None:
        """How wrong the stamp of an event can be that arrives now; None before the cup's clock is known."""
        return self._clock.error_ns(self._now_ns())

    def acknowledge(self, event: int) -> None:
        """Tell the cup that an event is durable; `event` is the message's. One of an earlier start is passed over."""
        if self._events.settle(event):
            self._send_ack()

    def close(self) -> None:
        """Give the port back for good; a board is told to go dark first. May be called twice."""
        if self._is_up:
            self._part()
            self._write_now()
        self._closed = True
        self._drop_port()

    # What a kind of far end adds.

    def _part(self) -> None:
        """Send what the far end should hear last."""

    def _came_up(self) -> None:
        """The cup has said hello."""

    def _hear_more(self, message: link.LinkMessage) -> None:
        """Take a message that not every cup sends."""

    # The port.

    def _open(self) -> None:
        try:
            port = self._open_port()
            self._descriptor = port.fileno()
        except FAILURES as error:
            self._lose(
                f"the {self.DEVICE.value} is not there: {_reason(error)}", soon=isinstance(error, FileNotFoundError)
            )
            return
        self._port = port
        self._parser = Parser()
        self._outgoing = bytearray(b"\0")  # ends whatever an earlier host began
        self._loop.add_reader(self._descriptor, self._readable)
        self._opened_s = self._loop.time()
        self._ask()

    def _lose(self, why: str, *, soon: bool = False) -> None:
        """Close the port, say why once, and try again later; `soon` when a look is cheap."""
        self._drop_port()
        self._tell_lost(why)
        self._timer = self._loop.call_later(FIRST_S if soon else self._backoff.next_s(), self._open)

    def _drop_port(self) -> None:
        self._timer.cancel()
        self._is_up = False
        port, self._port = self._port, None
        if port is None:
            return
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        try:
            port.close()
        except FAILURES:
            return  # it is gone all the same

    def _readable(self) -> None:
        port = self._port
        if port is None:
            return
        try:
            chunk = port.read(max(1, min(port.in_waiting, AT_ONCE_BYTES)))
        except FAILURES as error:
            self._lose(f"the {self.DEVICE.value} was unplugged: {_reason(error)}")
            return
        for body in self._parser.feed(chunk):
            if self._port is port:
                self._hear(body)

    def _send(self, message: link.LinkMessage) -> None:
        if self._port is None:
            return
        if len(self._outgoing) > LONGEST_BACKLOG:
            self._lose(f"the {self.DEVICE.value} does not read what it is sent")
            return
        self._outgoing += frame(link.to_body(self._address, message))
        self._loop.add_writer(self._descriptor, self._writable)

    def _writable(self) -> None:
        # Only when the descriptor says so: pyserial spins in a write that cannot go on.
        if self._port is None:
            return
        try:
            written = self._port.write(bytes(self._outgoing))
        except FAILURES as error:
            self._lose(f"the {self.DEVICE.value} was unplugged: {_reason(error)}")
            return
        del self._outgoing[: written or 0]
        if not self._outgoing:
            self._loop.remove_writer(self._descriptor)

    def _write_now(self) -> None:
        if self._outgoing and select.select([], [self._descriptor], [], 0)[1]:
            self._writable()

    # The conversation.

    def _ask(self) -> None:
        if self._loop.time() - self._opened_s > HELLO_WITHIN_S:
            self._lose(f"the {self.DEVICE.value} does not say hello; is it a {self.DEVICE.value} of this table?")
            return
        self._timer = self._loop.call_later(ASK_EVERY_S, self._ask)
        self._send(link.Ask())

    def _beat(self) -> None:
        if self._unanswered == SILENT_AFTER:
            self._lose(f"the {self.DEVICE.value} has not answered for {SILENT_AFTER * PING_EVERY_S:.0f} s")
            return
        # All links of a table ping at the same moments: the loop then wakes once for all of them.
        every_s = PING_AT_REST_S if self._is_at_rest else PING_EVERY_S
        beats = (self._loop.time() + EARLY_S) // every_s
        self._timer = self._loop.call_at((beats + 1) * every_s, self._beat)
        self._ping = (self._ping[0] + 1 & 0xFFFF_FFFF, self._now_ns())
        self._unanswered += 1
        self._send(link.Ping(self._ping[0], LEASE_MS))

    @property
    def _is_at_rest(self) -> bool:
        return not self._unanswered and self._loop.time() - self._touched_s > REST_AFTER_S

    def _hear(self, body: bytes) -> None:
        try:
            address, message = link.from_body(body)
        except link.MessageError:
            return  # a sound frame with nonsense in it: the cup repeats what matters
        if address != self._address:
            return
        if isinstance(message, link.Hello):
            self._hear_hello(message)
        if not self._is_up:
            return
        self._unanswered = 0
        match message:
            case link.Event(boot=boot) if boot == self._events.boot:
                self._touched_s = self._loop.time()
                self._hear_event(message)
            case link.Pong(token=token, boot=boot, at_ns=at_ns) if token == self._ping[0] and boot == self._events.boot:
                self._clock.sample(self._ping[1], at_ns, self._now_ns())
            case link.LinkMessage():
                self._hear_more(message)

    def _hear_hello(self, hello: link.Hello) -> None:
        fault = self._fault_of(hello)
        if fault is not None:
            self._told = self._told if self._told == fault else None  # more telling than that it was not there
            self._lose(fault)
            return
        if self._is_up and hello.boot == self._events.boot:
            return  # the answer to a question asked twice
        if self._is_up:
            self._tell_lost(f"the {self.DEVICE.value} started anew")
        if self._events.begin(hello.boot, hello.oldest):
            self._clock = CupClock()
        self._is_up = True
        self._told = None
        self._backoff.reset()
        self._timer.cancel()
        self._unanswered, self._touched_s = 0, self._loop.time()
        self._post(Found(self.seat, self.DEVICE))
        self._beat()
        self._send_ack()
        self._came_up()

    def _fault_of(self, hello: link.Hello) -> str | None:
        name = self.DEVICE.value
        if hello.version != link.VERSION:
            return (
                f"the {name} speaks version {hello.version} of the link and this host version {link.VERSION}; "
                f"put the program of this release on it"
            )
        if self.identity is not None and hello.identity.casefold() != self.identity.casefold():
            return f"the {name} on this port is {hello.identity!r}, the layout says {self.identity!r}"
        missing = [words for flag, words in link.FITTINGS if self.NEEDS & flag & ~hello.fitted]
        return f"the {name} {hello.identity} has not got {', '.join(missing)}" if missing else None

    def _hear_event(self, said: link.Event) -> None:
        if said.number <= self._events.durable:
            self._send_ack()
            return
        if not self._clock.known:
            return  # without its moment an event is worth nothing, and the cup will repeat it
        event = self._events.take(said.number)
        if event is None:
            return
        now_ns = self._now_ns()
        message = message_of(said, self.seat, self._clock.host_ns(said.at_ns, now_ns), event)
        if message is None:
            self.acknowledge(event)
        else:
            self._post(message)

    def _send_ack(self) -> None:
        if self._is_up and self._events.durable:
            self._send(link.Ack(self._events.boot, self._events.durable))

    def _tell_lost(self, why: str) -> None:
        if self._told is None:
            self._told = why
            self._post(Lost(self.seat, self.DEVICE, why))

    def _now_ns(self) -> int:
        return round(self._loop.time() * 1e9)


def message_of(said: link.Event, seat: int, at_ns: int, event: int) -> Event | None:
    """Return the message for a cup's event, None for one that this host has no message for."""
    match said.what:
        case link.SHAKEN:
            return Shaken(seat, at_ns, event)
        case link.SETTLED:
            return Settled(seat, at_ns, said.detail, event)
        case link.TILTED:
            return Tilted(seat, at_ns, event)
        case link.LEVELLED:
            return Levelled(seat, at_ns, event)
        case link.PRESSED if button := _button(said.detail):
            return Pressed(seat, button, at_ns, event)
        case link.RELEASED if button := _button(said.detail):
            return Released(seat, button, at_ns, event)
    return None


def _button(detail: bytes) -> Button | None:
    if len(detail) != 1 or detail[0] >= len(link.BUTTON_NAMES):
        return None
    return Button(link.BUTTON_NAMES[detail[0]])


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
