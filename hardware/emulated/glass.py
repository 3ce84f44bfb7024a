"""What an eye sees on an OLED: a controller's memory through the registers that map it to the glass.

The controllers use it. The glass is wired as on the usual 128×64 modules, which show a picture upright when the
controller is set to remapped segments (0xA1), a COM scan from the last to the first (0xC8) and alternate COM
pins (0xDA 0x12). Rows and lines follow tables 10-1 to 10-3 of Solomon Systech's SSD1306 data sheet, rev. 1.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8
UPRIGHT = tuple(range(HEIGHT))


@dataclass(slots=True)
class Glass:
    """The display registers at power-on; every controller here has them."""

    on: bool = False
    contrast: int = 0x7F
    inverted: bool = False
    all_on: bool = False
    segments_remapped: bool = False
    com_scan_remapped: bool = False
    start_line: int = 0
    offset: int = 0
    multiplex: int = 64
    com_pins: int = 0x12

    def picture(self, pages: Sequence[bytes | bytearray], first_column: int) -> Image.Image:
        """Return the 128×64 picture, mode "1".

        `pages` are the eight pages of memory, a byte a column with bit 0 on top; `first_column` is the first
        of the 128 columns that are wired to the glass.
        """
        rows = self._rows()
        if self.all_on:
            memory = Image.new("1", (WIDTH, HEIGHT), 1)
        else:
            memory = _image([bytes(page[first_column : first_column + WIDTH]) for page in pages])
            if self.inverted:
                memory = memory.point(lambda dot: not dot)
            if not self.segments_remapped:
                memory = memory.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if rows == UPRIGHT:
            return memory
        seen = Image.new("1", (WIDTH, HEIGHT))
        for line, row in enumerate(rows):
            if row is not None:
                seen.paste(memory.crop((0, row, WIDTH, row + 1)), (0, line))
        return seen

    def _rows(self) -> tuple[int | None, ...]:
        """The memory row behind each line of the glass from the top, None where nothing drives it."""
        return tuple(self._row(self._com(HEIGHT - 1 - line)) for line in range(HEIGHT))

    def _row(self, com: int) -> int | None:
        counted = self.multiplex - 1 - com if self.com_scan_remapped else com
        row = (counted + self.offset) % HEIGHT
        return (row + self.start_line) % HEIGHT if row < self.multiplex else None

    def _com(self, line: int) -> int:
        """The COM output behind a line of a glass that is wired for alternate pins."""
        pin = line // 2 + 32 * (line % 2)
        if self.com_pins & 0x20:
            pin ^= 32
        return 2 * (pin % 32) + pin // 32 if self.com_pins & 0x10 else pin


def _image(pages: Sequence[bytes]) -> Image.Image:
    columns = bytearray(WIDTH * PAGES)
    for page, dots in enumerate(pages):
        columns[PAGES - 1 - page :: PAGES] = dots
    return Image.frombytes("1", (HEIGHT, WIDTH), bytes(columns)).transpose(Image.Transpose.ROTATE_90)
