"""Link devices other than a seat's board: a cup with its own program, a phone, and a device without a seat yet."""

import asyncio
from collections.abc import Callable

from drivers.display.frame import FrameUpdate
from drivers.link.keepalive import SILENCE_TIMEOUT_S
from drivers.link.port import Port
from drivers.link.seat_board import SeatBoard
from drivers.link.session import LinkSession
from drivers.messages import Device, Event, Introduced, Post, Tilted
from hardware.link import messages as link
from hardware.link.messages import TILT
from hardware.link.phone_messages import Person, Words

LIFTED_SILENCE_TIMEOUT_S = 0.6
"""Seconds of silence after which a lifted cup is lost: its dice are on a display that can't feel the cup."""


PHONE_IS_AWAY = "its page is closed, or out of the network"
"""The reason for a phone's loss."""


class SerialCup(LinkSession):
    """A cup on a serial port: posts Shaken, Settled, Tilted, Levelled, and Lost and Found for Device.CUP."""

    DEVICE = Device.CUP
    NEEDS = TILT

    def _on_event(self, message: Event) -> None:
        self._watch(isinstance(message, Tilted))

    def _on_down(self) -> None:
        self._watch(False)

    def _watch(self, is_lifted: bool) -> None:
        self._keepalive.is_kept_active = is_lifted
        self._keepalive.timeout_s = LIFTED_SILENCE_TIMEOUT_S if is_lifted else SILENCE_TIMEOUT_S


class PhoneBoard(SeatBoard):
    """A guest's phone: a seat board with Wi-Fi for its cable. Lost and Found are for Device.PHONE.
    It also has its display in words, and posts `Introduced` with its person's language and name.
    """

    DEVICE = Device.PHONE
    DEAF = PHONE_IS_AWAY
    IS_OURS = False  # its program is a page
    IS_WIRELESS = True
    _words: Words | None = None
    _person: Person | None = None

    def say(self, text: str, *, dice: bool) -> None:
        """Give the phone its display in words; those with `dice` are heard only while the person looks."""
        words = Words(text, dice)
        if words != self._words:
            self._words = words
            self._send_words()

    def _on_up(self) -> None:
        super()._on_up()
        self._send_words()

    def _on_down(self) -> None:
        super()._on_down()
        self._person = None

    def _handle_other(self, message: link.LinkMessage) -> None:
        super()._handle_other(message)
        if isinstance(message, Person) and self.is_up and self._person is None:  # a name redraws every display
            self._person = message
            self._post(Introduced(self.seat, message.language, message.name))

    def _send_words(self) -> None:
        if self._words is not None and self.is_up:
            self._send(self._words)

    def _report_lost(self, why: str, is_strange: bool = False) -> None:
        """Report every loss in the same words: a reason may quote the page, and anybody can write one."""
        super()._report_lost(PHONE_IS_AWAY)


class UnassignedDevice(SeatBoard):
    """A board or cup without a seat; the seat in its messages is meaningless. Only a board gets pictures."""

    NEEDS = link.TILT
    IS_OURS = False  # an owner may be programming it

    def __init__(self, port: Callable[[], Port], *, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        super().__init__(0, port, loop=loop, post=post)
        self.own_identity = ""
        """Its own identity, once it has said hello."""
        self.is_board = False
        """Whether it has all of a seat board's parts."""

    def _check_hello(self, hello: link.Hello) -> str | None:
        self.own_identity = hello.identity
        self.is_board = not SeatBoard.NEEDS & ~hello.fitted
        return super()._check_hello(hello)

    def _send_update(self, update: FrameUpdate, base: int) -> None:
        if self.is_board:
            super()._send_update(update, base)
