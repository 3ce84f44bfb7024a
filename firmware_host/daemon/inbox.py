"""Messages on their way: `BoundedInbox` has those that wait for the table, `AckTracker` those that wait for the disk.

The inbox is bounded. While there is room every message waits in its order. A hanging disk or very fast presses can fill
it. Then it drops presses, shakes and lifted cups until the table has caught up: they begin something. Messages that end
something always wait, above all those that hide dice: of a release, a cup put down, a device lost or found the inbox
keeps the last of each kind.

A cup or board repeats an event until it is acknowledged, to the next daemon too. So an event counts as processed in the
very record that holds its effect: after a crash the device repeats an event that had no effect yet, and no other.
`Table.has_pending_action` says which seats have events without an effect yet.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeGuard

from drivers.messages import DeviceEvent, Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import HostMessage

log = logging.getLogger(__name__)

MAX_IN_ORDER = 1000
"""Messages that wait in their order: eight seats that press as fast as contacts settle fill it in over a second."""

MAX_HELD = 1000
"""Messages of one seat that may wait until an OK that is down has a meaning, which takes less than half a second."""

Queued = Message | HostMessage | None
"""None has the table look at the time."""


class BoundedInbox:
    """Messages for the table; call `put` and `get` on the loop's thread."""

    def __init__(self) -> None:
        self._in_order: deque[Queued] = deque()
        self._latest: dict[Hashable, Queued] = {}  # by kind, from the time when there was no room
        self._arrived = asyncio.Event()
        self._dropped = 0

    def __len__(self) -> int:
        return len(self._in_order) + len(self._latest)

    def __repr__(self) -> str:
        return f"<BoundedInbox: {len(self)}>"

    def put(self, message: Queued) -> Message | None:
        """Queue a message. Return the message that the queue drops for it: this one, or an earlier one of its kind."""
        dropped: Queued = None
        if not self._latest and len(self._in_order) < MAX_IN_ORDER:
            self._in_order.append(message)
        elif _begins(message):
            dropped = message
        else:
            kind = _kind(message)
            dropped = self._latest.pop(kind, None)
            self._latest[kind] = message
        self._arrived.set()
        self._count(dropped)
        return None if isinstance(dropped, HostMessage) else dropped

    async def get(self) -> Queued:
        """Wait for the next message."""
        while not self:
            self._arrived.clear()
            await self._arrived.wait()
        if self._in_order:
            return self._in_order.popleft()
        message = self._latest.pop(next(iter(self._latest)))
        if not self._latest and self._dropped:
            log.warning("the table has caught up; %d messages were dropped", self._dropped)
            self._dropped = 0
        return message

    def _count(self, dropped: Queued) -> None:
        if dropped is None:
            return
        if not self._dropped:
            log.warning("%d messages wait for the table; new presses are dropped until it has caught up", len(self))
        self._dropped += 1


def _begins(message: Queued) -> TypeGuard[Pressed | Shaken | Tilted]:
    return isinstance(message, Pressed | Shaken | Tilted)


def _kind(message: Queued) -> Hashable:
    """Return the key under which a later message replaces this one."""
    about = (getattr(message, name, None) for name in ("seat", "button", "device", "what"))
    return (type(message), *about)


class AckTracker:
    """The messages between the table's answer and the disk, each seat's in their order.

    `positions` is the journal's part of it: the last event of each device that the next record includes.
    """

    def __init__(self, positions: Mapping[str, int]) -> None:
        self._positions = dict(positions)
        self._pending: dict[int, list[tuple[Message, DeviceEvent | None]]] = {}  # by seat
        self._completed: list[Message] = []

    @property
    def positions(self) -> Mapping[str, int]:
        """The last event of each device that has had its effect."""
        return self._positions

    def add(self, message: Message, event: DeviceEvent | None) -> None:
        """Track a message that the table has taken; `event` is None if no device repeats it."""
        pending = self._pending.setdefault(message.seat, [])
        pending.append((message, event))
        if len(pending) > MAX_HELD:
            self.complete_seat(message.seat)

    def complete(self, holds: Callable[[int], bool]) -> None:
        """Complete the messages of every seat for which the table holds nothing back."""
        for seat in [seat for seat in self._pending if not holds(seat)]:
            self.complete_seat(seat)

    def complete_seat(self, seat: int) -> None:
        """Complete all messages of a seat."""
        for message, event in self._pending.pop(seat, ()):
            self._completed.append(message)
            if event is not None:
                self._positions[event.device] = event.event

    def take_completed(self) -> Sequence[Message]:
        """Return each completed message once; they are durable as soon as the table's effects are carried out."""
        completed, self._completed = self._completed, []
        return completed
