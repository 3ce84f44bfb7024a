"""The shell around `Table`: one queue in, one loop, effects out in order.

A driver calls `post` on the loop's thread; `run` hands the message to `Table.handle` and carries out
what comes back: journal first, then the story and the glasses. Only hiding overtakes the queue.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypeGuard

from drivers.messages import Button, Levelled, Lost, Message, Released
from firmware_host.daemon.event_acks import Heard, Told
from firmware_host.daemon.inbox import Waiting
from firmware_host.daemon.seat_display import Glass
from firmware_host.journal.journal import Journal
from firmware_host.supervision.error_log import Mishaps
from firmware_host.table.effects import Announce, Effect, HostMessage, Publish, Record, Seeded, SetPeek, Show
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import Alert, AlertCleared, AlertRaised
from firmware_host.table.public_state import PublicState
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.table import Table

PATIENCE_S = 10.0
"""For so long a message may be on its way through the table: a slow card writes for seconds, a dead one for ever."""

MOST_FAILURES = 20
"""So many messages in a row may fail, a hand's on one button; more is no message's fault."""


class Cups(Protocol):
    """The way back to the cups and boards that have a program of their own; see `devices.Links`."""

    def told(self, message: Message) -> Told | None:
        """Which event of which device a message is, None if no device tells it again."""

    def durable(self, message: Message) -> None:
        """A message is on disk: the cup that sent it may forget it."""

    def draw(self, seat: int, deal: bytes) -> None:
        """Have a cup bind itself for a deal; its `Drawn` comes as a message."""

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        """Have a cup open what it was bound to; its `Opened` comes as a message."""


class Daemon:
    """A table at work. `seeds` gives 32 fresh bytes that nobody could foresee.

    `tell` hears the public story, `publish` what everybody may know after it; neither hears what is not durable.
    With `mishaps` a message that the table can't take costs that message; without, `run` raises what it raised.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal,
        *,
        seeds: Callable[[], bytes],
        tell: Callable[[PublicEvent], None],
        publish: Callable[[PublicState], None],
        mishaps: Mishaps | None = None,
    ) -> None:
        self._table = table
        self._mishaps = mishaps
        self._failures = 0  # answers in a row
        self._journal = journal
        self._seeds = seeds
        self._tell = tell
        self._publish = publish
        self._glasses: Sequence[Glass] = ()
        self._cups: Cups | None = None
        self._queue = Waiting()
        self._heard = Heard(journal.heard())
        journal.report(self.trouble, self.mended)
        self._is_busy = False
        self._busy_since_s = 0.0
        self._ends_when_idle = False

    def post(self, message: Message) -> None:
        """Take a message from a driver; on the loop's thread, never blocks."""
        given_up = self._queue.put(message)
        if _hides(message) and self._glasses:
            self._glasses[message.seat].hide_at_once()
        if given_up is not None:
            self._give_up(given_up)

    def _give_up(self, message: Message) -> None:
        """A message that the table will never hear: whoever waits until it has is told so."""
        if _hides(message) and self._glasses:
            self._glasses[message.seat].hide_heard()
        if self._cups is not None:
            self._cups.durable(message)

    def trouble(self, what: Alert, why: str) -> None:
        """Say that this ails the house, and `why`, a line for each thing wrong; on the loop's thread, never blocks."""
        self._queue.put(AlertRaised(what, why))

    def mended(self, what: Alert) -> None:
        """Say that this does not ail it any more; on the loop's thread, never blocks."""
        self._queue.put(AlertCleared(what))

    def end_when_idle(self, ends: bool) -> None:
        """Have `run` return as soon as no match runs, or not after all; on the loop's thread, never blocks."""
        self._ends_when_idle = ends
        self._queue.put(None)

    def answers(self) -> bool:
        """Whether the table comes back from what it is told, its journal included; on the loop's thread."""
        return not self._is_busy or asyncio.get_running_loop().time() - self._busy_since_s < PATIENCE_S

    async def run(self, glasses: Sequence[Glass], cups: Cups) -> None:
        """Conduct the table until cancelled, or idle where it is to end then, with a glass for each seat."""
        self._glasses, self._cups = glasses, cups
        self._be_busy()
        await self._carry_out(self._table.begin(_now_ns()))
        while not (self._ends_when_idle and self._table.is_idle):
            self._is_busy = False
            message = await self._next()
            self._be_busy()
            await self._take(message)
            await asyncio.sleep(0)  # a long queue must not keep hands that let go from being heard
            for message in self._heard.settled():
                cups.durable(message)

    def _be_busy(self) -> None:
        self._is_busy = True
        self._busy_since_s = asyncio.get_running_loop().time()

    async def _next(self) -> Message | HostMessage | None:
        """The next message, or None when the table's deadline has come or may have."""
        deadline_ns = self._table.deadline_ns
        try:
            async with asyncio.timeout_at(None if deadline_ns is None else deadline_ns / 1e9):
                return await self._queue.get()
        except TimeoutError:
            return None

    async def _take(self, message: Message | HostMessage | None) -> None:
        effects = self._answer(message, _now_ns())
        if message is not None and not isinstance(message, HostMessage):
            self._hear(message, effects)
        self._heard.settle(self._table.has_pending_action)
        await self._carry_out(effects)
        if _hides(message):
            self._glasses[message.seat].hide_heard()

    def _answer(self, message: Message | HostMessage | None, now_ns: int) -> list[Effect]:
        """What the table wants done. What raises there is done without: a fault of ours must not end the evening.

        It does where it goes on and on, or befalls the recovery too: then the next daemon begins at the last record.
        """
        try:
            effects = self._table.tick(now_ns) if message is None else self._table.handle(message, now_ns)
        except Exception as error:
            self._failures += 1
            if self._mishaps is None or self._failures > MOST_FAILURES:
                raise
            self._mishaps.tell(f"taking {type(message).__name__} to the table", error)
            return self._table.recover(now_ns)
        self._failures = 0
        return effects

    def _hear(self, message: Message, effects: list[Effect]) -> None:
        assert self._cups is not None
        self._heard.take(message, self._cups.told(message))
        if any(isinstance(effect, Record) for effect in effects):
            # An OK that is still down there was about what this has just changed: it can come to nothing any more.
            self._heard.settle_seat(message.seat)

    async def _carry_out(self, effects: list[Effect]) -> None:
        assert self._cups is not None
        for effect in effects:
            match effect:
                case Record(scene):
                    told = [other.event for other in effects if isinstance(other, Announce)]
                    await self._journal.write(scene, self._heard.upto, told)
                case Show(seat, view, menu, look):
                    self._glasses[seat].show(view, menu, look)
                case SetPeek(seat, is_open):
                    self._glasses[seat].set_gate(is_open)
                case Announce(event):
                    self._tell(event)
                case Publish(state):
                    self._publish(state)
                case RequestSeed():
                    self._queue.put(Seeded(self._seeds()))
                case RequestCommitment(seat, deal):
                    self._cups.draw(seat, deal)
                case RequestEntropy(seat, deal, head):
                    self._cups.open_deal(seat, deal, head)
        self._table.on_displayed(_now_ns())


def _hides(message: object) -> TypeGuard[Released | Levelled | Lost]:
    """Whether a message may mean that dice must go from a glass."""
    return isinstance(message, Levelled | Lost) or (isinstance(message, Released) and message.button is Button.OK)


def _now_ns() -> int:
    return round(asyncio.get_running_loop().time() * 1e9)
