"""Requests the record of the last finished match from a table, for processes beside the daemon."""

import asyncio
from pathlib import Path

import msgspec

from firmware_host.public import MAX_LINE_BYTES

ANSWER_TIMEOUT_S = 5.0
"""Seconds after which a table does not answer: one of an older version ignores the request."""


class FinishedMatch(msgspec.Struct, frozen=True):
    """A line of the answer. `text` is the record of the `match`; both are None if the table has none."""

    type: str
    match: str | None = None
    text: str | None = None


_LINE = msgspec.json.Decoder(FinishedMatch)


async def request_record(path: Path) -> tuple[str, str] | None:
    """Return the name and the record of the last match that was won at the table whose public socket is at `path`.

    Return None if it has none. Raises `OSError`, `TimeoutError`, or `ValueError` for what is no line of a table.
    """
    reader, writer = await asyncio.open_unix_connection(path, limit=MAX_LINE_BYTES)
    try:
        writer.write(b'{"record": true}\n')
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            while raw := await reader.readline():
                line = _read(raw)
                if line.type == "record":
                    return None if line.match is None or line.text is None else (line.match, line.text)
    finally:
        writer.close()
    raise ConnectionResetError("the table closed the connection")


def _read(raw: bytes) -> FinishedMatch:
    try:
        return _LINE.decode(raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError("it sends what is no line of a table") from error
