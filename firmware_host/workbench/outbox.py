"""What waits to be sent to one page. Of things that replace each other only the newest waits."""

import asyncio
from collections.abc import Hashable

MOST = 256
"""So much a page that reads never lets wait."""

Frame = str | bytes


class Outbox:
    """Frames in the order in which they were put; the sender of the connection takes them."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, Frame] = {}
        self._come = asyncio.Event()
        self._count = 0

    @property
    def is_full(self) -> bool:
        """Whether the page has not read for so long that it is lost."""
        return len(self._waiting) > MOST

    def put(self, frame: Frame, key: Hashable = None) -> None:
        """Let a frame wait; with a key it takes the place of one that waits under it, at the end."""
        self._count += 1
        key = self._count if key is None else (key,)
        self._waiting.pop(key, None)
        self._waiting[key] = frame
        self._come.set()

    def drop(self, key: Hashable) -> None:
        """Take back what waits under a key."""
        self._waiting.pop((key,), None)

    async def take(self) -> Frame:
        """Wait for the next frame."""
        while not self._waiting:
            self._come.clear()
            await self._come.wait()
        return self._waiting.pop(next(iter(self._waiting)))
