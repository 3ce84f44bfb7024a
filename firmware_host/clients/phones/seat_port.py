"""One phone's port for the daemon: a Unix socket that is there while the phone's page is connected.

The daemon connects to it as it opens a board's port, gets the phone's public key, and then what the page sends. Both
ends encrypt everything for each other, so one page talks to one daemon: when either goes, the other is sent away.
"""

import asyncio
import logging
import os
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

MODE = 0o660
PIECE_BYTES = 4096
MAX_UNREAD_BYTES = 1 << 16
"""Bytes from a phone that may wait for a daemon; one that does not read has its connection closed."""
_CREDENTIALS = struct.Struct("3i")  # process, user, group: unix(7)


class SeatPort:
    """The port at `path` for the phone with the public `key`. `send` takes the daemon's bytes to the phone.

    `changed` is called when the daemon comes, `lost` when it has gone. Only processes of a user in `users` get through:
    this one and the daemon's.
    """

    def __init__(
        self,
        path: Path,
        users: frozenset[int],
        key: bytes,
        *,
        send: Callable[[bytes], Awaitable[None]],
        changed: Callable[[], None],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        self._path = path
        self._key = key
        self._users = users
        self._send = send
        self._changed = changed
        self._lost = lost
        self._server: asyncio.Server | None = None
        self._daemon: asyncio.StreamWriter | None = None

    @property
    def is_open(self) -> bool:
        """Whether the daemon is connected."""
        return self._daemon is not None

    async def open(self) -> None:
        """Let the daemon in from now on. Raises `OSError`."""
        listening = socket.socket(socket.AF_UNIX)
        try:
            self._path.unlink(missing_ok=True)  # left by a killed process
            listening.bind(os.fspath(self._path))
            self._path.chmod(MODE)
        except OSError:
            listening.close()
            raise
        self._server = await asyncio.start_unix_server(self._connected, sock=listening, limit=PIECE_BYTES)

    def close(self) -> None:
        """Take the port away: for the daemon, the phone is unplugged."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._path.unlink(missing_ok=True)
        self._hang_up()

    def receive(self, frames: bytes) -> None:
        """Pass a phone's bytes to the daemon; without one they are lost, as on a cable."""
        if self._daemon is None:
            return
        self._daemon.write(frames)
        if self._daemon.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self._daemon.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._server is None or self._daemon is not None:  # the phone has gone meanwhile, or talks to another daemon
            writer.transport.abort()
            return
        user = _user_of(writer)
        if user not in self._users:
            log.warning("%s: a process of user %d is not the table and was refused", self._path, user)
            writer.transport.abort()
            return
        self._daemon = writer
        writer.write(self._key)
        self._changed()
        with suppress(ConnectionError, asyncio.CancelledError):
            while self._daemon is writer and (piece := await reader.read(PIECE_BYTES)):
                await self._send(piece)
        writer.transport.abort()
        if self._daemon is writer:
            self._daemon = None
            await self._lost()

    def _hang_up(self) -> None:
        daemon, self._daemon = self._daemon, None
        if daemon is not None:
            daemon.transport.abort()


def _user_of(writer: asyncio.StreamWriter) -> int:
    """Return the user of the process at the other end, from the kernel."""
    peer = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    user: int = _CREDENTIALS.unpack(peer)[1]
    return user
