"""A seat board's panel made dark by the link alone, without the loop and the driver that a daemon has.

`firmware_host.blank` calls it on a thread of its own.
"""

import errno
import select
import time
from collections.abc import Callable
from contextlib import closing

from drivers.serial_line import FAILURES, Port
from firmware_host.plain_link import black, framed, is_taken, read, write
from hardware.link import messages as link
from hardware.link.framing import Parser

AGAIN_S = 0.5
"""How long to wait for an answer before all is said once more."""

NUMBER = 0xFFFF
"""Of the picture; a daemon counts from 1, so an answer to one of its pictures is hardly taken for ours."""


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
    said = b"\0" + framed(link.Ask()) + framed(black(NUMBER))  # the zero ends whatever the daemon began
    why = "its board does not answer"
    while (now_s := time.monotonic()) < until_s:
        write(port, said, until_s)
        again_s = min(now_s + AGAIN_S, until_s)
        while (rest_s := again_s - time.monotonic()) > 0:
            if not select.select([port.fileno()], [], [], rest_s)[0]:
                continue
            for body in ears.feed(port.read(max(1, port.in_waiting))):
                match read(body)[1]:
                    case link.Hello() as hello if hello.version != link.VERSION:
                        return f"its board speaks version {hello.version} of the link, this host {link.VERSION}"
                    case link.PictureAck() as ack if is_taken(ack, NUMBER):
                        if ack.lit:
                            return None
                        why = "its board's panel does not answer; check its four wires"
    return why
