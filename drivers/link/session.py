"""The host's end of a link to a cup or a seat board: what `SerialCup` and `SeatBoard` share.

It asks who is there, keeps the cup's clock in sight, turns the cup's numbered events into messages, and leaves a cup
alone that does not play by the rules. See `hardware/link/LINK.md` for what is said and when; the port is
`drivers.link.port`'s.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from types import TracebackType
from typing import ClassVar, Self

from drivers.link.clock_sync import CupClock
from drivers.link.event_sequence import EventOrder, message_of
from drivers.link.handshake import Start, Starts, fault_of, silence
from drivers.link.keepalive import Heartbeat
from drivers.link.misbehaviour import Conduct
from drivers.link.port import Port, SerialLine
from drivers.link.request import Request
from drivers.messages import Device, Event, Found, Lost, Post
from drivers.timing import Backoff
from hardware.link import messages as link

ASK_EVERY_S = 0.1
HELLO_WITHIN_S = 2.0
"""A device that was never heard and says nothing for so long is left alone for a while."""
BACK_WITHIN_S = 30.0
"""One that was heard on this port before is asked for so long: a cable that failed may be sound again at any moment."""
MOST_TOLD = 4
"""Sentences about one cup before it is found again."""
OLDEST_NS = 60_000_000_000
"""What happened longer ago than that is taken to have happened then."""

FROM_HOST = (link.Ask, link.Ack, link.Ping, link.Picture, link.Draw, link.Open)


class State(Enum):
    """How far a link is."""

    NO_PORT = "no port"
    ASKING = "asking"
    GREETED = "has said hello"
    UP = "up"
    ALONE = "left alone"
    CLOSED = "closed"


class SerialLink:
    """One cup or board, owned by the loop's thread.

    `port` returns an open `Port` or raises OSError, or is the `SerialLine` of cups that share one; there each has its
    own `address`, 1 to 255. With `identity` only the cup that says so is accepted. `after` is the last event an earlier
    run made durable, 0 for none.
    """

    DEVICE: ClassVar[Device]
    NEEDS: ClassVar[int]
    IS_OURS: ClassVar[bool] = True
    """Whether the driver may restart a program that sits at MicroPython's prompt."""

    def __init__(
        self,
        seat: int,
        port: Callable[[], Port] | SerialLine,
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
        self._line = port if isinstance(port, SerialLine) else SerialLine(port, loop=loop)
        self._loop = loop
        self._post = post
        self._state = State.NO_PORT
        self._told: list[str] = []
        self._starts = Starts()
        self._events = EventOrder(after)
        self._clock = CupClock()
        self._conduct = Conduct()
        self._heart = Heartbeat(loop=loop, send=self._send, fell_silent=self._fell_silent)
        self._request = Request(seat, loop=loop, send=self._send, post=post)
        self._backoff = Backoff()
        self._give_up_s = 0.0
        self._echoes = False
        self._was_restarted = False
        self._ack: asyncio.Handle | None = None
        self._timer: asyncio.Handle | None = None
        self._line.join(address, self)
        self._line.want(address)

    def __repr__(self) -> str:
        state = self._told[-1] if self._told else self._state.value
        return f"<{type(self).__name__} seat {self.seat}: {state}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def is_up(self) -> bool:
        """Whether the cup has said hello and answered a ping, and nothing went wrong since."""
        return self._state is State.UP

    @property
    def clock_error_ns(self) -> int | None:
        """How wrong the stamp of an event can be that arrives now; None before the cup's clock is known."""
        return self._clock.error_ns(self._now_ns())

    def tells_again(self, event: int) -> bool:
        """Whether the cup tells an event again, to whoever asks: until it is acknowledged, or the cup starts anew."""
        return self._events.may_come_again(event)

    def acknowledge(self, event: int) -> None:
        """Tell the cup that an event is durable; `event` is the message's. One of an earlier start is passed over."""
        if self._events.settle(event):
            self._send_ack()

    def draw(self, deal: bytes) -> None:
        """Have the cup draw its entropy for a deal: `Drawn` follows, and again whenever it was away."""
        self._request.ask(link.Draw(deal))

    def open_deal(self, deal: bytes, head: bytes) -> None:
        """Have the cup give its entropy for a deal: `Opened` follows once it was shaken."""
        self._request.ask(link.Open(deal, head))

    def become(self, identity: str, after: int) -> None:
        """Look at once for another cup than so far; its events up to `after` have been heard by somebody else."""
        if self.is_up:
            self._part()
        self._go_down(State.NO_PORT)
        self._line.rest(self._address)
        self.identity = identity
        self._events, self._clock = EventOrder(after), CupClock()
        self._backoff.reset()
        self._conduct = Conduct()
        self._return()

    def carry_on(self, before: "SerialLink", told: int) -> None:
        """Know of the cup's events what the driver before this one knew, whose last that was `told` is this one."""
        self._events = before._events
        self._events.forget_after(told)

    def close(self) -> None:
        """Give the port back for good; a board is told to go dark first. May be called twice."""
        if self._state is State.CLOSED:
            return
        try:
            if self.is_up:
                self._part()
            self._go_down(State.CLOSED)
        finally:
            self._line.leave(self._address)

    # What a kind of far end adds.

    def _part(self) -> None:
        """Send what the far end should hear last."""

    def _came_up(self) -> None:
        """The cup can be talked to."""

    def _went_down(self) -> None:
        """It can't."""

    def _does(self, message: Event) -> None:
        """A hand does something with it, which is told next."""

    def _is_answer(self, message: link.LinkMessage | None) -> bool:
        """Whether somebody asked for what the cup says."""
        if isinstance(message, link.Pong):
            return self._heart.is_answer(message.token)
        return self._request.is_answer(message)

    def _hear_more(self, message: link.LinkMessage) -> None:
        """Take a message that not every cup sends; before the link is up only what a board holds."""

    def _ping_answered(self, token: int) -> None:
        """Take note that all that was sent before this ping has been answered or lost."""

    # What the line tells.

    def line_opened(self) -> None:
        """Ask who is there."""
        self._starts.forget()
        self._echoes = False
        self._ask_for(HELLO_WITHIN_S)

    def line_lost(self, why: str, is_strange: bool) -> None:
        """Wait for the port."""
        self._go_down(State.NO_PORT)
        self._tell_lost(f"the {self.DEVICE.value} {why}", is_strange)

    def line_noisy(self) -> None:
        """Leave the port alone."""
        self._misbehaves("can't be heard: its port sends noise without end")

    def failed(self, error: Exception) -> None:
        """Have whoever watches over this driver know."""
        self._loop.call_exception_handler({"message": f"{self!r} failed", "exception": error})

    def hear(self, message: link.LinkMessage | None) -> None:
        """Take what the cup says."""
        if self._state is State.ALONE and isinstance(message, link.Hello):
            self._hear_in_the_distance(message)
        if self._state in (State.NO_PORT, State.ALONE, State.CLOSED):
            return
        if not self._is_answer(message) and not self._bears(1):
            return
        match message:
            case link.Hello():
                self._hear_hello(message)
            case link.Event(boot=boot) | link.Pong(boot=boot) if boot != self._starts.boot:
                if not self._heart.is_in_doubt:
                    self._heart.doubt()  # its hello was lost
            case link.Pong() if self._state is not State.ASKING:
                self._hear_pong(message)
            case link.LinkMessage() if self.is_up:
                self._heart.hear()
                self._hear_in_conversation(message)
            case link.PictureAck() if self._state is State.GREETED:
                self._hear_more(message)
            case _:
                self._echoes = self._echoes or isinstance(message, FROM_HOST)

    # Who is there.

    def _ask_for(self, duration_s: float) -> None:
        self._state = State.ASKING
        self._was_restarted = False
        self._give_up_s = self._loop.time() + duration_s
        self._ask()

    def _ask(self) -> None:
        if self._loop.time() > self._give_up_s:
            self._leave_alone(self._backoff.next_s())
            was_there = self._starts.boot != 0
            why = silence(self.DEVICE, self._line, self._address, was_there=was_there, echoes=self._echoes)
            self._tell_lost(*why)
            return
        self._set_timer(ASK_EVERY_S, self._ask)
        if self._line.prompt.is_seen and not self._address and not self._was_restarted and self.IS_OURS:
            self._was_restarted = True
            self._give_up_s = self._loop.time() + HELLO_WITHIN_S
            self._line.restart_program()
            self._tell_lost(f"the {self.DEVICE.value} sat at MicroPython's prompt; its program is started again", True)
        else:
            self._send(link.Ask())

    def _hear_in_the_distance(self, hello: link.Hello) -> None:
        """Somebody who was not there says hello on a line that others keep open; who was sent away must wait."""
        if self._conduct.is_served(self._loop.time()) and self._bears(1) and self._fault_of(hello) is None:
            self._return()

    def _hear_hello(self, hello: link.Hello) -> None:
        fault = self._fault_of(hello)
        if fault is not None:
            self._leave_alone(self._backoff.next_s())
            self._tell_lost(fault, True)
            return
        self._heart.is_in_doubt = False
        match self._starts.hear(hello.boot, self._loop.time()):
            case Start.TWO:
                place = f"address {self._address} of its port" if self._address else "its port"
                self._misbehaves(f"shares {place} with another cup; give each an address of its own")
            case Start.DOUBTFUL if self._heart.is_running:
                self._heart.doubt()
            case Start.DOUBTFUL:
                self._send(link.Ask())
            case Start.NEW:
                self._begin_anew(hello)
            case Start.KNOWN if self._state is State.ASKING:
                self._greet(hello)

    def _begin_anew(self, hello: link.Hello) -> None:
        was_up = self.is_up
        if fault := self._conduct.starts(was_up, self._loop.time()):
            self._misbehaves(fault)
            return
        if was_up:
            self._go_down(State.ASKING)
            self._tell_lost(f"the {self.DEVICE.value} started anew")
        self._greet(hello)

    def _greet(self, hello: link.Hello) -> None:
        if self._events.begin(hello.boot, hello.oldest):
            self._clock = CupClock()
        self._state = State.GREETED
        self._stop_timer()
        self._heart.start()

    def _come_up(self) -> None:
        self._state = State.UP
        self._told.clear()
        self._backoff.reset()
        self._post(Found(self.seat, self.DEVICE))
        self._send_ack()
        self._request.go_up()
        self._came_up()

    def _fault_of(self, hello: link.Hello) -> str | None:
        return fault_of(hello, self.DEVICE, self.identity, self.NEEDS)

    # The conversation.

    def _hear_pong(self, pong: link.Pong) -> None:
        self._heart.hear()
        sent_ns = self._heart.answered(pong.token)
        if sent_ns is None:
            return
        agrees = self._clock.sample(sent_ns, pong.at_ns, self._now_ns())
        if not agrees and (fault := self._conduct.leaps()):
            self._misbehaves(fault)
        elif self._state is State.GREETED and not self._heart.is_in_doubt and self._conduct.is_calm(self._loop.time()):
            self._come_up()
        self._ping_answered(pong.token)

    def _hear_in_conversation(self, message: link.LinkMessage) -> None:
        match message:
            case link.Event():
                self._heart.touch()
                self._hear_event(message)
            case link.Drawn() | link.Opened():
                self._request.hear(message)
            case _:
                self._hear_more(message)

    def _hear_event(self, said: link.Event) -> None:
        if said.number <= self._events.durable:
            self._send_ack()
            return
        event = self._events.take(said.number)
        if event is None:
            self._hear_out_of_turn(said.number)
            return
        self._conduct.keeps_turn()
        now_ns = self._now_ns()
        at_ns = max(self._clock.host_ns(said.at_ns, now_ns), now_ns - OLDEST_NS)
        message = message_of(said, self.seat, at_ns, event)
        if message is None:
            self.acknowledge(event)
        else:
            self._does(message)
            self._post(message)

    def _hear_out_of_turn(self, number: int) -> None:
        """An event has come before the one that is next, or once more."""
        taken = self._events.taken
        if number > taken and (fault := self._conduct.runs_ahead(number, taken, self._events.durable)):
            self._misbehaves(fault)

    def _fell_silent(self) -> None:
        silent_s = self._heart.silent_s
        self._go_down(State.ASKING)
        self._tell_lost(f"the {self.DEVICE.value} has not answered for {silent_s:g} s")
        self._ask_for(BACK_WITHIN_S)

    # What goes wrong.

    def _bears(self, cost: float) -> bool:
        """Whether the cup may say so much more that nobody asked for."""
        fault = self._conduct.talks(cost, self._loop.time())
        if fault:
            self._misbehaves(fault)
        return fault is None

    def _misbehaves(self, fault: str) -> None:
        """Leave the cup alone for a while; `fault` goes on after "the cup"."""
        self._leave_alone(self._conduct.punish(self._loop.time()))
        self._tell_lost(f"the {self.DEVICE.value} {fault}", True)

    def _leave_alone(self, for_s: float) -> None:
        self._go_down(State.ALONE)
        self._set_timer(for_s, self._return)
        self._line.rest(self._address)

    def _return(self) -> None:
        self._state = State.NO_PORT
        self._line.want(self._address)

    def _go_down(self, state: State) -> None:
        self._stop_timer()
        self._heart.stop()
        self._heart.is_in_doubt = False
        self._request.go_down()
        was_up, self._state = self.is_up, state
        if was_up:
            self._went_down()

    def _tell_lost(self, why: str, is_strange: bool = False) -> None:
        """Say once why there is no cup; something strange is also worth saying after that it was not there."""
        if why in self._told or (self._told and not is_strange) or len(self._told) >= MOST_TOLD:
            return
        self._told.append(why)
        self._post(Lost(self.seat, self.DEVICE, why))

    def _send(self, message: link.LinkMessage) -> None:
        self._line.send(self._address, message)

    def _send_ack(self) -> None:
        """Acknowledge once when the loop has read all that is there: an Ack costs a Pico some milliseconds."""
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
