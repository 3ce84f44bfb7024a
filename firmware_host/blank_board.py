"""A seat board's panel made dark by the link alone, without the loop and the driver that a daemon has.

`firmware_host.blank` calls it on a thread of its own.
"""

import binascii
import errno
import select
import time
from collections.abc import Callable
from contextlib import closing

from drivers.serial_line import FAILURES, Port
from hardware.link import messages as link
from hardware.link.framing import Parser, frame
from hardware.link.shine import DARK, Shine

AGAIN_S = 0.5
"""How long to wait for an answer before all is said once more."""

NUMBER = 0xFFFF
"""Of the picture; a daemon counts from 1, so an answer to one of its pictures is hardly taken for ours."""

BLACK = bytes(link.PICTURE_BYTES)


def blank_board(open_port: Callable[[], Port], until_s: float) -> str | None:
    """Make the panel dark before `until_s` of the monotonic clock; return a sentence that says why it isn't, or None.

    `open_port` returns an open port or raises OSError.
    """
    try:
        with closing(open_port()) as port:
            return _converse(port, until_s)
    except FAILURES as error:
        if getattr(error, "errno", None) in (errno.EAGAIN, errno.EBUSY):
            return "somebody else has its board's port open; stop the daemon first"
        return f"its board is not there: {getattr(error, 'strerror', None) or error}"


def _converse(port: Port, until_s: float) -> str | None:
    """Send a black picture until the board says that it is on the glass."""
    ears = Parser()
    said = b"\0" + _frame(link.Ask()) + _frame(_black())  # the zero ends whatever the daemon began
    why = "its board does not answer"
    while (now_s := time.monotonic()) < until_s:
        _write(port, said, until_s)
        again_s = min(now_s + AGAIN_S, until_s)
        while (rest_s := again_s - time.monotonic()) > 0:
            if not select.select([port.fileno()], [], [], rest_s)[0]:
                continue
            for body in ears.feed(port.read(max(1, port.in_waiting))):
                match _message(body):
                    case link.Hello() as hello if hello.version != link.VERSION:
                        return f"its board speaks version {hello.version} of the link, this host {link.VERSION}"
                    case link.PictureAck() as ack if ack.number == NUMBER and ack.crc == binascii.crc32(BLACK):
                        if ack.lit:
                            return None
                        why = "its board's panel does not answer; check its four wires"
    return why


def _black() -> link.Picture:
    return link.Picture(NUMBER, link.NO_BASE, binascii.crc32(BLACK), Shine(light=DARK), link.whole_picture(BLACK))


def _frame(message: link.LinkMessage) -> bytes:
    return frame(link.to_body(0, message))


def _message(body: bytes) -> link.LinkMessage | None:
    try:
        return link.from_body(body)[1]
    except link.MessageError:
        return None


def _write(port: Port, data: bytes, until_s: float) -> None:
    """Write all of it, unless the board stops reading."""
    while data and (rest_s := until_s - time.monotonic()) > 0:
        if select.select([], [port.fileno()], [], rest_s)[1]:
            data = data[port.write(data) or 0 :]
