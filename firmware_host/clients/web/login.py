"""A page's sign-in: sessions, limits on guessing, and the JSON of what changes something.

A session is a cookie out of reach for scripts and other sites. A request in a session also has the session's CSRF
token, which only a script on this page can read. The venue's page compares a password, the owner's page a code.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta

from drivers.timing import RateLimiter
from firmware_host.clients.web.codes import GuessLimiter

HEADER = "X-CSRF-Token"
SESSION_S = 8 * 3600
"""Session lifetime after the last request, in seconds: an evening."""
MAX_SESSIONS = 20
TRIES, TRIES_PER_S = 5, 1 / 30
"""Tries of one address: so many at once, then one in 30 seconds."""
ALL_TRIES, ALL_TRIES_PER_S = 20, 0.2
"""The same for all addresses together."""
MAX_BODY_BYTES = 16 * 1024
_JSON = "application/json"

Body = TypeVar("Body")


class _Tried(msgspec.Struct):
    password: Annotated[str, Meta(max_length=1024)]


class _Known(msgspec.Struct):
    """The answer to a page: whether signing in is possible, and its session's token, if any."""

    has_password: bool
    csrf: str | None


class Login:
    """The routes `/owner`, `/owner/login` and `/owner/logout`. `is_right` compares a password; without it, signing in
    is impossible. Pages at one address share their cookies whatever their port, so each has a `cookie` of its own.
    """

    def __init__(
        self, cookie: str, is_right: Callable[[str], Awaitable[bool]] | None, proxy: str | None = None
    ) -> None:
        self._cookie = cookie
        self._is_right = is_right
        self._proxy = proxy
        self._sessions = Sessions(time.monotonic)
        self.guesses = Guesses(time.monotonic)
        self._one_at_a_time = asyncio.Lock()

    def add_to(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/owner", self._state)
        app.router.add_post("/owner/login", self._login)
        app.router.add_post("/owner/logout", self._logout)

    def check(self, request: web.Request) -> None:
        """Raise `web.HTTPForbidden` for a request outside a session."""
        if not self._sessions.is_right(self._cookie_of(request), request.headers.get(HEADER, "")):
            raise web.HTTPForbidden

    async def body(self, request: web.Request, kind: type[Body]) -> Body:
        """Return a session's request. Raises an HTTP error for other senders, and for invalid content."""
        self.check(request)
        return await _body(request, kind)

    def _cookie_of(self, request: web.Request) -> str:
        return request.cookies.get(self._cookie, "")

    async def _state(self, request: web.Request) -> web.Response:
        known = _Known(self._is_right is not None, self._sessions.csrf(self._cookie_of(request)))
        return web.Response(body=msgspec.json.encode(known), content_type=_JSON)

    async def _login(self, request: web.Request) -> web.Response:
        """Begin a session. Tries are compared one at a time: a hash takes memory."""
        tried = await _body(request, _Tried)
        if self._is_right is None:
            raise web.HTTPForbidden
        if not self._may_guess(request):
            raise web.HTTPTooManyRequests
        async with self._one_at_a_time:
            if not await self._is_right(tried.password):
                raise web.HTTPForbidden
        self._sessions.end(self._cookie_of(request))
        answer = web.Response(status=204)
        cookie = self._sessions.begin()
        answer.set_cookie(self._cookie, cookie, httponly=True, samesite="Strict", path="/", max_age=SESSION_S)
        return answer

    def _may_guess(self, request: web.Request) -> bool:
        """Count a try; guests use up neither this computer's tries nor a session's."""
        if (csrf := self._sessions.csrf(self._cookie_of(request))) is not None:
            return self.guesses.allow(f"session {csrf}", is_apart=True)
        address = request.remote or "0.0.0.0"
        if request.host.lower() == self._proxy:
            return self.guesses.allow(f"proxy {address}")
        return self.guesses.allow(address, is_apart=ip_address(address).is_loopback)

    async def _logout(self, request: web.Request) -> web.Response:
        self.check(request)
        self._sessions.end(self._cookie_of(request))
        answer = web.Response(status=204)
        answer.del_cookie(self._cookie, path="/", httponly=True, samesite="Strict")
        return answer


@dataclass
class _Session:
    csrf: str
    used_s: float


class Sessions:
    """A page's sessions; `now_s` is a monotonic clock."""

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
    """Limits on tries, per address and for all together."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._all = RateLimiter(ALL_TRIES, ALL_TRIES_PER_S)
        self._each = GuessLimiter(TRIES, TRIES_PER_S)

    def allow(self, address: str, *, is_apart: bool = False) -> bool:
        """Count a try; return whether it is allowed. A try that `is_apart`, at the page's own computer or in a
        session, does not count towards the common limit.
        """
        now_s = self._now_s()
        return self._each.allow(address, now_s) and (is_apart or self._all.allow(1, now_s))

    def __len__(self) -> int:
        return len(self._each)


def _digest(cookie: str) -> bytes:
    """Return a cookie's look-up key; its timing is independent of other cookies."""
    return hashlib.sha256(cookie.encode(errors="replace")).digest()


async def _body(request: web.Request, kind: type[Body]) -> Body:
    """Return a request's JSON. Another site's form can't send JSON without a preflight request; that fails."""
    if request.content_type != _JSON or (request.content_length or 0) > MAX_BODY_BYTES:
        raise web.HTTPBadRequest
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise web.HTTPBadRequest from error
