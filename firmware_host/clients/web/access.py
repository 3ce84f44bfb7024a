"""The pages' ports, and the check that a request comes from the page itself.

The host's page is on loopback, for this computer's browser. A page elsewhere can make that browser send requests there,
or point its own name at loopback (DNS rebinding). `Host` reveals the second, `Origin` and `Sec-Fetch-Site` the first;
the same holds for the guests' page and its address. A local program without an `Origin` is allowed, because it could
send any.
"""

import errno
import socket
from collections.abc import Awaitable, Callable, Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

DEFAULT_PORT = 8642
MAX_PORT = 65535
PORTS_TRIED = 20
"""Number of ports tried from the first one on, before any free one."""


LOOPBACK = "127.0.0.1"


def bind(port: int | None, host: str = LOOPBACK, *, first: int = DEFAULT_PORT) -> socket.socket:
    """Return a socket listening on `host` at `port`; None takes a port from `first` on, 0 any free one.

    Raises `UserError` if all are taken.
    """
    if port is not None:
        try:
            return listening_at(host, port)
        except OSError as error:
            raise UserError(f"--port {port}: {listening_problem(error)}") from error
    for number in (*range(first, min(first + PORTS_TRIED, MAX_PORT + 1)), 0):
        try:
            return listening_at(host, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UserError(f"--host {host}: {listening_problem(error)}") from error
    raise UserError("the page can't be served: no port of this computer is free; --headless plays without one")


def bind_named(host: str, port: int) -> socket.socket:
    """Return a socket listening at the address from `--listen`. Raises `UserError`."""
    try:
        return listening_at(host, port)
    except OSError as error:
        raise UserError(f"--listen {host}:{port}: {listening_problem(error)}") from error


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket listening at an IPv4 address and port. Raises `OSError`."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def listening_problem(error: OSError) -> str:
    """Explain a failed `listening_at` with a remedy; the text follows the address's option."""
    match error.errno:
        case errno.EADDRINUSE:
            return "another program listens there; stop it, or name another port"
        case errno.EADDRNOTAVAIL:
            return "is no address of this computer; ip -brief address lists them, and 0.0.0.0 is all of them"
        case errno.EACCES:
            return "ports below 1024 are not for everybody; name one above"
    return f"no page can be served there: {reason_of(error)}"


HOST_NAMES = ("127.0.0.1", "localhost", "[::1]")
ALLOWED_SITES = ("same-origin", "none")  # none: a typed address, or a bookmark

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'{live}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


Hosts = Callable[[web.Request], Collection[str]]
"""Returns the allowed values of `Host`."""


def own_hosts(port: int) -> Hosts:
    """Return this computer's names for itself, for a page at `port`."""
    hosts = {f"{name}:{port}" for name in HOST_NAMES} | ({*HOST_NAMES} if port == 80 else set())  # left out by browsers
    return lambda _: hosts


def reached_hosts(request: web.Request) -> Collection[str]:
    """Return this computer's address as reached by a request, in a browser's notation."""
    host, port = request.transport.get_extra_info("sockname")[:2] if request.transport else ("", 0)
    return {f"{host}:{port}"} | ({host} if port == (443 if request.secure else 80) else set())


def network_hosts(port: int, proxy: str | None = None) -> Hosts:
    """Return every name of this computer in its network, and a proxy's, for a page at `port`."""
    name, own = socket.gethostname().lower(), own_hosts(port)
    named = {f"{each}:{port}" for each in (name, f"{name}.local")} | ({proxy.lower()} if proxy else set())
    return lambda request: {*reached_hosts(request), *own(request), *named}


OWN_BROWSER = "is for the browser of its own computer, by the address it printed"


def access_check(hosts: Hosts, elsewhere: str = OWN_BROWSER, *, proxy: str | None = None) -> Middleware:
    """Return a middleware: requests for another host or from elsewhere get a 403, and every error is one line of text.

    Under the name `proxy` the page may be served with TLS. Every response closes its connection: keeping it open for
    another request would use up one of `web_app.CONNECTIONS`.
    """

    @web.middleware
    async def checked(request: web.Request, handler: Handler) -> web.StreamResponse:
        response = await respond(request, handler)
        response.force_close()
        return response

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        why = rejection_reason(request, hosts(request), elsewhere, proxy)
        if why:
            return web.Response(status=403, text=f"403: {why}\n")
        try:
            return await handler(request)
        except web.HTTPException as refusal:
            allowed = {"Allow": refusal.headers["Allow"]} if "Allow" in refusal.headers else {}
            return web.Response(status=refusal.status, text=f"{refusal.status}: {refusal.reason}\n", headers=allowed)

    return checked


def security_headers(
    hosts: Hosts, *, is_loopback: bool = True
) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Return a handler for `on_response_prepare` adding headers to keep a response's content on this page."""

    async def add(request: web.Request, response: web.StreamResponse) -> None:
        host = request.headers.get("Host", "").lower()
        # Older Safari does not treat ws: as 'self'; a policy can't name an IPv6 address.
        scheme = "wss" if request.secure else "ws"
        live = f" {scheme}://{host}" if host in hosts(request) and not host.startswith("[") else ""
        policy = _POLICY.format(live=live)  # the documents have their own
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Cache-Control"] = "no-store"
        if is_loopback:  # over plain HTTP from elsewhere, browsers ignore it and complain
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"

    return add


def rejection_reason(request: web.Request, hosts: Collection[str], elsewhere: str, proxy: str | None = None) -> str:
    """Return why a request is not from the page itself, or an empty text. `elsewhere` is the reason for a bad host."""
    host = request.headers.getall("Host", [])
    if len(host) != 1 or host[0].lower() not in hosts:
        return f"this table {elsewhere}"
    origin = request.headers.getall("Origin", [])
    # A TLS proxy passes on the origin seen by the browser.
    is_proxied = proxy is not None and host[0].lower() == proxy.lower()
    schemes = ("https",) if request.secure else ("http", "https") if is_proxied else ("http",)
    own = [f"{scheme}://{host[0].lower()}" for scheme in schemes]
    if origin and (len(origin) != 1 or origin[0].lower() not in own):
        return "this table talks to its own page alone"
    if any(site not in ALLOWED_SITES for site in request.headers.getall("Sec-Fetch-Site", [])):
        return "this table is not reached from other pages; type its address"
    return ""
