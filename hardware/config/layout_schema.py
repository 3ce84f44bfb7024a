"""The keys a layout file may have and what each may hold: the format itself, as data.

`hardware.config.layout` calls `LAYOUT.faults(...)` on a parsed file before it builds anything from it. What needs two
places of a file to be seen, such as a pin used twice, is in `hardware.config.layout_conflicts`.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from hardware.boards.pi_header import SPI
from hardware.config.languages import Language
from hardware.config.problems import Fault, choose_from, shown
from hardware.config.schema import OneOf, Switch, Table, Text, Whole

CHIPS = ("ssd1306", "ssd1309", "sh1106")
COLORS = (
    *("red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink"),
    *("white", "black", "grey", "brown"),
)
SEATS = range(2, 9)
TURN_CLOCK_S = range(10, 601)  # nobody reads a glass and thinks in less; after five minutes a seat is away
NAME_CHARACTERS = 10  # what a 128-dot panel shows of a name beside a dice count


class SerialId(Struct, frozen=True):
    """The id by which the system names a USB serial device."""

    example: str = '"E6614103E7452D21"'

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything that can't be part of a name in /dev/serial/by-id."""
        if not isinstance(value, str) or not re.fullmatch(r"[\w.:+-]{1,64}", value, re.ASCII):
            problem = "is not the id of a serial device"
            yield Fault(key, shown(value), problem, "copy it from what `ls /dev/serial/by-id` prints")


class Color(Struct, frozen=True):
    """A colour by name or as #rrggbb; both are what a web page understands."""

    example: str = '"red"'

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but a known name or #rrggbb."""
        if not isinstance(value, str):
            yield Fault(key, shown(value), "is not text", 'write a name or "#rrggbb"')
        elif value not in COLORS and not re.fullmatch("#[0-9a-fA-F]{6}", value):
            remedy = f'{choose_from(value, COLORS)}, or "#rrggbb"'
            yield Fault(key, shown(value), "is not a known colour", remedy)


class Seconds(Struct, frozen=True):
    """A time in whole seconds, or none where the key is left out."""

    allowed: range
    example: str = "60"

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but a whole number of seconds that is neither too short nor too long."""
        if isinstance(value, bool) or not isinstance(value, int):
            yield Fault(key, shown(value), "is not a whole number of seconds", f"write for example {self.example}")
        elif value not in self.allowed:
            remedy = f"use {self.allowed[0]} to {self.allowed[-1]}, or leave it out for as long as it takes"
            problem = "is too short a time" if value < self.allowed[0] else "is too long a time"
            yield Fault(key, shown(value), problem, remedy)


class Address(Struct, frozen=True):
    """A 7-bit I2C address; 0x00-0x07 and 0x78-0x7f are the bus's own."""

    example: str = "0x3c"

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but 0x08 to 0x77."""
        if isinstance(value, bool) or not isinstance(value, int):
            yield Fault(key, shown(value), "is not an I2C address", "write for example 0x3c, without quotes")
        elif value in (0x78, 0x7A):
            problem = "is the 8-bit form that is printed on some panels"
            yield Fault(key, f"{value:#04x}", problem, f"write its 7-bit form, {value >> 1:#04x}")
        elif value not in range(0x08, 0x78):
            number = f"{value:#04x}" if 0 <= value < 0x1000 else shown(value)
            yield Fault(key, number, "is not an I2C address (0x08 to 0x77)", "panels answer at 0x3c or 0x3d")


class Panels(Struct, frozen=True):
    """A panel, on I2C or on SPI; which of the two, its keys tell."""

    i2c: Table
    spi: Table

    @property
    def example(self) -> str:
        """The usual one, on I2C."""
        return self.i2c.example

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """A panel on both, and whatever is wrong with the one it is on."""
        on_spi = hangs_on_spi(value)
        if on_spi and isinstance(value, dict) and {"bus", "address"} & value.keys():
            problem = "a panel hangs on I2C or on SPI, one of the two"
            yield Fault(key, shown(value), problem, f"write {self.i2c.example} or {self.spi.example}")
        else:
            yield from (self.spi if on_spi else self.i2c).faults(key, value)


def hangs_on_spi(panel: object) -> bool:
    """Whether a panel's table has a key that only panels on SPI have."""
    return isinstance(panel, dict) and bool({"spi", "select", "dc", "reset"} & panel.keys())


_LIKE_AN_ID = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[\w.:+-]{4,64}", re.ASCII)


class Cup(Struct, frozen=True):
    """A cup: a switch on a pin, or a program of its own behind a serial port."""

    table: Table

    @property
    def example(self) -> str:
        """The simplest one, a switch."""
        return self.table.example

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """An id that stands there without its key, and whatever else is wrong."""
        if isinstance(value, str) and _LIKE_AN_ID.fullmatch(value):
            yield Fault(key, shown(value), "is not a table", f'write {{ serial = "{value}" }}')
        elif isinstance(value, int) and not isinstance(value, bool) and not [*PIN.faults(key, value)]:
            yield Fault(key, shown(value), "is not a table", f"write {{ tilt = {value} }}")
        else:
            yield from self.table.faults(key, value)


class Wires(Struct, frozen=True):
    """Lists of I2C bus numbers: each list is one physical wire."""

    bus: Whole
    example: str = "[[10, 11]]"

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but lists of two bus numbers or more, and a bus that is on two wires."""
        if not isinstance(value, list) or not all(isinstance(wire, list) and len(wire) > 1 for wire in value):
            remedy = f"write the buses that share a wire, for example {self.example}"
            yield Fault(key, shown(value), "is not a list of lists of bus numbers", remedy)
            return
        seen: set[int] = set()
        for bus in (bus for wire in value for bus in wire):
            yield from self.bus.faults(key, bus)
            if isinstance(bus, int) and bus in seen:
                yield Fault(key, shown(bus), "stands there twice", "a bus is on one wire: list it once")
            seen |= {bus} if isinstance(bus, int) else set()


class Seats(Struct, frozen=True):
    """The seats, clockwise."""

    seat: Table
    example: str = ""

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Too few or too many of them, and whatever is wrong with each."""
        if not isinstance(value, list):
            remedy = "head each seat with [[seat]], in two brackets"
            yield Fault(key, shown(value), "is not a list of seats", remedy)
            return
        if len(value) not in SEATS:
            count = f"{len(value)} seat{'' if len(value) == 1 else 's'}"
            yield Fault(key, count, "is no table to play at", "lay 2 to 8 seats, each headed [[seat]]")
        for number, seat in enumerate(value, start=1):
            yield from self.seat.faults(seat_key(number, seat), seat)


def seat_key(number: int, seat: object) -> str:
    """How a fault names a seat: `seat[2, South]`, or `seat[2]` without a usable name. Owners count from 1."""
    name = seat.get("name") if isinstance(seat, dict) else None
    usable = isinstance(name, str) and name.strip() and name.isprintable() and len(name) <= NAME_CHARACTERS
    return f"seat[{number}, {name}]" if usable else f"seat[{number}]"


PIN = Whole(range(28), "GPIO of the Pi (BCM number)", "17")
BUS = Whole(range(256), "/dev/i2c-N", "1")
CHIP = OneOf(CHIPS, "a known panel chip")
ROTATE = OneOf((0, 180), "a way to turn a panel")
I2C_PANEL = Table(
    '{ chip = "ssd1309", bus = 1, address = 0x3c }',
    needed={"chip": CHIP, "bus": BUS, "address": Address()},
    optional={"rotate": ROTATE},
)
SPI_PANEL = Table(
    '{ chip = "ssd1309", spi = 0, select = 0, dc = 24, reset = 25 }',
    needed={
        "chip": CHIP,
        "spi": Whole(range(len(SPI)), "SPI bus on the Pi's header", "0"),
        "select": Whole(range(max(len(pins.selects) for pins in SPI.values())), "chip select", "0"),
        "dc": PIN,
        "reset": PIN,
    },
    optional={"rotate": ROTATE},
)
PANEL = Panels(I2C_PANEL, SPI_PANEL)
BUTTONS = Table(
    "{ left = 5, right = 6, ok = 13, dudo = 19 }",
    needed={"left": PIN, "right": PIN, "ok": PIN},
    optional={"dudo": PIN},
)
RADIO = Whole(range(256), "address behind a dongle (0: a cable of its own)", "2")
CUP = Cup(Table("{ tilt = 26 }", optional={"tilt": PIN, "serial": SerialId(), "address": RADIO}))
SEAT = Table(
    '{ name = "North", color = "red", … }',
    needed={"name": Text('"North"', NAME_CHARACTERS), "color": Color()},
    optional={"language": Language(), "buttons": BUTTONS, "panel": PANEL, "cup": CUP, "board": SerialId()},
)
LAYOUT = Table(
    'name = "my-table"',
    needed={"name": Text('"my-table"', 32), "seat": Seats(SEAT)},
    optional={
        "rules": Text('"perudo"', 1024),
        "language": Language(),
        "service": Text('"North"', NAME_CHARACTERS),
        "turn_clock_s": Seconds(TURN_CLOCK_S),
        "uart": Switch(),
        "wires": Wires(BUS),
    },
)
