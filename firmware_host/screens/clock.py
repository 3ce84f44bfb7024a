"""The last seconds of whoever the table waits for: a number, and a bar that shrinks, for who does not read."""

from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import SMALL, SMALL_BOLD
from firmware_host.screens.words import Words
from firmware_host.table.turn_clock import SHOWN_S

_WORDS = 38  # columns


def clock(canvas: Canvas, seconds: int, words: Words, box: Box) -> None:
    """Draw it into a line eight dots high."""
    canvas.text(words.clock(seconds), Box(box.left, box.top, _WORDS, box.height), SMALL_BOLD, SMALL)
    room = box.width - _WORDS - 2
    canvas.fill(Box(box.left + _WORDS + 2, box.top + 2, room * min(seconds, SHOWN_S) // SHOWN_S, 4))
