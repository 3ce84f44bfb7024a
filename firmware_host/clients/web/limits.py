"""Page limits: connections in all and per address, WebSockets, and the share of this computer's own browser.

`serving` enforces the connection limits; each page server has its WebSockets in `OpenPages`.
"""

import asyncio
import socket
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Generic, Protocol, TypeVar

from aiohttp import WSCloseCode, web

from drivers.timing import RateLimiter
from firmware_host.clients.web.access import HOST_NAMES
from firmware_host.util.virtual_seconds import virtual_seconds

MAX_ADDRESSES = 256
"""Maximum number of counted addresses; the one idle for longest is forgotten first."""
MAX_DEBT_S = 1.0
"""Maximum seconds without new connections after a flood."""
UNSENT_BYTES = 16 * 1024
"""The kernel's send buffer for a WebSocket in bytes: small, because the latest state must not wait behind others."""
OWN_PAGES = 8
"""WebSockets reserved for browsers on this computer: a TV with sound, and its owner's own pages."""


def limit_buffers(transport: asyncio.BaseTransport | None) -> asyncio.Transport | None:
    """Limit a WebSocket's unsent bytes, and return its transport, None of a connection that is closed already."""
    if not isinstance(transport, asyncio.Transport):
        return None
    transport.set_write_buffer_limits(high=0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
    return transport


@dataclass(frozen=True)
class Limits:
    """One server's limits: concurrent connections in all, and per address at once, in a burst and per second.

    If `of_an_address` is None, all connections come from this computer and share one rate. A server with `pages` takes
    that many WebSockets at once, and reserves the last `OWN_PAGES` for this computer.
    """

    connections: int
    of_an_address: int | None
    burst: float
    per_s: float
    pages: int | None = None

    @classmethod
    def of_pages(cls, pages: int) -> "Limits":
        """Return the limits for a page with a whole audience; its phones may share one router address.

        An address gets less than a third, so that two leave room for others.
        """
        return cls(2 * pages, 3 * pages // 10, 3 * pages, pages / 2, pages)


ROOM = Limits.of_pages(200)
"""The limits of the public page: more pages than a bar has phones. A page with sound counts twice."""
VENUE = Limits.of_pages(100)
OWNER = Limits(connections=64, of_an_address=24, burst=96, per_s=12)
"""The owner's page: a few browsers, each with about twenty files and a reading every three seconds."""
OWN = Limits(connections=64, of_an_address=None, burst=128, per_s=32)
"""The `play` page's limits for its own computer: enough for every page and its files, about twenty a page."""


class AddressLimits:
    """Connection counts by address, so that one guest can't take them all.

    Connections from this computer, such as a proxy's for many guests, are only limited in rate.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._rates: OrderedDict[str, RateLimiter] = OrderedDict()
        self._open: Counter[str] = Counter()

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; return whether its address may have it."""
        address = peer_address(transport)
        rate = self._rate(address)
        at_once = self._limits.of_an_address
        has_room = at_once is None or self._open[address] < at_once or is_loopback(address)
        if not has_room or not rate.allow(1, _now_s()):
            return False
        self._open[address] += 1
        return True

    def charge(self, transport: asyncio.BaseTransport, connections: int) -> None:
        """Charge extra connections to a flooding address."""
        self._rate(peer_address(transport)).charge(connections, _now_s(), MAX_DEBT_S)

    def closed(self, transport: asyncio.BaseTransport) -> None:
        """Count an admitted connection as closed."""
        address = peer_address(transport)
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def _rate(self, address: str) -> RateLimiter:
        rate = self._rates.pop(address, None) or RateLimiter(self._limits.burst, self._limits.per_s)
        self._rates[address] = rate
        if len(self._rates) > MAX_ADDRESSES:
            self._rates.popitem(last=False)
        return rate


def _now_s() -> float:
    return asyncio.get_running_loop().time() / virtual_seconds(1)


class Page(Protocol):
    """One page's WebSocket."""

    @property
    def transport(self) -> asyncio.Transport | None:
        """The transport, None until the page is admitted."""

    async def close(self, code: WSCloseCode, why: str) -> None:
        """Close the connection with a reason."""


AnyPage = TypeVar("AnyPage", bound=Page)


class OpenPages(Generic[AnyPage]):
    """An application's WebSockets, in order of arrival, at most `limits.pages`."""

    def __init__(self, limits: Limits, goodbye: str = "") -> None:
        self._limits = limits
        self._goodbye = goodbye
        self._pages: dict[AnyPage, bool] = {}  # whether it is on this computer

    def __iter__(self) -> Iterator[AnyPage]:
        return iter(tuple(self._pages))

    def __len__(self) -> int:
        return len(self._pages)

    @contextmanager
    def holding(self, page: AnyPage, request: web.Request) -> Iterator[None]:
        """Hold a page's place during the block. Raises `web.HTTPServiceUnavailable` when full."""
        is_here = is_own(request)
        if not self._has_room(is_here):
            raise web.HTTPServiceUnavailable
        self._pages[page] = is_here
        try:
            yield
        finally:
            self._pages.pop(page, None)

    def has(self, transport: asyncio.BaseTransport) -> bool:
        """Return whether a page's WebSocket uses this transport."""
        return any(page.transport is transport for page in self._pages)

    async def close(self) -> None:
        """Close all at the server's end; each page retries until a server is back."""
        ending = [page.close(WSCloseCode.GOING_AWAY, self._goodbye) for page in self._pages]
        await asyncio.gather(*ending, return_exceptions=True)

    def _has_room(self, is_own: bool) -> bool:
        pages = self._limits.pages
        if pages is None:
            return True
        others = sum(not is_own for is_own in self._pages.values())
        return len(self._pages) < pages and (is_own or others < pages - OWN_PAGES)


def peer_address(transport: asyncio.BaseTransport | None) -> str:
    """Return the peer's address; empty if it has already gone."""
    peer = transport.get_extra_info("peername") if transport else None
    return str(peer[0]) if peer else ""


def is_loopback(address: str) -> bool:
    """Return whether a peer's address is this computer."""
    try:
        return ip_address(address).is_loopback
    except ValueError:  # a peer that has already gone has none
        return False


def is_own(request: web.Request) -> bool:
    """Return whether a request is from a browser on this computer, rather than a guest behind its proxy."""
    name = request.headers.get("Host", "").rpartition(":")[0] or request.headers.get("Host", "")
    return name.lower() in HOST_NAMES and is_loopback(request.remote or "")
