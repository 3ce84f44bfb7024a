"""The supported display controllers, one value each.
Layouts, display drivers, the firmware, the emulated table, drawings, templates and the doctor read them.
CONTRIBUTING.md tells how to add one. A board has this file too: it is written in the common subset of MicroPython and
CPython.
"""


class Module:
    """A display's usual module: its diagonal in inches, and in millimetres its lit area, board and hood.
    `lit` and `board` are width and height. The hood's three walls: their distance from the lit area, their depth, and
    how far they reach beyond it towards the player.
    """

    def __init__(
        self,
        inches: float,
        lit: "tuple[float, float]",
        board: "tuple[float, float]",
        hood: "tuple[float, float, float]",
    ) -> None:
        self.inches = inches
        self.lit = lit
        self.board = board
        self.hood_gap, self.hood_depth, self.hood_beyond = hood


class Chip:
    """A controller for 128×64 pixels on its usual module.
    A seat board sends the commands in `set_up` for page addressing: clock, rows, start line, pixel supply, column and
    row direction, COM pins, precharge, VCOM level, picture from memory. `bright` is its contrast there. A wired display
    gets both from luma.oled's class `luma`. `first_column` is the memory column at the display's left edge. `max_ma` is
    the current at 3.3 V with every pixel at full contrast, rounded up to 10 mA; hardware/README.md (Power) has its
    source. `buses` are the buses it can be wired to.
    """

    def __init__(
        self,
        name: str,
        module: Module,
        set_up: bytes,
        max_ma: int,
        luma: str,
        first_column: int = 0,
        bright: int = 0x8F,
        buses: "tuple[str, ...]" = ("i2c", "spi"),
    ) -> None:
        self.name = name
        self.module = module
        self.set_up = set_up
        self.max_ma = max_ma
        self.luma = luma
        self.first_column = first_column
        self.bright = bright
        self.buses = buses

    def __repr__(self) -> str:
        return f"<Chip {self.name}>"


# Lit areas: data sheets of the bare panels, Univision UG-2864ASWPG01 (55.01 x 27.49), UG-2864KSWLG01 (29.42 x 14.70)
# and UG-2864HSWEG01 (21.74 x 10.86). Boards: the largest of the common modules, about 72 x 44, 36 x 34 and 28 x 28.
# Hoods: "A hood against side-glances" in hardware/README.md.
LARGE = Module(2.42, (55.0, 27.5), (72.0, 44.0), (14, 72, 18))
MEDIUM = Module(1.3, (29.4, 14.7), (36.0, 34.0), (7, 39, 10))
SMALL = Module(0.96, (21.7, 10.9), (28.0, 28.0), (6, 29, 8))

# The set-ups follow the application notes of the data sheets for 128x64.
_ALL = (
    Chip(
        "ssd1306",
        SMALL,
        b"\xd5\x80\xa8\x3f\x40\x8d\x14\x20\x02\xa1\xc8\xda\x12\xd9\xf1\xdb\x40\xa4",
        max_ma=30,
        luma="ssd1306",
    ),
    Chip(  # an SSD1306 with more current and other VCOM levels: data sheet rev. 1.1, sections 6.8 and 10, table 1-1
        "ssd1315",
        SMALL,
        b"\xd5\x80\xa8\x3f\x40\x8d\x14\x20\x02\xa1\xc8\xda\x12\xd9\xf1\xdb\x30\xa4",
        max_ma=40,
        luma="ssd1306",
    ),
    Chip(
        "ssd1309",
        LARGE,
        b"\xd5\x80\xa8\x3f\x40\x20\x02\xa1\xc8\xda\x12\xd9\xf1\xdb\x34\xa4",
        max_ma=190,
        luma="ssd1309",
    ),
    Chip(
        "sh1106",
        MEDIUM,
        b"\xd5\x80\xa8\x3f\x40\xad\x8b\x33\xa1\xc8\xda\x12\xd9\x1f\xdb\x40\xa4",
        max_ma=90,
        luma="sh1106",
        first_column=2,  # 132 columns behind 128 of display
    ),
)

CHIPS = {chip.name: chip for chip in _ALL}
"""Controllers by their names in layouts and a Pico's wiring."""

RECOMMENDED = "ssd1309"
"""The controller named in examples and the shipped wiring."""


def names(bus: "str | None" = None) -> "tuple[str, ...]":
    """Return the names of all controllers, or just the ones for a bus, "i2c" or "spi"."""
    return tuple([chip.name for chip in _ALL if bus is None or bus in chip.buses])
