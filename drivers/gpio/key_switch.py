"""A key switch between a GPIO and ground that opens the staff menu. The daemon builds one where a layout has a key."""

import asyncio
import logging
from typing import Any

from drivers.gpio.switches import Switches
from drivers.messages import Device, Found, KeyTurned, Lost, Message, Post

STEADY_S = 0.15
"""Seconds for which the contact must hold its level: a key bounces for longer than a button, and nobody hurries."""
STUCK_S = 600.0
"""Seconds after which a key that is on counts as forgotten or stuck, which is logged."""
_KEY = "key"

log = logging.getLogger("dudo-table")


class KeySwitch(Switches):
    """The key of the service seat. Posts `KeyTurned` on the loop's thread once the contact is steady.

    A key that is on when its pin is opened opens nothing: it may be stuck, or left on since yesterday.
    """

    DEVICE = Device.BUTTONS  # of what the base class posts, which is logged here

    def __init__(self, seat: int, pin: int, *, factory: Any, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        self._is_on = False
        self._steadying: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._post_key = post
        super().__init__(seat, {_KEY: pin}, factory=factory, loop=loop, post=self._log_loss)

    def close(self) -> None:
        """Give the pin back."""
        super().close()
        for timer in (self._steadying, self._stuck):
            if timer:
                timer.cancel()

    def _handle_open(self, name: str, closed: bool) -> None:
        self._is_on = closed
        self._watch()

    def _handle_edge(self, name: str, closed: bool, at_ns: int) -> None:
        if self._steadying:
            self._steadying.cancel()
        self._steadying = self._loop.call_later(STEADY_S, self._settle)

    def _handle_loss(self, name: str) -> None:
        self._turn(False)

    def _settle(self) -> None:
        self._turn(self._conducts(_KEY))

    def _turn(self, is_on: bool) -> None:
        if is_on is self._is_on:
            return
        self._is_on = is_on
        self._watch()
        self._post_key(KeyTurned(self.seat, is_on, round(self._loop.time() * 1e9)))

    def _watch(self) -> None:
        """Log a key that stays on."""
        if self._stuck:
            self._stuck.cancel()
        self._stuck = self._loop.call_later(STUCK_S, self._report_stuck) if self._is_on else None

    def _report_stuck(self) -> None:
        key, minutes = self._describe(_KEY), round(STUCK_S / 60)
        log.warning("%s has been on for %d minutes: turn the key back, or look for a short", key, minutes)

    def _log_loss(self, message: Message) -> None:
        """Log what becomes of the pin: no seat misses a device, so the table need not know."""
        if isinstance(message, Lost):
            log.warning("the service key does not work: %s", message.why)
        elif isinstance(message, Found):
            log.info("the service key works again")
