"""Dice as dots: faces with pips at a few sizes, each laid out by hand so that the pips sit even."""

from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from PIL import Image

Style = Literal["outline", "solid"]
"""An outline with pips; lit all over with its pips cut out."""
STYLES: tuple[Style, ...] = get_args(Style)


class _Cut(NamedTuple):
    """A kind of die: its dots across, how wide a pip is and where the three rows and columns of pips begin."""

    size: int
    pip: int
    down: tuple[int, int, int]
    across: tuple[int, int, int]


_CUTS = {
    "small": _Cut(12, 2, (2, 5, 8), (2, 5, 8)),
    "menu": _Cut(15, 3, (2, 6, 10), (2, 6, 10)),
    "big": _Cut(24, 4, (4, 10, 16), (4, 10, 16)),
    # Each pip in one page of a die whose top row is a page's first: a face costs four bytes a pip.
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


@lru_cache
def die(face: int, cut: str, style: Style = "outline") -> Image.Image:
    """The mask of a die; face 0 is a die nobody sees, or has named. Raises `KeyError` for a cut that there is not."""
    size, wide, down, across = _CUTS[cut]
    picture = _rounded(size, 2 if size == 24 else 1)
    if style != "solid":
        edge = 2 if size == 24 else 1
        picture.paste(0, (edge, edge), _rounded(size - 2 * edge, 1))
    swell = 1 if face == 1 and wide > 2 else 0  # the lone pip of an ace is the biggest, as on real dice
    pip = _rounded(wide + 2 * swell, 1 if wide > 2 else 0)
    for row, column in _PIPS.get(face, ()):
        picture.paste(255 if style == "outline" else 0, (across[column] - swell, down[row] - swell), pip)
    if style == "solid" and not face:
        for row, columns in enumerate(_UNKNOWN, start=(size - len(_UNKNOWN)) // 2):
            for column, dot in enumerate(columns, start=(size - len(columns)) // 2):
                if dot == "#":
                    picture.putpixel((column, row), 0)
    return picture


def _rounded(size: int, corner: int) -> Image.Image:
    """A square without its corners: a dot each, or three."""
    picture = Image.new("1", (size, size), 255)
    far = size - 1
    for x, dx in ((0, 1), (far, -1)):
        for y, dy in ((0, 1), (far, -1)):
            if corner:
                picture.putpixel((x, y), 0)
            if corner > 1:
                picture.putpixel((x + dx, y), 0)
                picture.putpixel((x, y + dy), 0)
    return picture
