"""The panels of a table as frames for pages: packed when a panel was written, once for however many pages look."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from firmware_host.play.virtual_seconds import of_the_loop
from hardware.emulated.seat import EmulatedSeat

GATHERED_S = 0.012
"""A panel is written in pieces: the frame waits this long for the rest of the picture."""


class Pictures:
    """Calls `send(seat, frame)` when a panel among `looked_at` was written. What nobody looks at costs nothing."""

    def __init__(self, seats: Sequence[EmulatedSeat], send: Callable[[int, bytes], None]) -> None:
        self.looked_at: frozenset[int] = frozenset()
        self._seats = seats
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._due: dict[int, asyncio.TimerHandle] = {}
        for number, seat in enumerate(seats):
            seat.watch(partial(self._written, number))

    def frame(self, seat: int) -> bytes:
        """The frame of what a seat's panel shows now."""
        return bytes([seat]) + self._seats[seat].picture().tobytes()

    def close(self) -> None:
        """Send no more."""
        self.looked_at = frozenset()
        for due in self._due.values():
            due.cancel()

    def _written(self, seat: int) -> None:
        if seat in self.looked_at:  # on the thread that owns the wire
            self._loop.call_soon_threadsafe(self._gather, seat)

    def _gather(self, seat: int) -> None:
        if seat not in self._due and seat in self.looked_at:
            self._due[seat] = self._loop.call_later(of_the_loop(GATHERED_S), self._look, seat)

    def _look(self, seat: int) -> None:
        del self._due[seat]
        self._send(seat, self.frame(seat))
