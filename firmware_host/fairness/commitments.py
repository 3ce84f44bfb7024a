"""What binds somebody to bytes before anybody else shows theirs: SHA-256 over the bytes and what they are for.

The house commits first, to its seed for one deal of one match; that commitment is what a deal is called on the link.
A cup commits to its entropy for that deal, so it binds the house to the seed, too: nothing of one deal fits another.
"""

from hashlib import sha256


def house_commitment(match: str, number: int, seed: bytes) -> bytes:
    """Return the house's commitment, 32 bytes, to its seed of 32 bytes for the deal of this number in a match.

    `match` is `lines.match_identity`; no second pair of a match and a seed has the same commitment.
    """
    name = match.encode()
    return sha256(b"dudo house\0" + len(name).to_bytes(4, "big") + name + number.to_bytes(4, "big") + seed).digest()


def cup_commitment(deal: bytes, entropy: bytes) -> bytes:
    """A cup's, 32 bytes, to its entropy of 32 bytes; `deal` is the house's commitment. `LINK.md` tells it to cups."""
    return sha256(b"dudo cup\0" + deal + entropy).digest()


def seat_commitment(deal: bytes, entropy: bytes) -> bytes:
    """The house's, 32 bytes, to what a switch or a button gave: only the house has seen it."""
    return sha256(b"dudo seat\0" + deal + entropy).digest()
