"""The link protocol without an event loop, for one short exchange: `host_io.blank` and the doctor's `probe` use it."""

import binascii
import select
import time

from drivers.link.port import Port
from hardware.link import messages as link
from hardware.link.framing import frame
from hardware.link.oled import DARK, DisplayMode

BLACK = bytes(link.PICTURE_BYTES)


def black_picture(number: int) -> link.Picture:
    """Return the picture to switch off a seat board's display."""
    off = DisplayMode(brightness=DARK)
    return link.Picture(number, link.NO_BASE, binascii.crc32(BLACK), off, link.whole_picture(BLACK))


def acknowledges(message: link.LinkMessage | None, number: int) -> bool:
    """Return whether a message acknowledges the black picture with this number."""
    return isinstance(message, link.PictureAck) and (message.number, message.crc) == (number, binascii.crc32(BLACK))


def encode(message: link.LinkMessage, address: int = 0) -> bytes:
    """Return a message as a frame."""
    return frame(link.to_body(address, message))


def decode(body: bytes) -> tuple[int, link.LinkMessage | None]:
    """Return a frame's address and message; the message is None if unknown to this version."""
    try:
        return link.from_body(body)
    except link.MessageError:
        return -1, None


def write_all(port: Port, data: bytes, until_s: float) -> None:
    """Write all of `data`, or as much as the peer reads before `until_s` on the monotonic clock."""
    while data and (rest_s := until_s - time.monotonic()) > 0:
        if select.select([], [port.fileno()], [], rest_s)[1]:
            data = data[port.write(data) or 0 :]
