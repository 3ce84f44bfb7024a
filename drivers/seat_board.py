"""A seat board: cup, buttons and panel of one seat on one serial port."""

import asyncio
import binascii
from collections.abc import Callable

from PIL import Image

from drivers.messages import Device, Found, Light, Lost, Post
from drivers.pages import Boxes, pages_of
from drivers.serial_link import Port, SerialLink
from hardware.link import messages as link

PICTURE_WITHIN_S = 0.3
"""A whole picture takes a Pico 25 ms to write to its panel; after this long it did not arrive."""

DARK = bytes(link.PICTURE_BYTES)


class SeatBoard(SerialLink):
    """Posts what hands do to the cup and the buttons, and shows pictures; Lost and Found for Device.BOARD.

    A board whose panel alone does not answer is Lost and Found as Device.PANEL. One picture is on its way at a
    time, as windows that differ from the one the board has confirmed; when it has arrived, the latest follows,
    never a stale one. Only a picture that hides follows at once, whole.
    """

    DEVICE = Device.BOARD
    NEEDS = link.TILT | link.BUTTONS | link.PANEL

    def __init__(
        self,
        seat: int,
        open_port: Callable[[], Port],
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        identity: str | None = None,
        address: int = 0,
        after: int = 0,
    ) -> None:
        super().__init__(seat, open_port, loop=loop, post=post, identity=identity, address=address, after=after)
        self._wanted = DARK
        self._confirmed: bytes | None = None
        self._on_its_way: bytes | None = None
        self._number = 0
        self._overdue: asyncio.Handle | None = None
        self._is_lit = True

    def show(self, image: Image.Image, *, first: bool = False, dice: Boxes = ()) -> None:
        """Replace the picture; 128x64, mode "1". Returns at once; an absent board gets the latest when it is back.

        With `first`, which is for hiding, it doesn't wait until the picture on its way has arrived. `dice` are
        the boxes (left, top, width, height) in which dice may stand.
        """
        self._wanted = pages_of(image)
        if first and self._on_its_way not in (None, self._wanted):
            self._forget_picture()
        self._send_picture()

    def light(self, light: Light) -> None:
        """Shine that brightly."""

    @property
    def is_shown(self) -> bool:
        """Whether the board has confirmed the latest picture."""
        return self._confirmed == self._wanted

    def _came_up(self) -> None:
        self._forget_picture()
        self._send_picture()

    def _part(self) -> None:
        self._wanted = DARK
        self._forget_picture()
        self._send_picture()

    def _drop_port(self) -> None:
        super()._drop_port()
        self._forget_picture()

    def _hear_more(self, message: link.LinkMessage) -> None:
        if not isinstance(message, link.PictureAck):
            return
        self._hear_lit(bool(message.lit))
        if self._on_its_way is None or message.number != self._number:
            return
        arrived = self._on_its_way
        self._forget_picture()
        if message.crc == binascii.crc32(arrived):
            self._confirmed = arrived
        self._send_picture()

    def _hear_lit(self, is_lit: bool) -> None:
        if is_lit == self._is_lit:
            return
        self._is_lit = is_lit
        if is_lit:
            self._post(Found(self.seat, Device.PANEL))
        else:
            self._post(Lost(self.seat, Device.PANEL, "the board's panel does not answer; check its four wires"))

    def _send_picture(self) -> None:
        if not self._is_up or self._on_its_way is not None or self._confirmed == self._wanted:
            return
        self._number = self._number + 1 & 0xFFFF
        self._on_its_way = self._wanted
        self._overdue = self._loop.call_later(PICTURE_WITHIN_S, self._send_again)
        self._send(self._message(self._wanted, self._confirmed))

    def _message(self, picture: bytes, base: bytes | None) -> link.Picture:
        crc = binascii.crc32(picture)
        if base is None:
            return link.Picture(self._number, link.NO_BASE, crc, link.whole_picture(picture))
        return link.Picture(self._number, binascii.crc32(base), crc, link.windows_between(base, picture))

    def _send_again(self) -> None:
        self._forget_picture()
        self._send_picture()

    def _forget_picture(self) -> None:
        """Suppose nothing about what the board holds."""
        self._confirmed = self._on_its_way = None
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None
