"""Controllers for 128×64 OLEDs, modelled down to their memory.
The emulated I2C and SPI buses pass them the writes to their address; tests and the emulated table look at `picture()`,
the memory as the registers map it to the panel. Commands and addressing follow Solomon Systech's SSD1306 (rev. 1.1) and
SSD1309 data sheets and Sino Wealth's SH1106 (v2.3); rows and lines follow tables 10-1 to 10-3 in the first. `unknown`
keeps undocumented commands and invalid values.

The panel is wired as on the usual 128×64 modules. These show a picture upright when the controller is set to remapped
segments (0xA1), a COM scan from the last to the first (0xC8) and alternate COM pins (0xDA 0x12).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PIL import Image

from hardware.chips import CHIPS

WIDTH, HEIGHT, PAGES = 128, 64, 8
UPRIGHT = tuple(range(HEIGHT))
LINE_BYTES = WIDTH // 8
DARK_LINE = bytes(LINE_BYTES)


@dataclass(slots=True)
class DisplayRegisters:
    """The display registers common to all controllers, with their values at power-on."""

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
        `pages` are the eight memory pages, a byte a column with bit 0 on top; `first_column` is the first of the 128
        columns wired to the panel.
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
        packed = memory.tobytes()
        lines = (DARK_LINE if row is None else packed[row * LINE_BYTES : (row + 1) * LINE_BYTES] for row in rows)
        return Image.frombytes("1", (WIDTH, HEIGHT), b"".join(lines))

    def _rows(self) -> tuple[int | None, ...]:
        """Return the memory row for each panel line from the top, None for an undriven one."""
        return tuple(self._row(self._com(HEIGHT - 1 - line)) for line in range(HEIGHT))

    def _row(self, com: int) -> int | None:
        counted = self.multiplex - 1 - com if self.com_scan_remapped else com
        row = (counted + self.offset) % HEIGHT
        return (row + self.start_line) % HEIGHT if row < self.multiplex else None

    def _com(self, line: int) -> int:
        """Return a line's COM output, for a panel wired for alternate pins."""
        pin = line // 2 + 32 * (line % 2)
        if self.com_pins & 0x20:
            pin ^= 32
        return 2 * (pin % 32) + pin // 32 if self.com_pins & 0x10 else pin


def _image(pages: Sequence[bytes]) -> Image.Image:
    columns = bytearray(WIDTH * PAGES)
    for page, dots in enumerate(pages):
        columns[PAGES - 1 - page :: PAGES] = dots
    return Image.frombytes("1", (HEIGHT, WIDTH), bytes(columns)).transpose(Image.Transpose.ROTATE_90)


class Controller:
    """The controllers' base class. It powers up off, with random memory bytes from `seed`.
    `reset` acts as a low RES line. `written`, if set, is called after every write, on the writing thread.
    """

    COLUMNS: ClassVar[int] = WIDTH
    FIRST_COLUMN: ClassVar[int] = 0
    ARGUMENTS: ClassVar[Mapping[int, int]] = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}

    def __init__(self, seed: int = 0) -> None:
        noise = random.Random(seed)
        self.pages = [bytearray(noise.randbytes(self.COLUMNS)) for _ in range(PAGES)]
        self.unknown: list[bytes] = []
        self.written: Callable[[], None] | None = None
        self.reset()

    def reset(self) -> None:
        """Set every register as at power-on; the memory keeps its bytes."""
        self.registers = DisplayRegisters()
        self.page = 0
        self.column = 0
        self._begun = b""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'on' if self.on else 'off'}, contrast {self.contrast}>"

    @property
    def on(self) -> bool:
        """Whether the panel is lit."""
        return self.registers.on

    @property
    def contrast(self) -> int:
        """The brightness register, 0 to 255."""
        return self.registers.contrast

    @property
    def status(self) -> int:
        """The status byte: bit 6 is set while the display is off."""
        return 0x00 if self.registers.on else 0x40

    def picture(self) -> Image.Image:
        """Return the visible picture, 128×64, mode "1"; all black when the panel is off."""
        if not self.on:
            return Image.new("1", (WIDTH, HEIGHT))
        return self.registers.picture(self.pages, self.FIRST_COLUMN)

    def write(self, data: bytes) -> None:
        """Process an I2C write's bytes after the address: control bytes (Co and D/C bits), commands and data.
        A command's arguments may come in later writes.
        """
        at = 0
        while at < len(data):
            control = data[at]
            if control & 0x3F:
                self.unknown.append(bytes([control]))
                break
            end = at + 2 if control & 0x80 else len(data)
            self._take(data[at + 1 : end], is_memory=bool(control & 0x40))
            at = end
        if self.written is not None:
            self.written()

    def _take(self, data: bytes, *, is_memory: bool) -> None:
        if is_memory and self._begun and data:
            self.unknown.append(self._begun)
            self._begun = b""
        if is_memory:
            self._store_run(data)
            return
        for byte in data:
            self._command_byte(byte)

    def _store_run(self, data: bytes) -> None:
        """Store bytes; the run before the pointer's next wrap, usually most of them, is copied at once."""
        while data:
            straight = min(self._columns_ahead(), len(data) - 1)
            self.pages[self.page][self.column : self.column + straight] = data[:straight]
            self.column += straight
            self._store(data[straight])
            data = data[straight + 1 :]

    def _command_byte(self, byte: int) -> None:
        command = self._begun + bytes([byte])
        complete = len(command) > self.ARGUMENTS.get(command[0], 0)
        self._begun = b"" if complete else command
        if complete and not self._execute(*command):
            self.unknown.append(command)

    def _columns_ahead(self) -> int:
        """Return the number of bytes that move the pointer by one column each, without a wrap."""
        raise NotImplementedError

    def _store(self, byte: int) -> None:
        raise NotImplementedError

    def _execute(self, code: int, *arguments: int) -> bool:
        """Execute a command with all its arguments; return False for an unknown one."""
        registers = self.registers
        match code, *arguments:
            case [start] if 0x40 <= start <= 0x7F:
                registers.start_line = start & 0x3F
            case [0x81, level]:
                registers.contrast = level
            case [0xA0 | 0xA1]:
                registers.segments_remapped = code == 0xA1
            case [0xA4 | 0xA5]:
                registers.all_on = code == 0xA5
            case [0xA6 | 0xA7]:
                registers.inverted = code == 0xA7
            case [0xA8, last] if 15 <= last <= 63:
                registers.multiplex = last + 1
            case [0xAE | 0xAF]:
                registers.on = code == 0xAF
            case [0xC0 | 0xC8]:
                registers.com_scan_remapped = code == 0xC8
            case [0xD3, offset] if offset <= 63:
                registers.offset = offset
            case [0xDA, pins] if pins & ~0x30 == 0x02:
                registers.com_pins = pins
            case [0xD5 | 0xD9 | 0xDB, _] | [0xE3]:
                pass  # oscillator, pre-charge, VCOMH and NOP do not affect the picture
            case _:
                return False
        return True

    def _point(self, code: int) -> bool:
        """Set the column a nibble at a time (0x00-0x1F) or the page (0xB0-0xB7), as in page addressing."""
        if code <= 0x0F:
            self.column = self.column & 0xF0 | code
        elif code <= 0x1F:
            self.column = (code & 0x0F) << 4 | self.column & 0x0F
        elif 0xB0 <= code <= 0xB7:
            self.page = code & 0x07
        else:
            return False
        return True


class SSD1306(Controller):
    """The usual controller of 0.96 inch panels: 128 columns, three addressing modes, a charge pump for the panel."""

    ADDRESSING: ClassVar = {0x20: 1, 0x21: 2, 0x22: 2}
    SCROLLING: ClassVar = {0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0xA3: 2}  # not modelled, but parsed
    ARGUMENTS: ClassVar = {**Controller.ARGUMENTS, **ADDRESSING, **SCROLLING, 0x8D: 1}
    HORIZONTAL, VERTICAL, PAGE = 0, 1, 2
    NEEDS_PUMP = True

    def reset(self) -> None:
        """Set every register as at power-on."""
        super().reset()
        self._mode = self.PAGE
        self._columns = (0, self.COLUMNS - 1)
        self._window_pages = (0, PAGES - 1)
        self._pumped = not self.NEEDS_PUMP

    @property
    def on(self) -> bool:
        """Whether the panel is lit: switched on and supplied by the charge pump."""
        return self.registers.on and self._pumped

    def _columns_ahead(self) -> int:
        if self._mode == self.VERTICAL:
            return 0
        is_in_window = self._mode == self.HORIZONTAL and self.column <= self._columns[1]
        last = self._columns[1] if is_in_window else self.COLUMNS - 1
        return max(0, last - self.column)

    def _store(self, byte: int) -> None:
        if self.column < self.COLUMNS:
            self.pages[self.page][self.column] = byte
        next_column = (self.column + 1) % self.COLUMNS
        (first_column, last_column), (first_page, last_page) = self._columns, self._window_pages
        match self._mode:
            case self.PAGE:
                self.column = next_column
            case self.HORIZONTAL:
                self.column = first_column if self.column == last_column else next_column
                if self.column == first_column:
                    self.page = first_page if self.page == last_page else (self.page + 1) % PAGES
            case self.VERTICAL:
                self.page = first_page if self.page == last_page else (self.page + 1) % PAGES
                if self.page == first_page:
                    self.column = first_column if self.column == last_column else next_column

    def _execute(self, code: int, *arguments: int) -> bool:
        match code, *arguments:
            case [0x20, mode] if mode <= self.PAGE:
                self._mode = mode
            case [0x21, first, last] if first <= last < self.COLUMNS:
                self._columns = (first, last)
                self.column = first
            case [0x22, first, last] if first <= last < PAGES:
                self._window_pages = (first, last)
                self.page = first
            case [0x2E]:
                pass  # stop scrolling, which is not modelled
            case [0x8D, pump] if pump & ~0x04 == 0x10:
                self._pumped = bool(pump & 0x04) or not self.NEEDS_PUMP
            case [start] if start <= 0x10 | self.COLUMNS - 1 >> 4 or 0xB0 <= start <= 0xB7:
                return self._mode == self.PAGE and self._point(start)
            case _:
                return super()._execute(code, *arguments)
        return True


class SSD1309(SSD1306):
    """The 2.42 inch panels' controller: an SSD1306 with its own supply, so it ignores 0x8D."""

    ARGUMENTS: ClassVar = {**SSD1306.ARGUMENTS, 0xFD: 1}
    NEEDS_PUMP = False
    UNLOCKED, LOCKED = 0x12, 0x16

    def reset(self) -> None:
        """Set every register as at power-on."""
        super().reset()
        self._lock = self.UNLOCKED

    def _execute(self, code: int, *arguments: int) -> bool:
        match code, *arguments:
            case [0xFD, self.UNLOCKED | self.LOCKED as lock]:
                self._lock = lock
                return True
        return self._lock == self.LOCKED or super()._execute(code, *arguments)


class SH1106(Controller):
    """The usual controller of 1.3 inch panels: 132 columns, the middle 128 visible, page addressing only."""

    COLUMNS = 132
    FIRST_COLUMN = 2
    ARGUMENTS: ClassVar = {**Controller.ARGUMENTS, 0xAD: 1}
    IGNORED = frozenset({0x20, 0x8D})
    """Commands of the SSD1306 that this chip ignores; it executes their arguments as commands."""

    def reset(self) -> None:
        """Set every register as at power-on."""
        super().reset()
        self._supplied = True

    @property
    def on(self) -> bool:
        """Whether the panel is lit: switched on and supplied by the DC-DC converter."""
        return self.registers.on and self._supplied

    def _columns_ahead(self) -> int:
        return max(0, self.COLUMNS - 1 - self.column)

    def _store(self, byte: int) -> None:
        if self.column < self.COLUMNS:  # counting stops behind the last column
            self.pages[self.page][self.column] = byte
            self.column += 1

    def _execute(self, code: int, *arguments: int) -> bool:
        match code, *arguments:
            case [0xAD, 0x8A | 0x8B as converter]:
                self._supplied = converter == 0x8B
                return True
            case [pump] if 0x30 <= pump <= 0x33:
                return True
        return code in self.IGNORED or self._point(code) or super()._execute(code, *arguments)


_MODELS: Mapping[str, type[Controller]] = {"ssd1306": SSD1306, "ssd1309": SSD1309, "sh1106": SH1106}

CONTROLLERS: Mapping[str, type[Controller]] = {
    name: _MODELS.get(name) or _MODELS[chip.luma] for name, chip in CHIPS.items()
}
"""A model for each name in `hardware.chips.CHIPS`: its own, or a controller's with the same commands."""


class PanelBus:
    """The emulated buses' base class: panels by their address or chip select, and counters.
    `elapse` lets a transfer take its time: `VirtualLoop.elapse` under virtual time, `time.sleep` in real time, None
    when time does not matter. `transfers`, `bytes_sent` and `busy_s` count the traffic on the wire, address bytes
    included. `listen`, if set, is called with address or chip select and payload for each acknowledged write.
    """

    def __init__(self, number: int, *, elapse: Callable[[float], None] | None, clock_hz: int) -> None:
        self.number = number
        self.clock_hz = clock_hz
        self.transfers = 0
        self.bytes_sent = 0
        self.busy_s = 0.0
        self.listen: Callable[[int, bytes], None] | None = None
        self._elapse = elapse
        self._panels: dict[int, Controller] = {}

    def panel(self, place: int) -> Controller | None:
        """Return the panel at an address or chip select, None without one."""
        return self._panels.get(place)

    def plug(self, place: int, panel: Controller) -> None:
        """Connect a panel."""
        self._panels[place] = panel

    def unplug(self, place: int) -> None:
        """Pull a panel's cable; it loses its registers and its memory."""
        self._panels.pop(place, None)
