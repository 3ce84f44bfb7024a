"""The packets on the descriptor for an emulated Pico's pins, the same in both directions.

A packet is the length of its data (2 bytes, little-endian), its kind and the data.
"""

import struct

LEVEL = 1  # GP number, level: a contact moved its pin; the program its output
WRITE = 2  # address, then the bytes written to the panel there
ANSWERS = 3  # address, whether anything answers there
MOVE = 4  # one of the movements of `cup_physics`, of a cup with an LIS3DH


def packet(kind: int, data: bytes) -> bytes:
    """Return the bytes of a packet."""
    return struct.pack("<HB", len(data), kind) + data


class Packets:
    """Finds packets in a stream cut anywhere."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, chunk: bytes) -> "list[tuple[int, bytes]]":
        """Take the next bytes; return the packets they complete: (kind, data)."""
        held = self._held + chunk
        packets = []
        while len(held) >= 3:
            length, kind = struct.unpack("<HB", held[:3])
            if len(held) < 3 + length:
                break
            packets.append((kind, held[3 : 3 + length]))
            held = held[3 + length :]
        self._held = held
        return packets
