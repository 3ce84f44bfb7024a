"""What a seat's panel shows while the doctor goes round the table: the seat's name, a number, and what to do."""

from PIL import Image

from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, HEAD, HUGE, SMALL, TEXT
from firmware_host.screens.widgets import TITLE_BAR

_NUMBER = Box(0, 16, 40, 44)
_TO_DO = Box(44, 18, 78, 40)


def picture(name: str, number: int, to_do: str) -> Image.Image:
    """A 128×64 picture, mode "1"."""
    canvas = Canvas()
    canvas.text(name, TITLE_BAR, HEAD, BOLD, TEXT, SMALL, align="center")
    canvas.text(str(number), _NUMBER, HUGE, align="center")
    canvas.lines(to_do, _TO_DO, 3, BOLD, TEXT, SMALL)
    return canvas.image
