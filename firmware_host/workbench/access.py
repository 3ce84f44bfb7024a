"""A port on loopback for the page.

Who may ask: this computer's own browser, on the page that came from here. Everybody else is a stranger.

A page elsewhere can send requests to loopback from the browser of whoever looks at it, or point a name of its own there
(DNS rebinding). `Host` tells the second, `Origin` and `Sec-Fetch-Site` the first. A program on this computer that sends
no `Origin` is let in: it could send any.
"""

import errno
import socket

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware_host.errors import UserError

USUAL_PORT = 8642
TRIED = 20
"""So many ports from the usual one on are tried, then any free one."""


def listen(port: int | None) -> socket.socket:
    """A socket that listens on 127.0.0.1 at `port`, if None near the usual one, if 0 anywhere.

    Raises `UserError` where that can't be.
    """
    if port is not None:
        try:
            return _bound(port)
        except OSError as error:
            raise UserError(f"--port {port}: {_why(error)}") from error
    for number in (*range(USUAL_PORT, USUAL_PORT + TRIED), 0):
        try:
            return _bound(number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UserError(
                    f"the page can't be served on this computer: {(error.strerror or '').lower()}"
                ) from error
    raise UserError("the page can't be served: no port of this computer is free; --headless plays without one")


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def _why(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "is taken; leave it out and a free one is found"
    if error.errno == errno.EACCES:
        return "is not for everybody; name one above 1023"
    return f"can't be served: {(error.strerror or str(error)).lower()}"


NAMES = ("127.0.0.1", "localhost", "[::1]")
FROM_HERE = ("same-origin", "none")  # none: typed, or a bookmark

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'{live}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def guard(port: int) -> Middleware:
    """A middleware for a page at `port`: strangers get 403 with one line, and so do the other refusals.

    Every answer ends its connection: one that waited for a next request would take a place from others.
    """
    hosts = {f"{name}:{port}" for name in NAMES} | ({*NAMES} if port == 80 else set())  # 80 goes without saying

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        answer = await answered(request, handler)
        answer.force_close()
        return answer

    async def answered(request: web.Request, handler: Handler) -> web.StreamResponse:
        why = stranger(request, hosts)
        if why:
            return web.Response(status=403, text=f"403: {why}\n")
        try:
            return await handler(request)
        except web.HTTPException as refusal:
            allowed = {"Allow": refusal.headers["Allow"]} if "Allow" in refusal.headers else {}
            return web.Response(status=refusal.status, text=f"{refusal.status}: {refusal.reason}\n", headers=allowed)

    return guarded


async def seal(request: web.Request, response: web.StreamResponse) -> None:
    """For `on_response_prepare`: nothing leaves without the headers that keep it here."""
    host = request.headers.get("Host", "")
    # Older Safari does not count ws: as 'self'; a policy can't name an IPv6 address.
    live = f" ws://{host}" if host.rpartition(":")[0] in NAMES[:2] else ""
    response.headers["Content-Security-Policy"] = _POLICY.format(live=live)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"


def stranger(request: web.Request, hosts: set[str]) -> str:
    """Why a request is not from this computer's own page; empty if it is."""
    host = request.headers.getall("Host", [])
    if len(host) != 1 or host[0].lower() not in hosts:
        return "this table is for the browser of its own computer, by the address it printed"
    origin = request.headers.getall("Origin", [])
    if origin and [each.lower() for each in origin] != [f"http://{host[0].lower()}"]:
        return "this table talks to its own page alone"
    if any(site not in FROM_HERE for site in request.headers.getall("Sec-Fetch-Site", [])):
        return "this table is not reached from other pages; type its address"
    return ""
