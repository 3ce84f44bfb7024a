"""The hash chain over everything that happens in a match: whoever knows its head knows that nothing before changed.

A head is told in Crockford's base32, which has no I, L, O or U: 52 letters, five bits each.
"""

from base64 import b32encode
from hashlib import sha256

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
