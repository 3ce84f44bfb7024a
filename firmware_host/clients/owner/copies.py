"""Copies of the table through the page, in pieces: a connection of the page ends after some seconds.

Root makes the one that is handed out, and checks the one that is received before it restores it.
"""

import asyncio
import os
from pathlib import Path

from aiohttp import web

from firmware_host.clients.web.login import Login
from firmware_host.public.owner_page import COPY, MAX_COPY_BYTES, RECEIVED
from hardware.config import regular_file

PIECE_BYTES = 1 << 20
"""Bytes of a piece that is handed out."""
MAX_RECEIVED_BYTES = 24 << 10
"""Bytes of a received piece: a connection may send that much at once (`web.serving.PIECES_AT_ONCE`)."""
_BYTES = "application/octet-stream"


class Copies:
    """The routes `/copy/OFFSET`, which hands a piece out, and `/received/OFFSET`, which takes the next one."""

    def __init__(self, folder: Path, login: Login) -> None:
        self._folder = folder
        self._login = login
        self._one_at_a_time = asyncio.Lock()

    def add_to(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get(r"/copy/{offset:\d{1,9}}", self._hand_out)
        app.router.add_post(r"/received/{offset:\d{1,9}}", self._receive)

    async def _hand_out(self, request: web.Request) -> web.Response:
        self._login.check(request)
        try:
            piece = await asyncio.to_thread(self._piece, int(request.match_info["offset"]))
        except OSError:
            raise web.HTTPNotFound from None
        return web.Response(body=piece, content_type=_BYTES)

    def _piece(self, offset: int) -> bytes:
        descriptor = regular_file.opened(self._folder / COPY, os.O_NOFOLLOW)
        try:
            return os.pread(descriptor, PIECE_BYTES, offset)
        finally:
            os.close(descriptor)

    async def _receive(self, request: web.Request) -> web.Response:
        """Append the next piece; a piece at 0 starts a new copy."""
        self._login.check(request)
        offset, size = int(request.match_info["offset"]), request.content_length
        if request.content_type != _BYTES or size is None or not 0 < size <= MAX_RECEIVED_BYTES:
            raise web.HTTPBadRequest
        if offset + size > MAX_COPY_BYTES:
            raise web.HTTPRequestEntityTooLarge(max_size=MAX_COPY_BYTES, actual_size=offset + size)
        piece = await request.content.readexactly(size)
        async with self._one_at_a_time:
            try:
                await asyncio.to_thread(self._append, offset, piece)
            except OSError:
                raise web.HTTPConflict from None
        return web.Response(status=204)

    def _append(self, offset: int, piece: bytes) -> None:
        file = self._folder / RECEIVED
        if not offset:
            file.unlink(missing_ok=True)
        begins = os.O_CREAT | os.O_EXCL if not offset else 0
        descriptor = os.open(file, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC | begins, 0o600)
        with open(descriptor, "wb") as received:
            if os.fstat(descriptor).st_size != offset:
                raise FileNotFoundError(f"{file} does not end at {offset}")
            received.seek(offset)
            received.write(piece)
