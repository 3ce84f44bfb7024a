"""Records of finished matches, for guests to check on their phones, and the table's verdicts on them.

Both are requested from the table and kept for a while.
"""

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from firmware_host.public.record_client import request_record, request_verdict

MAX_RECORDS = 8
"""Maximum number of stored records, up to 192 KiB each: guests may type letters during the next match."""
RETRY_S = 10.0
"""Seconds without an answer until the table is asked again."""
VERDICT_WAIT_S = 20.0
"""Seconds for which a phone waits for the verdict on a just finished match."""

log = logging.getLogger("dudo-table")


class _Kept(NamedTuple):
    text: str
    verdict: asyncio.Task[str | None]


class Records:
    """One table's records by match name; `events` is its public socket."""

    def __init__(self, events: Path) -> None:
        self._events = events
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def __contains__(self, match: str) -> bool:
        return match in self._kept

    def get(self, match: str) -> str | None:
        """Return a match's record, the last one's if `match` is empty; None if it is missing."""
        kept = self._find(match)
        return kept and kept.text

    async def verdict(self, match: str) -> str | None:
        """Return the table's verdict on a match as JSON, or None after `VERDICT_WAIT_S`."""
        kept = self._find(match)
        if kept is None:
            return None
        done, _ = await asyncio.wait([kept.verdict], timeout=VERDICT_WAIT_S)
        return kept.verdict.result() if done else None

    def close(self) -> None:
        """Stop asking for verdicts."""
        for kept in self._kept.values():
            kept.verdict.cancel()

    async def fetch(self, match: str) -> None:
        """Request this match's record until it arrives. Cancel the call once the record is no longer wanted.

        An existing record is replaced: the match may have been reopened since.
        """
        has_warned = False
        while why := await self._request(match):
            if not has_warned:
                log.warning("%s: no record of match %s can be had: %s", self._events, match, why)
            has_warned = True
            await asyncio.sleep(RETRY_S)

    def _find(self, match: str) -> _Kept | None:
        if not match and self._kept:
            match = next(reversed(self._kept))
        return self._kept.get(match)

    async def _request(self, match: str) -> str:
        """Store the table's record, or return the reason for a missing one."""
        try:
            found = await request_record(self._events)
        except TimeoutError:
            return "the table does not answer; update dudo-table there"
        except (OSError, ValueError) as error:
            return str(error)
        if found is None:
            return "the table has none"
        name, text = found
        self._drop(name)
        self._kept[name] = _Kept(text, asyncio.create_task(self._request_verdict(name)))
        if len(self._kept) > MAX_RECORDS:
            self._drop(next(iter(self._kept)))
        return "" if name == match else "the table has that of another match"

    async def _request_verdict(self, match: str) -> str | None:
        with suppress(OSError, ValueError):  # a timeout is an OSError
            found = await request_verdict(self._events)
            if found is not None and found[0] == match:
                return found[1]
        return None

    def _drop(self, match: str) -> None:
        if match in self._kept:
            self._kept.pop(match).verdict.cancel()
