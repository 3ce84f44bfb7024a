"""A screen's canvas: 128 × 64 pixels, text fitted to its box, and a record with each piece's place.

All ink keeps to `SHEET`, the area visible at every pixel shift offset from the driver: 0 to 3 columns and rows.

From the record a test proves, for every possible text, that pieces are whole and never overlap.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PIL import Image, ImageChops

from engine import ACES
from firmware_host.i18n.words import die_letter
from firmware_host.screens.graphics.fitting import ELLIPSIS, base_line, fit, fit_name, shorten, wrap
from firmware_host.screens.graphics.glyphs import WILD_ACE, Cut, Style, cup, die, digit, robot, small_cup
from firmware_host.screens.graphics.text import Font, rasterise

WIDTH = 128
HEIGHT = 64

_INK = (0, 255)  # dark and lit pixels

_SLOTS = (7, 5, 4)
"""Widths of a meter's slot in pixels, the best first."""

_FEW_COLUMNS = 3
"""Part of a meter's bar too narrow to be seen as filled."""

Align = Literal["left", "center", "right"]


class Box(NamedTuple):
    """A rectangle in pixels; `right` and `bottom` lie just outside it."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column outside it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row outside it."""
        return self.top + self.height

    def meets(self, other: "Box") -> bool:
        """Return whether the two share a pixel."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: "Box") -> bool:
        """Return whether `other` lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def inset(self, across: int, down: int = 0) -> "Box":
        """Return the box without its outer `across` columns and `down` rows on each side."""
        return Box(self.left + across, self.top + down, self.width - 2 * across, self.height - 2 * down)

    def row(self, index: int, of: int) -> "Box":
        """Return row `index` out of `of` equal ones."""
        top = self.top + index * self.height // of
        return Box(self.left, top, self.width, self.top + (index + 1) * self.height // of - top)

    def column(self, index: int, of: int) -> "Box":
        """Return column `index` out of `of` equal ones."""
        left = self.left + index * self.width // of
        return Box(left, self.top, self.left + (index + 1) * self.width // of - left, self.height)


SHEET = Box(1, 1, WIDTH - 4, HEIGHT - 4)


class Piece(NamedTuple):
    """A text or die on the canvas with its pixels' box; `sentence` is the whole text behind a wrapped line."""

    what: str
    box: Box
    sentence: str = ""


class Canvas:
    """A picture being drawn. `pieces` are its texts and dice, in drawing order.

    With `wild_aces` each ace has a star.
    """

    def __init__(self, *, wild_aces: bool = False) -> None:
        self._wild_aces = wild_aces
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self.pieces: list[Piece] = []
        self.type_sizes: set[int] = set()
        """The heights of the capitals and digits in it, in pixels."""

    def text(self, text: str, box: Box, *fonts: Font, align: Align = "left", light: bool = True) -> int:
        """Write one line in `box`, in the first fitting font; return its width in pixels."""
        return self._write(*fit(text, box.width, box.height, fonts), box, align, light)

    def sentence(
        self, sentence: str, name: str, box: Box, *fonts: Font, align: Align = "left", light: bool = True
    ) -> int:
        """Write a sentence with a name in its gap; a long name is cut first."""
        return self._write(*fit_name(sentence, name, box.width, box.height, fonts), box, align, light)

    def short(self, name: str, box: Box, font: Font, *, light: bool = True) -> int:
        """Write as many letters of a name as fit; return their width in pixels."""
        return self._write(shorten(name, box.width, box.height, font), font, box, "left", light)

    def lines(self, text: str, box: Box, lines: int, *fonts: Font, align: Align = "left", light: bool = True) -> None:
        """Write a sentence over at most `lines` lines with equal shares of the box."""
        rows, font = wrap(text, (box.width, box.height), lines, fonts)
        for index, row in enumerate(rows):
            self._write(row, font, box.row(index, len(rows)), align, light, sentence=text)

    def number(self, value: str, right: int, top: int, cut: Cut, *, light: bool = True) -> None:
        """Write a number in scoreboard digits ending before the column `right`."""
        across = cut.across(value)
        self.type_sizes.add(cut.height)
        for index, figure in enumerate(value):
            at = right - across + index * cut.pitch, top
            self.image.paste(_INK[light], at, digit(int(figure), cut))
        self.pieces.append(Piece(value, Box(right - across, top, across, cut.height)))

    def sentence_lines(
        self, sentence: str, name: str, box: Box, lines: int, *fonts: Font, align: Align = "left", light: bool = True
    ) -> None:
        """Write a sentence with a name in its gap over several lines; a long name is cut first."""
        text = sentence.format(name)
        for length in range(len(name), 0, -1):
            text = sentence.format(name if length == len(name) else name[:length] + ELLIPSIS)
            if " ".join(wrap(text, (box.width, box.height), lines, fonts)[0]) == text:
                break
        self.lines(text, box, lines, *fonts, align=align, light=light)

    def die(self, face: int, left: int, top: int, cut: str, *, style: Style = "outline", light: bool = True) -> None:
        """Draw a die; `light` is its ink colour, face 0 draws a blank die."""
        mask = die(WILD_ACE if face == ACES and self._wild_aces else face, cut, style)
        self.image.paste(_INK[light], (left, top), mask)
        self.pieces.append(Piece(f"die {mask.width}", Box(left, top, *mask.size)))

    def cup(self, left: int, top: int, *, is_shaken: bool = True) -> None:
        """Draw a cup, being shaken or at rest."""
        self._stamp("cup", cup(is_shaken), left, top)

    def small_cup(self, left: int, top: int, *, light: bool = True) -> None:
        """Draw a cup for a key."""
        self._stamp("cup", small_cup(), left, top, light)

    def robot(self, left: int, top: int) -> None:
        """Draw a robot's head."""
        self._stamp("robot", robot(), left, top)

    def meter(self, filled: int, of: int, box: Box) -> None:
        """Draw a slot for each of a number, solid for the filled ones and else hollow, further ones apart.

        Without room it is a bar, with a gap behind the number.
        """
        cells, apart = max(filled, of), 2 * (filled > of)
        if across := next((each for each in _SLOTS if cells * (each + 1) + apart <= box.width + 1), 0):
            left = box.left + (box.width - cells * (across + 1) + 1 - apart) // 2
            for index in range(cells):
                slot = Box(left + index * (across + 1) + apart * (index >= of), box.top, across, box.height)
                (self.fill if index < filled else self.frame)(slot)
        else:
            end = box.width * of // cells
            self.frame(box._replace(width=end))
            if (lit := box.width * filled // cells) > _FEW_COLUMNS:
                self.fill(box._replace(width=lit))
            if apart:
                self.fill(Box(box.left + end, box.top, apart, box.height), light=False)
        self.pieces.append(Piece("meter", box))

    def copy(self, other: "Canvas", of: Box, to: Box) -> None:
        """Copy all of another canvas, whose pieces lie in `of`, into an equally large box."""
        self.image.paste(other.image.crop((of.left, of.top, of.right, of.bottom)), (to.left, to.top))
        across, down = to.left - of.left, to.top - of.top
        self.type_sizes |= other.type_sizes
        for what, box, sentence in other.pieces:
            self.pieces.append(Piece(what, box._replace(left=box.left + across, top=box.top + down), sentence))

    def dots(self, rows: Sequence[int], box: Box, size: int) -> None:
        """Draw square dots dark on a lit box, in its middle; each row is a number, its left dot in the highest bit."""
        self.fill(box)
        left, top = box.left + (box.width - size * len(rows)) // 2, box.top + (box.height - size * len(rows)) // 2
        for row, bits in enumerate(rows):
            for column in range(len(rows)):
                if bits >> (len(rows) - 1 - column) & 1:
                    self.fill(Box(left + size * column, top + size * row, size, size), light=False)
        self.pieces.append(Piece("dots", box))

    def fill(self, box: Box, *, light: bool = True) -> None:
        """Fill a box."""
        self.image.paste(_INK[light], (box.left, box.top, box.right, box.bottom))

    def frame(self, box: Box, thick: int = 1) -> None:
        """Draw a box's edge."""
        self.fill(box)
        self.fill(box.inset(thick, thick), light=False)

    def arrow(self, left: int, middle: int, size: int, *, leftward: bool, light: bool = True) -> None:
        """Draw a triangle, `size` columns wide, pointing along row `middle`."""
        for step in range(size):
            column = left + step if leftward else left + size - 1 - step
            self.fill(Box(column, middle - step, 1, 2 * step + 1), light=light)
        self.pieces.append(Piece("arrow", Box(left, middle - size + 1, size, 2 * size - 1)))

    def invert(self) -> None:
        """Invert the whole picture to dark ink on a lit ground."""
        self.image = ImageChops.invert(self.image)

    def _stamp(self, what: str, mask: Image.Image, left: int, top: int, light: bool = True) -> None:
        self.image.paste(_INK[light], (left, top), mask)
        self.pieces.append(Piece(what, Box(left, top, *mask.size)))

    def _write(self, text: str, font: Font, box: Box, align: Align, light: bool, sentence: str = "") -> int:
        if not text:
            return 0
        self.type_sizes.add(font.cap)
        if self._wild_aces:
            text = text.replace(die_letter(ACES), die_letter(WILD_ACE))
        raster = rasterise(text, font)
        free = box.width - raster.mask.width  # ink ends at the edges: letters of all sizes share an axis
        left = box.left + {"left": 0, "center": free // 2, "right": free}[align]
        top = max(SHEET.top, box.top + base_line(text, box.height, font) + raster.top)
        self.image.paste(_INK[light], (left, top), raster.mask)
        self.pieces.append(Piece(text, Box(left, top, *raster.mask.size), sentence))
        return raster.mask.width
