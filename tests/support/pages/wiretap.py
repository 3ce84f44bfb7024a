"""A listener on the Wi-Fi between browsers and `dudo-table phones`: it passes every byte on, and keeps a copy.

`sends_in_the_clear` and `IN_THE_CLEAR` take the encryption away at both ends; a test is to notice it in these copies.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bench.tools.broker import free_port
from firmware_host.devices.host_io.phone_cipher import HELLO_BYTES, PhoneCipher
from hardware.link.framing import FrameParser

BINARY = 2


@dataclass
class Tapped:
    """All bytes of a connection, from the phone and to it."""

    up: bytearray = field(default_factory=bytearray)
    down: bytearray = field(default_factory=bytearray)

    @property
    def is_live(self) -> bool:
        """Whether it is a page's WebSocket."""
        return self.up.startswith(b"GET /live ")

    def binary(self) -> tuple[bytes, bytes]:
        """Return the payloads of a WebSocket's binary messages, up and down."""
        return _payloads(bytes(self.up)), _payloads(bytes(self.down))


class Wiretap:
    """A listener before the server at `port`, at a `port` of its own. `tapped` are the connections so far."""

    def __init__(self, server: int) -> None:
        self.port = free_port()
        self.tapped: list[Tapped] = []
        self._server = server

    @property
    def everything(self) -> bytes:
        """All bytes of all connections."""
        return b"".join(bytes(each.up + each.down) for each in self.tapped)

    def link(self, link: str) -> str:
        """Return a page's address through this listener."""
        return link.replace(f":{self._server}/", f":{self.port}/")

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Wiretap"]:
        """Pass connections on until the block ends."""
        assert len(str(self.port)) == len(str(self._server))
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        try:
            yield self
        finally:
            server.close()

    async def _connected(self, phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter) -> None:
        tapped = Tapped()
        self.tapped.append(tapped)
        with suppress(OSError):
            server, to_server = await asyncio.open_connection("127.0.0.1", self._server)
            # The server knows itself by its own port.
            names = f":{self.port}".encode(), f":{self._server}".encode()
            await asyncio.gather(
                _pass(phone, to_server, tapped.up, lambda data: data.replace(*names)),
                _pass(server, to_phone, tapped.down, lambda data: data),
            )


async def _pass(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, copy: bytearray, change: Callable[[bytes], bytes]
) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            copy += data
            writer.write(change(data))
            await writer.drain()
    writer.close()


def _payloads(stream: bytes) -> bytes:
    """Return the payloads of the binary messages behind a WebSocket's HTTP head (RFC 6455, section 5.2)."""
    at = stream.find(b"\r\n\r\n") + 4
    found = b""
    while at + 2 <= len(stream):
        kind, length, is_masked, at = stream[at] & 15, stream[at + 1] & 127, stream[at + 1] >> 7, at + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            length, at = int.from_bytes(stream[at : at + size]), at + size
        mask = stream[at : at + 4] if is_masked else bytes(4)
        at += 4 * is_masked
        payload = stream[at : at + length]
        at += length
        if kind == BINARY or (kind == 0 and found):
            found += bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return found


def frames_in(stream: bytes) -> int:
    """Return the number of the link's frames that a listener can read."""
    return len(FrameParser().feed(stream))


def sends_in_the_clear() -> None:
    """Nothing is encrypted."""

    def receive(self: PhoneCipher, data: bytes) -> bytes:
        self._received += data
        if self.is_agreed:
            return self._take(len(self._received))
        if len(self._received) >= HELLO_BYTES:
            self._agree(self._take(HELLO_BYTES))
        return b""

    PhoneCipher.receive = receive  # type: ignore[method-assign]
    PhoneCipher.seal = lambda _, frame: frame  # type: ignore[method-assign]


IN_THE_CLEAR = """
export class StrangerError extends Error {}
const publicKey = Uint8Array.from({ length: 32 }, (_, at) => at + 7);
export class Cipher {
  isAgreed = false;
  hello = publicKey;
  receive(bytes) {
    if (this.isAgreed) return bytes;
    this.isAgreed = true;
    return bytes.subarray(64);
  }
  seal(frame) { return frame; }
}
export const openSealed = () => null;
export const ownKeys = () => ({ publicKey });
export const keptTable = () => "";
export const keepTable = () => {};
"""
"""The page's cipher.js without encryption."""
