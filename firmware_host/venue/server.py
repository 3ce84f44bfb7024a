"""The venue page's server: its files, its WebSocket at `/live`, each table live in `/follow/<site>/<table>/`.

Everybody in the network may look. Changes go through `owner`, behind a login. A followed table is drawn by the public
page of `dudo-table screen`, from the same lines.
"""

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from aiohttp import web

from firmware_host.clients.tv import server as public_page
from firmware_host.clients.tv.page_socket import PageSocket
from firmware_host.clients.tv.picture import PageContent
from firmware_host.clients.web.access import access_check, network_hosts, security_headers
from firmware_host.clients.web.addresses import EVERY_ADDRESS, reachable_at
from firmware_host.clients.web.files import file_named, read_files
from firmware_host.clients.web.limits import VENUE, OpenPages
from firmware_host.clients.web.login import MAX_BODY_BYTES
from firmware_host.clients.web.serving import serving
from firmware_host.i18n.venue_texts import all_venue_texts
from firmware_host.venue.board import Card, TableBoard
from firmware_host.venue.follower import Follower, night_of
from firmware_host.venue.heats import RunningTournament, TournamentShown, shown
from firmware_host.venue.messages import TableName
from firmware_host.venue.owner import Password
from firmware_host.venue.owner_routes import OwnerRoutes
from firmware_host.venue.store import RankedPlayer, Season, Store, TableRecord
from firmware_host.wire import LineError

FILES = Path(__file__).parent / "page"
CHANGE_INTERVAL_S = 0.1
"""Seconds between two messages to a page, however much happens."""
REFRESH_S = 3.0
"""Seconds between readings of the rankings: another process may have written to the database."""
CLOCK_SLACK_MS = 3_600_000
"""Milliseconds by which the clock may be behind the last match before the page reports it."""

log = logging.getLogger("dudo-table")


class Ranking(msgspec.Struct, frozen=True):
    """The page's rankings."""

    tonight: list[RankedPlayer]
    season: list[RankedPlayer]
    number: int
    title: str
    clock_is_wrong: bool


class VenueMessage(msgspec.Struct, frozen=True):
    """News for a page since its previous message.

    It has changed cards, removed ones by site and table, and the rankings if they have changed.
    """

    build: str
    problems: list[str]
    cards: list[Card]
    ranking: Ranking | None
    tournament: TournamentShown | None = None
    gone: list[TableName] = []


class _Known(NamedTuple):
    """The facts read from the database by a refresh."""

    tables: list[TableRecord]
    revision: int
    tournament: RunningTournament | None


class _Counted(NamedTuple):
    """Rankings for a night and its season, and the time of the last result."""

    tonight: list[RankedPlayer]
    season_ranking: list[RankedPlayer]
    season: Season
    latest_result_ms: int


_ENCODER = msgspec.json.Encoder()


def load_files(language: str | None) -> dict[str, bytes]:
    """Return the page's files by name, and below `follow/` those of one table's page."""
    files = read_files(FILES, language, all_venue_texts())
    followed = public_page.load_files(language) | {"texts.js": files["texts.js"]}
    index = followed["index.html"].replace(b'<a id="all-tables" hidden ', b'<a id="all-tables" ')
    followed["index.html"] = index.replace(b'id="sound"', b'id="sound" hidden')  # a venue has no voice
    files |= {f"follow/{name}": content for name, content in followed.items() if "/" not in name}
    build = public_page.build_of(files)
    for name in ("index.html", "follow/index.html"):
        files[name] = files[name].replace(b"{{build}}", build.encode())
    files["build"] = build.encode()
    return files


class VenuePage:
    """A venue's page at the address of `listening`. The owner's password may be None, to disable the login. `proxy` is
    a further name for the page, with a port if any, used by a proxy.
    """

    def __init__(
        self,
        listening: socket.socket,
        language: str | None,
        board: TableBoard,
        password: Password | None = None,
        proxy: str | None = None,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._listening = listening
        self._host, self._port = listening.getsockname()[:2]
        self._files = load_files(language)
        self._build = self._files.pop("build").decode()
        self._board = board
        self._password = password
        self._proxy = proxy
        self._now_s = now_s
        self._follower: Follower
        self._ranking = Ranking([], [], 1, "", clock_is_wrong=False)
        self._tournament: TournamentShown | None = None
        self._pages: OpenPages[PageSocket] = OpenPages(VENUE)
        self._dirty = asyncio.Event()
        self._stale = asyncio.Event()
        self._overviews = 0  # pages that show all tables
        self._is_looked_at = asyncio.Event()

    @property
    def local_address(self) -> str:
        """The page's address on this computer."""
        return f"http://{'127.0.0.1' if self._host == EVERY_ADDRESS else self._host}:{self._port}/"

    @property
    def address(self) -> str | None:
        """The page's address for other devices, None on loopback alone."""
        found = reachable_at(self._host)
        return None if found.startswith("127.") else f"http://{found}:{self._port}/"

    @asynccontextmanager
    async def serve(self, follower: Follower) -> AsyncIterator[None]:
        """Serve a follower's tables until the block ends."""
        self._follower = follower
        self._board.on_change = self.changed
        hosts = network_hosts(self._port, self._proxy)
        checked = access_check(hosts, "is reached at the address that the venue prints", proxy=self._proxy)
        app = web.Application(middlewares=[checked], client_max_size=MAX_BODY_BYTES)
        app.on_response_prepare.append(security_headers(hosts, is_loopback=False))
        self._add_routes(app)
        async with serving(app, self._pages, self._listening, VENUE):
            tasks = [asyncio.create_task(self._refresh()), asyncio.create_task(self._push())]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    def _add_routes(self, app: web.Application) -> None:
        app.router.add_get("/live", self._live)
        follower = self._follower
        self.owner_routes = OwnerRoutes(self._password, follower.ask, self.refresh, self._proxy, follower.forget)
        self.owner_routes.add_to(app)
        app.router.add_get("/follow/{site}/{table}/live", self._follow)
        app.router.add_get("/follow/{site}/{table}/{name:[^/]*}", self._follow_file)
        app.router.add_get("/{name:[^/]*}", self._file)

    def changed(self) -> None:
        """Note a possible need for messages to the pages."""
        self._dirty.set()

    def results_came(self) -> None:
        """Note that the rankings have changed."""
        self._stale.set()

    async def _push(self) -> None:
        """Have the pages send changes, no more often than they can be drawn."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            for page in self._pages:
                page.changed()
            await asyncio.sleep(CHANGE_INTERVAL_S)

    async def _refresh(self) -> None:
        """Read table names repeatedly while pages are open, including another process's changes.

        After a change it counts the rankings again, beside the storing thread.
        """
        counted, at = _Counted([], [], Season(1, ""), 0), (-1, "")
        while True:
            await self._is_looked_at.wait()
            self._stale.clear()
            known, night = await self._follower.ask(_read), night_of(self._now_s())
            self._board.update(known.tables)
            if at != (known.revision, night):
                at, counted = (known.revision, night), await self._follower.look(partial(_count, night=night))
            behind_ms = counted.latest_result_ms - 1000 * self._now_s()
            ranking = Ranking(counted.tonight, counted.season_ranking, *counted.season, behind_ms > CLOCK_SLACK_MS)
            tournament = shown(known.tournament)
            if ranking != self._ranking or tournament != self._tournament:
                self._ranking, self._tournament = ranking, tournament
                self.changed()
            try:
                async with asyncio.timeout(REFRESH_S):
                    await self._stale.wait()
            except TimeoutError:
                pass

    async def refresh(self) -> None:
        """Show the owner's changes on the pages."""
        self._stale.set()

    async def _live(self, request: web.Request) -> web.StreamResponse:
        """Send a page the whole venue, then the changes."""
        version, ranking = -1, None

        def latest() -> str:
            nonlocal version, ranking
            cards, gone, version = self._board.cards(version), self._board.removed(version), self._board.version
            problems = [*self._follower.problems.parts, *(["tables"] if self._board.is_full else [])]
            news = None if ranking is self._ranking else self._ranking
            ranking = self._ranking
            message = VenueMessage(self._build, problems, cards, news, self._tournament, gone)
            return _ENCODER.encode(message).decode()

        self._overviews += 1
        self._is_looked_at.set()
        try:
            return await self._serve_socket(PageSocket(latest), request)
        finally:
            self._overviews -= 1
            if not self._overviews:
                self._is_looked_at.clear()

    async def _follow(self, request: web.Request) -> web.StreamResponse:
        """Send a page the content of a table's public page."""
        name, picture = self._table(request), PageContent(self._build)
        loop = asyncio.get_running_loop()

        def latest() -> str:
            if "broker" in self._follower.problems or not self._board.is_reached(name):
                picture.disconnected()
            return picture.message(loop.time(), None)

        page = PageSocket(latest)

        def take(line: bytes) -> None:
            try:
                if picture.take(line, loop.time()):
                    page.changed()
            except (LineError, LookupError):
                self._board.ignored["a line that can't be drawn"] += 1

        end = self._board.follow(name, take)
        try:
            return await self._serve_socket(page, request)
        finally:
            end()

    async def _serve_socket(self, page: PageSocket, request: web.Request) -> web.StreamResponse:
        with self._pages.holding(page, request):
            return await page.run(request)

    def _table(self, request: web.Request) -> TableName:
        """Return a request's table."""
        name = TableName(request.match_info["site"], request.match_info["table"])
        if name not in self._board:
            raise web.HTTPNotFound
        return name

    async def _follow_file(self, request: web.Request) -> web.Response:
        self._table(request)
        return file_named(self._files, f"follow/{request.match_info['name']}")

    async def _file(self, request: web.Request) -> web.Response:
        return file_named(self._files, request.match_info["name"])


def _read(store: Store) -> _Known:
    return _Known(store.tables(), store.revision(), store.tournament())


def _count(store: Store, night: str) -> _Counted:
    season = store.season()
    ranking = store.ranking(season=season.number)
    return _Counted(store.ranking(night=night), ranking, season, store.latest_result_ms())
