"""The frame that a display should show, the frame that it shows, and the bytes that lead from one to the other.

`DisplayBus` keeps a `DesiredFrame` and a `DeviceFrame` for each of its displays, `SeatBoard` for the display of its
board. `diff` compares the two and yields a `FrameUpdate`; `dirty_windows` cuts that into windows to send.

A frame is 1024 bytes in page format: eight pages of 128 columns, one byte a column, the topmost of its eight dots in
bit 0. A window lies on one page. An SSD1306 takes windows over several pages too, but these need ten bytes instead of
seven for their addresses; measured over whole matches they cost more than they save.

Which bytes are sent never depends on dice, because the displays that wait for the bus would reveal it: the secret
regions, where dice may stand, are always sent, and no decision looks into them.

Pixel shift: against burn-in the picture moves slowly over 4×4 offsets. Pictures leave four columns and four rows at
the edge empty for that, and the drivers apply the offset when they have nothing else to send.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from drivers.messages import Brightness
from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH, PICTURE_BYTES
from hardware.link.oled import BRIGHT, DARK, DIM, DisplayMode, Window

SIZE = (PANEL_WIDTH, 8 * PANEL_PAGES)


def to_page_format(image: Image.Image) -> bytes:
    """Return the 1024 bytes of a 128×64 picture in mode "1". ValueError for any other."""
    if image.size != SIZE or image.mode != "1":
        raise ValueError(f"a picture of {image.size} in mode {image.mode!r}; a display shows {SIZE} in mode '1'")
    # Turned clockwise, each row is a column read from the bottom, so its bytes are the pages, the last one first.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PANEL_PAGES - 1 - page :: PANEL_PAGES] for page in range(PANEL_PAGES))


WINDOW_OVERHEAD_BYTES = 6
"""Bytes that another window on the same page costs: two addresses, two control bytes and two commands."""

_RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % WINDOW_OVERHEAD_BYTES)


def dirty_windows(memory: bytes, dirty: bytes) -> list[Window]:
    """Return windows of a memory that hold all bytes whose dirty mark is not zero; cheap gaps between them are filled.

    Both arguments have 1024 bytes. The number of windows and their widths depend on the marks alone.
    """
    windows = []
    for page in range(PANEL_PAGES):
        start = page * PANEL_WIDTH
        for run in _RUN.finditer(dirty[start : start + PANEL_WIDTH]):
            first, end = run.span()
            windows.append(Window(page, first, memory[start + first : start + end]))
    return windows


SHIFT_INTERVAL_S = 300.0
"""Seconds for which a picture stays at one offset."""

SHIFT_COLUMNS = SHIFT_ROWS = 4
"""Number of different offsets to the right, and down."""


class Offset(NamedTuple):
    """The dots by which a picture is shifted to the right and down."""

    column: int = 0
    row: int = 0


ORIGIN = Offset()


def offset_at(since_s: float) -> Offset:
    """Return the offset at a time after the start: down and up the rows, a column further each time, then back."""
    offsets = SHIFT_COLUMNS * SHIFT_ROWS
    step = int(since_s // SHIFT_INTERVAL_S) % (2 * offsets)
    column, row = divmod(min(step, 2 * offsets - 1 - step), SHIFT_ROWS)
    return Offset(column, SHIFT_ROWS - 1 - row if column % 2 else row)


Regions = Sequence[tuple[int, int, int, int]]
"""Parts of a picture: left, top, width and height of each in dots."""

_MODE_BRIGHTNESS = {Brightness.BRIGHT: BRIGHT, Brightness.DIM: DIM, Brightness.DARK: DARK}

BLACK = bytes(PICTURE_BYTES)
ALL_DIRTY = b"\xff" * PICTURE_BYTES
_ALL_BITS = int.from_bytes(ALL_DIRTY, "little")
_NEITHER = int.from_bytes(b"\x55" * PICTURE_BYTES, "little")
"""Bytes that count neither as equal nor as inverted."""


@dataclass(frozen=True, slots=True)
class DesiredFrame:
    """A picture that a display should show.

    `dots` are its 1024 bytes as the panel is mounted, before the shift by `offset`; `secret_regions` are those in
    which dice may stand. `lamp` is the light of a seat board.
    """

    dots: bytes = field(default=BLACK, repr=False)
    secret_regions: tuple[tuple[int, int, int, int], ...] = field(default=(), repr=False)
    brightness: Brightness = Brightness.BRIGHT
    offset: Offset = ORIGIN
    lamp: bool = False

    def is_same(self, other: "DesiredFrame") -> bool:
        """Return whether nothing need be sent after `other`; a frame with secret regions is always sent."""
        return not self.secret_regions and self == other


@dataclass(frozen=True, slots=True)
class DeviceFrame:
    """A frame as a controller holds it, as far as the host knows; it may hold the inverse and show that inverted."""

    desired: DesiredFrame
    is_inverted: bool = False

    def shows(self, desired: DesiredFrame) -> bool:
        """Return whether nothing need be sent for a frame: it is this very object, or the same."""
        return desired is self.desired or desired.is_same(self.desired)

    @property
    def mode(self) -> DisplayMode:
        """How the controller shows its memory."""
        return DisplayMode(self.is_inverted, _MODE_BRIGHTNESS[self.desired.brightness], self.desired.offset.row)

    @property
    def memory(self) -> bytes:
        """The 1024 bytes in the controller's memory."""
        memory = _number(shift_columns(self.desired.dots, self.desired.offset.column))
        return _bytes(memory ^ _ALL_BITS if self.is_inverted else memory)


@dataclass(frozen=True, slots=True)
class FrameUpdate:
    """A step to another frame: the device frame and memory after it, and `dirty`, not zero where a byte is sent."""

    after: DeviceFrame
    memory: bytes = field(repr=False)
    dirty: bytes = field(repr=False)


def diff(desired: DesiredFrame, shown: DeviceFrame | None) -> FrameUpdate:
    """Return the update from what is `shown`, None if that is unknown, to `desired`.

    The whole picture is sent if the shown one is unknown, and at a new offset. The latter also repairs, every few
    minutes, a memory that a failing supply has damaged unnoticed. Otherwise the update writes the picture or its
    inverse, whichever leaves more bytes unchanged.
    """
    if shown is None or shown.desired.offset != desired.offset:
        after = DeviceFrame(desired, is_inverted=shown is not None and shown.is_inverted)
        return FrameUpdate(after, after.memory, ALL_DIRTY)
    column = desired.offset.column
    dots = _number(shift_columns(desired.dots, column))
    secret = _region_mask(shown.desired.secret_regions, column) | _region_mask(desired.secret_regions, column)
    differing = _number(shown.memory) ^ dots
    outside = _bytes(differing & ~secret | _NEITHER & secret)
    same, opposite = outside.count(0x00), outside.count(0xFF)
    is_inverted = shown.is_inverted if same == opposite else opposite > same
    inversion = _ALL_BITS if is_inverted else 0
    return FrameUpdate(
        DeviceFrame(desired, is_inverted), _bytes(dots ^ inversion), _bytes(differing ^ inversion | secret)
    )


def diff_from_either(desired: DesiredFrame, one: DeviceFrame, other: DeviceFrame) -> FrameUpdate:
    """Return an update to `desired` that is right whichever of two frames is shown: it sends what differs from either.

    Secret regions of both are sent as well.
    """
    update = diff(desired, other)
    if one.desired.offset != desired.offset:
        return FrameUpdate(update.after, update.memory, ALL_DIRTY)
    secret = _region_mask(one.desired.secret_regions, desired.offset.column)
    differing = _number(one.memory) ^ _number(update.memory)
    return FrameUpdate(update.after, update.memory, _bytes(_number(update.dirty) | differing | secret))


def shift_columns(dots: bytes, columns: int) -> bytes:
    """Return a picture shifted to the right; columns that leave it on the right come in on the left."""
    cut = -columns % PANEL_WIDTH
    if not cut:
        return dots
    pages = (dots[start : start + PANEL_WIDTH] for start in range(0, PICTURE_BYTES, PANEL_WIDTH))
    return b"".join(page[cut:] + page[:cut] for page in pages)


@lru_cache(maxsize=256)
def _region_mask(regions: tuple[tuple[int, int, int, int], ...], columns: int) -> int:
    """Return a number with all bits set of the bytes that the regions touch, shifted as the picture is."""
    mask = bytearray(PICTURE_BYTES)
    for left, top, width, height in regions:
        for page in range(max(0, top // 8), min(PANEL_PAGES, -(-(top + height) // 8))):
            start = page * PANEL_WIDTH
            first, end = max(0, left), min(PANEL_WIDTH, left + width)
            mask[start + first : start + end] = b"\xff" * max(0, end - first)
    return _number(shift_columns(bytes(mask), columns))


def _number(memory: bytes) -> int:
    return int.from_bytes(memory, "little")


def _bytes(number: int) -> bytes:
    return number.to_bytes(PICTURE_BYTES, "little")
