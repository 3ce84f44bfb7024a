"""A cup with a program of its own, on a serial port.

A cup or a seat board that belongs to no seat: whoever speaks the link on a port, as long as a shake can be felt.
"""

import asyncio
from collections.abc import Callable

from drivers.display.frame import Change
from drivers.link.keepalive import SILENT_S
from drivers.link.port import Port
from drivers.link.seat_board import SeatBoard
from drivers.link.session import SerialLink
from drivers.messages import Device, Event, Post, Tilted
from hardware.link import messages as link
from hardware.link.messages import TILT

LIFTED_SILENT_S = 0.6
"""A lifted cup shows dice on a panel that can't tell how it stands: unheard for so long, it counts as lost."""


class SerialCup(SerialLink):
    """Posts what the cup feels: Shaken, Settled, Tilted, Levelled; Lost and Found for Device.CUP."""

    DEVICE = Device.CUP
    NEEDS = TILT

    def _does(self, message: Event) -> None:
        self._watch(isinstance(message, Tilted))

    def _went_down(self) -> None:
        self._watch(False)

    def _watch(self, is_lifted: bool) -> None:
        self._heart.is_watched = is_lifted
        self._heart.silent_s = LIFTED_SILENT_S if is_lifted else SILENT_S


class Stranger(SeatBoard):
    """Posts what a board or a cup posts; the seat in its messages means nothing. Only a board is sent pictures."""

    NEEDS = link.TILT
    IS_OURS = False  # somebody may be programming it

    def __init__(self, port: Callable[[], Port], *, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        super().__init__(0, port, loop=loop, post=post)
        self.own_identity = ""
        """What it calls itself, once it has said hello."""
        self.is_board = False
        """Whether it has all that a seat board has."""

    def _fault_of(self, hello: link.Hello) -> str | None:
        self.own_identity = hello.identity
        self.is_board = not SeatBoard.NEEDS & ~hello.fitted
        return super()._fault_of(hello)

    def _send_change(self, change: Change, base: int) -> None:
        if self.is_board:
            super()._send_change(change, base)
