"""A port on loopback for the page."""

import errno
import socket

from firmware_host.commands import Refusal

USUAL_PORT = 8642
TRIED = 20
"""So many ports from the usual one on are tried, then any free one."""


def listen(port: int | None) -> socket.socket:
    """A socket that listens on 127.0.0.1 at `port`, if None near the usual one, if 0 anywhere.

    Raises `Refusal` where that can't be.
    """
    if port is not None:
        try:
            return _bound(port)
        except OSError as error:
            raise Refusal(f"--port {port}: {_why(error)}") from error
    for number in (*range(USUAL_PORT, USUAL_PORT + TRIED), 0):
        try:
            return _bound(number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise Refusal(f"the page can't be served on this computer: {(error.strerror or '').lower()}") from error
    raise Refusal("the page can't be served: no port of this computer is free; --headless plays without one")


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def _why(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "is taken; leave it out and a free one is found"
    if error.errno == errno.EACCES:
        return "is not for everybody; name one above 1023"
    return f"can't be served: {(error.strerror or str(error)).lower()}"
