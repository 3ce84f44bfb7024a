"""Dice as dots: faces with pips at a few sizes, each laid out by hand so that the pips sit even."""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image


class _Cut(NamedTuple):
    """A size of die: how wide a pip is and where the three rows or columns of pips begin."""

    pip: int
    at: tuple[int, int, int]


_CUTS = {
    9: _Cut(1, (2, 4, 6)),
    12: _Cut(2, (2, 5, 8)),
    15: _Cut(3, (2, 6, 10)),
    18: _Cut(4, (2, 7, 12)),
    20: _Cut(4, (3, 8, 13)),
    24: _Cut(4, (4, 10, 16)),
}
SIZES = tuple(sorted(_CUTS))
"""The sizes there are, in dots."""

_PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


@lru_cache
def die(face: int, size: int, solid: bool) -> Image.Image:
    """The mask of a die of `size` dots; face 0 is a die nobody sees. Raises `KeyError` for a size not in `SIZES`."""
    cut = _CUTS[size]
    picture = _rounded(size, size, 1)
    if not solid:
        edge = 2 if size >= 20 else 1
        picture.paste(0, (edge, edge), _rounded(size - 2 * edge, size - 2 * edge, 1))
    swell = 1 if face == 1 and cut.pip > 2 else 0  # the lone pip of an ace is the biggest, as on real dice
    across = cut.pip + 2 * swell
    pip = _rounded(across, across, 1 if across > 2 else 0)
    for row, column in _PIPS.get(face, ()):
        picture.paste(0 if solid else 255, (cut.at[column] - swell, cut.at[row] - swell), pip)
    return picture


def _rounded(width: int, height: int, corner: int) -> Image.Image:
    picture = Image.new("1", (width, height), 255)
    if corner:
        for x in (0, width - 1):
            for y in (0, height - 1):
                picture.putpixel((x, y), 0)
    return picture
