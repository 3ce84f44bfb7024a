"""Dice and digits as pixels.

Faces are laid out by hand at a few sizes, so the pips sit evenly. Digits have seven strokes, as on a scoreboard: the
next number differs by a stroke or two and is cheap to send. If a digit's top row is a page's first, each horizontal
stroke lies in a single page. Alone on a display a bare stroke reads as a line and a hook as a bracket, so the 1 has a
flag and a foot, and the 7 leans.
"""

from functools import cache
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw

Style = Literal["outline", "solid", "covered", "dashed"]
"""An outline with lit pips, a lit square with dark pips, an outline with a question mark in place of pips, or a die's
place with a dashed edge."""


class _Cut(NamedTuple):
    """A die's size in pixels: its width, a pip's width, and the starts of the three rows and columns of pips."""

    size: int
    pip: int
    down: tuple[int, int, int]
    across: tuple[int, int, int]


_CUTS = {
    "small": _Cut(12, 2, (2, 5, 8), (2, 5, 8)),
    "menu": _Cut(15, 3, (2, 6, 10), (2, 6, 10)),
    "shown": _Cut(20, 4, (3, 8, 13), (3, 8, 13)),
    "own": _Cut(22, 4, (3, 9, 15), (3, 9, 15)),
    "big": _Cut(24, 4, (4, 10, 16), (4, 10, 16)),
    # Each pip lies in one page if the die's top row is a page's second: a face costs four bytes a pip. It is a row
    # lower than wide, so that a line in page 3 stands apart from it.
    "bid": _Cut(24, 4, (3, 10, 17), (4, 10, 16)),
}
CUTS = tuple(_CUTS)

_PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)),
}


WILD_ACE = 7
"""Drawn in place of an ace where aces are wild: a star instead of the pip, so that two aces never read as 20."""
_SMALL_STAR = ("...##...", "...##...", "########", ".######.", "..####..", ".######.", ".##..##.", ".#....#.")
_STARS = {
    "small": _SMALL_STAR,
    "menu": (
        ".....#.....",
        ".....#.....",
        "....###....",
        "....###....",
        "###########",
        ".#########.",
        "...#####...",
        "..#######..",
        "..###.###..",
        ".##.....##.",
    ),
    "shown": (
        ".....##.....",
        ".....##.....",
        "....####....",
        "############",
        ".##########.",
        "..########..",
        "...######...",
        "...######...",
        "..###..###..",
        "..##....##..",
    ),
    "big": (
        "......##......",
        "......##......",
        ".....####.....",
        ".....####.....",
        "##############",
        ".############.",
        "...########...",
        "....######....",
        "...########...",
        "...###..###...",
        "..###....###..",
        "..#........#..",
    ),
    # In one page and narrow, so that a bid of aces is as cheap as any other, if the die's top row is a page's second.
    "bid": _SMALL_STAR,
}
_STARS["own"] = _STARS["big"]
_STAR_ROWS = {"small": 2, "menu": 2, "shown": 5, "own": 5, "big": 6, "bid": 7}
"""The star's first row in its die."""
_UNKNOWN = (
    "..####..",
    ".######.",
    "##....##",
    "##....##",
    "......##",
    ".....##.",
    "....##..",
    "...##...",
    "...##...",
    "........",
    "...##...",
    "...##...",
)


@cache
def die(face: int, cut: str, style: Style = "outline") -> Image.Image:
    """Return a die's mask; face 0 is blank, or solid with a question mark, `WILD_ACE` has a star. Raises `KeyError`."""
    size, wide, down, across = _CUTS[cut]
    is_large = size > 15
    picture = _rounded(size, 2 if is_large else 1, size - (cut == "bid"))
    if style != "solid":
        edge = 2 if is_large else 1
        picture.paste(0, (edge, edge), _rounded(size - 2 * edge, 1, picture.height - 2 * edge))
    if face == WILD_ACE:
        _draw(picture, _STARS[cut], _STAR_ROWS[cut], 255 if style == "outline" else 0)
    swell = 1 if face == 1 and wide > 2 else 0  # an ace's lone pip is the biggest, as on real dice
    pip = _rounded(wide + 2 * swell, 1 if wide > 2 else 0)
    for row, column in _PIPS.get(face, ()):
        picture.paste(255 if style == "outline" else 0, (across[column] - swell, down[row] - swell), pip)
    if style == "dashed":
        _dash(picture)
    if style == "covered" or (style == "solid" and not face):
        _draw(picture, _UNKNOWN, (size - len(_UNKNOWN)) // 2, 255 if style == "covered" else 0)
    return picture


def _dash(picture: Image.Image) -> None:
    """Clear parts of a die's edge, evenly between its corners, and its last row."""
    wide, high = picture.size
    for at in range(4, wide - 3, 4):
        picture.paste(0, (at, 0, at + 2, high))
    for at in range(4, high - 3, 4):
        picture.paste(0, (0, at, wide, at + 2))


_LINE_STAR = ("..#..", "#####", ".###.", ".###.", "#...#")


@cache
def line_die(face: int, size: int) -> Image.Image:
    """Return a lit die for a line of text, with pips of one pixel."""
    picture, middle = _rounded(size, 1), size // 2
    apart = (middle + 1) // 2
    if face == WILD_ACE:
        _draw(picture, _LINE_STAR, (size - len(_LINE_STAR)) // 2, 0)
    for row, column in _PIPS.get(face, ()):
        picture.putpixel((middle + apart * (column - 1), middle + apart * (row - 1)), 0)
    return picture


def _draw(picture: Image.Image, shape: tuple[str, ...], top: int, ink: int) -> None:
    """Draw a shape into the middle columns of a picture."""
    for row, columns in enumerate(shape, start=top):
        for column, dot in enumerate(columns, start=(picture.width - len(columns)) // 2):
            if dot == "#":
                picture.putpixel((column, row), ink)


def _rounded(size: int, corner: int, height: int | None = None) -> Image.Image:
    """Return a square, or a box of a lower height, with one or three pixels missing at each corner."""
    picture = Image.new("1", (size, height or size), 255)
    for x, dx in ((0, 1), (picture.width - 1, -1)):
        for y, dy in ((0, 1), (picture.height - 1, -1)):
            if corner:
                picture.putpixel((x, y), 0)
            if corner > 1:
                picture.putpixel((x + dx, y), 0)
                picture.putpixel((x, y + dy), 0)
    return picture


class Cut(NamedTuple):
    """A digit's size in pixels: width, height, stroke thickness, and the distance from one digit to the next."""

    width: int
    height: int
    stroke: int
    pitch: int

    def across(self, text: str) -> int:
        """Return a number's width in pixels."""
        return len(text) * self.pitch - (self.pitch - self.width)


HIGH = Cut(9, 23, 3, 11)
LOW = Cut(9, 13, 3, 11)

_STROKES = ("abcdef", "d", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "a", "abcdefg", "abfgcd")
"""Strokes by digit: a at the top, then clockwise to f; g is the middle."""
_FIVE = _STROKES[5]


@cache
def digit(value: int, cut: Cut) -> Image.Image:
    """Return a digit's mask."""
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
    """Draw the upright and flag for a 1."""
    left = (picture.width - stroke) // 2
    picture.paste(255, (left, 0, left + stroke, picture.height))
    for step in range(left):
        picture.paste(255, (left - 1 - step, step + 1, left - step, step + stroke))


def _slant(picture: Image.Image, stroke: int) -> None:
    """Draw the leaning stem for a 7."""
    right, low, foot = picture.width - 1, picture.height - 1, picture.width // 4
    corners = [(right - stroke, stroke), (right, stroke), (foot + stroke, low), (foot, low)]
    ImageDraw.Draw(picture).polygon(corners, fill=255)


def _round(picture: Image.Image, strokes: str) -> None:
    """Clear the corners where two strokes meet."""
    last, low = picture.width - 1, picture.height - 1
    for pair, x, y, dx, dy in (
        ("af", 0, 0, 1, 1),
        ("ab", last, 0, -1, 1),
        ("de", 0, low, 1, -1),
        ("dc", last, low, -1, -1),
    ):
        if set(pair) <= set(strokes) and (pair, strokes) != ("af", _FIVE):  # without its corner a 5 reads as an S
            for at in ((x, y), (x + dx, y), (x, y + dy)):
                picture.putpixel(at, 0)


@cache
def cup(is_shaken: bool = True) -> Image.Image:
    """Return a cup's mask, 34 × 24 pixels, with strokes beside it while it is shaken."""
    picture = Image.new("1", (34, 24))
    pen = ImageDraw.Draw(picture)
    pen.polygon([(10, 2), (20, 0), (28, 15), (6, 20)], fill=255)
    pen.line([(5, 17), (28, 12)], fill=0)
    pen.polygon([(5, 19), (29, 14), (30, 17), (6, 22)], fill=255)
    for left, top in ((3, 4), (0, 6), (29, 1), (32, 3)) if is_shaken else ():
        pen.line([(left, top), (left, top + 6)], fill=255)
    return picture


_SMALL_CUP = 3 * ("..#######..",) + 3 * (".#########.",) + ("###########",)


@cache
def small_cup() -> Image.Image:
    """Return the mask of a cup's side, 11 × 7 pixels."""
    picture = Image.new("1", (11, 7))
    _draw(picture, _SMALL_CUP, 0, 255)
    return picture


@cache
def robot() -> Image.Image:
    """Return the mask of a robot's head, 40 × 24 pixels."""
    picture = Image.new("1", (40, 24))
    pen = ImageDraw.Draw(picture)
    pen.rectangle([(19, 2), (20, 5)], fill=255)
    pen.rectangle([(18, 0), (21, 2)], fill=255)
    pen.rounded_rectangle([(6, 5), (33, 23)], 4, fill=255)
    for left in (1, 35):
        pen.rounded_rectangle([(left, 10), (left + 3, 18)], 1, fill=255)
    for left in (11, 22):
        pen.rectangle([(left, 9), (left + 6, 14)], fill=0)
        pen.rectangle([(left + 2, 11), (left + 3, 12)], fill=255)
    pen.line([(13, 19), (26, 19)], fill=0)
    return picture
