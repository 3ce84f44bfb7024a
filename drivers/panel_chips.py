"""What to say to an OLED controller: pictures in, payloads of I2C writes out. luma.oled knows the words.

`PanelWire` sends the payloads. luma's devices are built once a panel and never talk to a bus themselves: a device built
for each attempt to reach a lost panel would stay in luma's hooks for the end of the process.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from drivers.pages import SIZE, pages_of
from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH, Window, whole_picture, windows_between

COMMANDS, MEMORY = 0x00, 0x40
"""Control bytes: everything after it is commands, or goes to the memory."""

NOP = bytes([COMMANDS, 0xE3])
"""Changes nothing, but only a panel that is there acknowledges it."""

OFF = bytes([COMMANDS, 0xAE])
"""Switches the glass off."""


class PanelChip:
    """One controller, mounted upright (`rotate` 0) or upside down (180). Its figures of speech are luma's."""

    def __init__(self, chip: str, rotate: int = 0) -> None:
        if chip not in DEVICES:
            raise ValueError(f"{chip!r} is no chip this driver knows; it knows {', '.join(DEVICES)}")
        if rotate not in (0, 180):
            raise ValueError(f"rotate is {rotate!r}; a panel hangs at 0 or 180 degrees")
        self.chip = chip
        self._paper = _Paper()
        self._device = DEVICES[chip](self._paper, rotate=rotate // 90)
        self._device.persist = True  # luma's own hook must not talk to a wire that the driver owns
        *self._wake, self._on = self._paper.taken()
        self._stay_awake = [bytes([COMMANDS]) + self._wake[0][2:], *self._wake[1:], self._on]  # less DISPLAYOFF

    def __repr__(self) -> str:
        return f"<PanelChip {self.chip}>"

    def dots(self, image: Image.Image) -> bytes:
        """Return the 1024 bytes of a 128×64 mode "1" picture as this panel hangs; ValueError for any other."""
        if image.size != SIZE or image.mode != "1":
            return pages_of(image)  # says what is wrong with it
        return pages_of(self._device.preprocess(image))

    def frame(self, dots: bytes, shown: bytes | None, *, whole: bool = False) -> list[bytes]:
        """Return the payloads that put `dots` on a glass that shows `shown`: the windows that differ, or the `whole`.

        They set up the controller too, so that a supply that failed for a moment leaves no dark panel behind. None is
        for a panel that was away: it gets the whole picture and is dark until its noise is overwritten.
        """
        if shown is None:
            return _joined([*self._wake, *self._windows(whole_picture(dots)), self._on])
        windows = whole_picture(dots) if whole else windows_between(shown, dots)
        return _joined([*self._stay_awake, *self._windows(windows)])

    def dark(self) -> list[bytes]:
        """Return the payloads that switch the glass off and empty the memory behind it."""
        return _joined([OFF, *self._windows(whole_picture(bytes(PANEL_WIDTH * PANEL_PAGES)))])

    def _windows(self, windows: Sequence[Window]) -> list[bytes]:
        self._device.draw(windows)
        return self._paper.taken()


class _Paper:
    """Stands where luma has an I2C interface, and writes down what would be sent."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def command(self, *codes: int) -> None:
        self._written.append(bytes([COMMANDS, *codes]))

    def data(self, columns: Sequence[int]) -> None:
        self._written.append(bytes([MEMORY, *columns]))

    def cleanup(self) -> None:
        """Nothing to give back."""

    def taken(self) -> list[bytes]:
        written, self._written = self._written, []
        return written


class _SSD1306(ssd1306):  # type: ignore[misc]  # luma is not typed
    """luma's words, for a window of the picture instead of the whole."""

    def clear(self) -> None:
        """Leave the memory to the first picture."""

    def draw(self, windows: Sequence[Window]) -> None:
        """Write some columns of some pages; what stands exactly below another goes in one window with it."""
        for (first, column, width), stacked in _stacks(windows):
            columns = (self._const.COLUMNADDR, self._colstart + column, self._colstart + column + width - 1)
            self.command(*columns, self._const.PAGEADDR, first, first + len(stacked) - 1)
            self.data(b"".join(stacked))


class _SSD1309(_SSD1306, ssd1309):  # type: ignore[misc]  # luma is not typed
    """The same words."""


class _SH1106(sh1106):  # type: ignore[misc]  # luma is not typed
    """luma's words likewise; this chip has more columns than its glass."""

    def clear(self) -> None:
        """Leave the memory to the first picture."""

    def draw(self, windows: Sequence[Window]) -> None:
        """Write some columns of some pages."""
        for window in windows:
            column = self._page_address_offset + window.column
            self.command(0xB0 | window.page, column & 0x0F, self._const.SETHIGHCOLUMN | column >> 4)
            self.data(window.columns)


def _stacks(windows: Sequence[Window]) -> list[tuple[tuple[int, int, int], list[bytes]]]:
    """Windows on neighbouring pages with the same columns, together: (first page, column, width), columns by page."""
    stacks: list[tuple[tuple[int, int, int], list[bytes]]] = []
    for window in windows:
        if stacks:
            (first, column, width), stacked = stacks[-1]
            if (first + len(stacked), column, width) == (window.page, window.column, len(window.columns)):
                stacked.append(window.columns)
                continue
        stacks.append(((window.page, window.column, len(window.columns)), [window.columns]))
    return stacks


DEVICES: Mapping[str, Callable[..., Any]] = {"ssd1306": _SSD1306, "ssd1309": _SSD1309, "sh1106": _SH1106}
"""The chips by the names that layouts use."""


def _joined(payloads: Sequence[bytes]) -> list[bytes]:
    """The same with neighbouring commands in one payload: a transfer costs an address byte and a call."""
    joined: list[bytes] = []
    for payload in payloads:
        if joined and joined[-1][0] == payload[0] == COMMANDS:
            joined[-1] += payload[1:]
        else:
            joined.append(payload)
    return joined
