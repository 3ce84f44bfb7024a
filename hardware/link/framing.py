"""Framing: messages to bytes on the wire, and back in spite of cuts and noise. Used by both ends of the link.
A frame is `COBS(body + CRC-32 of the body, little-endian)` and a zero byte. COBS leaves no zero inside, so a reader
that lost its place is in step again at the next zero. Extra zeros pad frames to the same length for equally long
bodies, because COBS's overhead depends on the content, which may be dice. Written in the common subset of MicroPython
and CPython.
"""

import binascii
import struct

LONGEST_BODY = 1100  # bytes; the longest message, a whole picture in eight windows, is 1061
LONGEST_FRAME = LONGEST_BODY + 4 + (LONGEST_BODY + 4) // 254 + 1  # encoded, without the zero
_LONGEST_RUN = 254
_ONES = b"\x01" * 8
_RUN_BYTES = 64  # bytes; a copy of all that is left for every run of zeros would take a Pico's memory
PART_BYTES = 128
"""Encoded bytes that a `CobsDecoder` decodes at a time."""


class FramingError(ValueError):
    """An invalid frame: a wrong COBS code or a wrong CRC."""


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
    """Undo `cobs_encode`. FramingError when a code points past the end or a zero is inside."""
    decoder = CobsDecoder(encoded)
    while not decoder.decode_part():
        pass
    return decoder.decoded()


class CobsDecoder:
    """Decodes as `cobs_decode` does, a part at a time: call `decode_part` until it returns True, then `decoded`.
    A Pico takes 20 us for each turn of the loop, so it overwrites the codes in place, and a run of zeros at one go. A
    part takes it 3 ms at most.
    """

    def __init__(self, encoded: bytes) -> None:
        if encoded.find(b"\0") >= 0:
            raise FramingError("a zero byte inside the frame")
        self._encoded = encoded
        self._out = bytearray(encoded)
        self._full: list[int] = []  # where blocks begin that follow a full one: there is no zero between the two
        self._at = 0

    def decode_part(self) -> bool:
        """Decode the next PART_BYTES, or a few more; return whether they were the last."""
        encoded, out, at, end = self._encoded, self._out, self._at, len(self._out)
        stop = min(at + PART_BYTES, end)
        while at < stop:
            code = encoded[at]
            if code == 1 and encoded.startswith(_ONES, at):
                piece = encoded[at : at + _RUN_BYTES]
                run = len(piece) - len(piece.lstrip(b"\x01"))
                out[at : at + run] = bytes(run)
                at += run
                continue
            out[at] = 0
            at += code
            if code == 255 and at < end:
                self._full.append(at)
        self._at = at
        return at >= end

    def decoded(self) -> bytes:
        """Return the decoded bytes. FramingError when a code points past the end."""
        if self._at > len(self._out):
            raise FramingError("a COBS code points out of the frame")
        out = self._out
        for start in reversed(self._full):
            out = out[:start] + out[start + 1 :]
        return bytes(out[1:])


def frame(body: bytes) -> bytes:
    """Return the bytes that carry `body`, with the closing zeros: their number depends on its length alone.
    Raises ValueError if it is longer than LONGEST_BODY.
    """
    if len(body) > LONGEST_BODY:
        raise ValueError(f"a body of {len(body)} bytes; the longest is {LONGEST_BODY}")
    checked = body + struct.pack("<I", binascii.crc32(body))
    encoded = cobs_encode(checked)
    longest = len(checked) + (len(checked) + _LONGEST_RUN - 1) // _LONGEST_RUN
    return encoded + bytes(longest + 1 - len(encoded))


def unframe(encoded: bytes) -> bytes:
    """Return the body from one frame given without its zero. FramingError if it is damaged."""
    return checked_body(cobs_decode(encoded))


def checked_body(decoded: bytes) -> bytes:
    """Return a decoded frame's body. FramingError if the CRC does not fit it."""
    if not 4 <= len(decoded) <= LONGEST_BODY + 4:
        raise FramingError("too short for a CRC or too long for a body")
    body = decoded[:-4]
    if struct.unpack("<I", decoded[-4:])[0] != binascii.crc32(body):
        raise FramingError("the CRC does not fit the body")
    return body


class FrameParser:
    """Finds bodies in a stream cut anywhere. It holds at most one frame and discards a longer run as it arrives.
    `damaged` counts invalid stretches between zeros, `wasted` the bytes in them.
    """

    def __init__(self) -> None:
        self.damaged = 0
        self.wasted = 0
        self._held = b""
        self._skipping = False

    def feed(self, chunk: bytes) -> "list[bytes]":
        """Take the stream's next bytes, however few; return the completed bodies, in order."""
        bodies = []
        for piece in self.split(chunk):
            try:
                bodies.append(unframe(piece))
            except FramingError:
                self.drop(piece)
        return bodies

    def split(self, chunk: bytes) -> "list[bytes]":
        """Take the next bytes as `feed` does; return complete pieces undecoded, for `unframe` and `drop`."""
        pieces = (self._held + chunk).split(b"\0")
        self._held = pieces.pop()
        if self._skipping and pieces:
            self._skipping = False
            self.wasted += len(pieces.pop(0))
        if len(self._held) > LONGEST_FRAME or self._skipping:
            if not self._skipping:
                self.damaged += 1
            self.wasted += len(self._held)
            self._held = b""
            self._skipping = True
        return [piece for piece in pieces if piece]

    def drop(self, piece: bytes) -> None:
        """Count an invalid piece."""
        self.damaged += 1
        self.wasted += len(piece)
