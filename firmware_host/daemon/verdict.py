"""The verdict from `dudo-table verify` on the last match, for public socket clients: the table's own word.

A guest's phone checks dice alone. Legal actions and settled calls are checked here, in a separate process started when
a client asks.
"""

import asyncio
import logging
from collections.abc import Callable

from firmware_host.daemon.side_process import printed
from firmware_host.public.messages import RecordAnswer, VerdictAnswer

TIMEOUT_S = 60.0
"""Seconds for a slow computer to check the longest record."""
MAX_BYTES = 24 * 1024
"""Bytes allowed for a verdict; eight players take about 2,000."""
MODULE = "firmware_host.store.scores.record_verdict"

log = logging.getLogger("dudo-table")


class LastVerdict:
    """The verdict on the last won match, made once for each record."""

    def __init__(self, record: Callable[[], RecordAnswer]) -> None:
        self._record = record
        self._making: tuple[RecordAnswer, asyncio.Task[str | None]] | None = None

    async def get(self) -> VerdictAnswer:
        """Return the verdict; without text if there is no record or after a logged failure."""
        record = self._record()
        if not record.match or not record.text:
            return VerdictAnswer(record.match)
        if self._making is None or self._making[0] != record:
            self._making = record, asyncio.get_running_loop().create_task(_made(record.match, record.text))
        return VerdictAnswer(record.match, await asyncio.shield(self._making[1]))


async def _made(match: str, text: str) -> str | None:
    try:
        return await _printed(text)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        log.warning("match %s can't be verified: %s; dudo-table verify says more", match, error or "no answer")
        return None


async def _printed(text: str) -> str:
    return await printed(MODULE, text=text, timeout_s=TIMEOUT_S, max_bytes=MAX_BYTES)
