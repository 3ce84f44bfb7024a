"""The layout file format as data: its keys and each one's field type.
`hardware.config.layout` calls `LAYOUT.problems(...)` on a parsed file before it builds anything from it. Problems
between two places in a file, such as a pin used twice, are found by `hardware.config.layout_conflicts`.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from hardware import chips
from hardware.boards.pi_header import SPI
from hardware.config.languages import Language
from hardware.config.problems import Problem, preview, suggest
from hardware.config.schema import Boolean, I2cAddress, Integer, OneOf, Text, TomlTable

COLORS = {
    "red": "#d5322f",
    "orange": "#f08a24",
    "yellow": "#f4d13d",
    "green": "#2f9e44",
    "turquoise": "#22b8b0",
    "blue": "#2f6fd6",
    "purple": "#8444c2",
    "pink": "#ec6aa8",
    "white": "#ffffff",
    "black": "#000000",
    "grey": "#808890",
    "brown": "#7a4b2a",
}
"""The colours with a name, and each one's #rrggbb in drawings."""
SEATS = range(2, 9)
TURN_CLOCK_S = range(10, 601)  # reading a display and thinking takes 10 s; after five minutes a seat is away
NAMES_DAYS = range(3651)  # 0 keeps names for the evening alone
NAME_CHARACTERS = 10  # letters of a name that fit a 128 pixel display beside a dice count


class SerialId(Struct, frozen=True):
    """The system's id for a USB serial device."""

    example: str = '"E6614103E7452D21"'
    remedy: str = "copy it from what `ls /dev/serial/by-id` prints"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for anything that can't be part of a name in /dev/serial/by-id."""
        if not isinstance(value, str) or not re.fullmatch(r"[\w.:+-]{1,64}", value, re.ASCII):
            yield Problem(key, preview(value), "is not the id of a serial device", self.remedy)
        elif re.fullmatch(r"E66[0-9A-F]{9,16}", value) and len(value) != 16:
            yield Problem(key, preview(value), f"has {len(value)} digits; a Pico's id has 16", self.remedy)


class Color(Struct, frozen=True):
    """A colour by name or as #rrggbb; web pages understand both."""

    example: str = '"red"'

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for anything but a known name or #rrggbb."""
        if not isinstance(value, str):
            yield Problem(key, preview(value), "is not text", 'write a name or "#rrggbb"')
        elif value not in COLORS and not re.fullmatch("#[0-9a-fA-F]{6}", value):
            remedy = f'{suggest(value, COLORS)}, or "#rrggbb"'
            yield Problem(key, preview(value), "is not a known colour", remedy)


class Seconds(Struct, frozen=True):
    """A time in whole seconds."""

    allowed: range
    example: str = "60"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a time's problems."""
        if isinstance(value, bool) or not isinstance(value, int):
            yield Problem(key, preview(value), "is not a whole number of seconds", f"write for example {self.example}")
        elif value not in self.allowed:
            remedy = f"use {self.allowed[0]} to {self.allowed[-1]}, or leave it out for as long as it takes"
            message = "is too short a time" if value < self.allowed[0] else "is too long a time"
            yield Problem(key, preview(value), message, remedy)


class DisplayField(Struct, frozen=True):
    """A display on I2C or on SPI; its keys decide which."""

    i2c: TomlTable
    spi: TomlTable

    @property
    def example(self) -> str:
        """The usual display, on I2C."""
        return self.i2c.example

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for a display on both, or its table's problems."""
        on_spi = is_on_spi(value)
        if on_spi and isinstance(value, dict) and {"bus", "address"} & value.keys():
            message = "a display is on I2C or on SPI, one of the two"
            yield Problem(key, preview(value), message, f"write {self.i2c.example} or {self.spi.example}")
        else:
            yield from (self.spi if on_spi else self.i2c).problems(key, value)


def is_on_spi(display: object) -> bool:
    """Return whether a display's table has a key exclusive to SPI."""
    return isinstance(display, dict) and bool({"spi", "select", "dc", "reset"} & display.keys())


def display_key(seat: Mapping[str, object]) -> str:
    """Return the key for a seat's display: `display`, or `panel` in an earlier release's file."""
    return "panel" if "panel" in seat and "display" not in seat else "display"


_LIKE_AN_ID = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[\w.:+-]{4,64}", re.ASCII)


class Cup(Struct, frozen=True):
    """A cup: a switch on a pin, or its own program behind a serial port."""

    table: TomlTable

    @property
    def example(self) -> str:
        """The simplest cup, with a switch."""
        return self.table.example

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for an id or a pin without its key, or the table's problems."""
        if isinstance(value, str) and _LIKE_AN_ID.fullmatch(value):
            yield Problem(key, preview(value), "is not a table", f'write {{ serial = "{value}" }}')
        elif isinstance(value, int) and not isinstance(value, bool) and not [*PIN.problems(key, value)]:
            yield Problem(key, preview(value), "is not a table", f"write {{ tilt = {value} }}")
        else:
            yield from self.table.problems(key, value)


class SharedBuses(Struct, frozen=True):
    """Lists of I2C bus numbers; each list's buses share one physical wire."""

    bus: Integer
    example: str = "[[1, 30, 31]]"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for anything but lists of two bus numbers or more, and for a bus on two wires."""
        if not isinstance(value, list) or not all(isinstance(wire, list) and len(wire) > 1 for wire in value):
            remedy = f"write the buses that share a wire, for example {self.example}"
            yield Problem(key, preview(value), "is not a list of lists of bus numbers", remedy)
            return
        seen: set[int] = set()
        for bus in (bus for wire in value for bus in wire):
            yield from self.bus.problems(key, bus)
            if isinstance(bus, int) and bus in seen:
                yield Problem(key, preview(bus), "stands there twice", "a bus is on one wire: list it once")
            seen |= {bus} if isinstance(bus, int) else set()


class Seats(Struct, frozen=True):
    """The seats, clockwise."""

    seat: TomlTable
    example: str = ""

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for too few or too many seats, and each seat's problems."""
        if not isinstance(value, list):
            remedy = "head each seat with [[seat]], in two brackets"
            yield Problem(key, preview(value), "is not a list of seats", remedy)
            return
        if len(value) not in SEATS:
            count = f"{len(value)} seat{'' if len(value) == 1 else 's'}"
            yield Problem(key, count, "is the wrong number of seats", "write 2 to 8 seats, each headed [[seat]]")
        for number, seat in enumerate(value, start=1):
            yield from self.seat.problems(seat_key(number, seat), seat)


def seat_key(number: int, seat: object) -> str:
    """Return a seat's key in messages: `seat[2, South]`, or `seat[2]` without a usable name; counted from 1."""
    name = seat.get("name") if isinstance(seat, dict) else None
    usable = isinstance(name, str) and name.strip() and name.isprintable() and len(name) <= NAME_CHARACTERS
    return f"seat[{number}, {name}]" if usable else f"seat[{number}]"


PIN = Integer(range(28), "a GPIO of the Pi (BCM number)", "17")
BUS = Integer(range(256), "a /dev/i2c-N", "1")
ROTATE = OneOf((0, 180), "a way to turn a display")
I2C_DISPLAY = TomlTable(
    f'{{ chip = "{chips.RECOMMENDED}", bus = 1, address = 0x3c }}',
    required={"chip": OneOf(chips.names("i2c"), "a known display chip"), "bus": BUS, "address": I2cAddress()},
    optional={"rotate": ROTATE},
)
SPI_DISPLAY = TomlTable(
    f'{{ chip = "{chips.RECOMMENDED}", spi = 0, select = 0, dc = 24, reset = 25 }}',
    required={
        "chip": OneOf(chips.names("spi"), "a known display chip for SPI"),
        "spi": Integer(range(len(SPI)), "an SPI bus on the Pi's header", "0"),
        "select": Integer(range(max(len(pins.selects) for pins in SPI.values())), "a chip select", "0"),
        "dc": PIN,
        "reset": PIN,
    },
    optional={"rotate": ROTATE},
)
DISPLAY = DisplayField(I2C_DISPLAY, SPI_DISPLAY)
BUTTONS = TomlTable(
    "{ left = 5, right = 6, ok = 13, dudo = 19 }",
    required={"left": PIN, "right": PIN, "ok": PIN},
    optional={"dudo": PIN},
)
BOARD_KEY = "board"
"""The `service_key` in a layout with its key switch at the service seat's board."""


class ServiceKeyInput(Struct, frozen=True):
    """The service key's input: a GPIO on the Pi, or the word `board`."""

    example: str = "17"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield an input's problems."""
        if isinstance(value, str) and value != BOARD_KEY:
            remedy = f'write the number of a GPIO, for example 17, or "{BOARD_KEY}" for the input of a seat board'
            yield Problem(key, preview(value), "is not an input for a key", remedy)
        elif not isinstance(value, str):
            yield from PIN.problems(key, value)


RADIO = Integer(range(256), "an address behind a dongle (0: a cable of its own)", "2")
CUP = Cup(TomlTable("{ tilt = 26 }", optional={"tilt": PIN, "serial": SerialId(), "address": RADIO}))
SEAT = TomlTable(
    '{ name = "North", color = "red", … }',
    required={"name": Text('"North"', NAME_CHARACTERS), "color": Color()},
    optional={
        "language": Language(),
        "buttons": BUTTONS,
        "display": DISPLAY,
        "cup": CUP,
        "board": SerialId(),
        "phone": Boolean(),
    },
    renamed={"panel": "display"},
)
LAYOUT = TomlTable(
    'name = "my-table"',
    required={"name": Text('"my-table"', 32), "seat": Seats(SEAT)},
    optional={
        "rules": Text('"perudo"', 1024),
        "language": Language(),
        "service": Text('"North"', NAME_CHARACTERS),
        "service_key": ServiceKeyInput(),
        "service_hold": Boolean(),
        "turn_clock_s": Seconds(TURN_CLOCK_S),
        "names_days": Integer(NAMES_DAYS, "a number of days for which names are kept", "365"),
        "names_public": Boolean(),
        "uart": Boolean(),
        "wires": SharedBuses(BUS),
    },
)
