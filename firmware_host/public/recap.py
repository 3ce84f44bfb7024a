"""The recap of an evening, a file beside the public socket: `closing` writes it, the page and the TV's power read it.

It has only statistics of finished matches. Readers treat the file as untrusted: they bound its size, and take an
invalid one for missing.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

from firmware_host.util import atomic_file

FILE_NAME = "recap.json"
MAX_BYTES = 16 * 1024
MAX_SHOWN_S = 3600.0
"""Maximum seconds for which a recap is shown, even if the clock jumps."""
POLL_S = 5.0
"""Seconds between a reader's looks for another recap."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]


class Winner(msgspec.Struct, frozen=True):
    """A player, or a robot level, and the matches won."""

    name: Name
    won: Number
    matches: Number


class BluffOfTheNight(msgspec.Struct, frozen=True):
    """The standing bid with the most dice missing."""

    name: Name
    quantity: Annotated[int, msgspec.Meta(ge=1, le=99)]
    face: Annotated[int, msgspec.Meta(ge=1, le=6)]
    missing: Number


class Praised(msgspec.Struct, frozen=True):
    """A player and a number: a percentage, or matches."""

    name: Name
    number: Number


class Recap(msgspec.Struct, frozen=True):
    """An evening's statistics. They are shown until `until`, in seconds since 1970."""

    until: float
    matches: Number
    rounds: Number
    winners: Annotated[tuple[Winner, ...], msgspec.Meta(max_length=3)] = ()
    bluff: BluffOfTheNight | None = None
    caller: Praised | None = None  # the percentage of right calls
    streak: Praised | None = None  # consecutive matches won
    slayer: Praised | None = None  # other players' streaks ended
    rules: Praised | None = None  # the favourite rule set and its matches, if others were played too
    robots: Annotated[tuple[Winner, ...], msgspec.Meta(max_length=3)] = ()  # by their level
    longest: Number = 0  # rounds in the longest match

    def is_shown(self, now: float) -> bool:
        """Return whether to show it at a time since 1970."""
        return 0 < self.until - now <= MAX_SHOWN_S


_DECODER = msgspec.json.Decoder(Recap)


def path_beside(events: Path) -> Path:
    """Return the recap's path for the table with its public socket at `events`."""
    return events.with_name(FILE_NAME)


def write(recap: Recap, events: Path) -> None:
    """Write a recap for the processes showing it. Blocks; raises `OSError`."""
    file = path_beside(events)
    atomic_file.write_atomic(file, msgspec.json.encode(recap).decode())
    file.chmod(0o644)  # whatever the umask: its folder's mode decides


def read(events: Path) -> Recap | None:
    """Return the recap beside the socket at `events`, or None. Blocks for a small file."""
    with suppress(OSError, msgspec.MsgspecError, ValueError):
        descriptor = os.open(path_beside(events), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode) and len(raw := file.read(MAX_BYTES + 1)) <= MAX_BYTES:
                return _DECODER.decode(raw)
    return None
