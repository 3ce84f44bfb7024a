"""A party's guests: a one-time code for each seat, and the token of the phone that used it.

`Workbench` asks for the owner of a code or token; HTTP and the game stay outside. Codes and tokens are found by their
SHA-256, so the look-up's duration and the token file do not reveal them.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Literal

from drivers.timing import RateLimiter
from firmware_host.wire import Seat, enumerate_seats

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

Refusal = Literal["unknown", "used", "taken", "slow"]


class CodeError(ValueError):
    """A rejected code; `why` is the reason for the page, which has the words."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why: Refusal = why


class Guests:
    """A table's seats by code and by token. `save` keeps digests by seat; a later start gets them as `stored`."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        stored: Mapping[str, str] | None = None,
        save: Callable[[Mapping[str, str]], None] = lambda _: None,
    ) -> None:
        self._names = names
        self._save = save
        self._codes = [new_code() for _ in names]
        self._used: dict[str, Seat] = {}
        self._tokens = {seat: digest for seat, name in enumerate_seats(names) if (digest := (stored or {}).get(name))}

    def __repr__(self) -> str:
        return f"<Guests at {[self._names[seat] for seat in self._tokens]}>"

    @property
    def seats(self) -> frozenset[Seat]:
        """The seats that belong to a guest, even one whose phone is away."""
        return frozenset(self._tokens)

    def code(self, seat: Seat) -> str:
        """Return a seat's code, valid until a guest takes the seat."""
        return self._codes[seat]

    def seat_of_code(self, code: str) -> Seat:
        """Return the seat with this open code. Raises `CodeError`."""
        found = {_digest(each): seat for seat, each in enumerate_seats(self._codes)}.get(_digest(plain(code)))
        if found is not None and found not in self._tokens:
            return found
        raise CodeError("used" if found is not None or _digest(plain(code)) in self._used else "unknown")

    def used_at(self, code: str) -> Seat | None:
        """Return the seat whose guest used this code."""
        seat = self._used.get(_digest(plain(code)))
        return seat if seat in self._tokens else None

    def seat_of(self, token: str) -> Seat | None:
        """Return a token's seat."""
        return {digest: seat for seat, digest in self._tokens.items()}.get(_digest(token))

    def admit(self, seat: Seat) -> str:
        """Use up a seat's code; return its new guest's token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._used = {digest: used for digest, used in self._used.items() if used != seat}
        self._used[_digest(self._codes[seat])] = seat
        self._tokens[seat] = _digest(token)
        self._store()
        return token

    def take_back(self, seat: Seat) -> None:
        """Invalidate a seat's token and make a new code."""
        self._tokens.pop(seat, None)
        self._codes[seat] = new_code()
        self._store()

    def _store(self) -> None:
        self._save({self._names[seat]: digest for seat, digest in self._tokens.items()})


class GuessLimiter:
    """The rate limit of tried codes, separate for each address: guests can't use up each other's."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, RateLimiter] = OrderedDict()

    def allow(self, address: str, now_s: float) -> bool:
        """Count a try from an address; return whether it may be looked at."""
        limiter = self._addresses.pop(address, None) or RateLimiter(GUESSES_AT_ONCE, GUESSES_A_SECOND)
        self._addresses[address] = limiter
        if len(self._addresses) > MAX_ADDRESSES:
            self._addresses.popitem(last=False)
        return limiter.allow(1, now_s)


def new_code() -> str:
    """Return an unguessable code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def plain(code: str) -> str:
    """Return a code in its original form, whatever case and separators a person typed, and O for 0, I or L for 1."""
    return "".join(letter for letter in code.upper() if letter.isalnum()).translate(_MISREAD)


def _digest(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()
