"""Requests the last record, its verdict, or the house statistics, for processes beside the daemon."""

import asyncio
from pathlib import Path

import msgspec

from firmware_host.public import MAX_LINE_BYTES

ANSWER_TIMEOUT_S = 5.0
"""Seconds after which a table does not answer: one of an older version ignores the request."""

VERDICT_TIMEOUT_S = 70.0
"""Seconds after which a table has no verdict: a slow computer may have to check a long match."""
FIGURES_TIMEOUT_S = 130.0
"""Seconds after which a table has no figures: it may have to read thousands of matches."""


class FinishedMatch(msgspec.Struct, frozen=True):
    """A line of the answer. `text` is the record of `match` or its verdict; both are None without one."""

    type: str
    match: str | None = None
    text: str | None = None


_LINE = msgspec.json.Decoder(FinishedMatch)


async def request_record(path: Path) -> tuple[str, str] | None:
    """Return the last won match's name and record, from the table with its public socket at `path`.

    Return None without one. Raises `OSError`, `TimeoutError`, or `ValueError` for an invalid line.
    """
    line = await _requested(path, "record", ANSWER_TIMEOUT_S)
    return None if line.match is None or line.text is None else (line.match, line.text)


async def request_verdict(path: Path) -> tuple[str, str] | None:
    """Return the last match's name and the table's verdict on it as JSON, or None.

    Raises as `request_record` does.
    """
    line = await _requested(path, "verdict", VERDICT_TIMEOUT_S)
    return None if line.match is None or line.text is None else (line.match, line.text)


async def request_figures(path: Path) -> str | None:
    """Return the house statistics as JSON, or None. Raises as `request_record` does."""
    return (await _requested(path, "figures", FIGURES_TIMEOUT_S)).text


async def _requested(path: Path, what: str, timeout_s: float) -> FinishedMatch:
    reader, writer = await asyncio.open_unix_connection(path, limit=MAX_LINE_BYTES)
    try:
        writer.write(f'{{"{what}": true}}\n'.encode())
        async with asyncio.timeout(timeout_s):
            while raw := await reader.readline():
                line = _read(raw)
                if line.type == what:
                    return line
    finally:
        writer.close()
    raise ConnectionResetError("the table closed the connection")


def _read(raw: bytes) -> FinishedMatch:
    try:
        return _LINE.decode(raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError("it sends what is no line of a table") from error
