"""A venue owner's requests over HTTP, after a login: name tables, hide them, end the season, run a tournament.

Every changing request is a POST of JSON with the session's cookie and CSRF token.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from ipaddress import ip_address
from typing import Annotated, Literal, Protocol, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta

from firmware_host.venue.messages import TableName
from firmware_host.venue.owner import COOKIE, HEADER, SESSION_S, Guesses, Password, Sessions
from firmware_host.venue.store import MAX_TITLE, Store
from firmware_host.venue.tournament import MAX_NAME, MAX_PLAYERS, Format, Tournament, TournamentError
from firmware_host.wire import Number

MAX_BODY_BYTES = 16 * 1024
DATABASE_TIMEOUT_S = 4.0
"""Time limit for a change in seconds; the connection is closed after five."""
_JSON = "application/json"

T = TypeVar("T")
Body = TypeVar("Body")
_Title = Annotated[str, Meta(max_length=MAX_TITLE, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
_Player = Annotated[str, Meta(max_length=MAX_NAME)]
_Name = Annotated[str, Meta(max_length=32, pattern=r"^[0-9A-Za-z_-]+\Z")]


class _Login(msgspec.Struct):
    password: Annotated[str, Meta(max_length=1024)]


class _Table(msgspec.Struct):
    site: _Name
    table: _Name
    title: _Title
    hidden: bool


class _Delete(msgspec.Struct):
    site: _Name
    table: _Name


class _Season(msgspec.Struct):
    number: Annotated[int, Meta(ge=1, le=2**31 - 2)]  # the one that ends
    title: _Title


class _Start(msgspec.Struct):
    players: Annotated[tuple[_Player, ...], Meta(max_length=MAX_PLAYERS)]
    draws: int
    seats: int
    final: int


class _Step(msgspec.Struct):
    """A tournament step, with the revision on the staff page."""

    revision: Number
    do: Literal["enter", "leave", "absent", "draw", "call", "began", "report", "correct", "release", "close"]
    player: _Player = ""
    table: Annotated[str, Meta(max_length=65)] = ""
    tables: Annotated[tuple[Annotated[str, Meta(max_length=65)], ...], Meta(max_length=MAX_PLAYERS)] = ()
    standings: Annotated[tuple[_Player, ...], Meta(max_length=MAX_PLAYERS)] = ()
    heat: Number = 0  # the number of the one to correct


class _Owner(msgspec.Struct):
    """The answer to a page: whether a password is set, and its session's token, if any."""

    has_password: bool
    csrf: str | None


class AskDatabase(Protocol):
    """Has the database do something."""

    def __call__(self, work: Callable[[Store], T]) -> Awaitable[T]:
        """Return the result of the work."""


class OwnerRoutes:
    """The routes below `/owner`. Without a password, login is impossible."""

    def __init__(
        self,
        password: Password | None,
        ask: AskDatabase,
        refresh: Callable[[], Awaitable[None]],
        proxy: str | None = None,
        forget: Callable[[TableName], None] = lambda _: None,
    ) -> None:
        self._password = password
        self._forget = forget
        self._proxy = proxy
        self._ask = ask
        self._refresh = refresh
        self._sessions = Sessions(time.monotonic)
        self.guesses = Guesses(time.monotonic)
        self._one_at_a_time = asyncio.Lock()

    def add_to(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/owner", self._state)
        app.router.add_post("/owner/login", self._login)
        app.router.add_post("/owner/logout", self._logout)
        app.router.add_post("/owner/table", self._table)
        app.router.add_post("/owner/delete", self._delete)
        app.router.add_post("/owner/season", self._season)
        app.router.add_post("/owner/tournament/start", self._start)
        app.router.add_post("/owner/tournament", self._step)

    async def body(self, request: web.Request, kind: type[Body]) -> Body:
        """Return the owner's request. Raises an HTTP error for other senders, and for invalid content."""
        self._check_session(request)
        return await _body(request, kind)

    async def do(self, work: Callable[[Store], bool]) -> web.Response:
        """Change something in the database and on the pages; answer 409 if that failed."""
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_S):
                if not await self._ask(work):
                    raise web.HTTPConflict
        except TimeoutError:  # it may be done all the same, once the database is there
            raise web.HTTPServiceUnavailable from None
        await self._refresh()
        return web.Response(status=204)

    def _check_session(self, request: web.Request) -> None:
        if not self._sessions.is_right(request.cookies.get(COOKIE, ""), request.headers.get(HEADER, "")):
            raise web.HTTPForbidden

    async def _state(self, request: web.Request) -> web.Response:
        csrf = self._sessions.csrf(request.cookies.get(COOKIE, ""))
        return web.Response(body=msgspec.json.encode(_Owner(self._password is not None, csrf)), content_type=_JSON)

    async def _login(self, request: web.Request) -> web.Response:
        """Begin a session. Passwords are compared one at a time: each takes memory."""
        tried = await _body(request, _Login)
        if self._password is None:
            raise web.HTTPForbidden
        if not self._may_guess(request):
            raise web.HTTPTooManyRequests
        async with self._one_at_a_time:
            if not await asyncio.to_thread(self._password.is_right, tried.password):
                raise web.HTTPForbidden
        self._sessions.end(request.cookies.get(COOKIE, ""))
        answer = web.Response(status=204)
        answer.set_cookie(COOKIE, self._sessions.begin(), httponly=True, samesite="Strict", path="/", max_age=SESSION_S)
        return answer

    def _may_guess(self, request: web.Request) -> bool:
        """Count a password try; guests use up neither this computer's tries nor a session's."""
        if (csrf := self._sessions.csrf(request.cookies.get(COOKIE, ""))) is not None:
            return self.guesses.allow(f"session {csrf}", is_apart=True)
        address = request.remote or "0.0.0.0"
        if request.host.lower() == self._proxy:
            return self.guesses.allow(f"proxy {address}")
        return self.guesses.allow(address, is_apart=ip_address(address).is_loopback)

    async def _logout(self, request: web.Request) -> web.Response:
        self._check_session(request)
        self._sessions.end(request.cookies.get(COOKIE, ""))
        answer = web.Response(status=204)
        answer.del_cookie(COOKIE, path="/", httponly=True, samesite="Strict")
        return answer

    async def _table(self, request: web.Request) -> web.Response:
        change = await self.body(request, _Table)
        table = TableName(change.site, change.table)
        return await self.do(
            lambda store: store.set_title(table, change.title.strip()) and store.hide(table, hidden=change.hidden)
        )

    async def _delete(self, request: web.Request) -> web.Response:
        """Delete a table with all its data. If it publishes again, it counts as new."""
        found = await self.body(request, _Delete)
        table = TableName(found.site, found.table)
        answer = await self.do(lambda store: store.delete(table) or True)
        self._forget(table)
        return answer

    async def _start(self, request: web.Request) -> web.Response:
        start = await self.body(request, _Start)
        try:
            form = Format(start.draws, start.seats, start.final)
            tournament = Tournament.of(start.players, form, seed=secrets.randbits(32))
            return await self.do(lambda store: store.start_tournament(tournament))
        except TournamentError as error:
            return web.Response(status=422, text=str(error))

    async def _step(self, request: web.Request) -> web.Response:
        step = await self.body(request, _Step)
        try:
            return await self.do(
                lambda store: store.change_tournament(
                    step.revision, None if step.do == "close" else partial(_after, step=step)
                )
            )
        except TournamentError as error:
            return web.Response(status=422, text=str(error))

    async def _season(self, request: web.Request) -> web.Response:
        ended = await self.body(request, _Season)
        now_ms = round(1000 * time.time())
        return await self.do(lambda store: store.end_season(ended.number, ended.title.strip(), now_ms))


def _after(before: Tournament, step: _Step) -> Tournament:
    """Return the tournament after a step by staff. Raises `TournamentError`."""
    match step.do:
        case "enter":
            return before.entered(step.player)
        case "leave":
            return before.left(step.player)
        case "absent":
            return before.absent(step.player)
        case "draw":
            return before.drawn().called(step.tables)
        case "call":
            return before.called(step.tables)
        case "began":
            return before.began(step.table)
        case "report":
            return before.reported(step.table, step.standings).called(step.tables)
        case "correct":
            return before.corrected(step.heat, step.standings)
        case _:
            return before.released(step.table)


async def _body(request: web.Request, kind: type[Body]) -> Body:
    """Return a request's JSON. Another site's form can't send JSON without a preflight request; that fails."""
    if request.content_type != _JSON or (request.content_length or 0) > MAX_BODY_BYTES:
        raise web.HTTPBadRequest
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise web.HTTPBadRequest from error
