"""The last seconds of whoever the table waits for: a number, and a bar that shrinks, for who does not read."""

from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import SMALL_BOLD
from firmware_host.table.turn_clock import SHOWN_S

_NUMBER = 24  # columns


def clock(canvas: Canvas, seconds: int, box: Box) -> None:
    """Draw it into a line eight dots high."""
    canvas.text(f"0:{seconds:02}", Box(box.left, box.top, _NUMBER, box.height), SMALL_BOLD)
    room = box.width - _NUMBER
    canvas.fill(Box(box.left + _NUMBER, box.top + 2, room * min(seconds, SHOWN_S) // SHOWN_S, 4))
