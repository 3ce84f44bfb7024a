"""This computer's settings on the page, from the files of its services: time zone, closing time, announcer."""

import os
from pathlib import Path

import msgspec

from firmware_host.util import closing_timer, voice_options
from firmware_host.util.closing_timer import ClosingTimes
from firmware_host.util.voice_options import VoiceOptions
from hardware.config import regular_file

_ZONES = "zoneinfo/"


class ComputerFacts(msgspec.Struct, frozen=True):
    """The time zone, empty if unknown, and closing time: whether it is on, its times, and the owner's own file where
    that has others. Then the announcer: whether it runs, and its options.
    """

    zone: str
    closes: bool
    time: str
    late: str
    by_hand: str = ""
    speaks: bool = False
    voice: VoiceOptions = VoiceOptions()


def read(root: Path = Path("/")) -> ComputerFacts:
    """Return the present settings. Blocks."""
    try:
        zone = os.readlink(root / "etc/localtime").partition(_ZONES)[2]
    except OSError:
        zone = ""
    speaks, closes = (os.path.lexists(root / each.ENABLED) for each in (voice_options, closing_timer))
    times, by_hand = _closing_times(_text(root / closing_timer.FILE, closing_timer.MAX_BYTES))
    voice = voice_options.options_of(_text(root / voice_options.FILE, voice_options.MAX_BYTES)) or VoiceOptions()
    return ComputerFacts(zone, closes, times.time, times.late, by_hand, speaks, voice)


def _text(file: Path, most: int) -> str:
    try:
        return regular_file.read(file, most).decode()
    except (OSError, ValueError):
        return ""


def _closing_times(text: str) -> tuple[ClosingTimes, str]:
    """Return the times in the owner's file, or the first ones and the lines in another form."""
    first = ClosingTimes(closing_timer.AT_FIRST, closing_timer.AT_FIRST)
    if not text:
        return first, ""
    if (times := closing_timer.times_of(text)) is not None:
        return times, ""
    own = "; ".join(line for line in text.splitlines() if line.startswith("OnCalendar=") and line != "OnCalendar=")
    return first, own[:400]
