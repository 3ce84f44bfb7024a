"""Why a round's cups are shaken again: part of the scene, so that the glass can say it after a restart too."""

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """What broke the deal off."""

    LEFT = "left"  # somebody has left the match
    LOST = "lost"  # a cup was unplugged
    FAILED = "failed"  # a cup did not give what it was bound to
    LATE = "late"  # somebody let the turn clock run out


@dataclass(frozen=True, slots=True)
class Again:
    """Why a shake is not the round's first, and which of the match's seats it is because of."""

    why: Why
    player: int
