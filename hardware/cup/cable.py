"""The cable to the host: USB serial, which MicroPython has as standard input and output.

A process at the emulated table has a terminal there. Nothing is ever waited for.
"""

import select
import sys

from hardware.cup.interpreter import unbuffered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHUNK = 256


class Cable:
    """What the host sends, and what it is sent."""

    def __init__(self) -> None:
        self._source = unbuffered(sys.stdin)
        self._sink = unbuffered(sys.stdout)
        self._readable = _looks_for(sys.stdin, select.POLLIN)
        self._writable = _looks_for(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)
        self._chunk = bytearray(CHUNK)

    def __bool__(self) -> bool:
        """Whether something can be read."""
        for _ in self._readable(0):
            return True
        return False

    def read(self) -> bytes:
        """Return what there is, CHUNK bytes at the most."""
        count = 0
        while count < CHUNK and self:  # stdin on a Pico has no read that takes what there is
            if not self._source.readinto(self._byte):
                break
            self._chunk[count] = self._byte[0]
            count += 1
        return bytes(self._chunk[:count])

    def write(self, frame: bytes) -> None:
        """Send a frame; while the host does not read, it is lost or cut short."""
        try:
            for _ in self._writable(0):
                self._sink.write(frame)
        except OSError:
            pass  # the host's end is gone for now


def _looks_for(stream: "Any", what: int) -> "Any":
    # MicroPython's ipoll is poll without taking memory.
    poller = select.poll()
    poller.register(stream, what)
    return getattr(poller, "ipoll", poller.poll)
