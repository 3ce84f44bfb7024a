"""This computer's settings on the page, from the files that systemd keeps them in: time zone and closing time."""

import os
from pathlib import Path

import msgspec

from firmware_host.util import closing_timer
from hardware.config import regular_file

_ZONES = "zoneinfo/"


class ComputerFacts(msgspec.Struct, frozen=True):
    """The time zone, empty if unknown, and closing time: whether it is on, its times, and the owner's own file where
    that has others.
    """

    zone: str
    closes: bool
    time: str
    late: str
    by_hand: str = ""


def read(root: Path = Path("/")) -> ComputerFacts:
    """Return the present settings. Blocks."""
    try:
        zone = os.readlink(root / "etc/localtime").partition(_ZONES)[2]
    except OSError:
        zone = ""
    closes = os.path.lexists(root / closing_timer.ENABLED)
    first = closing_timer.AT_FIRST
    try:
        text = regular_file.read(root / closing_timer.FILE, closing_timer.MAX_BYTES).decode()
    except (OSError, ValueError):
        return ComputerFacts(zone, closes, first, first)
    if (times := closing_timer.times_of(text)) is not None:
        return ComputerFacts(zone, closes, *times)
    own = "; ".join(line for line in text.splitlines() if line.startswith("OnCalendar=") and line != "OnCalendar=")
    return ComputerFacts(zone, closes, first, first, own[:400])
