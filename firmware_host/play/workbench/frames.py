"""A table's displays as frames for pages: each picture is packed once for all pages."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from firmware_host.play.workbench.protocol import DICE, LIT
from firmware_host.util.virtual_seconds import virtual_seconds
from firmware_host.wire import Seat, enumerate_seats
from hardware.emulated.seat import EmulatedSeat

GATHER_S = 0.012
"""Seconds to wait for the rest of a picture, because a display is written in pieces."""


class FrameSource:
    """Calls `send(seat, frame)` after a write to a display among `looked_at`. Other displays cost no time.

    `has_dice(seat)` returns whether dice under a cup may be on a display.
    """

    def __init__(
        self, seats: Sequence[EmulatedSeat], has_dice: Callable[[Seat], bool], send: Callable[[Seat, bytes], None]
    ) -> None:
        self.looked_at: frozenset[Seat] = frozenset()
        self._seats = seats
        self._has_dice = has_dice
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._due: dict[Seat, asyncio.TimerHandle] = {}
        for seat, emulated in enumerate_seats(seats):
            emulated.watch(partial(self._written, seat))

    def frame(self, seat: Seat) -> bytes:
        """Return a seat's current frame: its number, its bits, and the display's content."""
        bits = LIT * self._seats[seat].lamp | DICE * self._has_dice(seat)
        return bytes([seat, bits]) + self._seats[seat].picture().tobytes()

    def close(self) -> None:
        """Stop sending."""
        self.looked_at = frozenset()
        for due in self._due.values():
            due.cancel()

    def _written(self, seat: Seat) -> None:
        if seat in self.looked_at:  # called on the thread of the display's bus
            self._loop.call_soon_threadsafe(self._schedule, seat)

    def _schedule(self, seat: Seat) -> None:
        if seat not in self._due and seat in self.looked_at:
            self._due[seat] = self._loop.call_later(virtual_seconds(GATHER_S), self._send_now, seat)

    def _send_now(self, seat: Seat) -> None:
        del self._due[seat]
        self._send(seat, self.frame(seat))
