"""Requests the last record, its verdict, or the match statistics, for processes beside the daemon."""

import asyncio
from pathlib import Path
from typing import TypeVar

import msgspec

from firmware_host.wire import MAX_LINE_BYTES, FiguresAnswer, LineError, RecordAnswer, VerdictAnswer, read_head

ANSWER_TIMEOUT_S = 5.0
"""Seconds to wait for a table's answer: older versions ignore the request."""

VERDICT_TIMEOUT_S = 70.0
"""Seconds to wait for a verdict: a slow computer may have to check a long match."""
FIGURES_TIMEOUT_S = 130.0
"""Seconds to wait for figures: a table may have to read thousands of matches."""


Answer = TypeVar("Answer", RecordAnswer, VerdictAnswer, FiguresAnswer)


async def request_record(path: Path) -> tuple[str, str] | None:
    """Return the last won match's name and record, from the table with its public socket at `path`.

    Return None without one. Raises `OSError`, `TimeoutError`, or `ValueError` for an invalid line.
    """
    answer = await _requested(path, RecordAnswer, ANSWER_TIMEOUT_S)
    return None if answer.match is None or answer.text is None else (answer.match, answer.text)


async def request_verdict(path: Path) -> tuple[str, str] | None:
    """Return the last match's name and the table's verdict on it as JSON, or None.

    Raises as `request_record` does.
    """
    answer = await _requested(path, VerdictAnswer, VERDICT_TIMEOUT_S)
    return None if answer.match is None or answer.text is None else (answer.match, answer.text)


async def request_figures(path: Path) -> str | None:
    """Return the match statistics as JSON, or None. Raises as `request_record` does."""
    return (await _requested(path, FiguresAnswer, FIGURES_TIMEOUT_S)).text


async def _requested(path: Path, kind: type[Answer], timeout_s: float) -> Answer:
    reader, writer = await asyncio.open_unix_connection(path, limit=MAX_LINE_BYTES)
    what = kind.__struct_config__.tag
    try:
        writer.write(f'{{"{what}": true}}\n'.encode())
        async with asyncio.timeout(timeout_s):
            while raw := await reader.readline():
                if read_head(raw).type == what:
                    return msgspec.json.decode(raw, type=kind)
    except (LineError, msgspec.MsgspecError) as error:
        raise ValueError("it sends what is no line of a table") from error
    finally:
        writer.close()
    raise ConnectionResetError("the table closed the connection")
