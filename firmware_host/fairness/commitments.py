"""The cryptography of fair dice: commitments, the hash chain over a match, and dice from entropy. All of it is pure.

- A commitment is SHA-256 over a secret and what the secret is for. The host commits first, to its seed for one deal of
  one match; this commitment names the deal on the link. A cup commits to its entropy for that deal. So each cup's
  commitment covers the host's, and nothing of one deal fits another.
- The chain's head is SHA-256 over the head before and the next line of text. Whoever knows the head of a match knows
  that nothing before it has changed. As text a head has 52 letters of Crockford's base32, which lacks I, L, O and U.
- The dice are read from SHAKE-256 over match, deal, seat, seed and all entropies that count, with rejection of unfair
  bytes. Every input goes in with its length, so that no two sets of inputs hash alike. Whoever knows the seed and the
  entropies can compute every die; whoever lacks one of them can foresee none.

`docs/fairness.md` has the argument. In the lines of a record the host is called `house`.
"""

import hashlib
from base64 import b32encode
from collections.abc import Iterator, Mapping
from hashlib import sha256

HEAD_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
HEAD_LETTERS = 52
MIN_HEAD_LETTERS = 8
"""The number of letters of a head from which on it says enough."""
EMPTY_HEAD = bytes(32)
"""The head before the first line."""
_FROM_BASE32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", HEAD_ALPHABET)  # RFC 4648 has other letters
_READ_AS = str.maketrans("OoIiLl", "001111", " -\t")
_FAIR_BYTES = 252
"""The greatest multiple of six in a byte. Bytes from it on are rejected."""


# Commitments


def host_commitment(match: str, number: int, seed: bytes) -> bytes:
    """Return the host's commitment, 32 bytes, to its seed of 32 bytes for the deal of this number in a match.

    `match` is `lines.match_identity`; no second pair of a match and a seed has the same commitment.
    """
    match_bytes = match.encode()
    length = len(match_bytes).to_bytes(4, "big")
    return sha256(b"dudo house\0" + length + match_bytes + number.to_bytes(4, "big") + seed).digest()


def cup_commitment(deal: bytes, entropy: bytes) -> bytes:
    """Return a cup's commitment, 32 bytes, to its entropy of 32 bytes. `deal` is the host's commitment (`LINK.md`)."""
    return sha256(b"dudo cup\0" + deal + entropy).digest()


def seat_commitment(deal: bytes, entropy: bytes) -> bytes:
    """Return the host's commitment, 32 bytes, to the entropy of a switch or a button, which only the host has seen."""
    return sha256(b"dudo seat\0" + deal + entropy).digest()


# The chain


def next_head(head: bytes, line: str) -> bytes:
    """Return the head after one more line of text."""
    return sha256(head + line.encode()).digest()


def head_text(head: bytes) -> str:
    """Return all 52 letters of a head."""
    return b32encode(head).rstrip(b"=").decode().translate(_FROM_BASE32)


def short_head(head: bytes, letters: int = 8) -> str:
    """Return the first letters of a head, in groups of four: `7K3M Q2ZP`."""
    return group_letters(head_text(head), letters)


def group_letters(text: str, letters: int | None = None) -> str:
    """Return the first letters of a head's text in groups of four, all of them if `letters` is None."""
    letters = len(text) if letters is None else letters
    return " ".join(text[start : min(start + 4, letters)] for start in range(0, letters, 4))


def read_head(text: str) -> str:
    """Return the letters of a head, or of its beginning, from what a player wrote down, as `head_text` writes them.

    Small letters, blanks and dashes are allowed, O is 0, I and L are 1. Raises `ValueError` for other letters, for
    fewer than 8 and for more than 52.
    """
    letters = text.translate(_READ_AS).upper()
    if unknown := "".join(sorted(set(letters) - set(HEAD_ALPHABET))):
        raise ValueError(f"{unknown[0]!r} is in no head")
    if len(letters) < MIN_HEAD_LETTERS:
        raise ValueError(f"{len(letters)} letters of a head say too little, at least {MIN_HEAD_LETTERS} are needed")
    if len(letters) > HEAD_LETTERS:
        raise ValueError(f"a head has {HEAD_LETTERS} letters, not {len(letters)}")
    return letters


# Dice


def deal_dice(
    match: str, number: int, seed: bytes, entropies: Mapping[int, bytes], dice: Mapping[int, int]
) -> dict[int, list[int]]:
    """Return the dice of one deal: for each seat in `dice`, that many.

    `match` is `lines.match_identity`, `number` counts the match's deals from one.
    """
    key = _joined(match.encode(), number.to_bytes(4, "big"), seed, *_pairs(entropies))
    return {seat: _roll(_joined(key, b"dice", bytes([seat])), count) for seat, count in dice.items()}


def effective_entropies(cups: Mapping[int, bytes], others: Mapping[int, bytes]) -> Mapping[int, bytes]:
    """Return the entropies that make the dice: those of cups with a program, or without any those of the other seats.

    The host learns the entropies of the cups as soon as all of them are down, and it alone reports what a switch or a
    button gave. If both counted, it could choose the dice.
    """
    return cups or others


def pick_number(seed: bytes, purpose: str, below: int) -> int:
    """Return a number from 0 to `below` - 1 that the seed decides, each equally likely."""
    stream = _stream(_joined(purpose.encode(), seed))
    fair = 256 - 256 % below
    return next(byte for byte in stream if byte < fair) % below


def match_name(seed: bytes) -> str:
    """Return a short public name for the match that a seed begins. It reveals nothing of the seed."""
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
    """Yield the bytes of one SHAKE-256 output, read in prefixes of growing length: the same however far it is read."""
    start, length = 0, 64
    while True:
        output = hashlib.shake_256(key).digest(length)
        yield from output[start:]
        start, length = length, 2 * length
