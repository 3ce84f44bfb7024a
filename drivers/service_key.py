"""A seat driver's view of the service key: on or off, and on for too long.
`drivers.gpio.key_switch` has one on a Pi's pin, `drivers.link.seat_board` one at a board.
"""

import asyncio
import logging

from drivers.messages import KeyTurned, Post

STUCK_S = 600.0
"""Seconds after which an active key counts as forgotten or stuck, which is logged."""

log = logging.getLogger("dudo-table")


class ServiceKey:
    """A seat's key; `place` names its input in the log. Posts `KeyTurned` for each turn."""

    def __init__(self, seat: int, place: str, *, loop: asyncio.AbstractEventLoop, post: Post, is_on: bool = False):
        self._seat = seat
        self._place = place
        self._loop = loop
        self._post = post
        self._is_on = is_on
        self._stuck: asyncio.TimerHandle | None = None
        self._watch()

    def __repr__(self) -> str:
        return f"<ServiceKey {self._place} {'on' if self._is_on else 'off'}>"

    def turn(self, is_on: bool) -> None:
        """Handle the key's position."""
        if is_on is self._is_on:
            return
        self._is_on = is_on
        self._watch()
        self._post(KeyTurned(self._seat, is_on, round(self._loop.time() * 1e9)))

    def close(self) -> None:
        """Stop watching."""
        if self._stuck:
            self._stuck.cancel()

    def _watch(self) -> None:
        """Log a key that stays on."""
        self.close()
        self._stuck = self._loop.call_later(STUCK_S, self._report_stuck) if self._is_on else None

    def _report_stuck(self) -> None:
        minutes = round(STUCK_S / 60)
        log.warning("%s has been on for %d minutes: turn the key back, or look for a short", self._place, minutes)
