"""The public socket of the table, read without end: a table that restarts is connected to again."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from firmware_host.public_page.picture import VersionError

MAX_LINE_BYTES = 1 << 18
"""Bytes of a line. A table disconnects a client with a longer backlog, so it never sends a longer line."""
MIN_RETRY_S, MAX_RETRY_S = 0.25, 5.0
"""Seconds to the next connection: the first after a table that was read, and the longest."""

log = logging.getLogger("dudo-table")


async def read_table(path: Path, take: Callable[[bytes], None], disconnected: Callable[[], None]) -> None:
    """Hand every line of the socket at `path` to `take` until cancelled. Log each new reason why none comes once."""
    retry_s, logged = MIN_RETRY_S, ""
    while True:
        why = "the table closed the connection"
        try:
            reader, writer = await asyncio.open_unix_connection(path, limit=MAX_LINE_BYTES)
            try:
                while (line := await reader.readline()).endswith(b"\n"):  # a partial line means that it was closed
                    take(line)
                    if logged:
                        log.info("%s: the table is there", path)
                    retry_s, logged = MIN_RETRY_S, ""
            finally:
                writer.close()
                disconnected()
        except (VersionError, ValueError, msgspec.MsgspecError) as error:  # ValueError: a line without an end
            why = f"not the socket of a table that this program can read: {error}"
        except PermissionError:
            why = "may not be read; run sudo adduser $USER dudo-table, then log out and in again"
        except OSError as error:
            why = f"no table sends events there: {(error.strerror or str(error)).lower()}"
        if why != logged:
            log.warning("%s: %s; trying again until one does", path, why)
            logged = why
        await asyncio.sleep(retry_s)
        retry_s = min(2 * retry_s, MAX_RETRY_S)
