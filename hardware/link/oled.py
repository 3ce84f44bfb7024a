"""The I2C commands and writes common to the OLED controllers in `hardware.chips`.
`hardware.firmware.oled_panel` sends them to a board's display, `drivers.display.oled` to a wired one. `DisplayMode` and
`Window` are also parts of a `Picture` on the link. Written in the common subset of MicroPython and CPython.
"""

COMMANDS, MEMORY = b"\x00", b"\x40"  # control bytes of a write, see the SSD1306 data sheet, 8.1.5.2

DARK, DIM, BRIGHT = 0, 1, 2  # dark is switched off, dim less contrast
DIM_CONTRAST = 0x08  # of 255; bright is another for each chip
ROWS = 4  # the picture is 0 to 3 rows lower on the display than in the memory

OFF, ON = b"\xae", b"\xaf"
BLANK = OFF + OFF + OFF  # three, because an interrupted command may take up to two as its arguments
CONTRAST, NORMAL, OFFSET = 0x81, 0xA6, 0xD3
_LINES = 64


class DisplayMode:
    """A panel's display mode. A panel mounted upside down has negative rows."""

    def __init__(self, inverted: bool = False, brightness: int = BRIGHT, row: int = 0) -> None:
        self.inverted = inverted
        self.brightness = brightness
        self.row = row

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.inverted, self.brightness, self.row))

    def __repr__(self) -> str:
        return f"DisplayMode({self.inverted}, {self.brightness}, {self.row})"

    @property
    def byte(self) -> int:
        """Bit 0 inverted, bits 1 and 2 the brightness, bits 3 and 4 the rows."""
        return int(self.inverted) | self.brightness << 1 | self.row % ROWS << 3

    @staticmethod
    def read(byte: int) -> "DisplayMode | None":
        """Return the mode that a byte encodes, None for an invalid byte."""
        brightness = byte >> 1 & 3
        return DisplayMode(bool(byte & 1), brightness, byte >> 3) if brightness <= BRIGHT and byte >> 3 < ROWS else None

    def commands(self, bright: int) -> bytes:
        """Return the commands that set all of it except on and off; `bright` is the chip's full contrast."""
        contrast = DIM_CONTRAST if self.brightness == DIM else bright
        return bytes([NORMAL | int(self.inverted), OFFSET, -self.row % _LINES, CONTRAST, contrast])

    def switch(self) -> bytes:
        """Return the command that switches the display on, or off when it is dark."""
        return OFF if self.brightness == DARK else ON

    def change(self, before: "DisplayMode", bright: int) -> "tuple[bytes, bytes]":
        """Return the commands to send before and after the new picture, as few as possible.
        A display is switched off before a picture and on after it, so that it never shows dice too long.
        """
        every, last = self.commands(bright), b""
        first = every[:1] if self.inverted != before.inverted else b""
        if self.row != before.row:
            first += every[1:3]
        if self.brightness != before.brightness:
            first += OFF if self.brightness == DARK else every[3:]
            last = ON if before.brightness == DARK else b""
        return first, last


class Window:
    """A run of columns on one panel page, with their new bytes."""

    def __init__(self, page: int, column: int, columns: bytes) -> None:
        self.page = page
        self.column = column
        self.columns = columns

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.page, self.column, self.columns))

    def __repr__(self) -> str:  # a log may not have the bytes, which may be dice
        return f"Window({self.page}, {self.column}, <{len(self.columns)} bytes>)"


def i2c_payloads(first: bytes, windows: "list[Window]", last: bytes, first_column: int) -> "list[bytes]":
    """Return the payloads for the commands `first`, the windows, and the commands `last`, in page addressing.
    `first_column` is the memory column at the display's left edge.
    """
    said = []
    commands, page = first, -1
    for window in windows:
        if window.page != page:
            page = window.page
            commands += bytes([0xB0 | page])
        column = window.column + first_column
        said.append(COMMANDS + commands + bytes([column & 0x0F, 0x10 | column >> 4]))
        said.append(MEMORY + window.columns)
        commands = b""
    if commands + last:
        said.append(COMMANDS + commands + last)
    return said
