"""A link session: the host's end of the link to one cup or seat board, shared by `SerialCup` and `SeatBoard`.
It identifies the device, follows its clock, turns its numbered events into messages, and ignores a misbehaving device
for a while. `hardware/link/LINK.md` specifies the link; `drivers.link.port` has the port.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import ClassVar, Self

from drivers.link.clock_sync import ClockSync
from drivers.link.device_program import DeviceProgram
from drivers.link.event_sequence import EventSequence, decode_event
from drivers.link.handshake import Boot, BootTracker, check_hello, explain_silence
from drivers.link.keepalive import IDLE, IDLE_WIRELESS, Keepalive
from drivers.link.misbehaviour import MisbehaviourPolicy
from drivers.link.port import Port, SerialPort
from drivers.link.request import PendingRequest
from drivers.messages import Device, Event, Found, Lost, Post
from drivers.timing import Backoff
from hardware.link import messages as link

ASK_INTERVAL_S = 0.1
HELLO_TIMEOUT_S = 2.0
"""Seconds of asking a device that has never answered on this port, before a pause."""
RETURN_TIMEOUT_S = 30.0
"""Seconds of asking a device that has answered on this port before: its cable may work again at any moment."""
MAX_REPORTS = 4
"""Reports about one device before it is found again."""
MAX_AGE_NS = 60_000_000_000
"""Maximum event age in nanoseconds; an older event gets this age."""

FROM_HOST = (link.Ask, link.Ack, link.Ping, link.Picture, link.Draw, link.Open)


class LinkState(Enum):
    """A session's states."""

    NO_PORT = "no port"
    ASKING = "asking"
    GREETED = "has said hello"
    UP = "up"
    QUARANTINED = "quarantined"
    CLOSED = "closed"


class LinkSession:
    """One cup or board, owned by the loop's thread.
    `port` returns an open `Port` or raises OSError, or is the `SerialPort` shared by several cups, each with an
    `address` from 1 to 255. With `identity` only that device is accepted. `after` is the last event made durable by an
    earlier run, 0 without one.
    """

    DEVICE: ClassVar[Device]
    NEEDS: ClassVar[int]
    IS_OURS: ClassVar[bool] = True
    """Whether the driver may restart a program stuck at MicroPython's prompt."""
    IS_WIRELESS: ClassVar[bool] = False
    """Whether it has no cable to this computer; nor has a cup behind a radio dongle, with its own address."""

    def __init__(
        self,
        seat: int,
        port: Callable[[], Port] | SerialPort,
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        identity: str | None = None,
        address: int = 0,
        after: int = 0,
    ) -> None:
        self.seat = seat
        self.identity = identity
        self.fitted: int | None = None
        """The parts in the last Hello, a sum of `link.FITTINGS`; None before the first."""
        self.program = DeviceProgram(loop=loop, send=self._send)
        self._address = address
        self._line = port if isinstance(port, SerialPort) else SerialPort(port, loop=loop)
        self._loop = loop
        self._post = post
        self._state = LinkState.NO_PORT
        self._reports: list[str] = []
        self._boots = BootTracker()
        self._events = EventSequence(after)
        self._clock = ClockSync()
        self._policy = MisbehaviourPolicy()
        idle = IDLE_WIRELESS if self.IS_WIRELESS or address else IDLE
        self._keepalive = Keepalive(loop=loop, send=self._send, on_silence=self._on_silence, idle=idle)
        self._request = PendingRequest(seat, loop=loop, send=self._send, post=post)
        self._backoff = Backoff()
        self._give_up_s = 0.0
        self._echoes = False
        self._was_restarted = False
        self._ack: asyncio.Handle | None = None
        self._timer: asyncio.Handle | None = None
        self._line.register(address, self)
        self._line.acquire(address)

    def __repr__(self) -> str:
        state = self._reports[-1] if self._reports else self._state.value
        return f"<{type(self).__name__} seat {self.seat}: {state}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def is_up(self) -> bool:
        """Whether the device has said hello and answered a ping, without a failure since."""
        return self._state is LinkState.UP

    @property
    def clock_error_ns(self) -> int | None:
        """The largest time stamp error for an event arriving now; None before the device's clock is known."""
        return self._clock.error_ns(self._now_ns())

    def is_retransmittable(self, event: int) -> bool:
        """Return whether the device will send an event again: an unacknowledged one from this boot."""
        return self._events.is_retransmittable(event)

    def acknowledge(self, event: int) -> None:
        """Tell the device that an event is durable; `event` is the message's. One from an earlier boot is ignored."""
        if self._events.acknowledge(event):
            self._send_ack()

    def draw(self, deal: bytes) -> None:
        """Make the cup draw its entropy for a deal: `Drawn` follows, and again whenever the cup comes back."""
        self._request.ask(link.Draw(deal))

    def open_deal(self, deal: bytes, head: bytes) -> None:
        """Make the cup reveal its entropy for a deal: `Opened` follows once it was shaken."""
        self._request.ask(link.Open(deal, head))

    def rebind(self, identity: str, after: int) -> None:
        """Look for another device from now on; another driver has accepted its events up to `after`."""
        if self.is_up:
            self._send_last()
        self._go_down(LinkState.NO_PORT)
        self._line.release(self._address)
        self.program.stop_installing()
        self.identity = identity
        self._events, self._clock = EventSequence(after), ClockSync()
        self._backoff.reset()
        self._policy = MisbehaviourPolicy()
        self._return()

    def resume_from(self, before: "LinkSession", posted: int) -> None:
        """Take over the previous driver's event sequence; it posted the events up to `posted`."""
        self._events = before._events
        self._events.rewind_to(posted)

    def close(self) -> None:
        """Release the port for good; a board is made dark first. May be called twice."""
        if self._state is LinkState.CLOSED:
            return
        try:
            if self.is_up:
                self._send_last()
            self._go_down(LinkState.CLOSED)
        finally:
            self._line.unregister(self._address)

    # Hooks for the kinds of devices.

    def _send_last(self) -> None:
        """Send the last messages before the session ends: here an Ack waiting for the loop's next turn."""
        if self._ack is not None:
            self._ack.cancel()
            self._send_one_ack()

    def _on_up(self) -> None:
        """React to the session being up."""

    def _on_down(self) -> None:
        """React to the session going down."""

    def _on_event(self, message: Event) -> None:
        """React to an event before it is posted."""

    def _on_key(self, is_on: bool) -> None:
        """React to the service key. No record depends on it, so it is acknowledged at once."""

    def _is_answer(self, message: link.LinkMessage | None) -> bool:
        """Return whether the host asked for a message."""
        if isinstance(message, link.Pong):
            return self._keepalive.is_answer(message.token)
        if isinstance(message, link.ChunkAck):
            return self.program.is_installing
        return self._request.is_answer(message)

    def _handle_other(self, message: link.LinkMessage) -> None:
        """Handle a message from some devices only; before the session is up only a PictureAck."""

    def _on_pong(self, token: int) -> None:
        """React to a pong: everything sent before its ping has been answered or lost."""

    # Calls of the port.

    def on_open(self) -> None:
        """Ask the device to identify itself."""
        self._boots.reset()
        self._echoes = False
        self._ask_for(HELLO_TIMEOUT_S)

    def on_lost(self, why: str, is_strange: bool) -> None:
        """Wait for the port."""
        self._go_down(LinkState.NO_PORT)
        self._report_lost(f"the {self.DEVICE.value} {why}", is_strange)

    def on_noise(self) -> None:
        """Quarantine the device."""
        self._quarantine("can't be heard: its port sends noise without end")

    def on_error(self, error: Exception) -> None:
        """Report the exception to the supervisor of this driver."""
        self._loop.call_exception_handler({"message": f"{self!r} failed", "exception": error})

    def handle(self, message: link.LinkMessage | None) -> None:
        """Handle a device message, None for one with an unknown kind."""
        if self._state is LinkState.QUARANTINED and isinstance(message, link.Hello):
            self._handle_late_hello(message)
        if self._state in (LinkState.NO_PORT, LinkState.QUARANTINED, LinkState.CLOSED):
            return
        if not self._is_answer(message) and not self._is_within_rate(1):
            return
        match message:
            case link.Hello():
                self._handle_hello(message)
            case link.Event(boot=boot) | link.Pong(boot=boot) if boot != self._boots.boot:
                if not self._keepalive.is_suspect:
                    self._keepalive.suspect()  # its Hello was lost
            case link.Pong() if self._state is not LinkState.ASKING:
                self._handle_pong(message)
            case link.LinkMessage() if self.is_up:
                self._keepalive.on_traffic()
                self._handle_while_up(message)
            case link.PictureAck() if self._state is LinkState.GREETED:
                self._handle_other(message)
            case link.Running() if self._state is LinkState.GREETED:
                self.program.handle(message)
            case _:
                self._echoes = self._echoes or isinstance(message, FROM_HOST)

    # Identification.

    def _ask_for(self, duration_s: float) -> None:
        self._state = LinkState.ASKING
        self._was_restarted = False
        self._give_up_s = self._loop.time() + duration_s
        self._ask()

    def _ask(self) -> None:
        if self._loop.time() > self._give_up_s:
            self._pause(self._backoff.next_s())
            was_there = self._boots.boot != 0
            why = explain_silence(self.DEVICE, self._line, self._address, was_there=was_there, echoes=self._echoes)
            self._report_lost(*why)
            return
        self._set_timer(ASK_INTERVAL_S, self._ask)
        if self._line.prompt.is_seen and not self._address and not self._was_restarted and self.IS_OURS:
            self._was_restarted = True
            self._give_up_s = self._loop.time() + HELLO_TIMEOUT_S
            self._line.restart_program()
            self._report_lost(
                f"the {self.DEVICE.value} sat at MicroPython's prompt; its program is started again", True
            )
        else:
            self._send(link.Ask())

    def _handle_late_hello(self, hello: link.Hello) -> None:
        """Return to a device that says hello on a port kept open by others, unless it is in quarantine."""
        if self._policy.may_return(self._loop.time()) and self._is_within_rate(1) and self._check_hello(hello) is None:
            self._return()

    def _handle_hello(self, hello: link.Hello) -> None:
        fault = self._check_hello(hello)
        if fault is not None:
            self._pause(self._backoff.next_s())
            self._report_lost(fault, True)
            return
        self._keepalive.is_suspect = False
        match self._boots.classify(hello.boot, self._loop.time()):
            case Boot.DUPLICATE:
                place = f"address {self._address} of its port" if self._address else "its port"
                self._quarantine(f"shares {place} with another cup; give each an address of its own")
            case Boot.UNCONFIRMED if self._keepalive.is_running:
                self._keepalive.suspect()
            case Boot.UNCONFIRMED:
                self._send(link.Ask())
            case Boot.NEW:
                self._restarted(hello)
            case Boot.KNOWN if self._state is LinkState.ASKING:
                self._greet(hello)
            case Boot.KNOWN:
                self.program.on_hello()

    def _restarted(self, hello: link.Hello) -> None:
        was_up = self.is_up
        if fault := self._policy.on_restart(was_up, self._loop.time()):
            self._quarantine(fault)
            return
        if was_up:
            self._go_down(LinkState.ASKING)
            self._report_lost(f"the {self.DEVICE.value} restarted")
        self._greet(hello)

    def _greet(self, hello: link.Hello) -> None:
        self.fitted = hello.fitted
        self.program.on_start()
        if self._events.begin(hello.boot, hello.oldest):
            self._clock = ClockSync()
        self._state = LinkState.GREETED
        self._stop_timer()
        self._keepalive.start()

    def _come_up(self) -> None:
        self._state = LinkState.UP
        self._reports.clear()
        self._backoff.reset()
        self._post(Found(self.seat, self.DEVICE))
        self._send_ack()
        self._request.online()
        self._on_up()
        self.program.on_up()

    def _check_hello(self, hello: link.Hello) -> str | None:
        return check_hello(hello, self.DEVICE, self.identity, self.NEEDS)

    # The conversation.

    def _handle_pong(self, pong: link.Pong) -> None:
        self._keepalive.on_traffic()
        sent_ns = self._keepalive.on_pong(pong.token)
        if sent_ns is None:
            return
        if self.is_up:
            self.program.on_pong(pong.token, self._keepalive.token)
        agrees = self._clock.sample(sent_ns, pong.at_ns, self._now_ns())
        if not agrees and (fault := self._policy.on_clock_jump()):
            self._quarantine(fault)
        elif self._state is LinkState.GREETED and self._is_trusted():
            self._come_up()
        self._on_pong(pong.token)

    def _is_trusted(self) -> bool:
        return not self._keepalive.is_suspect and self._policy.is_trusted(self._loop.time())

    def _handle_while_up(self, message: link.LinkMessage) -> None:
        match message:
            case link.Event():
                self._keepalive.on_activity()
                self._handle_event(message)
            case link.Drawn() | link.Opened():
                self._request.handle(message)
            case link.Running() | link.ChunkAck():
                self.program.handle(message)
            case _:
                self._handle_other(message)

    def _handle_event(self, received: link.Event) -> None:
        if received.number <= self._events.durable:
            self._send_ack()
            return
        event = self._events.accept(received.number)
        if event is None:
            self._handle_gap(received.number)
            return
        self._policy.on_in_order()
        now_ns = self._now_ns()
        at_ns = max(self._clock.host_ns(received.at_ns, now_ns), now_ns - MAX_AGE_NS)
        if received.what in (link.KEY_ON, link.KEY_OFF):
            self._on_key(received.what == link.KEY_ON)
        message = decode_event(received, self.seat, at_ns, event)
        if message is None:
            self.acknowledge(event)
        else:
            self._on_event(message)
            self._post(message)

    def _handle_gap(self, number: int) -> None:
        """Handle an event out of order: a later or a repeated one."""
        taken = self._events.accepted
        if number > taken and (fault := self._policy.on_gap(number, taken, self._events.durable)):
            self._quarantine(fault)

    def _on_silence(self) -> None:
        silent_s = self._keepalive.timeout_s
        self._go_down(LinkState.ASKING)
        self._report_lost(f"the {self.DEVICE.value} has not answered for {silent_s:g} s")
        self._ask_for(RETURN_TIMEOUT_S)

    # Failures.

    def _is_within_rate(self, cost: float) -> bool:
        """Return whether the device may send `cost` more unsolicited messages; quarantine it if not."""
        fault = self._policy.on_unsolicited(cost, self._loop.time())
        if fault:
            self._quarantine(fault)
        return fault is None

    def _quarantine(self, fault: str) -> None:
        """Ignore the device for a while; `fault` continues "the cup"."""
        self._pause(self._policy.quarantine(self._loop.time()))
        self._report_lost(f"the {self.DEVICE.value} {fault}", True)

    def _pause(self, for_s: float) -> None:
        self._go_down(LinkState.QUARANTINED)
        self._set_timer(for_s, self._return)
        self._line.release(self._address)

    def _return(self) -> None:
        self._state = LinkState.NO_PORT
        self._line.acquire(self._address)

    def _go_down(self, state: LinkState) -> None:
        self._stop_timer()
        self._keepalive.stop()
        self._keepalive.is_suspect = False
        self._request.offline()
        self.program.on_down()
        was_up, self._state = self.is_up, state
        if was_up:
            self._on_down()

    def _report_lost(self, why: str, is_strange: bool = False) -> None:
        """Report once why the device is lost; something strange is also reported after a plain absence."""
        if why in self._reports or (self._reports and not is_strange) or len(self._reports) >= MAX_REPORTS:
            return
        self._reports.append(why)
        self._post(Lost(self.seat, self.DEVICE, why))

    def _send(self, message: link.LinkMessage) -> None:
        self._line.send(self._address, message)

    def _send_ack(self) -> None:
        """Acknowledge once, after the loop has read all waiting bytes: an Ack costs a Pico some milliseconds."""
        if self._ack is None:
            self._ack = self._loop.call_soon(self._send_one_ack)

    def _send_one_ack(self) -> None:
        self._ack = None
        if self.is_up and self._events.durable:
            self._send(link.Ack(self._events.boot, self._events.durable))

    def _set_timer(self, after_s: float, then: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self._loop.call_later(after_s, then)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now_ns(self) -> int:
        return round(self._loop.time() * 1e9)
