"""A page on an event loop of its own, beside a test that drives a browser."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager

PATIENCE_S = 20


@contextmanager
def in_a_thread(page: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """Serve a page in a thread; yield its address."""
    ready, stop, found = threading.Event(), asyncio.Event(), list[str]()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        async with page as address:
            found.append(address)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE_S)
        loop.close()
