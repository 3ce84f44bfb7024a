"""The payloads of I2C writes that make an OLED controller show a frame. luma.oled knows how a chip is set up.

`DisplayBus` sends the payloads. luma's devices are built once a display and never use a bus themselves: a device built
for each attempt to reach a lost display would stay in luma's hooks for the end of the process.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from drivers.display.bus_worker import BLANK
from drivers.display.frame import SIZE, Boxes, Change, Place, Shown, pages_of, windows
from hardware.link.messages import PICTURE_BYTES, whole_picture
from hardware.link.oled import OFF, ON, i2c_payloads

_CONTRAST, _NORMAL, _OFFSET = 0x81, 0xA6, 0xD3
_WITH_ARGUMENT = frozenset({0x20, _CONTRAST, 0x8D, 0xA8, _OFFSET, 0xD5, 0xD9, 0xDA, 0xDB})
_NOT_ALWAYS = frozenset({_CONTRAST, _NORMAL, _OFFSET, *OFF, *ON})
"""What of luma's set-up changes with the picture."""

_ADDRESSING = {b"\x20\x00": b"\x20\x02"}
"""luma writes line after line (SSD1306 data sheet 10.1.3), which an SH1106 doesn't know; all of them know pages."""


class PanelChip:
    """One controller, mounted upright (`rotate` 0) or upside down (180)."""

    def __init__(self, chip: str, rotate: int = 0) -> None:
        if chip not in DEVICES:
            raise ValueError(f"{chip!r} is no chip this driver knows; it knows {', '.join(DEVICES)}")
        if rotate not in (0, 180):
            raise ValueError(f"rotate is {rotate!r}; a panel hangs at 0 or 180 degrees")
        self.chip = chip
        self._is_upright = rotate == 0
        paper = _Paper()
        self._device = DEVICES[chip](paper, rotate=rotate // 90)
        self._device.persist = True  # luma's own hook must not talk to a wire that the driver owns
        self._first_column = getattr(self._device, "_page_address_offset", 0)
        commands = list(_commands(bytes(paper.codes)))
        self._bright = next(command[1] for command in commands if command[0] == _CONTRAST)
        always = (command for command in commands if command[0] not in _NOT_ALWAYS)
        self._set_up = b"".join(_ADDRESSING.get(command, command) for command in always)

    def __repr__(self) -> str:
        return f"<PanelChip {self.chip}>"

    def dots(self, image: Image.Image) -> bytes:
        """Return the 1024 bytes of a 128×64 mode "1" picture as this panel hangs; ValueError for any other."""
        if image.size != SIZE or image.mode != "1":
            return pages_of(image)  # says what is wrong with it
        return pages_of(self._device.preprocess(image))

    def boxes(self, boxes: Boxes) -> tuple[tuple[int, int, int, int], ...]:
        """Return boxes of a picture as this panel hangs."""
        if self._is_upright:
            return tuple(boxes)
        return tuple((SIZE[0] - x - width, SIZE[1] - y - height, width, height) for x, y, width, height in boxes)

    def place(self, place: Place) -> Place:
        """Return a place of a picture as this panel hangs."""
        return place if self._is_upright else Place(-place.column, -place.row)

    def frame(self, change: Change, shown: Shown | None) -> list[bytes]:
        """Return the payloads that make a change of what is `shown`, None for a panel that was away.

        That one is set up first, and dark until its noise is overwritten.
        """
        shine, changed = change.after.shine, windows(change.memory, change.marks)
        if shown is None:
            set_up = BLANK[1:] + self._set_up + shine.commands(self._bright)
            return i2c_payloads(set_up, changed, shine.switch(), self._first_column)
        first, last = shine.change(shown.shine, self._bright)
        return i2c_payloads(first, changed, last, self._first_column)

    def reminder(self, shown: Shown, *, whole: bool = False) -> list[bytes]:
        """Return what sets the controller up again as it should be: a panel whose supply failed for a moment needs it.

        One that has kept everything goes on as it was. `whole` is with the picture, and one that lost its supply is on
        only when that is in.
        """
        set_up, picture = (
            self._set_up + shown.shine.commands(self._bright),
            whole_picture(shown.memory) if whole else [],
        )
        return i2c_payloads(set_up, picture, shown.shine.switch(), self._first_column)

    def dark(self) -> list[bytes]:
        """Return the payloads that switch the glass off and empty the memory behind it."""
        return i2c_payloads(BLANK[1:], whole_picture(bytes(PICTURE_BYTES)), b"", self._first_column)


class _Paper:
    """Stands where luma has an I2C interface, and writes down what would be said."""

    def __init__(self) -> None:
        self.codes = bytearray()

    def command(self, *codes: int) -> None:
        self.codes += bytes(codes)

    def cleanup(self) -> None:
        """Nothing to give back."""


class _LeftAlone:
    """Its memory is left to the first picture."""

    def clear(self) -> None:
        """Do nothing."""


class _SSD1306(_LeftAlone, ssd1306):  # type: ignore[misc]  # luma is not typed
    pass


class _SSD1309(_LeftAlone, ssd1309):  # type: ignore[misc]  # luma is not typed
    pass


class _SH1106(_LeftAlone, sh1106):  # type: ignore[misc]  # luma is not typed
    pass


DEVICES: Mapping[str, Callable[..., Any]] = {"ssd1306": _SSD1306, "ssd1309": _SSD1309, "sh1106": _SH1106}
"""The chips by the names that layouts use."""


def _commands(codes: bytes) -> Iterator[bytes]:
    """Tell commands apart; most are one byte."""
    at = 0
    while at < len(codes):
        end = at + 1 + (codes[at] in _WITH_ARGUMENT)
        yield codes[at:end]
        at = end
