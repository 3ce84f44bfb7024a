"""The panels' typefaces: Adobe's Helvetica and, for names in a crowd, misc-fixed, drawn dot by dot for coarse screens.

Bitmap strikes come out the same on every machine, so pictures can be compared bit by bit. Licences in `fonts/`.
"""

import zlib
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

_GZIP = 31  # window bits that tell zlib to expect gzip's header
_FOLDER = Path(__file__).parent / "fonts"


class Font(Struct, frozen=True):
    """One strike: its file, its nominal size and the height of a capital, both in dots.

    With `one_page` its small letters keep to eight rows, a page: 7 above the base line and 1 below. What hangs lower is
    docked, and an accent that reaches higher comes down onto its letter.
    """

    file: str
    size: int
    cap: int
    one_page: bool = False


TINIEST = Font("misc-fixed-4x6.pcf.gz", 6, 5)
TINY = Font("misc-fixed-5x8.pcf.gz", 8, 6)
SMALL = Font("helvR08.pcf.gz", 8, 6, one_page=True)
SMALL_BOLD = Font("helvB08.pcf.gz", 8, 6, one_page=True)
TEXT = Font("helvR10.pcf.gz", 10, 8)
BOLD = Font("helvB10.pcf.gz", 10, 8)
HEAD = Font("helvB12.pcf.gz", 12, 9)
TITLE = Font("helvB12-100dpi.pcf.gz", 17, 12)
BIG = Font("helvB14-100dpi.pcf.gz", 20, 14)
HUGE = Font("helvB24-100dpi.pcf.gz", 34, 24)

_KINDS = (BIG, TINY, TINIEST)
"""One strike of each family; all of Helvetica's have the same letters."""
_NO_LETTER = "\uffff"  # by definition none, so drawn as whatever is missing is

_PLAIN = {"Ł": "L", "ł": "l", "Œ": "O", "ð": "d"}  # the tall letters that Unicode does not take apart


class Raster(NamedTuple):
    """A line of text as dots: the mask, and where its corner lies from the pen's start on the base line."""

    mask: Image.Image
    left: int
    top: int
    advance: int


@lru_cache(maxsize=2048)
def rasterise(text: str, font: Font) -> Raster:
    """The dots of one line of text; letters the strike does not have come without their accents."""
    text = "".join(_known(letter, font) for letter in text)
    if font.one_page and any(_too_tall(letter, font) or (letter, font) == _MENDED for letter in text):
        return _set(text, font)
    return _cast(text, font)


def _cast(text: str, font: Font) -> Raster:
    face = _face(font)
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, mode="1", anchor="ls"))
    mask = Image.new("1", (max(right - left, 1), max(bottom - top, 1)))
    pen = ImageDraw.Draw(mask)
    pen.fontmode = "1"
    pen.text((-left, -top), text, font=face, fill=255, anchor="ls")
    return Raster(mask, left, top, round(face.getlength(text, mode="1")))


_ABOVE, _BELOW = 7, 1  # rows of a page
_MENDED = ("Y", SMALL_BOLD)  # its fork reaches so low that it reads as a V


@lru_cache(maxsize=512)
def _too_tall(letter: str, font: Font) -> bool:
    cast = _cast(letter, font)
    return -cast.top > _ABOVE or cast.top + cast.mask.height > _BELOW


@lru_cache(maxsize=512)
def _docked(letter: str, font: Font) -> Raster:
    """A letter within a page's rows; an accented capital takes a row more, which is there where nothing hangs low."""
    cast = _cast(letter, font)
    mask, top = _forked(cast.mask) if (letter, font) == _MENDED else cast.mask, cast.top
    if top + mask.height > _BELOW:
        mask = mask.crop((0, 0, mask.width, _BELOW - top))
    if -top > _ABOVE and (gap := next((row for row in range(mask.height) if _is_dark(mask, row)), None)):
        lower = Image.new("1", (mask.width, mask.height - 1))
        lower.paste(mask.crop((0, gap + 1, mask.width, mask.height)), (0, gap))
        lower.paste(mask.crop((0, 0, mask.width, gap)), (0, 0))
        mask, top = lower, top + 1
    return Raster(mask, cast.left, top, cast.advance)


def _forked(mask: Image.Image) -> Image.Image:
    """A Y that forks at its third row, on the strike's own columns."""
    forked = Image.new("1", mask.size)
    for row in range(mask.height):
        for column in (0, 1, 4, 5) if row < 2 else (1, 2, 3, 4) if row == 2 else (2, 3):
            forked.putpixel((column, row), 255)
    return forked


def _is_dark(mask: Image.Image, row: int) -> bool:
    return mask.crop((0, row, mask.width, row + 1)).getbbox() is None


def _set(text: str, font: Font) -> Raster:
    """A line of letters that have been docked one by one."""
    letters = [_docked(letter, font) for letter in text]
    top = min(letter.top for letter in letters)
    bottom = max(letter.top + letter.mask.height for letter in letters)
    pens = [sum(letter.advance for letter in letters[:index]) for index in range(len(letters))]
    left = min(pen + letter.left for pen, letter in zip(pens, letters, strict=True))
    right = max(pen + letter.left + letter.mask.width for pen, letter in zip(pens, letters, strict=True))
    mask = Image.new("1", (right - left, bottom - top))
    for pen, letter in zip(pens, letters, strict=True):
        mask.paste(255, (pen + letter.left - left, letter.top - top), letter.mask)
    return Raster(mask, left, top, sum(letter.advance for letter in letters))


def width(text: str, font: Font) -> int:
    """Dots from the pen's start to the last inked column or the advance, whichever is more."""
    inked = rasterise(text, font)
    return max(inked.advance, inked.left + inked.mask.width)


def missing_glyphs(text: str) -> tuple[str, ...]:
    """The letters of a text that the panels can't show, each once: those that one strike does not even have bare."""
    letters = dict.fromkeys(normalize("NFC", text))
    return tuple(
        letter for letter in letters if not letter.isspace() and not all(_shows(letter, font) for font in _KINDS)
    )


def _shows(letter: str, font: Font) -> bool:
    return _has(_known(letter, font), font)


@lru_cache(maxsize=1024)
def _known(letter: str, font: Font) -> str:
    return letter if letter.isascii() or _has(letter, font) else without_accent(letter)


@lru_cache(maxsize=1024)
def _has(letter: str, font: Font) -> bool:
    face = _face(font)
    return bytes(face.getmask(letter, mode="1")) != bytes(face.getmask(_NO_LETTER, mode="1"))


def without_accent(letter: str) -> str:
    """A letter without what hangs on it."""
    return _PLAIN.get(letter) or normalize("NFD", letter)[0]


@lru_cache
def _face(font: Font) -> ImageFont.FreeTypeFont:
    # unpacked here: FreeType would inflate the file from its start again for every glyph
    strike = BytesIO(zlib.decompress((_FOLDER / font.file).read_bytes(), wbits=_GZIP))
    return ImageFont.truetype(strike, font.size, layout_engine=ImageFont.Layout.BASIC)
