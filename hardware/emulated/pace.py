"""A board program's times on a Raspberry Pi Pico; emulated boards wait as long.

They were fitted to MicroPython 1.28 on an emulated RP2040, calibrated on a real chip's published benchmark (bm_chaos).
`tests/hardware/emulated/test_pace.py` has its measurements and holds an emulated board to them.
"""

from typing import NamedTuple

from hardware.firmware.cable import PACKET_BYTES
from hardware.link.framing import PART_BYTES
from hardware.link.messages import Chunk, Draw, LinkMessage, Open, Picture, Ping


class Pace(NamedTuple):
    """Microseconds for each operation."""

    boot_us: int = 450_000
    """From the power to the program's first step, compiled; from text it takes 1.4 s."""
    byte_us: int = 61
    """A byte that is read from the cable."""
    i2c_byte_us: int = 25
    """A byte written to the panel at 400 kHz, the address included."""
    turn_us: int = 1500
    """A turn of the program's loop: wait, step, send."""
    edge_us: int = 2500
    """The edges of a switch, up to the command that closes the gate: 5 ms with the turn that they begin."""
    look_us: int = 100
    """A look at the switches between two parts of a step, when there is no edge."""
    message_us: int = 2300
    """A message that is read and handled; an Ack takes no more."""
    ping_us: int = 600
    """A Ping besides: the lease renewed."""
    picture_us: int = 2300
    """A picture besides: kept, its CRC-32 taken."""
    window_us: int = 500
    """A window of a picture, unpacked, kept and prepared for the panel."""
    hash_us: int = 1400
    """A Draw or an Open besides, with its hashes."""
    chunk_us: int = 14_000
    """A Chunk of 1024 bytes besides, written to the flash: a quarter of a sector, which takes 45 ms to erase and 6.4 ms
    to program (data sheet of the W25Q16JV, typical), and littlefs. Not measured."""
    frame_us: int = 2000
    """A frame that is made and written to the cable."""
    block_us: int = 20
    """A COBS block that is decoded."""
    zeros_us: int = 150
    """The beginning of a run of zeros, which is decoded at one go."""
    zero_ns: int = 5000
    """Each zero in it, in nanoseconds."""

    def reading_s(self, length: int) -> float:
        """Return the reading time for this number of bytes, in seconds."""
        return self.byte_us * length / 1e6

    def read_within(self, for_s: float) -> int:
        """Return the number of bytes read by the end of the piece begun by then, at least one piece."""
        return max(1, -(-round(for_s * 1e6) // (self.byte_us * PACKET_BYTES))) * PACKET_BYTES

    def handling_us(self, message: LinkMessage) -> int:
        """Return a message's time in microseconds, without its windows and its answer."""
        if isinstance(message, Ping):
            return self.message_us + self.ping_us
        if isinstance(message, Picture):
            return self.message_us + self.picture_us
        if isinstance(message, Chunk):
            return self.message_us + self.chunk_us
        return self.message_us + (self.hash_us if isinstance(message, Draw | Open) else 0)

    def decoding_us(self, piece: bytes) -> list[float]:
        """Return each part's decoding time in microseconds, for a frame without its zero."""
        parts, at, end = [], 0, len(piece)
        while at < end:
            blocks = runs = zeros = 0
            stop = min(at + PART_BYTES, end)
            while at < stop:
                blocks += 1
                if piece.startswith(_RUN, at):
                    run = end - at - len(piece[at:].lstrip(b"\x01"))
                    runs, zeros, at = runs + 1, zeros + run, at + run
                else:
                    at += piece[at] or 1
            parts.append(self.block_us * blocks + self.zeros_us * runs + self.zero_ns * zeros / 1000)
        return parts


_RUN = b"\x01" * 8

PICO = Pace()
PHONE = Pace(block_us=0, zeros_us=0, zero_ns=0, look_us=0)
"""A guest's phone as an emulated board: it decodes any bytes in no time, such as a text with its dice."""
