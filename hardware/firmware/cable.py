"""The cable to the host: USB serial, which MicroPython has as standard input and output.

A process at the emulated table has a terminal there. Neither reading nor writing waits for the host.
"""

import select
import sys

from hardware.firmware.compat import TICKS, ticks_us, unbuffered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKET_BYTES = 64
"""Bytes of one `read`, which is one USB packet: a Pico takes 4 ms for them, and looks at its switches in between."""
MAX_READ_BYTES = 1152
"""Bytes that are read before the program takes a step: the longest frame, for which a Pico takes 70 ms."""
WRITE_BYTES = 16
"""Bytes of one write. It divides the 256 bytes of a Pico's output buffer and the 64 of a packet: where there is room
for a byte, there is for these."""
MAX_DECODING_US = 25
"""Microseconds in which a Pico decodes a byte, even if each is a COBS block of its own (20 us), and a margin."""
BLOCKED_US = 50_000
"""A write that takes longer has waited for the host."""


class Cable:
    """What the host sends, and what it is sent."""

    def __init__(self) -> None:
        self._source = unbuffered(sys.stdin)
        self._sink = unbuffered(sys.stdout)
        self._readable = _looks_for(sys.stdin, select.POLLIN)
        self._writable = _looks_for(sys.stdout, select.POLLOUT)
        self._write_piece = WRITE_BYTES
        self._piece = bytearray(PACKET_BYTES)
        whole = memoryview(self._piece)
        self._places = [whole[at : at + 1] for at in range(PACKET_BYTES)]

    def __bool__(self) -> bool:
        """Whether something can be read."""
        for _ in self._readable(0):
            return True
        return False

    def read(self) -> bytes:
        """Return what there is, PACKET_BYTES bytes at the most."""
        # stdin on a Pico waits until a buffer is full, so each byte is asked for. No call and no attribute more than
        # needed: the loop takes 61 us a byte there.
        readable, read_into = self._readable, self._source.readinto
        count = 0
        for place in self._places:
            for _ in readable(0):
                break
            else:
                break
            if not read_into(place):
                break
            count += 1
        return bytes(self._piece[:count])

    def write(self, frame: bytes) -> None:
        """Send a frame, or as much of it as fits; while the host does not read, the rest is lost.

        Zeros behind the frame fill its last piece.
        """
        # A Pico whose output is full blocks for 500 ms in a write, in which nobody hides dice; and poll promises room
        # for one byte only. What MicroPython prints when it starts may leave the buffer with room for a part of a
        # piece: then single bytes are written from the first write on that had to wait.
        began = ticks_us()
        try:  # noqa: SIM105 - MicroPython has no contextlib
            self._write_pieces(frame, self._write_piece)
        except OSError:
            pass  # the host's end is gone for now
        if (ticks_us() - began) & TICKS > BLOCKED_US:
            self._write_piece = 1

    def _write_pieces(self, frame: bytes, length: int) -> None:
        writable, write = self._writable, self._sink.write
        data = frame + bytes(-len(frame) % length)
        for at in range(0, len(data), length):
            for _ in writable(0):
                break
            else:
                return
            if write(data[at : at + length]) != length:
                return


def _looks_for(stream: "Any", what: int) -> "Any":
    # MicroPython's ipoll is poll without taking memory.
    poller = select.poll()
    poller.register(stream, what)
    return getattr(poller, "ipoll", poller.poll)
