"""The I2C payloads that make an OLED controller show a frame. luma.oled supplies each chip's set-up.
`DisplayBus` sends the payloads. luma's devices never use a bus themselves. One is built for each chip, to record its
set-up: it stays in memory by its exit hook, hundreds of kilobytes of it.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from luma.oled import device as luma_devices
from PIL import Image

from drivers.display.bus_worker import BLANK
from drivers.display.frame import SIZE, DeviceFrame, FrameUpdate, Offset, Regions, dirty_windows, to_page_format
from hardware.chips import CHIPS
from hardware.link.messages import PICTURE_BYTES, whole_picture
from hardware.link.oled import CONTRAST, NORMAL, OFF, OFFSET, ON, i2c_payloads

_WITH_ARGUMENT = frozenset({0x20, CONTRAST, 0x8D, 0xA8, OFFSET, 0xD5, 0xD9, 0xDA, 0xDB})
_PICTURE_COMMANDS = frozenset({CONTRAST, NORMAL, OFFSET, *OFF, *ON})
"""Commands in luma's set-up with picture-dependent values."""

_ADDRESSING = {b"\x20\x00": b"\x20\x02"}
"""Page addressing in place of luma's horizontal addressing (SSD1306 data sheet 10.1.3), missing in an SH1106."""


class OledController:
    """One controller, mounted upright (`rotate` 0) or upside down (180)."""

    def __init__(self, chip: str, rotate: int = 0) -> None:
        if chip not in CHIPS:
            raise ValueError(f"{chip!r} is not a chip this driver knows; it knows {', '.join(CHIPS)}")
        if rotate not in (0, 180):
            raise ValueError(f"rotate is {rotate!r}; a display is mounted at 0 or 180 degrees")
        self.chip = chip
        self._is_upright = rotate == 0
        self._first_column = CHIPS[chip].first_column
        commands = _commands_of(CHIPS[chip].luma)
        self._bright = next(command[1] for command in commands if command[0] == CONTRAST)
        fixed = (command for command in commands if command[0] not in _PICTURE_COMMANDS)
        self._set_up = b"".join(_ADDRESSING.get(command, command) for command in fixed)

    def __repr__(self) -> str:
        return f"<OledController {self.chip}>"

    def dots(self, image: Image.Image) -> bytes:
        """Return a 128×64 mode "1" picture's 1024 bytes as the panel is mounted; ValueError for any other."""
        return to_page_format(image if self._is_upright else image.transpose(Image.Transpose.ROTATE_180))

    def regions(self, regions: Regions) -> tuple[tuple[int, int, int, int], ...]:
        """Return a picture's regions as the panel is mounted."""
        if self._is_upright:
            return tuple(regions)
        return tuple((SIZE[0] - x - width, SIZE[1] - y - height, width, height) for x, y, width, height in regions)

    def offset(self, offset: Offset) -> Offset:
        """Return a picture's offset as the panel is mounted."""
        return offset if self._is_upright else Offset(-offset.column, -offset.row)

    def apply(self, update: FrameUpdate, shown: DeviceFrame | None) -> list[bytes]:
        """Return the payloads for an update after `shown`, None for a lost display.
        A lost one is set up first, and stays off until its random memory has been overwritten.
        """
        mode, windows = update.after.mode, dirty_windows(update.memory, update.dirty)
        if shown is None:
            set_up = BLANK[1:] + self._set_up + mode.commands(self._bright)
            return i2c_payloads(set_up, windows, mode.switch(), self._first_column)
        first, last = mode.change(shown.mode, self._bright)
        return i2c_payloads(first, windows, last, self._first_column)

    def reinitialise(self, shown: DeviceFrame, *, whole: bool = False) -> list[bytes]:
        """Return the payloads to set the controller up again, in case its supply failed for a moment.

        They do not affect a controller that has kept its registers. With `whole` they also write the picture, and
        only then switch on a controller that lost its supply.
        """
        set_up = self._set_up + shown.mode.commands(self._bright)
        picture = whole_picture(shown.memory) if whole else []
        return i2c_payloads(set_up, picture, shown.mode.switch(), self._first_column)

    def blank(self) -> list[bytes]:
        """Return the payloads to switch the display off and clear its memory."""
        return i2c_payloads(BLANK[1:], whole_picture(bytes(PICTURE_BYTES)), b"", self._first_column)


class _CommandRecorder:
    """An I2C interface for luma that only records commands."""

    def __init__(self) -> None:
        self.codes = bytearray()

    def command(self, *codes: int) -> None:
        self.codes += bytes(codes)

    def cleanup(self) -> None:
        """Do nothing."""


class _WithoutClear:
    """A mixin to stop luma from clearing the memory: the first picture overwrites it."""

    def clear(self) -> None:
        """Do nothing."""


@cache
def _commands_of(name: str) -> tuple[bytes, ...]:
    """Return the commands by which luma's device with this name sets its controller up."""
    recorder = _CommandRecorder()
    device: Any = type(name, (_WithoutClear, getattr(luma_devices, name)), {})(recorder)
    device.persist = True  # luma's exit hook must not use a bus owned by the driver
    return tuple(_split_commands(bytes(recorder.codes)))


def _split_commands(codes: bytes) -> Iterator[bytes]:
    """Split codes into commands; most have one byte."""
    at = 0
    while at < len(codes):
        end = at + 1 + (codes[at] in _WITH_ARGUMENT)
        yield codes[at:end]
        at = end
