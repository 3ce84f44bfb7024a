"""The owner's login: a password stored as a hash, sessions, and limits on guessing.

A session is a cookie out of reach for scripts and other sites. A changing request also has the session's CSRF token,
which only a script on this page can read.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from drivers.timing import RateLimiter
from firmware_host.errors import UserError

COOKIE, HEADER = "dudo-owner", "X-CSRF-Token"
MIN_PASSWORD, MAX_PASSWORD = 8, 256
"""Characters of a password."""
SESSION_S = 8 * 3600
"""Session lifetime after the last request, in seconds: an evening."""
MAX_SESSIONS = 20
TRIES, TRIES_PER_S = 5, 1 / 30
"""Passwords of one address: so many at once, then one in 30 seconds."""
ALL_TRIES, ALL_TRIES_PER_S = 20, 0.2
"""The same for all addresses together."""
MAX_ADDRESSES = 256
_COST, _BLOCK, _PARALLEL = 2**15, 8, 1  # 32 MB, a tenth of a second
_LINE = re.compile(rf"scrypt\${_COST}\${_BLOCK}\${_PARALLEL}\$([0-9a-f]{{32}})\$([0-9a-f]{{64}})", re.ASCII)
_MEMORY = 64 * 1024 * 1024


def hash_of(password: str) -> str:
    """Return a line with a password's hash. Raises `UserError` for a password too short or too long."""
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise UserError(f"a password of {len(password)} characters: choose {MIN_PASSWORD} to {MAX_PASSWORD}")
    salt = secrets.token_bytes(16)
    return f"scrypt${_COST}${_BLOCK}${_PARALLEL}${salt.hex()}${_scrypt(password, salt).hex()}"


class Password:
    """A password's hash, from a line of `hash_of`. Raises `ValueError` for any other line."""

    def __init__(self, line: str) -> None:
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise ValueError("is no hash of a password")
        self._salt, self._key = bytes.fromhex(found[1]), bytes.fromhex(found[2])

    def __repr__(self) -> str:
        return "<Password>"

    def is_right(self, password: str) -> bool:
        """Return whether this is the password. It takes a tenth of a second on a core."""
        return hmac.compare_digest(_scrypt(password[:MAX_PASSWORD], self._salt), self._key)


def _scrypt(password: str, salt: bytes) -> bytes:
    secret = password.encode(errors="surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=_COST, r=_BLOCK, p=_PARALLEL, maxmem=_MEMORY, dklen=32)


@dataclass
class _Session:
    csrf: str
    used_s: float


class Sessions:
    """Owner sessions; `now_s` is a monotonic clock."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._sessions: dict[bytes, _Session] = {}

    def begin(self) -> str:
        """Return a new session's cookie. Beyond `MAX_SESSIONS` the least recently used one ends."""
        cookie = secrets.token_urlsafe(32)
        self._sessions[_digest(cookie)] = _Session(secrets.token_urlsafe(32), self._now_s())
        while len(self._sessions) > MAX_SESSIONS:
            del self._sessions[min(self._sessions, key=lambda each: self._sessions[each].used_s)]
        return cookie

    def csrf(self, cookie: str) -> str | None:
        """Return a session's CSRF token, None for an unknown session."""
        session = self._sessions.get(_digest(cookie))
        if session is None or self._now_s() - session.used_s > SESSION_S:
            self.end(cookie)
            return None
        session.used_s = self._now_s()
        return session.csrf

    def is_right(self, cookie: str, token: str) -> bool:
        """Return whether a token belongs to a session."""
        csrf = self.csrf(cookie)
        return csrf is not None and hmac.compare_digest(csrf.encode(), token.encode(errors="replace"))

    def end(self, cookie: str) -> None:
        """End a session."""
        self._sessions.pop(_digest(cookie), None)


class Guesses:
    """Limits on password tries, per address and for all together."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._all = RateLimiter(ALL_TRIES, ALL_TRIES_PER_S)
        self._addresses: dict[str, RateLimiter] = {}

    def allow(self, address: str, *, is_apart: bool = False) -> bool:
        """Count a try; return whether it is allowed. A try that `is_apart`, at the venue's own computer or in a
        session, does not count towards the common limit.
        """
        rate = self._addresses.pop(address, None) or RateLimiter(TRIES, TRIES_PER_S)
        self._addresses[address] = rate
        if len(self._addresses) > MAX_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]
        return rate.allow(1, self._now_s()) and (is_apart or self._all.allow(1, self._now_s()))

    def __len__(self) -> int:
        return len(self._addresses)


def _digest(cookie: str) -> bytes:
    """Return a cookie's look-up key; its timing is independent of other cookies."""
    return hashlib.sha256(cookie.encode(errors="replace")).digest()
