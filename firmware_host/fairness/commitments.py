"""What binds somebody to bytes before anybody else shows theirs: SHA-256 over the bytes and what they are for.

The house commits first, to its seed for one deal of one match; that commitment is what a deal is called on the link.
A cup commits to its entropy for that deal, so it binds the house to the seed, too: nothing of one deal fits another.

The hash chain over everything that happens in a match: whoever knows its head knows that nothing before changed.

A head is told in Crockford's base32, which has no I, L, O or U: 52 letters, five bits each.

Dice from entropy: SHAKE-256 over match, deal, seat, seed and all entropies that count, with rejection.

Every input goes in with its length, so no two sets of inputs can hash alike. Whoever knows the seed and the entropies
can recompute every die; nobody who lacks one of them can foresee any.
"""

import hashlib
from base64 import b32encode
from collections.abc import Iterator, Mapping
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


NO_HEAD = bytes(32)
"""Before the first line."""
SHORTEST_LETTERS = 8
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_FROM_BASE32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", LETTERS)  # RFC 4648 has other letters for the same
_READ_AS = str.maketrans("OoIiLl", "001111", " -\t")


def linked(head: bytes, line: str) -> bytes:
    """The head after one more line of text."""
    return sha256(head + line.encode()).digest()


def head_text(head: bytes) -> str:
    """All 52 letters of a head."""
    return b32encode(head).rstrip(b"=").decode().translate(_FROM_BASE32)


def short_head(head: bytes, letters: int = 8) -> str:
    """The first letters of a head, in groups of four: `7K3M Q2ZP 9TBX`."""
    return first_letters(head_text(head), letters)


def first_letters(text: str, letters: int | None = None) -> str:
    """As `short_head`, of a head that is a text already; all that there are of it if `letters` is None."""
    letters = len(text) if letters is None else letters
    return " ".join(text[place : min(place + 4, letters)] for place in range(0, letters, 4))


def read_head(text: str) -> str:
    """The letters that somebody wrote down of a head, as `head_text` writes them.

    Small letters, blanks and dashes are allowed, O is 0, I and L are 1. Raises `ValueError` for what can't be the
    beginning of a head, and for fewer than 8 letters.
    """
    letters = text.translate(_READ_AS).upper()
    if strange := "".join(sorted(set(letters) - set(LETTERS))):
        raise ValueError(f"{strange[0]!r} is in no head")
    if len(letters) < SHORTEST_LETTERS:
        raise ValueError(f"{len(letters)} letters of a head say too little, at least {SHORTEST_LETTERS} are needed")
    if len(letters) > 52:
        raise ValueError(f"a head has 52 letters, not {len(letters)}")
    return letters


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
