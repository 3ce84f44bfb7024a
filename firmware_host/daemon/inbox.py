"""Messages in transit: `BoundedInbox` holds messages for the table, `AckTracker` messages not yet on disk.

The inbox is bounded. While there is room every message waits in its order. A hanging disk or very fast presses can fill
it. Then it drops presses, shakes and lifted cups, which begin something, until the table has caught up. Messages that
end something always wait, above all those hiding dice: releases, lowered cups, lost and found devices. The inbox keeps
the last of each kind.

A cup or board repeats an event until it is acknowledged, even to the next daemon. So an event counts as processed in
the very record with its effect: after a crash the device repeats exactly the events without an effect.
`Table.has_pending_action` tells which seats have such events.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeGuard

from drivers.messages import DeviceEvent, Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import HostMessage
from firmware_host.wire import Seat

log = logging.getLogger(__name__)

MAX_IN_ORDER = 1000
"""Messages waiting in order: eight seats pressing as fast as contacts settle fill it in over a second."""

MAX_HELD = 1000
"""Messages from one seat waiting until a pressed OK has a meaning, which takes less than half a second."""

Queued = Message | HostMessage | None
"""None: let the table look at the time."""


class BoundedInbox:
    """Messages for the table; call `put` and `get` on the loop's thread."""

    def __init__(self) -> None:
        self._in_order: deque[Queued] = deque()
        self._latest: dict[Hashable, Queued] = {}  # by kind, since the queue was full
        self._arrived = asyncio.Event()
        self._dropped = 0

    def __len__(self) -> int:
        return len(self._in_order) + len(self._latest)

    def __repr__(self) -> str:
        return f"<BoundedInbox: {len(self)}>"

    def put(self, message: Queued) -> Message | None:
        """Queue a message. Return the dropped message, if any: this one, or an earlier one of its kind."""
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
    """Return the key for replacing this message by a later one."""
    about = (getattr(message, name, None) for name in ("seat", "button", "device", "what"))
    return (type(message), *about)


class AckTracker:
    """Messages between the table's answer and the disk, in order for each seat.

    `positions` is the journal's part: each device's last event in the next record.
    """

    def __init__(self, positions: Mapping[str, int]) -> None:
        self._positions = dict(positions)
        self._pending: dict[Seat, list[tuple[Message, DeviceEvent | None]]] = {}  # by seat
        self._completed: list[Message] = []

    @property
    def positions(self) -> Mapping[str, int]:
        """Each device's last event with its effect carried out."""
        return self._positions

    def add(self, message: Message, event: DeviceEvent | None) -> None:
        """Track a message taken by the table; `event` is None if no device repeats it."""
        seat = Seat(message.seat)
        pending = self._pending.setdefault(seat, [])
        pending.append((message, event))
        if len(pending) > MAX_HELD:
            self.complete_seat(seat)

    def complete(self, holds: Callable[[Seat], bool]) -> None:
        """Complete all messages from seats without held back ones."""
        for seat in [seat for seat in self._pending if not holds(seat)]:
            self.complete_seat(seat)

    def complete_seat(self, seat: Seat) -> None:
        """Complete a seat's messages."""
        for message, event in self._pending.pop(seat, ()):
            self._completed.append(message)
            if event is not None:
                self._positions[event.device] = event.event

    def take_completed(self) -> Sequence[Message]:
        """Return each completed message once; they are durable once the table's effects are carried out."""
        completed, self._completed = self._completed, []
        return completed
