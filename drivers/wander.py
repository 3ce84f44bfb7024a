"""Where a picture stands on its glass at a given time: it wanders slowly, so that no dot is always lit.

Pictures leave four columns and four rows of the glass to the background; within them a picture stands at one of sixteen
places. Panels and seat boards ask from time to time, when nothing else is to be sent.
"""

from typing import NamedTuple

STEP_S = 300.0
"""How long a picture stands at one place."""

COLUMNS = ROWS = 4


class Place(NamedTuple):
    """How many dots to the right and down a picture is moved."""

    column: int = 0
    row: int = 0


CORNER = Place()


def place(since_s: float) -> Place:
    """Return the place so long after the start: down and up the rows, a column further each time, and back again."""
    places = COLUMNS * ROWS
    step = int(since_s // STEP_S) % (2 * places)
    column, row = divmod(min(step, 2 * places - 1 - step), ROWS)
    return Place(column, ROWS - 1 - row if column % 2 else row)
