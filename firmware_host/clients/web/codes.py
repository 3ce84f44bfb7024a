"""One-time codes with which phones come to a table, and the limit on guesses of codes and passwords.

Codes and tokens are compared by their SHA-256, so the look-up's duration and a file of tokens do not reveal them.
"""

import secrets
from collections import OrderedDict
from hashlib import sha256

from drivers.timing import RateLimiter

CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""32 unmistakable letters, 5 bits each."""
CODE_LENGTH = 16
"""Letters of a code: 80 bits."""
TOKEN_BYTES = 32
_MISREAD = str.maketrans("OIL", "011")
"""Letters that no code has, and the digits for which a person takes them."""
GUESSES_AT_ONCE, GUESSES_A_SECOND = 10, 0.5
"""Rate limit of the codes that are tried from one address."""
MAX_ADDRESSES = 256
"""Maximum number of addresses with counted tries; the one idle for longest is forgotten first."""


class GuessLimiter:
    """The rate limit of guesses, separate for each address: guests can't use up each other's."""

    def __init__(self, at_once: float = GUESSES_AT_ONCE, a_second: float = GUESSES_A_SECOND) -> None:
        self._rate = at_once, a_second
        self._addresses: OrderedDict[str, RateLimiter] = OrderedDict()

    def __len__(self) -> int:
        return len(self._addresses)

    def allow(self, address: str, now_s: float) -> bool:
        """Count a try from an address; return whether it may be looked at."""
        limiter = self._addresses.pop(address, None) or RateLimiter(*self._rate)
        self._addresses[address] = limiter
        if len(self._addresses) > MAX_ADDRESSES:
            self._addresses.popitem(last=False)
        return limiter.allow(1, now_s)


def new_code(length: int = CODE_LENGTH) -> str:
    """Return an unguessable code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def new_token() -> str:
    """Return the unguessable text of a guest's cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def plain(code: str) -> str:
    """Return a code in its original form, whatever case and separators a person typed, and O for 0, I or L for 1."""
    return "".join(letter for letter in code.upper() if letter.isalnum()).translate(_MISREAD)


def digest_of(text: str) -> str:
    """Return the hash by which a code or token is known."""
    return sha256(text.encode(errors="replace")).hexdigest()
