"""The computer's clock. Only the dates of finished matches depend on it."""

import time
from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right

NAME = "clock"
DAY_S = 86_400
"""Seconds."""


def check(context: Context) -> Iterator[Finding]:
    """Yield whether the date is plausible: it can't precede this program's files."""
    now_s, written_s = time.time(), Path(__file__).stat().st_mtime
    today = time.strftime("%Y-%m-%d %H:%M", time.localtime(now_s))
    if now_s < written_s - DAY_S:
        yield note(NAME, f"the clock says {today}, which is in the past: matches will get wrong dates", _SET)
    elif context.machine.run(("timedatectl", "show", "-p", "NTPSynchronized", "--value")) == "no":
        yield right(NAME, f"the clock says {today}, and no network sets it; only the dates of matches depend on it")
    else:
        yield right(NAME, f"the clock says {today}")


_SET = "connect the Pi to a network for a minute, or: sudo date -s 'YYYY-MM-DD HH:MM'"
