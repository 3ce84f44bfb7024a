"""Framing: messages to bytes on the wire, and back in spite of cuts and noise. Used by both ends of the link.

A frame is `COBS(body + CRC-32 of the body, little-endian)` and a zero byte. COBS leaves no zero inside, so a
reader that lost its place is in step again at the next zero. More zeros make frames of equal bodies equally long,
because the overhead of COBS depends on the content, which may be dice. Written in the
subset that MicroPython and CPython share.
"""

import binascii
import struct

LONGEST_BODY = 1100  # bytes; the longest message, a whole picture in eight windows, is 1061
LONGEST_FRAME = LONGEST_BODY + 4 + (LONGEST_BODY + 4) // 254 + 1  # encoded, without the zero
_LONGEST_RUN = 254
_ONES = b"\x01" * 8
_PART = 64  # bytes; a copy of all that is left for every run of zeros would take a Pico's memory


class FramingError(ValueError):
    """Bytes that are not a valid frame: a wrong COBS code or a wrong CRC."""


def cobs_encode(data: bytes) -> bytes:
    """Return `data` without zero bytes, one byte longer for every 254 begun."""
    out = bytearray()
    start = 0
    while True:
        zero = data.find(b"\0", start)
        end = len(data) if zero < 0 else zero
        while end - start >= _LONGEST_RUN:
            out.append(255)
            out += data[start : start + _LONGEST_RUN]
            start += _LONGEST_RUN
            if start == len(data):
                return bytes(out)
        out.append(end - start + 1)
        out += data[start:end]
        if zero < 0:
            return bytes(out)
        start = zero + 1


def cobs_decode(encoded: bytes) -> bytes:
    """Undo `cobs_encode`. FramingError when a code points past the end or a zero is inside.

    A Pico takes 25 us for each turn of the loop, so it overwrites the codes in place and a run of zeros at one go.
    """
    if encoded.find(b"\0") >= 0:
        raise FramingError("a zero byte inside the frame")
    out = bytearray(encoded)
    end = len(out)
    full = []  # where blocks begin that follow a full one: there is no zero between the two
    at = 0
    while at < end:
        code = encoded[at]
        if code == 1 and encoded.startswith(_ONES, at):
            part = encoded[at : at + _PART]
            run = len(part) - len(part.lstrip(b"\x01"))
            out[at : at + run] = bytes(run)
            at += run
            continue
        out[at] = 0
        at += code
        if code == 255 and at < end:
            full.append(at)
    if at > end:
        raise FramingError("a COBS code points out of the frame")
    for start in reversed(full):
        out = out[:start] + out[start + 1 :]
    return bytes(out[1:])


def frame(body: bytes) -> bytes:
    """Return the bytes that carry `body`, the closing zeros included: how many depends on its length alone.

    ValueError when it is longer than LONGEST_BODY.
    """
    if len(body) > LONGEST_BODY:
        raise ValueError(f"a body of {len(body)} bytes; the longest is {LONGEST_BODY}")
    checked = body + struct.pack("<I", binascii.crc32(body))
    encoded = cobs_encode(checked)
    longest = len(checked) + (len(checked) + _LONGEST_RUN - 1) // _LONGEST_RUN
    return encoded + bytes(longest + 1 - len(encoded))


def unframe(encoded: bytes) -> bytes:
    """Return the body of one frame given without its zero. FramingError when it is damaged."""
    checked = cobs_decode(encoded)
    if not 4 <= len(checked) <= LONGEST_BODY + 4:
        raise FramingError("too short for a CRC or too long for a body")
    body = checked[:-4]
    if struct.unpack("<I", checked[-4:])[0] != binascii.crc32(body):
        raise FramingError("the CRC does not fit the body")
    return body


class Parser:
    """Finds bodies in a stream cut anywhere. It holds at most one frame; a longer run is thrown away as it comes.

    `damaged` counts the stretches between zeros that were no frame, `wasted` the bytes in them.
    """

    def __init__(self) -> None:
        self.damaged = 0
        self.wasted = 0
        self._held = b""
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take the next bytes of the stream, however few; return the bodies they complete, in order."""
        bodies = []
        pieces = (self._held + chunk).split(b"\0")
        self._held = pieces.pop()
        for piece in pieces:
            if self._skipping:
                self._skipping = False
                self.wasted += len(piece)
            elif piece:
                try:
                    bodies.append(unframe(piece))
                except FramingError:
                    self.damaged += 1
                    self.wasted += len(piece)
        if len(self._held) > LONGEST_FRAME or self._skipping:
            if not self._skipping:
                self.damaged += 1
            self.wasted += len(self._held)
            self._held = b""
            self._skipping = True
        return bodies
