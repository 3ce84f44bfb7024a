"""The shell around `Table`: one queue in, one loop, effects out in order.

For each press, a driver calls `post` on the loop's thread; `run` hands the message to `Table.handle` and carries out
the returned effects: journal first, then public events and displays. Only hiding overtakes the queue.
"""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from typing import Protocol, TypeGuard

from msgspec import structs

from drivers.messages import Button, DeviceEvent, Event, Introduced, Levelled, Lost, Message, Released
from firmware_host.daemon.inbox import AckTracker, BoundedInbox
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.text import missing_glyphs
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import (
    Announce,
    ChangeLanguage,
    Effect,
    HostEffect,
    HostMessage,
    Publish,
    Record,
    Seeded,
    SetPeek,
    Show,
)
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import AlertCleared, AlertRaised
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.table.table import Table
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import PublicState, Seat

STALL_S = 10.0
"""Seconds before a message in progress counts as a stall: a slow SD card writes for seconds."""

MAX_FAILURES = 20
"""Failing messages in a row, as from one player at one button; beyond that the fault is not in a single message."""


def _ignore(_: HostEffect) -> None:
    """No-op, for a table without robots, settings and names."""


class Cups(Protocol):
    """Commands to cups and boards with their own program, see `devices.LinkRegistry`.

    Messages are those with an event number.
    """

    def event_id(self, message: Message) -> DeviceEvent | None:
        """Return a message's device event, None if no device repeats it."""

    def durable(self, message: Message) -> None:
        """Acknowledge a durable message to its cup."""

    def draw(self, seat: Seat, deal: bytes) -> None:
        """Request a cup's commitment for a deal; its `Drawn` comes as a message."""

    def open_deal(self, seat: Seat, deal: bytes, head: bytes) -> None:
        """Request a cup's committed entropy; its `Opened` comes as a message."""


class Daemon:
    """A table in operation. `seeds` returns 32 fresh, unpredictable bytes.

    `tell` receives public events and `publish` the public state after them, both only once durable. With `errors` an
    exception in the table costs its message alone; without, `run` raises the exception.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal,
        *,
        seeds: Callable[[], bytes],
        tell: Callable[[PublicEvent], None],
        publish: Callable[[PublicState], None],
        errors: ErrorCounter | None = None,
    ) -> None:
        self._table = table
        self._errors = errors
        self._failures = 0  # messages in a row
        self._journal = journal
        self._seeds = seeds
        self._tell = tell
        self._publish = publish
        self._displays: Sequence[SeatDisplay] = ()
        self._cups: Cups | None = None
        self._host: Callable[[HostEffect], None] = _ignore
        self._inbox = BoundedInbox()
        self._acks = AckTracker(journal.last_events)
        journal.report(lambda what, why: self.post(AlertRaised(what, why)), lambda what: self.post(AlertCleared(what)))
        self._staff_numbers = itertools.count(1)
        self._staff_waits: dict[int, asyncio.Future[StaffRefusal | None]] = {}
        self._is_busy = False
        self._busy_since_s = 0.0
        self._ends_when_idle = False

    def post(self, message: Message | HostMessage) -> None:
        """Queue a driver's or the host's message. Call it on the loop's thread; it never blocks."""
        dropped = self._inbox.put(message)
        if _hides(message) and self._displays:
            self._displays[message.seat].hide_now()
        if dropped is not None:
            self._drop(dropped)

    def _drop(self, message: Message) -> None:
        """Release the display and device waiting for a message dropped from the queue."""
        if _hides(message) and self._displays:
            self._displays[message.seat].hide_processed()
        if self._cups is not None and _is_repeated(message):
            self._cups.durable(message)

    async def act_for_staff(
        self, what: StaffCommand, seat: Seat | None = None, level: RobotLevel = RobotLevel.MIDDLE
    ) -> StaffRefusal | None:
        """Carry out a staff action at the table; return its refusal, None once done and durable."""
        number = next(self._staff_numbers)
        self._staff_waits[number] = asyncio.get_running_loop().create_future()
        self.post(StaffAction(what, seat, number, level))
        try:
            return await self._staff_waits[number]
        finally:
            del self._staff_waits[number]

    def end_when_idle(self, ends: bool) -> None:
        """Let `run` return as soon as no match is running, or cancel that. Call it on the loop's thread."""
        self._ends_when_idle = ends
        self._inbox.put(None)

    def is_responsive(self) -> bool:
        """Return whether the table, its journal included, takes less than `STALL_S` for a message."""
        return not self._is_busy or asyncio.get_running_loop().time() - self._busy_since_s < STALL_S

    async def run(
        self, displays: Sequence[SeatDisplay], cups: Cups, host: Callable[[HostEffect], None] = _ignore
    ) -> None:
        """Run the table until cancelled, or until idle after `end_when_idle(True)`; each seat has a display.

        `host` carries out the table's effects outside the game; without it robots stay idle.
        """
        self._displays, self._cups, self._host = displays, cups, host
        self._set_busy()
        await self._carry_out(self._table.begin(_now_ns()))
        while not (self._ends_when_idle and self._table.is_idle):
            self._is_busy = False
            message = await self._next()
            self._set_busy()
            await self._handle(message)
            await asyncio.sleep(0)  # a long queue must still let releases, which hide dice, reach `post`
            for message in self._acks.take_completed():
                cups.durable(message)

    def _answer_staff(self, number: int, refusal: StaffRefusal | None) -> None:
        waiting = self._staff_waits.get(number)
        if waiting is not None and not waiting.done():
            waiting.set_result(refusal)

    def _set_busy(self) -> None:
        self._is_busy = True
        self._busy_since_s = asyncio.get_running_loop().time()

    async def _next(self) -> Message | HostMessage | None:
        """Wait for the next message; return None at the table's deadline."""
        deadline_ns = self._table.deadline_ns
        try:
            async with asyncio.timeout_at(None if deadline_ns is None else deadline_ns / 1e9):
                return await self._inbox.get()
        except TimeoutError:
            return None

    async def _handle(self, message: Message | HostMessage | None) -> None:
        if isinstance(message, Introduced):
            message = displayable(message)
        effects = self._effects_of(message, _now_ns())
        if message is not None and not isinstance(message, HostMessage):
            self._track_ack(message, effects)
        self._acks.complete(self._table.has_pending_action)
        await self._carry_out(effects)
        if _hides(message):
            self._displays[message.seat].hide_processed()
        if isinstance(message, Introduced) and message.language in LANGUAGES:
            self._displays[message.seat].speak(Words(translation_for(message.language)))

    def _effects_of(self, message: Message | HostMessage | None, now_ns: int) -> list[Effect]:
        """Return the table's effects. A message that makes it raise is skipped: one bug must not end the match.

        Too many failures in a row, or one in the recovery, do end this daemon: the next resumes at the last record.
        """
        try:
            effects = self._table.tick(now_ns) if message is None else self._table.handle(message, now_ns)
        except Exception as error:
            self._failures += 1
            if self._errors is None or self._failures > MAX_FAILURES:
                raise
            self._errors.log(f"taking {type(message).__name__} to the table", error)
            return self._table.recover(now_ns)
        self._failures = 0
        return effects

    def _track_ack(self, message: Message, effects: list[Effect]) -> None:
        assert self._cups is not None
        if _is_repeated(message):
            self._acks.add(message, self._cups.event_id(message))
        if any(isinstance(effect, Record) for effect in effects):
            # An OK still down was meant for the scene before this record: it no longer has an effect.
            self._acks.complete_seat(Seat(message.seat))

    async def _carry_out(self, effects: list[Effect]) -> None:
        assert self._cups is not None
        announced = [effect.event for effect in effects if isinstance(effect, Announce)]
        is_durable = False
        for effect in effects:
            match effect:
                case Record(scene):
                    await self._journal.write(scene, self._acks.positions, announced)
                    is_durable = True
                case Show(seat, view, menu, look):
                    self._displays[seat].show(view, menu, look)
                case ChangeLanguage(seat, is_own):
                    self._displays[seat].change_language(is_own=is_own)
                case SetPeek(seat, is_open):
                    self._displays[seat].set_gate(is_open)
                case Announce(event):
                    if not is_durable:
                        await self._journal.write_events(announced)
                        is_durable = True
                    self._tell(event)
                case Publish(state):
                    self._publish(state)
                case RequestSeed():
                    self.post(Seeded(self._seeds()))
                case RequestCommitment(seat, deal):
                    self._cups.draw(seat, deal)
                case RequestEntropy(seat, deal, head):
                    self._cups.open_deal(seat, deal, head)
                case StaffAnswer(number, refusal):
                    self._answer_staff(number, refusal)
                case _:
                    self._host(effect)
        self._table.on_displayed(_now_ns())


def _is_repeated(message: Message) -> bool:
    """Return whether a cup or board repeats the message until it is acknowledged."""
    return isinstance(message, Event) and message.event is not None


def displayable(message: Introduced) -> Introduced:
    """Return the message, without the name if the displays lack a letter of it: boxes make two names look alike."""
    return structs.replace(message, name="") if missing_glyphs(message.name) else message


def _hides(message: object) -> TypeGuard[Released | Levelled | Lost]:
    """Return whether a message may mean that a display must hide its dice."""
    return isinstance(message, Levelled | Lost) or (isinstance(message, Released) and message.button is Button.OK)


def _now_ns() -> int:
    return round(asyncio.get_running_loop().time() * 1e9)
