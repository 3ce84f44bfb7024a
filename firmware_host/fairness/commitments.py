"""The cryptography of fair dice: commitments, and dice from entropy. Pure.

- A commitment is SHA-256 over a secret and its purpose. The host commits first, to its seed for one deal of one match;
  this commitment names the deal on the link. A cup commits to its entropy for that deal. So each cup's commitment
  covers the host's, and fits one deal only.
- The dice are read from SHAKE-256 over match, deal, seat, seed and all effective entropies, with rejection of unfair
  bytes. Every input goes in with its length, so different inputs hash differently. The seed and all entropies together
  give every die; without one of them, every die is unpredictable.

`docs/fairness.md` has the argument. A record's lines call the host `house`.
"""

import hashlib
from collections.abc import Iterator, Mapping
from hashlib import sha256

from engine.position import Player

_FAIR_BYTES = 252
"""The greatest multiple of six in a byte. Bytes from it on are rejected."""


# Commitments


def host_commitment(match: str, number: int, seed: bytes) -> bytes:
    """Return the host's 32-byte commitment to its 32-byte seed for this deal number in a match.

    `match` is `chain.match_identity`; each pair of match and seed has its own commitment.
    """
    match_bytes = match.encode()
    length = len(match_bytes).to_bytes(4, "big")
    return sha256(b"dudo house\0" + length + match_bytes + number.to_bytes(4, "big") + seed).digest()


def cup_commitment(deal: bytes, entropy: bytes) -> bytes:
    """Return a cup's commitment, 32 bytes, to its entropy of 32 bytes. `deal` is the host's commitment (`LINK.md`)."""
    return sha256(b"dudo cup\0" + deal + entropy).digest()


def seat_commitment(deal: bytes, entropy: bytes) -> bytes:
    """Return the host's commitment to a switch's or button's entropy, known only to the host."""
    return sha256(b"dudo seat\0" + deal + entropy).digest()


# Dice


def deal_dice(
    match: str, number: int, seed: bytes, entropies: Mapping[Player, bytes], dice: Mapping[Player, int]
) -> dict[Player, list[int]]:
    """Return one deal's dice, as many for each seat as `dice` says.

    `match` is `chain.match_identity`, `number` counts the match's deals from one.
    """
    key = _joined(match.encode(), number.to_bytes(4, "big"), seed, *_pairs(entropies))
    return {seat: _roll(_joined(key, b"dice", bytes([seat])), count) for seat, count in dice.items()}


def effective_entropies(cups: Mapping[Player, bytes], others: Mapping[Player, bytes]) -> Mapping[Player, bytes]:
    """Return the entropies that make the dice: those from cups with a program, or without any, the other seats'.

    The host learns the cups' entropies as soon as all of them are down, and it alone reports a switch's or button's. If
    both counted, it could choose the dice.
    """
    return cups or others


def pick_number(seed: bytes, purpose: str, below: int) -> int:
    """Return a number from 0 to `below` - 1, decided by the seed, each equally likely."""
    stream = _stream(_joined(purpose.encode(), seed))
    fair = 256 - 256 % below
    return next(byte for byte in stream if byte < fair) % below


def match_name(seed: bytes) -> str:
    """Return a short public name for a seed's match, without revealing the seed."""
    return sha256(_joined(b"match", seed)).hexdigest()[:12]


def _pairs(entropies: Mapping[Player, bytes]) -> Iterator[bytes]:
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
