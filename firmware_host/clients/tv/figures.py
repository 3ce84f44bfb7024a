"""Match statistics for the public page: requested from the table when a browser asks, and kept for a moment."""

import asyncio
from pathlib import Path

from firmware_host.public.record_client import request_figures

FRESH_S = 10.0
"""Minimum seconds between two requests to the table, for any number of phones."""
WAIT_S = 4.0
"""Seconds for which a browser waits; slower figures are there at its next request."""


class HousePage:
    """Match statistics as JSON, from the table at the public socket `events`."""

    def __init__(self, events: Path) -> None:
        self._events = events
        self._text: str | None = None
        self._asked_s: float | None = None
        self._asking: asyncio.Task[None] | None = None

    async def get(self) -> str | None:
        """Return the statistics, or None after `WAIT_S`."""
        now_s = asyncio.get_running_loop().time()
        if self._asked_s is not None and now_s - self._asked_s < FRESH_S:
            return self._text
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        done, _ = await asyncio.wait([self._asking], timeout=WAIT_S)
        return self._text if done else None

    def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> None:
        try:
            self._text = await request_figures(self._events)
        except (OSError, TimeoutError, ValueError):
            self._text = None
        self._asked_s = asyncio.get_running_loop().time()
