"""The guests' page: files and WebSocket of `web_app`, for browsers with a seat's cookie.

`/join` takes a seat's code and sets its cookie. A browser without a cookie gets only a page with status 403, for typing
a code. Scripts can't read the cookie, and the browser sends it only to this address.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware_host.clients.web.access import access_check, reached_hosts, security_headers
from firmware_host.clients.web.codes import GuessLimiter
from firmware_host.clients.web.files import file_named
from firmware_host.clients.web.limits import GUESTS, OpenPages
from firmware_host.clients.web.serving import serving
from firmware_host.play.workbench.connection import ClientConnection
from firmware_host.play.workbench.guests import CodeError
from firmware_host.play.workbench.party import Party
from firmware_host.play.workbench.web_app import GOODBYE, load_files
from firmware_host.play.workbench.workbench import Workbench
from firmware_host.util.virtual_seconds import virtual_seconds
from firmware_host.wire import Seat

OPEN_FILES = ("join.js", "join.css", "die.svg", "element.js", "language.js", "texts.js")
"""The files that are served without a cookie: those of the page on which a person types a code."""
MAX_JOIN_BYTES = 1024
COOKIE_S = 24 * 60 * 60
"""Seconds for which a browser keeps the cookie, also when it is closed."""


@asynccontextmanager
async def serve_guests(workbench: Workbench, party: Party) -> AsyncIterator[None]:
    """Serve the guests' page until the block ends, then close every connection with that reason."""
    pages: OpenPages[ClientConnection] = OpenPages(GUESTS, GOODBYE)
    guesses, cookie = GuessLimiter(), f"dudo-seat-{party.listening.getsockname()[1]}"

    def seat_of(request: web.Request) -> Seat | None:
        return party.guests.seat_of(request.cookies.get(cookie, ""))

    async def live(request: web.Request) -> web.StreamResponse:
        seat = seat_of(request)
        if seat is None:
            raise web.HTTPForbidden
        page = ClientConnection(workbench, seat, lambda: seat_of(request) == seat)
        with pages.holding(page, request):
            return await page.run(request)

    async def join(request: web.Request) -> web.Response:
        code = await _code(request)
        try:
            if not guesses.allow(request.remote or "", asyncio.get_running_loop().time() / virtual_seconds(1)):
                raise CodeError("slow")
            token = workbench.join(code, request.cookies.get(cookie, ""))
        except CodeError as error:
            return web.json_response({"why": error.why}, status=429 if error.why == "slow" else 403)
        joined = web.json_response({})
        joined.set_cookie(cookie, token, max_age=COOKIE_S, httponly=True, samesite="Strict", path="/")
        return joined

    async def seated(_: web.Request) -> web.Response:
        """Confirm a good cookie; the middleware has already refused requests without one."""
        return web.Response(status=204)

    async def file(request: web.Request) -> web.Response:
        return file_named(files, request.match_info["name"])

    files = load_files(workbench.language)
    elsewhere = "is reached at the address that its host shows"
    checks = [access_check(reached_hosts, elsewhere), _guest_check(seat_of, files)]
    app = web.Application(middlewares=checks, client_max_size=MAX_JOIN_BYTES)
    app.on_response_prepare.append(security_headers(reached_hosts, is_loopback=False))
    app.router.add_post("/join", join)
    app.router.add_get("/live", live)
    app.router.add_get("/seated", seated)
    app.router.add_get("/{name:.*}", file)
    async with serving(app, pages, party.listening, GUESTS):
        yield


def _guest_check(seat_of: Callable[[web.Request], Seat | None], files: Mapping[str, bytes]) -> Middleware:
    """Return a middleware that answers requests without a seat's cookie with 403, except on the way in."""

    @web.middleware
    async def checked(request: web.Request, handler: Handler) -> web.StreamResponse:
        if seat_of(request) is None:
            if (request.method, request.path) == ("GET", "/"):
                return file_named(files, "join.html", status=403)
            is_way_in = (request.method, request.path) == ("POST", "/join") or request.path[1:] in OPEN_FILES
            if not is_way_in:
                return web.Response(status=403, text="403: this table is for guests with the code of a seat\n")
        return await handler(request)

    return checked


async def _code(request: web.Request) -> str:
    """Return a request's code, or an empty text."""
    with suppress(ValueError, RecursionError, web.RequestPayloadError):
        sent = json.loads(await request.read())  # `text` decodes with any codec named by the sender
        if isinstance(sent, dict) and isinstance(sent.get("code"), str):
            return str(sent["code"])
    return ""
