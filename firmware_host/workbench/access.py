"""The page's port on loopback, and the check that a request comes from this computer's browser on this very page.

A page elsewhere can send requests to loopback from the browser that shows it, or point a name of its own at loopback
(DNS rebinding). `Host` reveals the second, `Origin` and `Sec-Fetch-Site` the first. A program on this computer that
sends no `Origin` is allowed, because it could send any.
"""

import errno
import socket

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware_host.errors import UserError

DEFAULT_PORT = 8642
PORTS_TRIED = 20
"""Ports from the default one on that are tried before any free one is taken."""


def bind(port: int | None) -> socket.socket:
    """Return a socket that listens on 127.0.0.1 at `port`; None is a port near the default one, 0 any free one.

    Raises `UserError` if there is none.
    """
    if port is not None:
        try:
            return _listening(port)
        except OSError as error:
            raise UserError(f"--port {port}: {_why(error)}") from error
    for number in (*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0):
        try:
            return _listening(number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UserError(
                    f"the page can't be served on this computer: {(error.strerror or '').lower()}"
                ) from error
    raise UserError("the page can't be served: no port of this computer is free; --headless plays without one")


def _listening(port: int) -> socket.socket:
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


HOST_NAMES = ("127.0.0.1", "localhost", "[::1]")
ALLOWED_SITES = ("same-origin", "none")  # none: a typed address, or a bookmark

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'{live}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def access_check(port: int) -> Middleware:
    """Return a middleware for a page at `port`: a request from elsewhere gets a 403, and every error one line of text.

    Every response closes its connection: one kept open for a next request would use up one of `web_app.CONNECTIONS`.
    """
    hosts = {f"{name}:{port}" for name in HOST_NAMES} | ({*HOST_NAMES} if port == 80 else set())  # left out by browsers

    @web.middleware
    async def checked(request: web.Request, handler: Handler) -> web.StreamResponse:
        response = await respond(request, handler)
        response.force_close()
        return response

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        why = rejection_reason(request, hosts)
        if why:
            return web.Response(status=403, text=f"403: {why}\n")
        try:
            return await handler(request)
        except web.HTTPException as refusal:
            allowed = {"Allow": refusal.headers["Allow"]} if "Allow" in refusal.headers else {}
            return web.Response(status=refusal.status, text=f"{refusal.status}: {refusal.reason}\n", headers=allowed)

    return checked


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add to every response the headers that keep its content on this page; for `on_response_prepare`."""
    host = request.headers.get("Host", "")
    # Older Safari does not treat ws: as 'self'; a policy can't name an IPv6 address.
    live = f" ws://{host}" if host.rpartition(":")[0] in HOST_NAMES[:2] else ""
    response.headers["Content-Security-Policy"] = _POLICY.format(live=live)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"


def rejection_reason(request: web.Request, hosts: set[str]) -> str:
    """Return why a request is not from this computer's own page; empty if it is."""
    host = request.headers.getall("Host", [])
    if len(host) != 1 or host[0].lower() not in hosts:
        return "this table is for the browser of its own computer, by the address it printed"
    origin = request.headers.getall("Origin", [])
    if origin and [each.lower() for each in origin] != [f"http://{host[0].lower()}"]:
        return "this table talks to its own page alone"
    if any(site not in ALLOWED_SITES for site in request.headers.getall("Sec-Fetch-Site", [])):
        return "this table is not reached from other pages; type its address"
    return ""
