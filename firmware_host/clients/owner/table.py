"""The running table as the page reaches it: the control socket, as for `dudo-table staff`."""

import asyncio
from pathlib import Path
from typing import TypeVar

import msgspec

from firmware_host.errors import UserError
from firmware_host.public.address import why_unreachable
from firmware_host.table.staff.requests import MAX_REPLY_BYTES, ReadForm, Reply, Request, StaffForm

TIMEOUT_S = 4.0
"""Seconds for an answer; the page's connection is closed after five."""
FORM_INTERVAL_S = 0.5
"""Minimum seconds between two readings of the form, however many pages are open."""


Form = TypeVar("Form")


class TableAwayError(UserError):
    """No table answers, or not this version's."""


class StaffTable:
    """A table by its control socket. It asks one thing at a time, so the command line always finds a free place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = asyncio.Lock()
        self._form: tuple[float, StaffForm] | None = None

    async def form(self) -> StaffForm:
        """Return everything on the page. Raises `TableAwayError`."""
        loop = asyncio.get_running_loop()
        async with self._one_at_a_time:
            if self._form is None or loop.time() - self._form[0] >= FORM_INTERVAL_S:
                reply = await self._ask(ReadForm())
                self._form = loop.time(), decoded(reply, StaffForm)
            return self._form[1]

    async def ask(self, request: Request) -> Reply:
        """Have the table do something; return its answer. Raises `TableAwayError`."""
        async with self._one_at_a_time:
            self._form = None
            return await self._ask(request)

    async def _ask(self, request: Request) -> Reply:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_REPLY_BYTES)
                try:
                    writer.write(msgspec.json.encode(request) + b"\n")
                    return msgspec.json.decode(await reader.readline(), type=Reply)
                finally:
                    writer.close()
        except TimeoutError as error:
            raise TableAwayError(f"{self._path}: the table gave no answer within {TIMEOUT_S:g} s") from error
        except OSError as error:
            raise TableAwayError(f"{self._path}: {why_unreachable(error)}") from error
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise TableAwayError(f"{self._path}: the answer is of another version; restart the table") from error


def decoded(reply: Reply, kind: type[Form]) -> Form:
    """Return an answer's JSON. Raises `TableAwayError`, as for a table without settings."""
    try:
        return msgspec.json.decode("".join(reply.lines), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise TableAwayError("; ".join(reply.lines)[:200]) from error
