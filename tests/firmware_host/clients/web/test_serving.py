"""The input that a server of pages takes from one connection: frames are limited, not bytes alone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from aiohttp import WSMsgType, web

from firmware_host.clients.web.access import listening_at
from firmware_host.clients.web.limits import MAX_DEBT_S, OWN, OpenPages
from firmware_host.clients.web.serving import FLOOD_COST, PIECES_AT_ONCE, serving
from hardware.emulated.virtual_loop import VirtualLoop

UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"


@asynccontextmanager
async def _served(on_ping: Callable[[], None] = lambda: None) -> AsyncIterator[tuple[str, int]]:
    """Serve a WebSocket that takes whatever comes; yield its address."""

    async def live(request: web.Request) -> web.StreamResponse:
        live = web.WebSocketResponse(autoping=False)
        await live.prepare(request)
        async for message in live:
            if message.type is WSMsgType.PING:
                on_ping()
        return live

    app = web.Application()
    app.router.add_get("/live", live)
    with listening_at("127.0.0.1", 0) as listening:
        async with serving(app, OpenPages(OWN), listening, OWN):
            yield listening.getsockname()


async def _send(address: tuple[str, int], *pieces: bytes) -> None:
    """Send pieces over a connection, and read until the server ends it."""
    reader, writer = await asyncio.open_connection(*address)
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.05)
        writer.write_eof()
        async with asyncio.timeout(20):
            await reader.read()
    writer.close()


async def _handled(*pieces: bytes) -> int:
    """Return how many pings a WebSocket gets from a connection that sends these pieces."""
    pings: list[None] = []
    async with _served(lambda: pings.append(None)) as address:
        await _send(address, *pieces)
    return len(pings)


def test_a_page_may_send_some_pings() -> None:
    assert asyncio.run(_handled(UPGRADE, PING * 50)) == 50


def test_of_a_storm_of_pings_only_the_first_are_handled() -> None:
    assert asyncio.run(_handled(UPGRADE, PING * 5000)) <= PIECES_AT_ONCE


def test_nor_are_more_of_one_that_comes_with_the_handshake_or_in_pieces() -> None:
    assert asyncio.run(_handled(UPGRADE + PING * 5000)) <= PIECES_AT_ONCE
    assert asyncio.run(_handled(UPGRADE + PING * 200, *[PING * 200] * 10)) <= 2 * PIECES_AT_ONCE


def test_a_client_that_floods_the_server_comes_back_slowly_and_others_wait_a_second_at_most() -> None:
    async def flood(address: tuple[str, int], until_s: float) -> int:
        floods = 0
        while asyncio.get_running_loop().time() < until_s:
            await _send(address, UPGRADE + PING * 1000)
            floods += 1
        return floods

    async def run() -> tuple[int, float]:
        loop = asyncio.get_running_loop()
        async with _served() as address:
            for _ in range(round(OWN.burst)):
                (await asyncio.open_connection(*address))[1].close()
            floods = await asyncio.gather(*(flood(address, loop.time() + 20) for _ in range(40)))
            began_s = loop.time()
            reader, writer = await asyncio.open_connection(*address)
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            await reader.readline()
            writer.close()
            return sum(floods), loop.time() - began_s

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        floods, waited_s = runner.run(run())
    assert floods < 2 * 20 * OWN.per_s / FLOOD_COST
    assert waited_s < MAX_DEBT_S + 1
