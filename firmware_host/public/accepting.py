"""Rate-limited accepting of connections, for the public socket and the workbench's page.

An asyncio server accepts its whole backlog at each turn of the loop, and its protocol can only refuse connections
afterwards. Here excess connections stay in the kernel's backlog, where they cost no time.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable

from drivers.timing import RateLimiter

RETRY_S = 0.05
"""Seconds until the next attempt while the rate is used up or accept(2) fails."""


async def accept_connections(
    listening: socket.socket,
    protocol: Callable[[], asyncio.BaseProtocol],
    rate: RateLimiter,
    wait_for_room: Callable[[], Awaitable[None]],
) -> None:
    """Accept connections at `listening` and give each a `protocol`, in order, until cancelled.

    Accepts one connection per turn of the loop, once `wait_for_room` has returned and as often as `rate` allows.
    """
    loop = asyncio.get_running_loop()
    listening.setblocking(False)
    while True:
        await wait_for_room()
        while not rate.allow(1, loop.time()):
            await asyncio.sleep(RETRY_S)
        try:
            connection, _ = await loop.sock_accept(listening)
        except OSError:  # out of descriptors, or the peer has gone already
            await asyncio.sleep(RETRY_S)
            continue
        try:
            await loop.connect_accepted_socket(protocol, connection)
        except OSError:
            connection.close()
