"""A network that goes silent: a relay between a browser and a page, which can hold what passes and deliver it late.

No side is told: the connections stand, as those of a phone that leaves its Wi-Fi do.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

CHUNK = 1 << 16


class FaultyNetwork:
    """A relay to the page at `target`; `address` is where a browser reaches it."""

    def __init__(self, target: str) -> None:
        self._host, self._port = urlsplit(target).hostname, urlsplit(target).port
        self._loop = asyncio.new_event_loop()
        self._flows = {"up": asyncio.Event(), "down": asyncio.Event()}
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._run(self._listen())
        self.address = f"http://{self._host}:{self._server.sockets[0].getsockname()[1]}/"
        self.deliver()

    def hold(self, *directions: str) -> None:
        """Hold everything that is sent from now on, in both directions or in those named: "up" is to the table."""
        for direction in directions or self._flows:
            self._loop.call_soon_threadsafe(self._flows[direction].clear)

    def deliver(self) -> None:
        """Deliver what was held, in order, and everything else at once."""
        for flow in self._flows.values():
            self._loop.call_soon_threadsafe(flow.set)

    def close(self) -> None:
        """Cut every connection."""
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._connect, self._host)

    async def _end(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_reader, to_writer = await asyncio.open_connection(self._host, self._port)
        for direction, source, sink in (("up", reader, to_writer), ("down", to_reader, writer)):
            task = asyncio.create_task(self._pump(source, sink, direction))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, direction: str) -> None:
        own, theirs = urlsplit(self.address).netloc.encode(), f"{self._host}:{self._port}".encode()
        try:
            while data := await source.read(CHUNK):
                await self._flows[direction].wait()
                sink.write(data.replace(own, theirs) if direction == "up" else data)  # or the page knows no such host
                await sink.drain()
            await self._flows[direction].wait()
        except OSError:
            pass
        finally:
            sink.close()


@contextmanager
def a_faulty_network(target: str) -> Iterator[FaultyNetwork]:
    """Give a relay for as long as the block lasts."""
    network = FaultyNetwork(target)
    try:
        yield network
    finally:
        network.close()
