"""Digits as on a scoreboard: seven strokes each, so that the next number is a stroke or two away and cheap to send.

Every horizontal stroke lies in one of the controller's pages where the digit's top row is a page's first. Alone on a
glass a bare stroke reads as a line and a hook as a bracket: the 1 has a flag and a foot, the 7 leans.
"""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw


class Cut(NamedTuple):
    """A size of digit, in dots: how wide and high, how thick its strokes, and from one digit's left to the next's."""

    width: int
    height: int
    stroke: int
    pitch: int

    def across(self, text: str) -> int:
        """Dots that a number takes across."""
        return len(text) * self.pitch - (self.pitch - self.width)


HIGH = Cut(12, 24, 4, 14)
LOW = Cut(9, 15, 3, 11)

_STROKES = ("abcdef", "d", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "a", "abcdefg", "abfgcd")
"""By digit: a at the top, then clockwise to f; g is the middle."""
_FIVE = _STROKES[5]


@lru_cache
def digit(value: int, cut: Cut) -> Image.Image:
    """The mask of a digit."""
    width, height, stroke = cut.width, cut.height, cut.stroke
    right, bottom, middle = width - stroke, height - stroke, (height - stroke) // 2
    boxes = {
        "a": (0, 0, width, stroke),
        "b": (right, 0, width, middle + stroke),
        "c": (right, middle, width, height),
        "d": (0, bottom, width, height),
        "e": (0, middle, stroke, height),
        "f": (0, 0, stroke, middle + stroke),
        "g": (0, middle, width, middle + stroke),
    }
    picture = Image.new("1", (width, height))
    for name in _STROKES[value]:
        picture.paste(255, boxes[name])
    if value == 1:
        _stem(picture, stroke)
    elif value == 7:
        _slant(picture, stroke)
    _round(picture, _STROKES[value])
    return picture


def _stem(picture: Image.Image, stroke: int) -> None:
    """The upright of a 1, and its flag."""
    left = (picture.width - stroke) // 2
    picture.paste(255, (left, 0, left + stroke, picture.height))
    for step in range(left):
        picture.paste(255, (left - 1 - step, step + 1, left - step, step + stroke))


def _slant(picture: Image.Image, stroke: int) -> None:
    """The leaning stem of a 7."""
    right, low, foot = picture.width - 1, picture.height - 1, picture.width // 4
    corners = [(right - stroke, stroke), (right, stroke), (foot + stroke, low), (foot, low)]
    ImageDraw.Draw(picture).polygon(corners, fill=255)


def _round(picture: Image.Image, strokes: str) -> None:
    """Take the corner away wherever two strokes meet at one."""
    last, low = picture.width - 1, picture.height - 1
    for pair, x, y, dx, dy in (
        ("af", 0, 0, 1, 1),
        ("ab", last, 0, -1, 1),
        ("de", 0, low, 1, -1),
        ("dc", last, low, -1, -1),
    ):
        if set(pair) <= set(strokes) and (pair, strokes) != ("af", _FIVE):  # else it reads as an S
            for at in ((x, y), (x + dx, y), (x, y + dy)):
                picture.putpixel(at, 0)
