"""The cryptography of fair dice: commitments, and dice from entropy. All of it is pure.

- A commitment is SHA-256 over a secret and what the secret is for. The host commits first, to its seed for one deal of
  one match; this commitment names the deal on the link. A cup commits to its entropy for that deal. So each cup's
  commitment covers the host's, and nothing of one deal fits another.
- The dice are read from SHAKE-256 over match, deal, seat, seed and all entropies that count, with rejection of unfair
  bytes. Every input goes in with its length, so that no two sets of inputs hash alike. Whoever knows the seed and the
  entropies can compute every die; whoever lacks one of them can foresee none.

`docs/fairness.md` has the argument. In the lines of a record the host is called `house`.
"""

import hashlib
from collections.abc import Iterator, Mapping
from hashlib import sha256

_FAIR_BYTES = 252
"""The greatest multiple of six in a byte. Bytes from it on are rejected."""


# Commitments


def host_commitment(match: str, number: int, seed: bytes) -> bytes:
    """Return the host's commitment, 32 bytes, to its seed of 32 bytes for the deal of this number in a match.

    `match` is `chain.match_identity`; no second pair of a match and a seed has the same commitment.
    """
    match_bytes = match.encode()
    length = len(match_bytes).to_bytes(4, "big")
    return sha256(b"dudo house\0" + length + match_bytes + number.to_bytes(4, "big") + seed).digest()


def cup_commitment(deal: bytes, entropy: bytes) -> bytes:
    """Return a cup's commitment, 32 bytes, to its entropy of 32 bytes. `deal` is the host's commitment (`LINK.md`)."""
    return sha256(b"dudo cup\0" + deal + entropy).digest()


def seat_commitment(deal: bytes, entropy: bytes) -> bytes:
    """Return the host's commitment to a switch's or button's entropy, which only the host has seen."""
    return sha256(b"dudo seat\0" + deal + entropy).digest()


# Dice


def deal_dice(
    match: str, number: int, seed: bytes, entropies: Mapping[int, bytes], dice: Mapping[int, int]
) -> dict[int, list[int]]:
    """Return one deal's dice, as many for each seat as `dice` says.

    `match` is `chain.match_identity`, `number` counts the match's deals from one.
    """
    key = _joined(match.encode(), number.to_bytes(4, "big"), seed, *_pairs(entropies))
    return {seat: _roll(_joined(key, b"dice", bytes([seat])), count) for seat, count in dice.items()}


def effective_entropies(cups: Mapping[int, bytes], others: Mapping[int, bytes]) -> Mapping[int, bytes]:
    """Return the entropies that make the dice: those from cups with a program, or without any, the other seats'.

    The host learns the cups' entropies as soon as all of them are down, and it alone reports a switch's or button's. If
    both counted, it could choose the dice.
    """
    return cups or others


def pick_number(seed: bytes, purpose: str, below: int) -> int:
    """Return a number from 0 to `below` - 1 that the seed decides, each equally likely."""
    stream = _stream(_joined(purpose.encode(), seed))
    fair = 256 - 256 % below
    return next(byte for byte in stream if byte < fair) % below


def match_name(seed: bytes) -> str:
    """Return a short public name for the match that a seed begins, without revealing the seed."""
    return sha256(_joined(b"match", seed)).hexdigest()[:12]


def _pairs(entropies: Mapping[int, bytes]) -> Iterator[bytes]:
    for seat, entropy in sorted(entropies.items()):
        yield bytes([seat])
        yield entropy


def _joined(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _roll(key: bytes, count: int) -> list[int]:
    stream = _stream(key)
    return [next(byte for byte in stream if byte < _FAIR_BYTES) % 6 + 1 for _ in range(count)]


def _stream(key: bytes) -> Iterator[int]:
    """Yield one SHAKE-256 output's bytes, read in prefixes of growing length: the same however far it is read."""
    start, length = 0, 64
    while True:
        output = hashlib.shake_256(key).digest(length)
        yield from output[start:]
        start, length = length, 2 * length
