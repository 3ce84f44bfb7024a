"""What a bad line does to one frame: each takes the frame with its closing zeros and gives what is left of it."""

import random
from collections.abc import Callable, Mapping

LONGEST_BURST = 40  # bytes
MOST_BITS = 8


def bits(frame: bytes, rng: random.Random) -> bytes:
    """Some bits come out as the other, those of the closing zero among them."""
    hit = bytearray(frame)
    for _ in range(rng.randint(1, MOST_BITS)):
        hit[rng.randrange(len(hit))] ^= 1 << rng.randrange(8)
    return bytes(hit)


def burst(frame: bytes, rng: random.Random) -> bytes:
    """Return it with a stretch of noise, perhaps longer or shorter than the original."""
    at = rng.randrange(len(frame))
    return frame[:at] + rng.randbytes(rng.randint(1, LONGEST_BURST)) + frame[at + rng.randint(0, LONGEST_BURST) :]


def tail_cut(frame: bytes, rng: random.Random) -> bytes:
    """Cut off its end, the zero too, so that the next frame follows in its middle."""
    return frame[: rng.randrange(len(frame))]


def head_cut(frame: bytes, rng: random.Random) -> bytes:
    """Cut off its beginning."""
    return frame[rng.randint(1, len(frame)) :]


def hole(frame: bytes, rng: random.Random) -> bytes:
    """Return it without a stretch in it."""
    at = rng.randrange(len(frame))
    return frame[:at] + frame[at + rng.randint(1, LONGEST_BURST) :]


def dropped(frame: bytes, rng: random.Random) -> bytes:
    """Nothing of it arrives."""
    return b""


def repeated(frame: bytes, rng: random.Random) -> bytes:
    """It arrives more than once."""
    return frame * rng.randint(2, 4)


def zeros_in(frame: bytes, rng: random.Random) -> bytes:
    """Zeros come into its middle: it is two frames now."""
    at = rng.randrange(len(frame))
    return frame[:at] + bytes(rng.randint(1, 4)) + frame[at:]


def zeros_out(frame: bytes, rng: random.Random) -> bytes:
    """Cut off its closing zeros: it is one frame with the next."""
    return frame.rstrip(b"\0")


FAULTS: Mapping[str, Callable[[bytes, random.Random], bytes]] = {
    fault.__name__: fault for fault in (bits, burst, tail_cut, head_cut, hole, dropped, repeated, zeros_in, zeros_out)
}
