"""A board's display: the desired picture, and the I2C writes that make its controller show it.
Every controller in `hardware.chips` is driven in page addressing, which they share.
"""

import binascii

from hardware.chips import CHIPS
from hardware.link.messages import NO_BASE, PANEL_WIDTH, PICTURE_BYTES, Picture, whole_picture
from hardware.link.oled import BLANK, COMMANDS, DARK, MEMORY, OFF, ON, DisplayMode, i2c_payloads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hardware.link.oled import Window

RETRY_NS = 20_000_000  # short, because a panel that missed a write may still show dice
MAX_RETRY_NS = 500_000_000
_SWITCH_OFF = COMMANDS + OFF


class OledPanel:
    """One panel and its desired picture.
    It is set up at the first write and again, with the whole picture, after every error. `write` makes one I2C write of
    a payload and raises OSError if the panel does not answer. `lit` is whether the last write succeeded, `crc` the
    picture's CRC-32, `due_ns` the time of the next attempt at a silent panel: it is switched off first, then set up. A
    blanked display is off, whatever its picture's brightness, and keeps its memory.

    `show` and `tick` are generators that yield after each window: the caller reads its switches there, and `blank`
    switches the display off in the middle of a picture. It is switched on only after the last window.
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
        self._is_on = False
        self._is_writing = False  # a picture, of which windows are still to come
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

    def show(self, picture: Picture, blanked: bool, now_ns: int) -> "Iterator[bool]":
        """Show the applied windows, with the picture's brightness, inversion and offset."""
        before = self._shown
        self._shine, self._blanked = picture.shine, blanked
        if self.lit:
            first, _ = self._shown.change(before, self._chip.bright)
            yield from self._attempt(now_ns, first, picture.windows)

    def blank(self, blanked: bool, now_ns: int) -> None:
        """Switch the display off at once, with one command, or on again: during a picture, at its end."""
        self._blanked = blanked
        try:
            if not blanked:
                if self.lit and not self._is_writing:
                    self._switch_on()
            elif self._is_on:
                self._is_on = False
                self._write(_SWITCH_OFF)
        except OSError:
            self._fail(now_ns)
            if blanked:
                self.due_ns = now_ns  # it may still be on: the next `tick` first switches it off

    def tick(self, now_ns: int) -> "Iterator[bool]":
        """Set up a silent panel, if it is due."""
        if self.due_ns is not None and now_ns >= self.due_ns:
            # Switched on only after the whole picture, as the panel's memory may hold an earlier run's dice.
            self._is_on = False
            first = BLANK + self._chip.set_up + self._shine.commands(self._chip.bright)
            yield from self._attempt(now_ns, first, whole_picture(bytes(self._picture)))

    @property
    def _shown(self) -> DisplayMode:
        shine = self._shine
        return DisplayMode(shine.inverted, DARK if self._blanked else shine.brightness, shine.row)

    @property
    def _is_dark(self) -> bool:
        return self._blanked or self._shine.brightness == DARK

    def _attempt(self, now_ns: int, first: bytes, windows: "list[Window]") -> "Iterator[bool]":
        self._is_on = self._is_on and not self._is_dark
        self._is_writing = True
        try:
            for payload in i2c_payloads(first, windows, b"", self._chip.first_column):
                self._write(payload)
                if payload[:1] == MEMORY:
                    yield True
                    if not self._is_writing:
                        return  # it did not take a command in between
            self._is_writing = False
            self._switch_on()
        except OSError:
            self._fail(now_ns)
        else:
            self.lit = True
            self._pause_ns = RETRY_NS
            self.due_ns = None

    def _switch_on(self) -> None:
        if not self._is_on and not self._is_dark:
            self._is_on = True
            self._write(COMMANDS + self._shine.commands(self._chip.bright)[3:] + ON)

    def _fail(self, now_ns: int) -> None:
        self.lit = self._is_writing = False
        self._is_on = True  # for all that is known
        self.due_ns = now_ns + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, MAX_RETRY_NS)
