"""The displays' typefaces, and a text line as pixels.

Adobe's Helvetica and, for names in a crowd, misc-fixed were drawn pixel by pixel for coarse screens. Bitmap strikes
come out the same on every machine, so pictures can be compared bit by bit. Licences are in `fonts/`.
"""

import zlib
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from engine import FACES
from firmware_host.i18n.words import die_letter
from firmware_host.screens.graphics.glyphs import WILD_ACE, line_die

_GZIP = 31  # window bits that tell zlib to expect gzip's header
_FOLDER = Path(__file__).parent / "fonts"


class Font(Struct, frozen=True):
    """One strike: its file, its nominal size and capital height, both in pixels.

    With `one_page` letters keep to a page's eight rows, `below` of them below the base line. Lower parts are cut off,
    and a higher accent moves down onto its letter. `apart` gives the columns between two letters beyond the strike's
    own: where strokes are two pixels wide, "rn" would otherwise read as "m". `between_words` is the least number of
    columns between two words' cells, where the line has room: with the strike's own two, "may look" reads as one word.
    `clear` keeps neighbours in a word from touching, also where the line has room: else "turn" reads as "tum".
    """

    file: str
    size: int
    cap: int
    one_page: bool = False
    below: int = 0
    apart: int = 0
    between_words: int = 0
    clear: bool = False

    @property
    def above(self) -> int:
        """The page rows above the base line."""
        return _PAGE - self.below


TINIEST = Font("misc-fixed-4x6.pcf.gz", 6, 5)
TINY = Font("misc-fixed-5x8.pcf.gz", 8, 6)
SMALL = Font("helvR08.pcf.gz", 8, 6, one_page=True, below=1, between_words=3, clear=True)
SMALL_CLOSE = replace(SMALL, between_words=0)
SMALL_TIGHT = replace(SMALL_CLOSE, clear=False)
CAPITALS = replace(TINY, one_page=True)
"""For captions in capitals alone: evenly spaced, and a Q keeps to their rows."""
TEXT = Font("helvR10.pcf.gz", 10, 8, clear=True)
BOLD = Font("helvB10.pcf.gz", 10, 8)
LOUD = replace(BOLD, one_page=True)
"""Bold within a page's rows."""
HEAD = Font("helvB12.pcf.gz", 12, 9)
TITLE = Font("helvB12-100dpi.pcf.gz", 17, 12)
BIG = Font("helvB14-100dpi.pcf.gz", 20, 14)
HUGE = Font("helvB24-100dpi.pcf.gz", 34, 24)

_KINDS = (BIG, TINY, TINIEST)
"""One strike per family; all Helvetica strikes have the same letters."""
_NO_LETTER = "\uffff"  # not a letter by definition, so drawn as a missing glyph
_PLAIN = {"Ł": "L", "ł": "l", "Œ": "O", "œ": "o", "Ø": "O", "ø": "o", "ð": "d"}
"""Letters that Unicode does not decompose."""

_PAGE = 8  # rows

_DICE = {die_letter(face): face for face in (*FACES, WILD_ACE)}
"""Letters drawn as dice, and their faces."""


# One text line as pixels


class Raster(NamedTuple):
    """A text line as pixels: the mask, and its corner relative to the pen's start on the base line."""

    mask: Image.Image
    left: int
    top: int
    advance: int


@lru_cache(maxsize=2048)
def rasterise(text: str, font: Font) -> Raster:
    """Return one text line's pixels, its outer columns inked; letters missing from the strike lose their accents."""
    text = "".join(_displayable(letter, font) for letter in text)
    is_redrawn = any(letter in _DICE or (font.one_page and _too_tall(letter, font)) for letter in text)
    is_joined = text and (font.apart or font.clear or is_redrawn or (font.between_words and " " in text))
    mask, left, top, advance = (_join if is_joined else _draw)(text, font)
    if ink := mask.getbbox():
        mask, left = mask.crop((ink[0], 0, ink[2], mask.height)), left + ink[0]
    return Raster(mask, left, top, advance)


def width(text: str, font: Font) -> int:
    """Return the pixels from the pen's start to the last inked column or the advance, whichever is more."""
    raster = rasterise(text, font)
    return max(raster.advance, raster.left + raster.mask.width)


def _draw(text: str, font: Font) -> Raster:
    face = _face(font)
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, mode="1", anchor="ls"))
    mask = Image.new("1", (max(right - left, 1), max(bottom - top, 1)))
    pen = ImageDraw.Draw(mask)
    pen.fontmode = "1"
    pen.text((-left, -top), text, font=face, fill=255, anchor="ls")
    if ink := mask.getbbox():  # misc-fixed has the rows of its cell
        mask, top = mask.crop((0, ink[1], mask.width, ink[3])), top + ink[1]
    else:  # a space must not make a line of capitals higher
        mask, top = Image.new("1", (1, 1)), -1
    return Raster(mask, left, top, round(face.getlength(text, mode="1")))


@lru_cache(maxsize=512)
def _too_tall(letter: str, font: Font) -> bool:
    raster = _draw(letter, font)
    return -raster.top > font.above or raster.top + raster.mask.height > font.below


@lru_cache(maxsize=512)
def _squeeze(letter: str, font: Font) -> Raster:
    """Return a letter within a page's rows; an accented capital takes one row more where its foot stays high."""
    if letter in _DICE:
        size = font.cap + 1
        return Raster(line_die(_DICE[letter], size), 1, -font.cap, size + 2)
    raster = _draw(letter, font)
    if not font.one_page:
        return raster
    mask, top = raster.mask, raster.top
    if top >= font.below:  # an underscore moves up
        top = font.below - mask.height
    elif top + mask.height > font.below:
        mask = mask.crop((0, 0, mask.width, font.below - top))
    if -top > font.above and (gap := next((row for row in range(mask.height) if _is_dark(mask, row)), None)):
        lower = Image.new("1", (mask.width, mask.height - 1))
        lower.paste(mask.crop((0, gap + 1, mask.width, mask.height)), (0, gap))
        lower.paste(mask.crop((0, 0, mask.width, gap)), (0, 0))
        mask, top = lower, top + 1
    if -top > font.above and not letter.isalpha():  # a bracket without its topmost pixel still is one
        mask, top = mask.crop((0, -top - font.above, mask.width, mask.height)), -font.above
    return Raster(mask, raster.left, top, raster.advance)


def _is_dark(mask: Image.Image, row: int) -> bool:
    return mask.crop((0, row, mask.width, row + 1)).getbbox() is None


def _join(text: str, font: Font) -> Raster:
    """Return a line of letters drawn one by one, spaced by the font; a sign parts words by itself."""
    letters = [_squeeze(letter, font) for letter in text]
    pens, pen = list[int](), 0
    for index, letter in enumerate(letters):
        if index > 1 and text[index - 1] == " " and text[index - 2].isalnum():
            before = letters[index - 2]
            end = pens[index - 2] + before.left + before.mask.width
            pen = max(pen, end + font.between_words - letter.left)
        if font.clear and index:
            pen += _clearance(text[index - 1], text[index], font)
        pens.append(pen)
        pen += letter.advance + font.apart
    top = min(letter.top for letter in letters)
    bottom = max(letter.top + letter.mask.height for letter in letters)
    left = min(pen + letter.left for pen, letter in zip(pens, letters, strict=True))
    right = max(pen + letter.left + letter.mask.width for pen, letter in zip(pens, letters, strict=True))
    mask = Image.new("1", (right - left, bottom - top))
    for pen, letter in zip(pens, letters, strict=True):
        mask.paste(255, (pen + letter.left - left, letter.top - top), letter.mask)
    return Raster(mask, left, top, pens[-1] + letters[-1].advance)


@lru_cache(maxsize=1024)
def _clearance(left: str, right: str, font: Font) -> int:
    """Return the columns between two neighbours' cells at which they no longer touch."""
    before, after = _squeeze(left, font), _squeeze(right, font)
    around = {(x + dx, y + dy) for x, y in _ink(before) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    apart = 0
    while any((x + before.advance + apart, y) in around for x, y in _ink(after)):
        apart += 1
    return apart


def _ink(raster: Raster) -> list[tuple[int, int]]:
    mask = raster.mask
    cells = ((x, y) for y in range(mask.height) for x in range(mask.width))
    return [(x + raster.left, y + raster.top) for x, y in cells if mask.getpixel((x, y))]


# A strike's letters


def missing_glyphs(text: str) -> tuple[str, ...]:
    """Return a text's undisplayable letters, each once: a strike lacks even their bare form."""
    letters = dict.fromkeys(normalize("NFC", text))
    return tuple(
        letter for letter in letters if not letter.isspace() and not all(_shows(letter, font) for font in _KINDS)
    )


def _shows(letter: str, font: Font) -> bool:
    return _has(_displayable(letter, font), font)


@lru_cache(maxsize=1024)
def _displayable(letter: str, font: Font) -> str:
    return letter if letter.isascii() or _has(letter, font) else without_accent(letter)


@lru_cache(maxsize=1024)
def _has(letter: str, font: Font) -> bool:
    face = _face(font)
    return bytes(face.getmask(letter, mode="1")) != bytes(face.getmask(_NO_LETTER, mode="1"))


def without_accent(letter: str) -> str:
    """Return an accented letter's base letter."""
    return _PLAIN.get(letter) or normalize("NFD", letter)[0]


def bare(text: str) -> str:
    """Return a text without accents."""
    return "".join(map(without_accent, text))


@lru_cache
def _face(font: Font) -> ImageFont.FreeTypeFont:
    # decompressed here: FreeType would inflate the file from its start again for every glyph
    strike = BytesIO(zlib.decompress((_FOLDER / font.file).read_bytes(), wbits=_GZIP))
    face = ImageFont.truetype(strike, font.size, layout_engine=ImageFont.Layout.BASIC)
    face.path, face.font_bytes = font.file, b""  # FreeType has its own copy
    return face
