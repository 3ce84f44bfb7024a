"""A key switch between a GPIO and ground, to open the staff menu. The daemon builds one where a layout has a key."""

import asyncio
import logging
from typing import Any

from drivers.gpio.switches import Switches
from drivers.messages import Device, Found, Lost, Message, Post
from drivers.service_key import ServiceKey
from hardware.link.debounce import STEADY_NS

_KEY = "key"

log = logging.getLogger("dudo-table")


class KeySwitch(Switches):
    """The service seat's key. Posts `KeyTurned` on the loop's thread once the contact is steady.
    A key already on when its pin opens is ignored: it may be stuck, or left on since yesterday.
    """

    DEVICE = Device.BUTTONS  # for the base class's messages, which are logged here

    def __init__(self, seat: int, pin: int, *, factory: Any, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        self._steadying: asyncio.TimerHandle | None = None
        self._turns: ServiceKey | None = None  # None until the pin is open
        self._post_key = post
        super().__init__(seat, {_KEY: pin}, factory=factory, loop=loop, post=self._log_loss)

    def close(self) -> None:
        """Release the pin."""
        super().close()
        if self._steadying:
            self._steadying.cancel()
        if self._turns:
            self._turns.close()

    def _handle_open(self, name: str, closed: bool) -> None:
        if self._turns:
            self._turns.close()
        place = self._describe(_KEY)
        self._turns = ServiceKey(self.seat, place, loop=self._loop, post=self._post_key, is_on=closed)

    def _handle_edge(self, name: str, closed: bool, at_ns: int) -> None:
        if self._steadying:
            self._steadying.cancel()
        self._steadying = self._loop.call_later(STEADY_NS / 1e9, self._settle)

    def _handle_loss(self, name: str) -> None:
        self._turn(False)

    def _settle(self) -> None:
        self._turn(self._conducts(_KEY))

    def _turn(self, is_on: bool) -> None:
        if self._turns:
            self._turns.turn(is_on)

    def _log_loss(self, message: Message) -> None:
        """Log the pin's loss and return: all seats keep their devices, so the table need not know."""
        if isinstance(message, Lost):
            log.warning("the service key does not work: %s", message.why)
        elif isinstance(message, Found):
            log.info("the service key works again")
