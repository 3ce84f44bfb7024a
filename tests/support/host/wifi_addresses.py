"""Pages that browsers of other addresses hold open: addresses of this computer's loopback stand for those of phones."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
import pytest

from firmware_host.clients.web import limits


@asynccontextmanager
async def held_pages(live: str, addresses: int) -> AsyncIterator[list[int]]:
    """Open as many WebSockets as each of some addresses is given, for the length of the block; yield their counts.

    Meanwhile 127.0.0.1 alone is this computer.
    """
    counts: list[int] = []
    async with AsyncExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(limits, "is_loopback", lambda address: address == "127.0.0.1")
        for number in range(addresses):
            connector = aiohttp.TCPConnector(local_addr=(f"127.0.0.{number + 2}", 0), limit=0)
            session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
            counts.append(0)
            try:
                while True:
                    await stack.enter_async_context(session.ws_connect(live))
                    counts[-1] += 1
            except (aiohttp.ClientError, ConnectionError):
                pass
        yield counts
