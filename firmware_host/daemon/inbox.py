"""What waits for the table: the daemon's queue, which has an end.

As long as there is room everything waits in its order. When there is none, because a disk hangs or a hundred hands
press, nothing new begins: presses, shakes and lifted cups are given up until the table has caught up. What ends
something always waits, hiding first of all: of a release, a cup put down, a device lost or found only the last of each
kind, so that so much can wait and no more.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Hashable
from typing import TypeGuard

from drivers.messages import Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import HostMessage

log = logging.getLogger(__name__)

MOST = 1000
"""So many messages wait in their order: eight seats that press as fast as contacts settle, for more than a second."""

Waits = Message | HostMessage | None
"""None has the table look at what time it is."""


class Waiting:
    """Messages for the table; `put` and `get` on the loop's thread."""

    def __init__(self) -> None:
        self._in_order: deque[Waits] = deque()
        self._ends: dict[Hashable, Waits] = {}  # what came when there was no room
        self._come = asyncio.Event()
        self._given_up = 0

    def __len__(self) -> int:
        return len(self._in_order) + len(self._ends)

    def __repr__(self) -> str:
        return f"<Waiting: {len(self)}>"

    def put(self, message: Waits) -> Message | None:
        """Let a message wait. Return what the table will not hear for it: this one, or an earlier one of its kind."""
        given_up: Waits = None
        if not self._ends and len(self._in_order) < MOST:
            self._in_order.append(message)
        elif _begins(message):
            given_up = message
        else:
            key = _kind(message)
            given_up = self._ends.pop(key, None)
            self._ends[key] = message
        self._come.set()
        self._note(given_up)
        return None if isinstance(given_up, HostMessage) else given_up

    async def get(self) -> Waits:
        """Wait for the next message."""
        while not self:
            self._come.clear()
            await self._come.wait()
        if self._in_order:
            return self._in_order.popleft()
        message = self._ends.pop(next(iter(self._ends)))
        if not self._ends and self._given_up:
            log.warning("the table has caught up; it did not hear %d messages", self._given_up)
            self._given_up = 0
        return message

    def _note(self, given_up: Waits) -> None:
        if given_up is None:
            return
        if not self._given_up:
            log.warning("%d messages wait for the table; nothing new is heard until it has caught up", len(self))
        self._given_up += 1


def _begins(message: Waits) -> TypeGuard[Pressed | Shaken | Tilted]:
    return isinstance(message, Pressed | Shaken | Tilted)


def _kind(message: Waits) -> Hashable:
    """What a later message must have in common with one to stand for it too."""
    about = (getattr(message, name, None) for name in ("seat", "button", "device", "what"))
    return (type(message), *about)
