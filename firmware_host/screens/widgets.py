"""The heading over a hand that lies open, between arrows that lead to the next one.

The last seconds of whoever the table waits for: a number, and a bar that shrinks, for who does not read.
"""

from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.regions import HINT
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TEXT
from firmware_host.table.timeouts import TURN_CLOCK_SHOWN_S

_ARROW = 5


def draw_page_heading(canvas: Canvas, sentence: str, name: str) -> None:
    """Say whose hand it is, in a sentence with a gap for the name."""
    middle = HINT.top + HINT.height // 2
    canvas.arrow(HINT.left, middle, _ARROW, leftward=True)
    canvas.arrow(HINT.right - _ARROW, middle, _ARROW, leftward=False)
    canvas.naming(sentence, name, HINT.inset(_ARROW + 2), BOLD, TEXT, SMALL, align="center")


_NUMBER = 24  # columns


def draw_turn_clock(canvas: Canvas, seconds: int, box: Box) -> None:
    """Draw it into a line eight dots high."""
    canvas.text(f"0:{seconds:02}", Box(box.left, box.top, _NUMBER, box.height), SMALL_BOLD)
    room = box.width - _NUMBER
    canvas.fill(Box(box.left + _NUMBER, box.top + 2, room * min(seconds, TURN_CLOCK_SHOWN_S) // TURN_CLOCK_SHOWN_S, 4))
