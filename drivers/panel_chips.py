"""What to say to an OLED controller: pictures in, payloads of I2C writes out. luma.oled knows the words.

`PanelWire` sends the payloads. luma's devices are built once a panel and never talk to a bus themselves: a device built
for each attempt to reach a lost panel would stay in luma's hooks for the end of the process.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from drivers.pages import SIZE, pages_of
from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH

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

    def frame(self, image: Image.Image, *, fresh: bool) -> list[bytes]:
        """Return the payloads that put a 128×64 mode "1" picture on the glass.

        They set up the controller too: a panel that lost its supply for a moment is well again with the next
        picture. `fresh` is for one that was away: it is dark until its noise is overwritten.
        """
        self._device.display(image)
        picture = self._paper.taken()
        if fresh:
            return _joined([*self._wake, *picture, self._on])
        return _joined([*self._stay_awake, *picture])

    def dark(self) -> list[bytes]:
        """Return the payloads that switch the glass off and empty the memory behind it."""
        self._device.display(Image.new("1", SIZE))
        return _joined([OFF, *self._paper.taken()])


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
    """luma's, with its pictures packed by Pillow in a twentieth of the time."""

    def clear(self) -> None:
        """Leave the memory to the first picture."""

    def display(self, image: Image.Image) -> None:
        window = (self._const.COLUMNADDR, 0, PANEL_WIDTH - 1, self._const.PAGEADDR, 0, PANEL_PAGES - 1)
        self.command(*window)
        self.data(pages_of(self.preprocess(image)))


class _SSD1309(_SSD1306, ssd1309):  # type: ignore[misc]  # luma is not typed
    """The same words."""


class _SH1106(sh1106):  # type: ignore[misc]  # luma is not typed
    """luma's, packed likewise; this chip takes a page at a time."""

    def clear(self) -> None:
        """Leave the memory to the first picture."""

    def display(self, image: Image.Image) -> None:
        pages = pages_of(self.preprocess(image))
        for page in range(PANEL_PAGES):
            self.command(0xB0 | page, self._page_address_offset, self._const.SETHIGHCOLUMN)
            self.data(pages[page * PANEL_WIDTH : (page + 1) * PANEL_WIDTH])


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
