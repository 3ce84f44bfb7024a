"""A table's layout: its seats and their devices, read from a TOML file and checked before a device is opened.
The daemon and the emulated table are built from a `Layout`. `hardware.config.layout_schema` describes a file's keys;
`hardware/config/layouts/` has files to copy.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from hardware.boards import pi_header
from hardware.config import toml_file
from hardware.config.layout_conflicts import layout_conflicts
from hardware.config.layout_schema import LAYOUT, SEATS, display_key
from hardware.config.problems import FileError, Problem, suggest

_SHIPPED = Path(__file__).with_name("layouts")
_BUTTONS = ("left", "right", "ok", "dudo")
PHONE = "phone/"
"""Beginning of a phone's id, before its seat's number from 1: no USB device's id has a slash."""


class LayoutError(FileError):
    """An unusable layout."""


class TiltSwitch(msgspec.Struct, frozen=True):
    """A cup with a tilt or vibration switch between a GPIO (BCM number) and ground."""

    pin: int


class SerialDevice(msgspec.Struct, frozen=True):
    """A cup or a seat board on USB; `id` is the unique part of its name in /dev/serial/by-id.
    With an `address` from 1 to 255 it is a cup behind a radio dongle, and `id` is the dongle's.
    """

    id: str
    address: int = 0


class I2cDisplay(msgspec.Struct, frozen=True):
    """A seat's 128×64 display at a 7-bit address of /dev/i2c-`bus`; `rotate` is 0 or 180 degrees."""

    chip: str
    bus: int
    address: int
    rotate: int = 0


class SpiDisplay(msgspec.Struct, frozen=True):
    """A seat's 128×64 display at a chip select of SPI bus `spi`, with GPIOs (BCM numbers) for its D/C and RES."""

    chip: str
    spi: int
    select: int
    dc: int
    reset: int
    rotate: int = 0


class LayoutSeat(msgspec.Struct, frozen=True):
    """One seat: a board or a phone that has everything, or buttons, display and cup on wires.

    `buttons` maps left, right, ok and, where there is one, dudo to GPIOs (BCM numbers). `language` is None for a seat
    in its table's language. `phone` is the id of a guest's phone there, such as `phone/3` at the third seat.
    """

    name: str
    color: str
    buttons: Mapping[str, int] | None = None
    display: I2cDisplay | SpiDisplay | None = None
    cup: TiltSwitch | SerialDevice | None = None
    board: SerialDevice | None = None
    language: str | None = None
    phone: str | None = None


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A whole table, seats clockwise. `wires` lists I2C buses on one physical wire: the Pi's own and a mux's channels.
    `service` is the name of the seat that shows messages for the owner, empty for the first. `service_key` is the
    GPIO (BCM number) of a key switch that opens the staff menu there, or BOARD_KEY for one at that seat's board; with
    `service_hold` holding its ◀ and ▶ does so too. `turn_clock_s` is the time for one action in seconds, None for no
    limit. With `names_days` players are asked for their names, which are kept for so many days with the matches, 0 for
    the evening alone; with `names_public` the public state has them as well.
    """

    name: str
    seats: tuple[LayoutSeat, ...]
    rules: str = "perudo"
    language: str = "en"
    service: str = ""
    service_key: int | str | None = None
    service_hold: bool = False
    turn_clock_s: int | None = None
    names_days: int | None = None
    names_public: bool = False
    uart: bool = False
    wires: tuple[tuple[int, ...], ...] = ()
    path: str = ""

    def first(self, count: int) -> Self:
        """Return this table with only its first `count` seats. Raises LayoutError for fewer than two or too many."""
        laid = len(self.seats)
        if count not in SEATS or count > laid:
            message = f"can't be laid for {count}"
            remedy = f"ask for 2 to {laid}" + (" or take a larger layout" if count in SEATS else "")
            raise LayoutError(self.path or self.name, [Problem("seat", f"{laid} seats", message, remedy)])
        return msgspec.structs.replace(self, seats=self.seats[:count])

    def speaking(self, language: str) -> Self:
        """Return this table with every seat in one language from `languages.LANGUAGES`."""
        seats = tuple(msgspec.structs.replace(seat, language=None) for seat in self.seats)
        return msgspec.structs.replace(self, seats=seats, language=language)

    @property
    def service_seat(self) -> int:
        """The index of the seat that shows messages for the owner: a named one, else the first that is no phone."""
        built = (number for number, seat in enumerate(self.seats) if seat.phone is None)
        return next((number for number, seat in enumerate(self.seats) if seat.name == self.service), next(built, 0))

    def languages(self) -> tuple[str, ...]:
        """Return each seat's language: its own or the table's."""
        return tuple(seat.language or self.language for seat in self.seats)

    def switches(self) -> tuple[int, ...]:
        """Return the GPIOs (BCM numbers) with a switch to ground: the service key, buttons, tilt switches."""
        buttons = [pin for seat in self.seats for pin in (seat.buttons or {}).values()]
        key = [self.service_key] if isinstance(self.service_key, int) else []
        return (*key, *buttons, *(seat.cup.pin for seat in self.seats if isinstance(seat.cup, TiltSwitch)))

    def display_wires(self) -> tuple[tuple[int, ...], ...]:
        """Return the physical I2C wires with displays, each as the numbers of its buses in use."""
        used = dict.fromkeys(seat.display.bus for seat in self.seats if isinstance(seat.display, I2cDisplay))
        shared = {bus: wire for wire in self.wires for bus in wire}
        whole = dict.fromkeys(shared.get(bus, (bus,)) for bus in used)
        return tuple(tuple(bus for bus in wire if bus in used) for wire in whole)

    def header_bus(self, bus: int) -> int | None:
        """Return the I2C bus of the Pi's header that leads to a bus, None for a bus on other pins."""
        return pi_header.header_i2c(bus, self.wires)

    def header_buses(self) -> tuple[int, ...]:
        """Return the header's I2C buses that lead to displays."""
        leading = (self.header_bus(wire[0]) for wire in self.display_wires())
        return tuple(dict.fromkeys(bus for bus in leading if bus is not None))

    def spi_displays(self) -> Mapping[int, tuple[SpiDisplay, ...]]:
        """Return the displays on SPI by bus number; each bus is one wire."""
        displays = [seat.display for seat in self.seats if isinstance(seat.display, SpiDisplay)]
        buses = sorted({display.spi for display in displays})
        return {bus: tuple(display for display in displays if display.spi == bus) for bus in buses}


def find(name_or_file: str) -> Layout:
    """Return the shipped layout with that name, or else the file. Raises LayoutError."""
    if name_or_file in builtin():
        return load_builtin(name_or_file)
    looks_like_a_file = "/" in name_or_file or name_or_file.endswith(".toml")
    return load(name_or_file) if looks_like_a_file or os.path.exists(name_or_file) else load_builtin(name_or_file)


def builtin() -> tuple[str, ...]:
    """Return the shipped layouts' names."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.toml")))


def load_builtin(name: str) -> Layout:
    """Return the shipped layout called `name`. Raises LayoutError."""
    return load(shipped_file(name))


def shipped_file(name: str) -> Path:
    """Return the file of the shipped layout called `name`. Raises LayoutError."""
    if name not in builtin():
        raise LayoutError(name, [Problem("", "", "is not a shipped layout", suggest(name, builtin()))])
    return _SHIPPED / f"{name}.toml"


def load(path: str | Path) -> Layout:
    """Read and check a file. Raises LayoutError with every problem."""
    return parse(toml_file.read(path, LayoutError, "layout", builtin()), str(path))


def parse(text: str, path: str) -> Layout:
    """Check a file's text; `path` is its name in errors. Raises LayoutError with every problem."""
    return check(toml_file.table(text, path, LayoutError), path)


def check(table: Mapping[str, Any], path: str) -> Layout:
    """Check a parsed file; `path` is its name in errors. Raises LayoutError with every problem."""
    if problems := [*LAYOUT.problems("", table), *layout_conflicts(table)]:
        raise LayoutError(path, problems)
    return _layout(table, path)


def _layout(table: Mapping[str, Any], path: str) -> Layout:
    options = {key: value for key, value in table.items() if key not in ("wires", "seat")}
    wires = tuple(tuple(wire) for wire in table.get("wires", ()))
    seats = tuple(_seat(number, seat) for number, seat in enumerate(table["seat"], start=1))
    return Layout(**options, wires=wires, seats=seats, path=path)


def _seat(number: int, table: dict[str, Any]) -> LayoutSeat:
    if table.get("phone"):
        phone = f"{PHONE}{number}"
        return LayoutSeat(table["name"], table["color"], phone=phone, language=table.get("language"))
    if "board" in table:
        board = SerialDevice(table["board"])
        return LayoutSeat(table["name"], table["color"], board=board, language=table.get("language"))
    buttons = {name: table["buttons"][name] for name in _BUTTONS if name in table["buttons"]}
    cup, display = table["cup"], table[display_key(table)]
    return LayoutSeat(
        table["name"],
        table["color"],
        buttons=buttons,
        display=SpiDisplay(**display) if "spi" in display else I2cDisplay(**display),
        cup=TiltSwitch(cup["tilt"]) if "tilt" in cup else SerialDevice(cup["serial"], cup.get("address", 0)),
        language=table.get("language"),
    )
