"""A picture in the bytes a panel's memory holds: eight pages of 128 columns of eight dots, the topmost in bit 0.

The windows in which the marked bytes of a memory go to a panel: so cut that the fewest bytes go over the wire.

Windows lie on one page each. Those over several pages, which an SSD1306 takes too, were tried on whole matches: they
need ten bytes instead of seven to say where they are, and what changes in these pictures is seldom so high.

Where a picture stands on its glass at a given time: it wanders slowly, so that no dot is always lit.

Pictures leave four columns and four rows of the glass to the background; within them a picture stands at one of sixteen
places. Panels and seat boards ask from time to time, when nothing else is to be sent.

What a panel is to show, and what must change on the way from one picture to the next.

`Panel` and `SeatBoard` share it. What is sent never depends on dice: the boxes in which dice may stand are always sent,
and nothing is decided by looking into them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from drivers.messages import Light
from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH, PICTURE_BYTES, Window
from hardware.link.oled import BRIGHT, DARK, DIM, DisplayMode

SIZE = (PANEL_WIDTH, 8 * PANEL_PAGES)


def pages_of(image: Image.Image) -> bytes:
    """Return the 1024 bytes of a 128x64 picture in mode "1". ValueError for any other."""
    if image.size != SIZE or image.mode != "1":
        raise ValueError(f"a picture of {image.size} in mode {image.mode!r}; a panel shows {SIZE} in mode '1'")
    # Turned clockwise, each row is a column read from the bottom, so its bytes are the pages, the last one first.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PANEL_PAGES - 1 - page :: PANEL_PAGES] for page in range(PANEL_PAGES))


PARTING_BYTES = 6
"""What another window on the same page costs besides its bytes: two address, two control and two command bytes."""

_RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % PARTING_BYTES)


def windows(memory: bytes, marks: bytes) -> list[Window]:
    """Return windows of a memory that hold all bytes whose mark is not zero; a gap cheaper than a window is filled.

    Both are of 1024 bytes. How many windows there are, and how wide, depends on the marks alone.
    """
    cut = []
    for page in range(PANEL_PAGES):
        start = page * PANEL_WIDTH
        for run in _RUN.finditer(marks[start : start + PANEL_WIDTH]):
            first, end = run.span()
            cut.append(Window(page, first, memory[start + first : start + end]))
    return cut


STEP_S = 300.0
"""How long a picture stands at one place."""

COLUMNS = ROWS = 4


class Place(NamedTuple):
    """How many dots to the right and down a picture is moved."""

    column: int = 0
    row: int = 0


CORNER = Place()


def place(since_s: float) -> Place:
    """Return the place so long after the start: down and up the rows, a column further each time, and back again."""
    places = COLUMNS * ROWS
    step = int(since_s // STEP_S) % (2 * places)
    column, row = divmod(min(step, 2 * places - 1 - step), ROWS)
    return Place(column, ROWS - 1 - row if column % 2 else row)


Boxes = Sequence[tuple[int, int, int, int]]
"""Parts of a picture: left, top, width and height of each in dots."""

LIGHTS = {Light.BRIGHT: BRIGHT, Light.DIM: DIM, Light.DARK: DARK}

BLACK = bytes(PICTURE_BYTES)
EVERYTHING = b"\xff" * PICTURE_BYTES
_ALL = int.from_bytes(EVERYTHING, "little")
_NEITHER = int.from_bytes(b"\x55" * PICTURE_BYTES, "little")


@dataclass(frozen=True, slots=True)
class Sight:
    """What an eye is to see on a panel.

    `dots` are the 1024 bytes of a picture as the panel hangs, before it is moved to its `place`; `dice` are the boxes
    of it in which dice may stand. `lamp` is a seat board's light.
    """

    dots: bytes = field(default=BLACK, repr=False)
    dice: tuple[tuple[int, int, int, int], ...] = field(default=(), repr=False)
    light: Light = Light.BRIGHT
    place: Place = CORNER
    lamp: bool = False

    def looks_like(self, other: "Sight") -> bool:
        """Whether the step from the other is none; one to a picture with dice always is."""
        return not self.dice and self == other


@dataclass(frozen=True, slots=True)
class Shown:
    """What a controller holds, as far as it was told: a lit picture may be an unlit one that it shows inverted."""

    sight: Sight
    is_inverted: bool = False

    def is_of(self, sight: Sight) -> bool:
        """Whether nothing need be sent for a sight: it is this very one, or looks like it."""
        return sight is self.sight or sight.looks_like(self.sight)

    @property
    def shine(self) -> DisplayMode:
        """How the controller shows its memory."""
        return DisplayMode(self.is_inverted, LIGHTS[self.sight.light], self.sight.place.row)

    @property
    def memory(self) -> bytes:
        """The 1024 bytes in its memory."""
        memory = _number(moved(self.sight.dots, self.sight.place.column))
        return _bytes(memory ^ _ALL if self.is_inverted else memory)


@dataclass(frozen=True, slots=True)
class Change:
    """The way to another sight: what is shown then, the memory then, and `marks`: not zero where a byte is sent."""

    after: Shown
    memory: bytes = field(repr=False)
    marks: bytes = field(repr=False)


def change_to(sight: Sight, shown: Shown | None) -> Change:
    """Return the way to `sight` from what is `shown`, None where nobody knows: the whole picture then.

    A picture that wanders is sent whole as well: that repairs, every few minutes, what a failing supply did unnoticed.
    Of the picture and its inverse the one comes into the memory that leaves more bytes as they are.
    """
    if shown is None or shown.sight.place != sight.place:
        after = Shown(sight, is_inverted=shown is not None and shown.is_inverted)
        return Change(after, after.memory, EVERYTHING)
    column = sight.place.column
    dots = _number(moved(sight.dots, column))
    boxes = _marked(shown.sight.dice, column) | _marked(sight.dice, column)
    differing = _number(shown.memory) ^ dots
    outside = _bytes(differing & ~boxes | _NEITHER & boxes)
    same, opposite = outside.count(0x00), outside.count(0xFF)
    is_inverted = shown.is_inverted if same == opposite else opposite > same
    turned = _ALL if is_inverted else 0
    return Change(Shown(sight, is_inverted), _bytes(dots ^ turned), _bytes(differing ^ turned | boxes))


def change_from_either(sight: Sight, one: Shown, other: Shown) -> Change:
    """Return the way to `sight` that is right whichever of two is shown: what differs from either is sent."""
    change = change_to(sight, other)
    if one.sight.place != sight.place:
        return Change(change.after, change.memory, EVERYTHING)
    boxes = _marked(one.sight.dice, sight.place.column)
    differing = _number(one.memory) ^ _number(change.memory)
    return Change(change.after, change.memory, _bytes(_number(change.marks) | differing | boxes))


def moved(dots: bytes, columns: int) -> bytes:
    """Return a picture so many columns further to the right; what leaves it there comes in on the left."""
    cut = -columns % PANEL_WIDTH
    if not cut:
        return dots
    pages = (dots[start : start + PANEL_WIDTH] for start in range(0, PICTURE_BYTES, PANEL_WIDTH))
    return b"".join(page[cut:] + page[:cut] for page in pages)


@lru_cache(maxsize=256)
def _marked(boxes: tuple[tuple[int, int, int, int], ...], columns: int) -> int:
    """All bits of the bytes that the boxes touch, moved as the picture is."""
    marks = bytearray(PICTURE_BYTES)
    for left, top, width, height in boxes:
        for page in range(max(0, top // 8), min(PANEL_PAGES, -(-(top + height) // 8))):
            start = page * PANEL_WIDTH
            first, end = max(0, left), min(PANEL_WIDTH, left + width)
            marks[start + first : start + end] = b"\xff" * max(0, end - first)
    return _number(moved(bytes(marks), columns))


def _number(memory: bytes) -> int:
    return int.from_bytes(memory, "little")


def _bytes(number: int) -> bytes:
    return number.to_bytes(PICTURE_BYTES, "little")
