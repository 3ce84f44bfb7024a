"""A party's guests: a one-time code for each seat, and the token of the phone that used it.

`Workbench` asks for the owner of a code or token; HTTP and the game stay outside.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from firmware_host.clients.web.codes import digest_of, new_code, new_token, plain
from firmware_host.wire import Seat, enumerate_seats

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
        found = {digest_of(each): seat for seat, each in enumerate_seats(self._codes)}.get(digest_of(plain(code)))
        if found is not None and found not in self._tokens:
            return found
        raise CodeError("used" if found is not None or digest_of(plain(code)) in self._used else "unknown")

    def used_at(self, code: str) -> Seat | None:
        """Return the seat whose guest used this code."""
        seat = self._used.get(digest_of(plain(code)))
        return seat if seat in self._tokens else None

    def seat_of(self, token: str) -> Seat | None:
        """Return a token's seat."""
        return {digest: seat for seat, digest in self._tokens.items()}.get(digest_of(token))

    def admit(self, seat: Seat) -> str:
        """Use up a seat's code; return its new guest's token."""
        token = new_token()
        self._used = {digest: used for digest, used in self._used.items() if used != seat}
        self._used[digest_of(self._codes[seat])] = seat
        self._tokens[seat] = digest_of(token)
        self._store()
        return token

    def take_back(self, seat: Seat) -> None:
        """Invalidate a seat's token and make a new code."""
        self._tokens.pop(seat, None)
        self._codes[seat] = new_code()
        self._store()

    def _store(self) -> None:
        self._save({self._names[seat]: digest for seat, digest in self._tokens.items()})
