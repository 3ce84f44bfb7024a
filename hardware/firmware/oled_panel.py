"""A board's display: the picture it should show, and the I2C writes by which its controller shows it.

Every controller of `hardware.chips` is driven in page addressing, which they share.
"""

import binascii

from hardware.chips import CHIPS
from hardware.link.messages import NO_BASE, PANEL_WIDTH, PICTURE_BYTES, Picture, whole_picture
from hardware.link.oled import DARK, OFF, DisplayMode, i2c_payloads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.link.oled import Window

RETRY_NS = 20_000_000  # short, because a panel that missed a write may still show dice
MAX_RETRY_NS = 500_000_000
BLANK = OFF + OFF + OFF  # three, because an interrupted command may take up to two as its arguments


class OledPanel:
    """One panel and the picture it should show.

    It is set up at the first write and again, with the whole picture, after every error. `write` makes one I2C write of
    a payload and raises OSError if the panel does not answer. `lit` is whether the last write succeeded, `crc` the
    picture's CRC-32, `due_ns` the time at which a panel that did not answer is tried again: it is switched off first,
    then set up. A display that is blanked is off, whatever the picture says of its light, and keeps its memory.
    """

    def __init__(self, chip: str, write: "Callable[[bytes], object]") -> None:
        self.lit = False
        self.due_ns: int | None = 0
        self._pause_ns = RETRY_NS
        self._write = write
        self._chip = CHIPS[chip]
        self._picture = bytearray(PICTURE_BYTES)
        self._shine = DisplayMode()
        self._blanked = False
        self.crc = binascii.crc32(self._picture)

    def apply(self, picture: Picture) -> bool:
        """Apply a picture's windows and return True; return False if they are based on another picture."""
        if picture.base not in (NO_BASE, self.crc):
            return False
        for window in picture.windows:
            start = window.page * PANEL_WIDTH + window.column
            self._picture[start : start + len(window.columns)] = window.columns
        self.crc = binascii.crc32(self._picture)
        return True

    def show(self, picture: Picture, blanked: bool, now_ns: int) -> None:
        """Show the applied windows, with the picture's brightness, inversion and offset."""
        before = self._shown
        self._shine, self._blanked = picture.shine, blanked
        self._change(before, picture.windows, now_ns)

    def blank(self, blanked: bool, now_ns: int) -> None:
        """Switch the display off at once, with one command, or on again."""
        before, self._blanked = self._shown, blanked
        self._change(before, [], now_ns)
        if blanked and not self.lit:  # it may still be on: the next `tick` first switches it off
            self.due_ns = now_ns

    def tick(self, now_ns: int) -> None:
        """Set up a panel that did not answer, if it is time."""
        if self.due_ns is not None and now_ns >= self.due_ns:
            # Switched on only after the whole picture, as the panel's memory may hold an earlier run's dice.
            first = BLANK + self._chip.set_up + self._shine.commands(self._chip.bright)
            self._attempt(now_ns, first, whole_picture(bytes(self._picture)), self._shown.switch())

    @property
    def _shown(self) -> DisplayMode:
        shine = self._shine
        return DisplayMode(shine.inverted, DARK if self._blanked else shine.brightness, shine.row)

    def _change(self, before: DisplayMode, windows: "list[Window]", now_ns: int) -> None:
        if self.lit:
            first, last = self._shown.change(before, self._chip.bright)
            self._attempt(now_ns, first, windows, last)

    def _attempt(self, now_ns: int, first: bytes, windows: "list[Window]", last: bytes) -> None:
        try:
            for payload in i2c_payloads(first, windows, last, self._chip.first_column):
                self._write(payload)
        except OSError:
            self.lit = False
            self.due_ns = now_ns + self._pause_ns
            self._pause_ns = min(2 * self._pause_ns, MAX_RETRY_NS)
        else:
            self.lit = True
            self._pause_ns = RETRY_NS
            self.due_ns = None
