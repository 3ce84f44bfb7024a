"""Counts the WebSocket frames sent by a connection, before anything parses them.

A ping takes six bytes, so a byte limit alone lets a thousand through in the size of one message.
"""

import re

_LONG, _LONGEST = 126, 127
"""Values of a length, RFC 6455, section 5.2: it follows in 16 bits, or in 64."""
_END_OF_HEAD = re.compile(rb"[^\r\n]\r?\n\r?\n")
"""The end of an HTTP request; aiohttp skips empty lines before one."""


class FrameCount:
    """A count of frames by their headers alone. Data before an upgrade has no frames."""

    def __init__(self) -> None:
        self._head: bytes | None = b""  # of the request, until its end
        self._is_upgrade = False
        self._partial = b""  # the first part of a frame's header
        self._payload_bytes = 0  # remaining bytes of the last frame

    def count(self, data: bytes, most: int) -> tuple[int, int]:
        """Return how many frames begin in a piece, and how many bytes the first `most` take."""
        start = self._end_of_head(data)
        if not self._is_upgrade or start is None:
            return 0, len(data)
        rest = self._partial + data[start:]
        shift = start - len(self._partial)  # from a place in `rest` to one in `data`
        frames, at, self._partial = 0, self._payload_bytes, b""
        while at < len(rest):
            if frames == most:
                return frames + 1, max(0, at + shift)
            length = _frame_bytes(rest[at : at + 10])
            if length is None:
                self._partial, at = rest[at:], len(rest)
            else:
                frames, at = frames + 1, at + length
        self._payload_bytes = at - len(rest)
        return frames, len(data)

    def _end_of_head(self, data: bytes) -> int | None:
        """Return where the frames begin in a piece, or None."""
        if self._head is None:
            return 0
        before = len(self._head)
        self._head += data
        end = _END_OF_HEAD.search(self._head)
        if end is None:
            return None
        self._is_upgrade = b"upgrade" in self._head[: end.start()].lower()
        self._head = None
        return end.end() - before


def _frame_bytes(header: bytes) -> int | None:
    """Return a frame's length with its header, None if the header continues in the next piece."""
    if len(header) < 2:
        return None
    length, mask_bytes = header[1] & 0x7F, 4 if header[1] & 0x80 else 0
    length_bytes = {_LONG: 2, _LONGEST: 8}.get(length, 0)
    if len(header) < 2 + length_bytes:
        return None
    if length_bytes:
        length = int.from_bytes(header[2 : 2 + length_bytes], "big")
    return 2 + length_bytes + mask_bytes + length
