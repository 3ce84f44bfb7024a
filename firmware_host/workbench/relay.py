"""The workbench as a reader of the public lines: it knows of the game what any reader of the socket knows."""

import asyncio
from pathlib import Path

import msgspec

from firmware_host.play.virtual_seconds import of_the_loop
from firmware_host.workbench.workbench import Workbench

LINE_BYTES = 1 << 20
AGAIN_S = 0.5


class _Kind(msgspec.Struct):
    type: str


async def relay(path: Path, workbench: Workbench) -> None:
    """Pass the lines told at `path` on to the pages until cancelled; connect again where that ends."""
    kind = msgspec.json.Decoder(_Kind)
    while True:
        try:
            reader, writer = await asyncio.open_unix_connection(path, limit=LINE_BYTES)
            try:
                while (line := await reader.readline()).endswith(b"\n"):  # a piece without is the end of who told it
                    workbench.tell(line.rstrip(), kind.decode(line).type == "state")
            finally:
                writer.close()
        except OSError:
            pass
        await asyncio.sleep(of_the_loop(AGAIN_S))
