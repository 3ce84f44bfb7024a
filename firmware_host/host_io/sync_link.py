"""The link without loop and drivers, for who speaks it once: `blank_board` and the doctor's `hello`."""

import binascii
import select
import time

from drivers.link.port import Port
from hardware.link import messages as link
from hardware.link.framing import frame
from hardware.link.oled import DARK, DisplayMode

BLACK = bytes(link.PICTURE_BYTES)


def black(number: int) -> link.Picture:
    """The picture that switches a board's glass off; a daemon numbers its own from 1."""
    return link.Picture(number, link.NO_BASE, binascii.crc32(BLACK), DisplayMode(light=DARK), link.whole_picture(BLACK))


def is_taken(message: link.LinkMessage | None, number: int) -> bool:
    """Whether a message says that the black picture of that number has arrived."""
    return isinstance(message, link.PictureAck) and (message.number, message.crc) == (number, binascii.crc32(BLACK))


def framed(message: link.LinkMessage, address: int = 0) -> bytes:
    """A message as it goes over the line."""
    return frame(link.to_body(address, message))


def read(body: bytes) -> tuple[int, link.LinkMessage | None]:
    """The address and the message in a frame; None for no message of this version."""
    try:
        return link.from_body(body)
    except link.MessageError:
        return -1, None


def write(port: Port, data: bytes, until_s: float) -> None:
    """Write all of it, unless the far end stops reading until then (of the monotonic clock)."""
    while data and (rest_s := until_s - time.monotonic()) > 0:
        if select.select([], [port.fileno()], [], rest_s)[1]:
            data = data[port.write(data) or 0 :]
