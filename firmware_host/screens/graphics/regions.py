"""Where things stand on the glass: furniture stays where it is, so that a bid costs only what it changes.

What changes often lies in whole pages, the eight rows that a controller writes at once.
"""

from firmware_host.screens.graphics.canvas import Box

HEADER = Box(0, 0, 124, 24)
"""Pages 0–2: what is claimed, asked for or found."""
BID = Box(0, 0, 58, 24)
"""Its left part: the bid that stands."""
HEADER_RIGHT = Box(64, 0, 60, 24)
"""Its right part: what may be said in turn, who said what out of turn."""
MENU = Box(64, 0, 60, 16)
STATUS_LINE = Box(64, 16, 60, 8)
"""The small line, which stays as it is when the turn comes and goes."""
TITLE_BAR = Box(0, 0, 124, 16)
SUBTITLE = Box(0, 16, 124, 8)

ROSTER = Box(0, 24, 124, 12)
"""Page 3 and half of page 4: who plays, and how many dice they have."""

HINT = Box(1, 24, 122, 11)
"""In its place, what the item under the cursor means."""

DICE = Box(0, 36, 124, 24)
"""The own dice. Their pips are in rows 40–55, pages 5 and 6."""
PITCH = 25


def dice_slots(number: int) -> list[Box]:
    """Where so many dice of 24 dots stand in `DICE`."""
    left = DICE.left + (DICE.width - (number * PITCH - 1)) // 2
    return [Box(left + index * PITCH, DICE.top, 24, 24) for index in range(number)]


def pip_box(slot: Box) -> Box:
    """The part of a slot that differs from face to face."""
    return slot.inset(4, 4)
