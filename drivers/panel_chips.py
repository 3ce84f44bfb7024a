"""What to say to an OLED controller: sights in, payloads of I2C writes out. luma.oled knows the words.

`PanelWire` sends the payloads. luma's devices are built once a panel and never talk to a bus themselves: a device built
for each attempt to reach a lost panel would stay in luma's hooks for the end of the process.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from drivers.pages import SIZE, pages_of
from drivers.panel_codes import BLANK, COMMANDS, MEMORY
from drivers.sight import BLACK, EVERYTHING, Boxes, Change, Shown
from drivers.wander import Place
from drivers.windows import runs, stacks
from hardware.link.shine import OFF, ON

_CONTRAST, _NORMAL, _OFFSET = 0x81, 0xA6, 0xD3
_WITH_ARGUMENT = frozenset({0x20, _CONTRAST, 0x8D, 0xA8, _OFFSET, 0xD5, 0xD9, 0xDA, 0xDB})
_NOT_ALWAYS = frozenset({_CONTRAST, _NORMAL, _OFFSET, *OFF, *ON})
"""What of luma's set-up changes with the picture."""


class PanelChip:
    """One controller, mounted upright (`rotate` 0) or upside down (180). Its figures of speech are luma's."""

    def __init__(self, chip: str, rotate: int = 0) -> None:
        if chip not in DEVICES:
            raise ValueError(f"{chip!r} is no chip this driver knows; it knows {', '.join(DEVICES)}")
        if rotate not in (0, 180):
            raise ValueError(f"rotate is {rotate!r}; a panel hangs at 0 or 180 degrees")
        self.chip = chip
        self._is_upright = rotate == 0
        self._paper = _Paper()
        self._device = DEVICES[chip](self._paper, rotate=rotate // 90)
        self._device.persist = True  # luma's own hook must not talk to a wire that the driver owns
        commands = list(_commands(b"".join(payload[1:] for payload in self._paper.taken())))
        self._bright = next(command[1] for command in commands if command[0] == _CONTRAST)
        self._set_up = b"".join(command for command in commands if command[0] not in _NOT_ALWAYS)

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
        """Return the payloads that make a change of what is shown, None for a panel that was away.

        That one is set up first, and dark until its noise is overwritten.
        """
        shine = change.after.shine
        if shown is None:
            self._device.forget()
            first, last = self._set_up + shine.commands(self._bright), shine.switch()
            return _joined([BLANK, _said(first), *self._written(change.memory, change.marks), _said(last)])
        first, last = shine.change(shown.shine, self._bright)
        return _joined([_said(first), *self._written(change.memory, change.marks), _said(last)])

    def reminder(self, shown: Shown, *, whole: bool = False) -> list[bytes]:
        """Return what sets the controller up again as it should be: a panel whose supply failed for a moment needs it.

        One that has kept everything goes on as it was. `whole` is with the picture, and one that lost its supply is on
        only when that is in.
        """
        self._device.forget()
        picture = list(self._written(shown.memory, EVERYTHING)) if whole else []
        set_up = _said(self._set_up + shown.shine.commands(self._bright))
        return _joined([set_up, *picture, _said(shown.shine.switch())])

    def dark(self) -> list[bytes]:
        """Return the payloads that switch the glass off and empty the memory behind it."""
        self._device.forget()
        return _joined([BLANK, *self._written(BLACK, EVERYTHING)])

    def _written(self, memory: bytes, marks: bytes) -> list[bytes]:
        self._device.write(memory, marks)
        return self._paper.taken()


class _Paper:
    """Stands where luma has an I2C interface, and writes down what would be sent."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def command(self, *codes: int) -> None:
        self._written.append(_said(bytes(codes)))

    def data(self, columns: Sequence[int]) -> None:
        self._written.append(bytes([MEMORY, *columns]))

    def cleanup(self) -> None:
        """Nothing to give back."""

    def taken(self) -> list[bytes]:
        written, self._written = self._written, []
        return written


class _SSD1306(ssd1306):  # type: ignore[misc]  # luma is not typed
    """luma's words, for parts of the picture instead of the whole."""

    _pages: tuple[int, int] | None = None
    """Between which pages the chip's pointer goes round; it is on the first of them after each part."""

    def clear(self) -> None:
        """Leave the memory to the first picture."""

    def forget(self) -> None:
        """Take nothing for granted."""
        self._pages = None

    def write(self, memory: bytes, marks: bytes) -> None:
        """Write the parts of the memory with marks."""
        for part in stacks(marks):
            self.command(self._const.COLUMNADDR, self._colstart + part.column, self._colstart + part.end - 1)
            pages = (part.page, part.below - 1)
            if pages != self._pages:
                self.command(self._const.PAGEADDR, *pages)
                self._pages = pages
            self.data(part.cut(memory))


class _SSD1309(_SSD1306, ssd1309):  # type: ignore[misc]  # luma is not typed
    """The same words."""


class _SH1106(sh1106):  # type: ignore[misc]  # luma is not typed
    """luma's words likewise; this chip has more columns than its glass."""

    def clear(self) -> None:
        """Leave the memory to the first picture."""

    def forget(self) -> None:
        """Every part says where it is."""

    def write(self, memory: bytes, marks: bytes) -> None:
        """Write the parts of the memory with marks, a page at a time."""
        for part in runs(marks):
            column = self._page_address_offset + part.column
            self.command(0xB0 | part.page, column & 0x0F, self._const.SETHIGHCOLUMN | column >> 4)
            self.data(part.cut(memory))


DEVICES: Mapping[str, Callable[..., Any]] = {"ssd1306": _SSD1306, "ssd1309": _SSD1309, "sh1106": _SH1106}
"""The chips by the names that layouts use."""


def _said(commands: bytes) -> bytes:
    return bytes([COMMANDS]) + commands


def _commands(codes: bytes) -> Iterator[bytes]:
    """Tell commands apart; most are one byte."""
    at = 0
    while at < len(codes):
        end = at + 1 + (codes[at] in _WITH_ARGUMENT)
        yield codes[at:end]
        at = end


def _joined(payloads: Sequence[bytes]) -> list[bytes]:
    """The same with neighbouring commands in one payload: a transfer costs an address byte and a call."""
    joined: list[bytes] = []
    for payload in payloads:
        if joined and joined[-1][0] == payload[0] == COMMANDS:
            joined[-1] += payload[1:]
        elif len(payload) > 1:
            joined.append(payload)
    return joined
