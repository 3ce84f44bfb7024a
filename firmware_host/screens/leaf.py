"""The heading over a hand that lies open, between arrows that lead to the next one."""

from firmware_host.screens.canvas import Canvas
from firmware_host.screens.fonts import BOLD, SMALL, TEXT
from firmware_host.screens.zones import TELLS

_ARROW = 5


def leaf_of(canvas: Canvas, sentence: str, name: str) -> None:
    """Say whose hand it is, in a sentence with a gap for the name."""
    middle = TELLS.top + TELLS.height // 2
    canvas.arrow(TELLS.left, middle, _ARROW, leftward=True)
    canvas.arrow(TELLS.right - _ARROW, middle, _ARROW, leftward=False)
    canvas.naming(sentence, name, TELLS.inset(_ARROW + 2), BOLD, TEXT, SMALL, align="center")
