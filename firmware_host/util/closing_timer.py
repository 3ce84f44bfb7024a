"""The owner's file for closing time: `systemctl edit dudo-table-closing.timer` writes it, and so does the owner's page.

Root writes it for the page, and the page reads it.
"""

import re
from pathlib import Path
from typing import NamedTuple

from firmware_host.util.evening import ENDS_H

TIMER = "dudo-table-closing.timer"
UNITS = Path("etc/systemd/system")
FILE = UNITS / f"{TIMER}.d" / "override.conf"
ENABLED = UNITS / "timers.target.wants" / TIMER
"""systemd's link while the timer is enabled, and the owner's file, both below the root folder."""
AT_FIRST = "04:00"
"""The time in the timer itself."""
MAX_BYTES = 4096
_HEAD = """\
# Closing time from the owner's page; systemctl edit dudo-table-closing.timer changes it, too.
[Timer]
OnCalendar=
"""
_TIME = r"\*-\*-\* (\d\d:\d\d)\n"
_DAY = "[A-Z][a-z]+"
_ONE = re.compile(rf"OnCalendar={_TIME}", re.ASCII)
_TWO = re.compile(rf"OnCalendar={_DAY}\.\.{_DAY} {_TIME}OnCalendar={_DAY},{_DAY} {_TIME}", re.ASCII)


class ClosingTimes(NamedTuple):
    """Closing time, and the one after Friday and Saturday, as in 04:00."""

    time: str
    late: str


def text_of(times: ClosingTimes) -> str:
    """Return the file's content. A time after midnight is on the next day by the clock."""
    if times.time == times.late:
        return f"{_HEAD}OnCalendar=*-*-* {times.time}\n"
    usual = "Mon..Fri" if _is_after_midnight(times.time) else "Sun..Thu"
    late = "Sat,Sun" if _is_after_midnight(times.late) else "Fri,Sat"
    return f"{_HEAD}OnCalendar={usual} *-*-* {times.time}\nOnCalendar={late} *-*-* {times.late}\n"


def times_of(text: str) -> ClosingTimes | None:
    """Return the times in a file by `text_of`, None for another one."""
    for pattern in (_ONE, _TWO):
        if found := pattern.fullmatch(text.removeprefix(_HEAD)):
            times = ClosingTimes(found[1], found[found.re.groups])
            return times if text_of(times) == text else None
    return None


def _is_after_midnight(time: str) -> bool:
    return int(time[:2]) < ENDS_H
