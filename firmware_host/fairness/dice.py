"""Dice from entropy: SHAKE-256 over match, deal, seat, seed and all entropies that count, with rejection.

Every input goes in with its length, so no two sets of inputs can hash alike. Whoever knows the seed and the entropies
can recompute every die; nobody who lacks one of them can foresee any.
"""

import hashlib
from collections.abc import Iterator, Mapping

_FAIR = 252  # the highest multiple of six in a byte: what is at or above it is thrown away


def deal(
    match: str, number: int, seed: bytes, entropies: Mapping[int, bytes], dice: Mapping[int, int]
) -> dict[int, list[int]]:
    """Return the dice of one deal: for each seat in `dice`, that many.

    `match` is `lines.match_identity`, `number` counts the match's deals from one.
    """
    mixed = _mixed(match.encode(), number.to_bytes(4, "big"), seed, *_pairs(entropies))
    return {seat: _throw(_mixed(mixed, b"dice", bytes([seat])), count) for seat, count in dice.items()}


def counted(cups: Mapping[int, bytes], others: Mapping[int, bytes]) -> Mapping[int, bytes]:
    """The entropies that make the dice: those of cups with a program if there are any, else of switches and buttons.

    The house learns what cups hold as soon as all of them are down, and it alone says what a switch or a button gave:
    with a say beside a cup it would choose the dice.
    """
    return cups or others


def pick(seed: bytes, purpose: str, below: int) -> int:
    """One number from 0 to `below` - 1 that the seed decides, every one as likely."""
    stream = _stream(_mixed(purpose.encode(), seed))
    fair = 256 - 256 % below
    return next(byte for byte in stream if byte < fair) % below


def _pairs(entropies: Mapping[int, bytes]) -> Iterator[bytes]:
    for seat, entropy in sorted(entropies.items()):
        yield bytes([seat])
        yield entropy


def _mixed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _throw(key: bytes, count: int) -> list[int]:
    stream = _stream(key)
    return [next(byte for byte in stream if byte < _FAIR) % 6 + 1 for _ in range(count)]


def _stream(key: bytes) -> Iterator[int]:
    """Bytes of one SHAKE-256 output, read in ever longer prefixes: the same stream however far it is read."""
    read, length = 0, 64
    while True:
        out = hashlib.shake_256(key).digest(length)
        yield from out[read:]
        read, length = length, 2 * length


def name(seed: bytes) -> str:
    """A short public name that a seed gives a match, without telling anything of the seed."""
    return hashlib.sha256(_mixed(b"match", seed)).hexdigest()[:12]
