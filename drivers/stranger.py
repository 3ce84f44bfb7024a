"""A cup or a seat board that belongs to no seat: whoever speaks the link on a port, as long as a shake can be felt."""

import asyncio
from collections.abc import Callable

from drivers.messages import Post
from drivers.seat_board import SeatBoard
from drivers.serial_line import Port
from drivers.sight import Change
from hardware.link import messages as link


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
