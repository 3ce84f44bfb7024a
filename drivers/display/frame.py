"""The desired frame, the shown frame, and the bytes from one to the other.
`DisplayBus` keeps a `DesiredFrame` and a `DeviceFrame` for each display, `SeatBoard` for its board's display. `diff`
compares the two and yields a `FrameUpdate`; `dirty_windows` cuts that into windows to send.

A frame is 1024 bytes in page format: eight pages with 128 columns, one byte a column, its topmost pixel in bit 0. A
window lies on one page. An SSD1306 also takes windows over several pages, but their addresses need ten bytes instead
of seven; measured over whole matches they cost more than they save.

The choice of bytes never depends on dice: it would reveal them to displays waiting for the bus. So the secret regions,
where dice may stand, are always sent, and no decision looks into them.

Pixel shift: against burn-in the picture moves slowly over 4×4 offsets. Pictures leave four columns and four rows at
the edge empty for that, and idle drivers apply the offset.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
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
"""Cost in bytes of another window on the same page: two addresses, two control bytes and two commands."""

_RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % WINDOW_OVERHEAD_BYTES)


def dirty_windows(memory: bytes, dirty: bytes) -> list[Window]:
    """Return memory windows covering every byte with a non-zero dirty mark, filling cheap gaps between them.
    Both arguments have 1024 bytes. The number and widths of windows depend on the marks alone.
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
    """A picture's shift to the right and down, in pixels."""

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
"""Parts of a picture: each one's left, top, width and height in pixels."""

_MODE_BRIGHTNESS = {Brightness.BRIGHT: BRIGHT, Brightness.DIM: DIM, Brightness.DARK: DARK}

BLACK = bytes(PICTURE_BYTES)
ALL_DIRTY = b"\xff" * PICTURE_BYTES
_ALL_BITS = int.from_bytes(ALL_DIRTY, "little")
_NEITHER = int.from_bytes(b"\x55" * PICTURE_BYTES, "little")
"""Bytes that count neither as equal nor as inverted."""


class DesiredFrame(Struct, frozen=True):
    """A picture for a display to show.
    `dots` are its 1024 bytes as the panel is mounted, before the shift by `offset`; dice may stand in `secret_regions`.
    `lamp` is a seat board's light.
    """

    dots: bytes = BLACK
    secret_regions: tuple[tuple[int, int, int, int], ...] = ()
    brightness: Brightness = Brightness.BRIGHT
    offset: Offset = ORIGIN
    lamp: bool = False

    def __repr__(self) -> str:
        return f"<DesiredFrame, {self.brightness}>"  # it may contain dice

    def is_same(self, other: "DesiredFrame") -> bool:
        """Return whether it needs no update after `other`; a frame with secret regions is always sent."""
        return not self.secret_regions and self == other


class DeviceFrame(Struct, frozen=True):
    """A frame in a controller, as far as the host knows; it may hold the inverse and show that inverted."""

    desired: DesiredFrame
    is_inverted: bool = False

    def shows(self, desired: DesiredFrame) -> bool:
        """Return whether `desired` needs no update: it is this very object, or the same."""
        return desired is self.desired or desired.is_same(self.desired)

    @property
    def mode(self) -> DisplayMode:
        """The controller's display mode."""
        return DisplayMode(self.is_inverted, _MODE_BRIGHTNESS[self.desired.brightness], self.desired.offset.row)

    @property
    def memory(self) -> bytes:
        """The controller's 1024 memory bytes."""
        memory = _number(shift_columns(self.desired.dots, self.desired.offset.column))
        return _bytes(memory ^ _ALL_BITS if self.is_inverted else memory)


class FrameUpdate(Struct, frozen=True):
    """A step to another frame: the device frame and memory after it, and `dirty`, non-zero for each byte to send."""

    after: DeviceFrame
    memory: bytes
    dirty: bytes

    def __repr__(self) -> str:
        return f"<FrameUpdate to {self.after}>"


def diff(desired: DesiredFrame, shown: DeviceFrame | None) -> FrameUpdate:
    """Return the update to `desired` from `shown`, which may be None for unknown.
    The whole picture is sent if the shown one is unknown, and at a new offset. The latter also repairs, every few
    minutes, a memory damaged unnoticed by a failing supply. Otherwise the update writes the picture or its inverse,
    whichever leaves more bytes unchanged.
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
    """Return an update to `desired` from either frame: every byte different from one of them, and both secret
    regions."""
    update = diff(desired, other)
    if one.desired.offset != desired.offset:
        return FrameUpdate(update.after, update.memory, ALL_DIRTY)
    secret = _region_mask(one.desired.secret_regions, desired.offset.column)
    differing = _number(one.memory) ^ _number(update.memory)
    return FrameUpdate(update.after, update.memory, _bytes(_number(update.dirty) | differing | secret))


def shift_columns(dots: bytes, columns: int) -> bytes:
    """Return a picture rotated to the right: columns leaving on the right come in on the left."""
    cut = -columns % PANEL_WIDTH
    if not cut:
        return dots
    pages = (dots[start : start + PANEL_WIDTH] for start in range(0, PICTURE_BYTES, PANEL_WIDTH))
    return b"".join(page[cut:] + page[:cut] for page in pages)


@lru_cache(maxsize=256)
def _region_mask(regions: tuple[tuple[int, int, int, int], ...], columns: int) -> int:
    """Return a number with all bits set in the bytes touched by the regions, shifted with the picture."""
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
