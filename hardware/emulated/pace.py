"""The times that a board's program takes on a Raspberry Pi Pico; emulated boards wait as long.

The figures up to `i2c_byte_us` were measured with MicroPython 1.28 on an emulated RP2040 that was calibrated on a
published benchmark of a real chip (bm_chaos); they hold within 15 %. Those after it are estimates: what the same code
takes on MicroPython's unix port, times 250, which is the ratio for what was measured on both. They were tried on the
program of link version 3, which took 150 us to read a byte and 75 us to decode a block: a whole picture comes out at
284 ms when dark and 207 ms when noise, where 270-279 and 192-200 ms were measured, and a Pong at 8.5 ms (8-10).
"""

from typing import NamedTuple

from hardware.firmware.cable import PACKET_BYTES


class Pace(NamedTuple):
    """Microseconds for each operation."""

    boot_us: int
    """From the power to the program's first step, compiled; from text it takes 1.4 s."""
    byte_us: int
    """A byte that is read from the cable."""
    i2c_byte_us: int
    """A byte written to the panel at 400 kHz, the address included."""
    turn_us: int
    """A turn of the program's loop: wait, step, send."""
    edge_us: int
    """A turn that a switch began, besides: from the edge to the command that closes the gate are 2.6 to 3.0 ms."""
    message_us: int
    """A message that is handled and answered. With the step and the bytes, a Ping takes 8 ms."""
    window_us: int
    """A window of a picture, unpacked, kept and prepared for the panel."""
    block_us: int
    """A COBS block that is decoded."""
    zeros_us: int
    """The beginning of a run of zeros, which is decoded at one go."""
    zero_ns: int
    """Each zero in it, in nanoseconds."""

    def reading_s(self, length: int) -> float:
        """Return the seconds that reading so many bytes takes."""
        return self.byte_us * length / 1e6

    def read_within(self, for_s: float) -> int:
        """Return how many bytes are read by the end of the piece that is begun by then, one piece at least."""
        return max(1, -(-round(for_s * 1e6) // (self.byte_us * PACKET_BYTES))) * PACKET_BYTES

    def decoding_us(self, frames: bytes) -> float:
        """Return the microseconds in which the COBS blocks of whole frames are decoded."""
        blocks = runs = zeros = 0
        for piece in frames.split(b"\0"):
            at, end = 0, len(piece)
            while at < end:
                blocks += 1
                if piece.startswith(_RUN, at):
                    run = end - at - len(piece[at:].lstrip(b"\x01"))
                    runs, zeros, at = runs + 1, zeros + run, at + run
                else:
                    at += piece[at]
        return self.block_us * blocks + self.zeros_us * runs + self.zero_ns * zeros / 1000


_RUN = b"\x01" * 8

PICO = Pace(
    boot_us=450_000,
    byte_us=61,
    i2c_byte_us=25,
    turn_us=1500,
    edge_us=1200,
    message_us=4000,
    window_us=800,
    block_us=20,
    zeros_us=150,
    zero_ns=5000,
)
