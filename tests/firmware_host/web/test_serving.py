"""The input that a server of pages takes from one connection: frames are limited, not bytes alone."""

import asyncio
from contextlib import suppress

from aiohttp import WSMsgType, web

from firmware_host.clients.web.access import listening_at
from firmware_host.clients.web.limits import OWN, OpenPages
from firmware_host.clients.web.serving import PIECES_AT_ONCE, serving

UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"


async def _handled(*pieces: bytes) -> int:
    """Return how many pings a WebSocket gets from a connection that sends these pieces."""
    pings = 0

    async def live(request: web.Request) -> web.StreamResponse:
        nonlocal pings
        live = web.WebSocketResponse(autoping=False)
        await live.prepare(request)
        async for message in live:
            pings += message.type is WSMsgType.PING
        return live

    app = web.Application()
    app.router.add_get("/live", live)
    with listening_at("127.0.0.1", 0) as listening:
        async with serving(app, OpenPages(OWN), listening, OWN):
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            for piece in pieces:
                writer.write(piece)
                await asyncio.sleep(0.05)
            writer.write_eof()
            async with asyncio.timeout(20):
                with suppress(ConnectionResetError):
                    await reader.read()
            writer.close()
    return pings


def test_a_page_may_send_some_pings() -> None:
    assert asyncio.run(_handled(UPGRADE, PING * 50)) == 50


def test_of_a_storm_of_pings_only_the_first_are_handled() -> None:
    assert asyncio.run(_handled(UPGRADE, PING * 5000)) <= PIECES_AT_ONCE


def test_nor_are_more_of_one_that_comes_with_the_handshake_or_in_pieces() -> None:
    assert asyncio.run(_handled(UPGRADE + PING * 5000)) <= PIECES_AT_ONCE
    assert asyncio.run(_handled(UPGRADE + PING * 200, *[PING * 200] * 10)) <= 2 * PIECES_AT_ONCE
