"""The way in for guests' phones: one code for the whole table, and the seat of each phone that used one.

HTTP and the game stay outside. Every code works for one phone; then there is another one.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from firmware_host.clients.web.codes import digest_of, new_code, new_token, plain
from firmware_host.wire import Seat

_LEFT = ""
"""Stands for a token's hash at a seat that its phone has left with dice in play; every real hash is longer."""
_JOINT = "."
"""Between the secret of a token and the key."""
CODE_LENGTH = 8
"""Letters of a code: 40 bits. A whole network of 250 addresses guesses for years, at the rate of `GuessLimiter`."""
GROUP = 4
"""Letters between two spaces of a shown code."""
MAX_USED = 64
"""Used codes that get a sentence of their own."""

Refusal = Literal["unknown", "used", "taken", "full", "slow"]


class JoinError(ValueError):
    """A phone that gets no seat; `why` is the reason for the page, which has the words."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why: Refusal = why


class Door:
    """A table's code and guests. `save` keeps each seat's token as a hash; a later start gets them as `stored`."""

    def __init__(
        self,
        stored: Mapping[Seat, str] | None = None,
        *,
        save: Callable[[Mapping[Seat, str]], None] = lambda _: None,
    ) -> None:
        self._code = new_code(CODE_LENGTH)
        self._used: deque[str] = deque(maxlen=MAX_USED)
        self._tokens = dict(stored or {})
        self._save = save

    def __repr__(self) -> str:
        return f"<Door with guests at {sorted(self._tokens)}>"

    @property
    def code(self) -> str:
        """The code for the next phone."""
        return self._code

    @property
    def taken(self) -> frozenset[Seat]:
        """The seats that belong to a phone, even one that is away."""
        return frozenset(self._tokens)

    @property
    def left(self) -> frozenset[Seat]:
        """The seats left by their phones, and not free yet: their dice are still in play."""
        return frozenset(seat for seat, kept in self._tokens.items() if kept == _LEFT)

    def seat_of(self, token: str) -> Seat | None:
        """Return a token's seat."""
        known = digest_of(token)
        return next((seat for seat, kept in self._tokens.items() if kept == known), None)

    def join(self, code: str, seat: Seat, phones: Collection[Seat], key: str) -> str:
        """Use up the code for a seat among `phones`; return the new guest's token. Raises `JoinError`.

        The token has the phone's public key in it: a copied one opens no connection without the secret half.
        """
        given = digest_of(plain(code))
        if given in self._used:
            raise JoinError("used")
        if given != digest_of(self._code):
            raise JoinError("unknown")
        if self.taken.issuperset(phones):
            raise JoinError("full")
        if seat in self.taken or seat not in phones:
            raise JoinError("taken")
        self._used.append(given)
        self._code = new_code(CODE_LENGTH)
        token = f"{new_token()}{_JOINT}{key}"
        self._tokens[seat] = digest_of(token)
        self._save(self._tokens)
        return token

    def leave(self, seat: Seat) -> None:
        """Refuse a seat's phone from now on, without a place for another one."""
        self._tokens[seat] = _LEFT
        self._save(self._tokens)

    def free(self, seat: Seat) -> None:
        """Make a seat free; its phone's token is refused from now on."""
        if self._tokens.pop(seat, None) is not None:
            self._save(self._tokens)


def key_of(token: str) -> str:
    """Return the public key in a guest's token; empty if it has none."""
    return token.partition(_JOINT)[2]


def shown(code: str) -> str:
    """Return a code in groups, to be read."""
    return " ".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))
