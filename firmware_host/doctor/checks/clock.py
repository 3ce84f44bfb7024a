"""The clock: nothing in a match depends on it, only the dates of finished ones."""

import time
from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right

NAME = "clock"
DAY_S = 86_400


def check(patient: Patient) -> Iterator[Finding]:
    """Whether today can be today. Files of this program were written before it runs."""
    now_s, written_s = time.time(), Path(__file__).stat().st_mtime
    today = time.strftime("%Y-%m-%d %H:%M", time.localtime(now_s))
    if now_s < written_s - DAY_S:
        yield note(NAME, f"the clock says {today}, which is past: matches will bear wrong dates", _SET)
    elif patient.machine.run(("timedatectl", "show", "-p", "NTPSynchronized", "--value")) == "no":
        yield right(NAME, f"the clock says {today}, and no network sets it; only the dates of matches depend on it")
    else:
        yield right(NAME, f"the clock says {today}")


_SET = "connect the Pi to a network for a minute, or: sudo date -s 'YYYY-MM-DD HH:MM'"
