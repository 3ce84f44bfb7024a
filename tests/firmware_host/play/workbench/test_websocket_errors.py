"""WebSocket frames that RFC 6455 forbids, sent to the real server: the connection ends, and the log is empty."""

import asyncio
import struct
from contextlib import suppress

import pytest
from support.pages.page_clients import TableWithPages, at_a_table

MASK = b"\0\0\0\0"


def frame(first: int, payload: bytes = b"", *, mask: bool = True, length: int | None = None) -> bytes:
    """Return a frame with `first` as its first byte; the mask is of zeros."""
    size = len(payload) if length is None else length
    bit = 0x80 if mask else 0
    header = bytes([bit | size]) if size < 126 else bytes([bit | 127]) + struct.pack("!Q", size)
    return bytes([first]) + header + (MASK if mask else b"") + payload


ERRORS = {
    "a reserved data opcode": frame(0x83, b"x"),
    "a reserved control opcode": frame(0x8B),
    "RSV1 without a compression that was agreed on": frame(0xC1, b"{}"),
    "RSV2 and RSV3": frame(0xB1, b"{}"),
    "a control frame in fragments": frame(0x09, b"x"),
    "a control frame longer than 125 bytes": frame(0x89, b"x" * 126),
    "a continuation of nothing": frame(0x80, b"{}"),
    "a new message within a fragmented one": frame(0x01, b"{") + frame(0x81, b"}"),
    "a text that is not UTF-8": frame(0x81, b"\xff\xfe"),
    "a message that is too long": frame(0x81, b"x" * 100_000),
    "a length that no message has": frame(0x81, length=2**63 - 1),
    "a length beyond 63 bits": frame(0x81, length=2**64 - 1),
    "fragments that are too long together": frame(0x01, b"x" * 4000) + frame(0x80, b"x" * 4000),
    "a close frame of one byte": frame(0x88, b"x"),
    "a close code that is not allowed": frame(0x88, struct.pack("!H", 1005)),
    "a close reason that is not UTF-8": frame(0x88, struct.pack("!H", 1000) + b"\xff"),
}
UNPUNISHED = {
    "a frame without a mask": frame(0x81, b'{"do":"level","seat":0}', mask=False),  # aiohttp reads it
    "a frame that ends in the middle": frame(0x81, b"{", length=100),
    "a header that ends in the middle": b"\x81",
}


async def upgraded(table: TableWithPages) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection after its handshake."""
    port = int(table.address.rstrip("/").rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    writer.write(f"GET /live HTTP/1.1\r\nHost: localhost:{port}\r\n{upgrade}{'A' * 22}==\r\n\r\n".encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


@pytest.mark.parametrize("sent", ERRORS.values(), ids=ERRORS)
def test_a_protocol_error_ends_its_own_connection_and_logs_nothing(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    @at_a_table()
    async def err(table: TableWithPages) -> None:
        reader, writer = await upgraded(table)
        writer.write(sent)
        with suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), 10)
        writer.close()
        async with table.browser() as other:
            assert other.you == 0

    err()
    assert not caplog.records


@pytest.mark.parametrize("sent", UNPUNISHED.values(), ids=UNPUNISHED)
def test_a_frame_that_stops_short_logs_nothing(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    @at_a_table()
    async def stop(table: TableWithPages) -> None:
        _, writer = await upgraded(table)
        writer.write(sent)
        await asyncio.sleep(1)
        writer.close()
        await asyncio.sleep(10)
        async with table.browser() as other:
            assert other.you == 0

    stop()
    assert not caplog.records


@pytest.mark.parametrize("sent", ERRORS.values(), ids=ERRORS)
def test_a_page_that_errs_and_is_gone_logs_nothing(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    @at_a_table()
    async def go(table: TableWithPages) -> None:
        _, writer = await upgraded(table)
        writer.write(sent)
        writer.transport.abort()
        await asyncio.sleep(10)

    go()
    assert not caplog.records
