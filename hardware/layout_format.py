"""The keys a layout file may have and what each may hold: the format itself, as data.

`hardware.layout` calls `LAYOUT.faults(...)` on a parsed file before it builds anything from it. What needs two places
of a file to be seen, such as a pin used twice, is in `hardware.layout_wiring`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hardware.faults import Fault, choose_from, closest, one_line, shown

CHIPS = ("ssd1306", "ssd1309", "sh1106")
LANGUAGES = ("en",)
COLORS = (
    *("red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink"),
    *("white", "black", "grey", "brown"),
)
SEATS = range(2, 9)
NAME_CHARACTERS = 10  # what a 128-dot panel shows of a name beside a dice count


class Kind(Protocol):
    """What a value may be. `example` is a value to copy, written as TOML."""

    @property
    def example(self) -> str: ...  # noqa: D102

    def faults(self, key: str, value: object) -> Iterator[Fault]: ...  # noqa: D102


@dataclass(frozen=True)
class Text:
    """Some printable characters, none at the ends that can't be seen."""

    example: str
    longest: int

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but text of 1 to `longest` characters."""
        write = f"write for example {self.example}"
        if not isinstance(value, str):
            yield Fault(key, shown(value), "is not text", write)
        elif not value.strip():
            yield Fault(key, shown(value), "is empty", write)
        elif not value.isprintable() or value != value.strip():
            yield Fault(key, shown(value), "has blanks at its ends or characters that can't be shown", write)
        elif len(value) > self.longest:
            problem = f"has {len(value)} characters, there is room for {self.longest}"
            yield Fault(key, shown(value), problem, "shorten it")


@dataclass(frozen=True)
class SerialId:
    """The id by which the system names a USB serial device."""

    example: str = '"E6614103E7452D21"'

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything that can't be part of a name in /dev/serial/by-id."""
        if not isinstance(value, str) or not re.fullmatch(r"[\w.:+-]{1,64}", value, re.ASCII):
            problem = "is not the id of a serial device"
            yield Fault(key, shown(value), problem, "copy it from what `ls /dev/serial/by-id` prints")


@dataclass(frozen=True)
class Color:
    """A colour by name or as #rrggbb; both are what a web page understands."""

    example: str = '"red"'

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but a known name or #rrggbb."""
        if not isinstance(value, str):
            yield Fault(key, shown(value), "is not text", 'write a name or "#rrggbb"')
        elif value not in COLORS and not re.fullmatch("#[0-9a-fA-F]{6}", value):
            yield Fault(key, shown(value), "is not a known colour", f'{choose_from(value, COLORS)}, or "#rrggbb"')


@dataclass(frozen=True)
class Whole:
    """A whole number in a range."""

    allowed: range
    what: str
    example: str

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but a whole number of `allowed`."""
        if isinstance(value, bool) or not isinstance(value, int):
            problem = f"is not a whole number, as {self.what} is"
            yield Fault(key, shown(value), problem, f"write for example {self.example}")
        elif value not in self.allowed:
            problem = f"is not {self.what}"
            yield Fault(key, shown(value), problem, f"use {self.allowed[0]} to {self.allowed[-1]}")


@dataclass(frozen=True)
class Address:
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


@dataclass(frozen=True)
class OneOf:
    """One of a few values."""

    choices: tuple[str | int, ...]
    what: str

    @property
    def example(self) -> str:
        """The first choice."""
        return shown(self.choices[0])

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything else; true is not 1."""
        if not any(value == choice and type(value) is type(choice) for choice in self.choices):
            remedy = choose_from(str(value)[:64] if isinstance(value, str) else "", map(str, self.choices))
            yield Fault(key, shown(value), f"is not {self.what}", remedy)


@dataclass(frozen=True)
class Switch:
    """True or false."""

    example: str = "false"

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but true or false."""
        if not isinstance(value, bool):
            yield Fault(key, shown(value), "is neither true nor false", "write true or false, without quotes")


@dataclass(frozen=True)
class Table:
    """A table with keys of its own, all known by name."""

    example: str
    needed: Mapping[str, Kind] = field(default_factory=dict)
    optional: Mapping[str, Kind] = field(default_factory=dict)

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Unknown keys, missing keys, and what is wrong with the known ones."""
        if not isinstance(value, dict):
            yield Fault(key, shown(value), "is not a table", f"write for example {self.example}")
            return
        known = {**self.needed, **self.optional}
        misspelled = {name: closest(name, known.keys() - value.keys()) for name in value.keys() - known.keys()}
        for name, entry in value.items():
            if name in known:
                yield from known[name].faults(within(key, name), entry)
            else:
                meant = misspelled[name]
                remedy = f"did you mean {meant}?" if meant else f"take it out; there is {', '.join(known)}"
                yield Fault(within(key, name), shown(entry), "is an unknown key", remedy)
        for name in self.needed.keys() - value.keys() - set(misspelled.values()):
            yield Fault(within(key, name), "", "is missing", f"add {name} = {self.needed[name].example}")


@dataclass(frozen=True)
class Wires:
    """Lists of I2C bus numbers: each list is one physical wire."""

    bus: Whole
    example: str = "[[10, 11]]"

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but lists of two bus numbers or more, and a bus that is on two wires."""
        if not isinstance(value, list) or not all(isinstance(wire, list) and len(wire) > 1 for wire in value):
            problem = "is not a list of lists of bus numbers"
            yield Fault(key, shown(value), problem, f"write the buses that share a wire, for example {self.example}")
            return
        seen: set[int] = set()
        for bus in (bus for wire in value for bus in wire):
            yield from self.bus.faults(key, bus)
            if isinstance(bus, int) and bus in seen:
                yield Fault(key, shown(bus), "stands there twice", "a bus is on one wire: list it once")
            seen |= {bus} if isinstance(bus, int) else set()


@dataclass(frozen=True)
class Seats:
    """The seats, clockwise."""

    seat: Table
    example: str = '{ name = "North", … } under a line [[seat]], for each of 2 to 8 seats'

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Too few or too many of them, and whatever is wrong with each."""
        if not isinstance(value, list):
            yield Fault(key, shown(value), "is not a list of seats", "head each seat with [[seat]], in two brackets")
            return
        if len(value) not in SEATS:
            count = f"{len(value)} seat{'' if len(value) == 1 else 's'}"
            yield Fault(key, count, "is no table to play at", "lay 2 to 8 seats, each headed [[seat]]")
        for number, seat in enumerate(value, start=1):
            yield from self.seat.faults(seat_key(number, seat), seat)


def seat_key(number: int, seat: object) -> str:
    """How a fault names a seat: `seat[2, South]`, counted from 1 as the owner counts; without a usable name `seat[2]`."""
    name = seat.get("name") if isinstance(seat, dict) else None
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= NAME_CHARACTERS:
        return f"seat[{number}]"
    return f"seat[{number}, {name}]"


def within(key: str, name: str) -> str:
    """The key of `name` inside the table at `key`."""
    name = one_line(name)[:64] or '""'
    return f"{key}.{name}" if key else name


PIN = Whole(range(28), "a GPIO of the Pi's header (BCM number)", "17")
BUS = Whole(range(256), "the number of an I2C bus, N in /dev/i2c-N", "1")
PANEL = Table(
    '{ chip = "ssd1309", bus = 1, address = 0x3c }',
    needed={"chip": OneOf(CHIPS, "a known panel chip"), "bus": BUS, "address": Address()},
    optional={"rotate": OneOf((0, 180), "a way to turn a panel")},
)
BUTTONS = Table(
    "{ left = 5, right = 6, ok = 13, dudo = 19 }",
    needed={"left": PIN, "right": PIN, "ok": PIN},
    optional={"dudo": PIN},
)
CUP = Table("{ tilt = 26 }", optional={"tilt": PIN, "serial": SerialId()})
SEAT = Table(
    '{ name = "North", color = "red", … }',
    needed={"name": Text('"North"', NAME_CHARACTERS), "color": Color()},
    optional={"buttons": BUTTONS, "panel": PANEL, "cup": CUP, "board": SerialId()},
)
LAYOUT = Table(
    'name = "my-table"',
    needed={"name": Text('"my-table"', 32), "seat": Seats(SEAT)},
    optional={
        "rules": Text('"perudo"', 1024),
        "language": OneOf(LANGUAGES, "a language this version speaks"),
        "uart": Switch(),
        "wires": Wires(BUS),
    },
)
