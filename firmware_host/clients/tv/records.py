"""The records of finished matches that guests check on their phones: requested from the table, and kept for a while."""

import asyncio
import logging
from collections import OrderedDict
from pathlib import Path

from firmware_host.public.record_client import request_record

MAX_RECORDS = 8
"""The records that are kept, of at most 192 KiB each: guests may type their letters while the next match is played."""
RETRY_S = 10.0
"""Seconds after which a table that has not answered is asked again."""

log = logging.getLogger("dudo-table")


class Records:
    """The records of one table, whose public socket is at `events`, by the name of their match."""

    def __init__(self, events: Path) -> None:
        self._events = events
        self._texts: OrderedDict[str, str] = OrderedDict()

    def __contains__(self, match: str) -> bool:
        return match in self._texts

    def get(self, match: str) -> str | None:
        """Return the record of a match, of the last one if `match` is empty; None if it is not there."""
        if not match and self._texts:
            match = next(reversed(self._texts))
        return self._texts.get(match)

    async def fetch(self, match: str) -> None:
        """Request the record until it is that of this match. Cancel this when it is not wanted any more."""
        has_warned = False
        while match not in self:
            why = await self._request()
            if match not in self:
                if not has_warned:
                    log.warning("%s: no record of match %s can be had: %s", self._events, match, why)
                has_warned = True
                await asyncio.sleep(RETRY_S)

    async def _request(self) -> str:
        """Keep the record that the table has; return why it has none."""
        try:
            found = await request_record(self._events)
        except TimeoutError:
            return "the table does not answer; update dudo-table there"
        except (OSError, ValueError) as error:
            return str(error)
        if found is None:
            return "the table has none"
        name, text = found
        self._texts.pop(name, None)
        self._texts[name] = text
        if len(self._texts) > MAX_RECORDS:
            self._texts.popitem(last=False)
        return "the table has that of another match"
