"""A venue owner's requests over HTTP, after a login: name tables, hide them, end the season, run a tournament.

Every changing request is a POST of JSON with the session's cookie and CSRF token.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Literal, Protocol, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta

from firmware_host.clients.web.login import Login
from firmware_host.venue.messages import TableName
from firmware_host.venue.owner import COOKIE, Password
from firmware_host.venue.store import MAX_TITLE, Store
from firmware_host.venue.tournament import MAX_NAME, MAX_PLAYERS, Format, Tournament, TournamentError
from firmware_host.wire import Number

DATABASE_TIMEOUT_S = 4.0
"""Time limit for a change in seconds; the connection is closed after five."""

T = TypeVar("T")
Body = TypeVar("Body")
_Title = Annotated[str, Meta(max_length=MAX_TITLE, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
_Player = Annotated[str, Meta(max_length=MAX_NAME)]
_Name = Annotated[str, Meta(max_length=32, pattern=r"^[0-9A-Za-z_-]+\Z")]


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
        self.login = Login(COOKIE, None if password is None else _compared_with(password), proxy)
        self._forget = forget
        self._ask = ask
        self._refresh = refresh

    def add_to(self, app: web.Application) -> None:
        """Add the routes."""
        self.login.add_to(app)
        app.router.add_post("/owner/table", self._table)
        app.router.add_post("/owner/delete", self._delete)
        app.router.add_post("/owner/season", self._season)
        app.router.add_post("/owner/tournament/start", self._start)
        app.router.add_post("/owner/tournament", self._step)

    async def body(self, request: web.Request, kind: type[Body]) -> Body:
        """Return the owner's request. Raises an HTTP error for other senders, and for invalid content."""
        return await self.login.body(request, kind)

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


def _compared_with(password: Password) -> Callable[[str], Awaitable[bool]]:
    async def is_right(tried: str) -> bool:
        return await asyncio.to_thread(password.is_right, tried)

    return is_right


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
