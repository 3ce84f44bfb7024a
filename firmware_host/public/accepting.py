"""Accepting connections no faster than the table can bear: for the public socket, and for the page of the workbench.

A server of asyncio accepts as many connections at each turn of the loop as its backlog holds, and its protocol can only
refuse them afterwards. Here a connection that is not wanted yet stays with the kernel, where it costs no time.
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
    room: Callable[[], Awaitable[None]],
) -> None:
    """Give each connection at `listening` a `protocol` until cancelled, in the order in which they came.

    Accepts one connection at a turn of the loop, once `room` has returned and as often as `rate` allows.
    """
    loop = asyncio.get_running_loop()
    listening.setblocking(False)
    while True:
        await room()
        while not rate.allow(1, loop.time()):
            await asyncio.sleep(RETRY_S)
        try:
            connection, _ = await loop.sock_accept(listening)
        except OSError:  # no descriptor is left, or the peer has gone already
            await asyncio.sleep(RETRY_S)
            continue
        try:
            await loop.connect_accepted_socket(protocol, connection)
        except OSError:
            connection.close()
