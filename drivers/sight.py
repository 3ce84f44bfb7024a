"""What a panel is to show, and what must change on the way from one picture to the next.

`Panel` and `SeatBoard` share it. What is sent never depends on dice: the boxes in which dice may stand are always sent,
and nothing is decided by looking into them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from drivers.messages import Light
from drivers.wander import CORNER, Place
from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH, PICTURE_BYTES
from hardware.link.shine import BRIGHT, DARK, DIM, Shine

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
    def shine(self) -> Shine:
        """How the controller shows its memory."""
        return Shine(self.is_inverted, LIGHTS[self.sight.light], self.sight.place.row)

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

    A picture that wanders is sent whole as well: that mends, every few minutes, what a failing supply did unnoticed.
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
