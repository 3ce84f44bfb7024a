"""The cable to the host: USB serial, which is standard input and output in MicroPython.

In a process at the emulated table these are a terminal. Neither reading nor writing waits for the host.
"""

import select
import sys

from hardware.firmware.clock import TICKS, ticks_us

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKET_BYTES = 64
"""Bytes in one `read`, a USB packet. A Pico takes 4 ms for them, and checks its switches between two reads."""
MAX_READ_BYTES = 1152
"""Bytes read before the program takes a step: the longest frame, which takes a Pico 70 ms."""
WRITE_BYTES = 16
"""Bytes in one write. It divides a Pico's 256-byte output buffer and a packet's 64 bytes, so if there is room for one
byte, there is room for all 16.
"""
MAX_DECODING_US = 25
"""Microseconds in which a Pico decodes a byte: 20 if every byte is a COBS block, 23 with short runs of zeros between,
and a margin for the look at the switches after each part.
"""
EXTRA_BYTES = 30
"""Extra bytes of decoding time in a frame beyond its body: for its CRC, its codes, and the calls."""
BLOCKED_US = 50_000
"""Microseconds; a write that takes longer has waited for the host."""


class Cable:
    """The bytes from and to the host."""

    def __init__(self) -> None:
        self._source = _unbuffered(sys.stdin)
        self._sink = _unbuffered(sys.stdout)
        self._readable = _looks_for(sys.stdin, select.POLLIN)
        self._writable = _looks_for(sys.stdout, select.POLLOUT)
        self._write_piece = WRITE_BYTES
        self._piece = bytearray(PACKET_BYTES)
        whole = memoryview(self._piece)
        self._places = [whole[at : at + 1] for at in range(PACKET_BYTES)]

    def __bool__(self) -> bool:
        """Return whether input is available."""
        for _ in self._readable(0):
            return True
        return False

    def read(self) -> bytes:
        """Return the bytes that have arrived, at most PACKET_BYTES."""
        # stdin on a Pico blocks until a buffer is full, so bytes are read one by one. Calls and attributes are kept out
        # of the loop, which takes 61 us a byte there.
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
        """Send a frame, or as much as fits. While the host does not read, the rest is lost.
        Zeros after the frame fill its last piece.
        """
        # A Pico whose output is full blocks in a write for 500 ms, during which it can't hide dice; and poll promises
        # room for one byte only. MicroPython's output at its start may leave room for a part of a piece in the buffer:
        # then single bytes are written, beginning after the first write that had to wait.
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


def _unbuffered(stream: "Any") -> "Any":
    # The byte stream of sys.stdin or sys.stdout, without CPython's buffer.
    return getattr(stream.buffer, "raw", stream.buffer)


def _looks_for(stream: "Any", what: int) -> "Any":
    # MicroPython's ipoll is a poll that allocates no memory.
    poller = select.poll()
    poller.register(stream, what)
    return getattr(poller, "ipoll", poller.poll)
