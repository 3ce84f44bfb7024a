"""Rate-limited accepting of connections, for the public socket and the workbench's page.

An asyncio server accepts its whole backlog at each turn of the loop, and its protocol can only refuse connections
afterwards. Here excess connections stay in the kernel's backlog, where they cost no time.
"""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable

from drivers.timing import RateLimiter

HANDSHAKE_TIMEOUT_S = 5.0
HANDSHAKES, HANDSHAKES_OF_AN_ADDRESS = 64, 16
"""TLS handshakes at once, in all and of one address: a browser begins six."""
RETRY_S = 0.05
"""Seconds until the next attempt while the rate is used up or accept(2) fails."""


async def accept_connections(
    listening: socket.socket,
    protocol: Callable[[], asyncio.BaseProtocol],
    rate: RateLimiter,
    wait_for_room: Callable[[], Awaitable[None]],
    tls: ssl.SSLContext | None = None,
) -> None:
    """Accept connections at `listening` and give each a `protocol`, in order, until cancelled.

    Accepts one connection per turn of the loop, once `wait_for_room` has returned and as often as `rate` allows. With
    `tls` its handshake comes first, beside others: connections beyond their limits are closed.
    """
    loop = asyncio.get_running_loop()
    listening.setblocking(False)
    handshakes = None if tls is None else _Handshakes(protocol, tls)
    try:
        while True:
            await wait_for_room()
            while not rate.allow(1, loop.time()):
                await asyncio.sleep(RETRY_S)
            try:
                connection, peer = await loop.sock_accept(listening)
            except OSError:  # out of descriptors, or the peer has gone already
                await asyncio.sleep(RETRY_S)
                continue
            if handshakes is not None:
                handshakes.begin(connection, peer[0])
                continue
            try:
                await loop.connect_accepted_socket(protocol, connection)
            except OSError:
                connection.close()
    finally:
        if handshakes is not None:
            handshakes.cancel()


class _Handshakes:
    """The TLS handshakes under way, each in a task: a client may take its time."""

    def __init__(self, protocol: Callable[[], asyncio.BaseProtocol], tls: ssl.SSLContext) -> None:
        self._protocol = protocol
        self._tls = tls
        self._tasks: set[asyncio.Task[None]] = set()
        self._by_address: Counter[str] = Counter()

    def begin(self, connection: socket.socket, address: str) -> None:
        """Begin a connection's handshake, or close it beyond the limits."""
        if len(self._tasks) >= HANDSHAKES or self._by_address[address] >= HANDSHAKES_OF_AN_ADDRESS:
            connection.close()
            return
        self._by_address[address] += 1
        task = asyncio.get_running_loop().create_task(self._shake_hands(connection))
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._end(task, address))

    def cancel(self) -> None:
        """End all of them."""
        for task in self._tasks:
            task.cancel()

    async def _shake_hands(self, connection: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                self._protocol, connection, ssl=self._tls, ssl_handshake_timeout=HANDSHAKE_TIMEOUT_S
            )
        except (OSError, ValueError):  # ssl.SSLError and time-outs are OSErrors; such a client speaks no TLS
            connection.close()

    def _end(self, task: "asyncio.Task[None]", address: str) -> None:
        self._tasks.discard(task)
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
