"""A layout: the furniture of a table, read from a TOML file and checked before a wire is touched.

The daemon is assembled from a `Layout`, and so is the emulated far end of its wires. The keys of a file are
in `hardware.layout_format`; `hardware/layouts/` has files to copy.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from hardware.faults import Fault, LayoutError, choose_from
from hardware.layout_format import LAYOUT, SEATS
from hardware.layout_wiring import wiring_faults

__all__ = [
    "Fault",
    "Layout",
    "LayoutError",
    "Panel",
    "Seat",
    "SerialDevice",
    "TiltSwitch",
    "builtin",
    "find",
    "load",
    "load_builtin",
    "parse",
]

LONGEST_BYTES = 1 << 18
_SHIPPED = Path(__file__).with_name("layouts")
_BUTTONS = ("left", "right", "ok", "dudo")


class TiltSwitch(msgspec.Struct, frozen=True):
    """A cup felt by a tilt or vibration switch between a GPIO (BCM number) and ground."""

    pin: int


class SerialDevice(msgspec.Struct, frozen=True):
    """A cup or a seat board on USB; `id` is the part of its name in /dev/serial/by-id that is its own."""

    id: str


class Panel(msgspec.Struct, frozen=True):
    """A seat's 128×64 panel at a 7-bit address of /dev/i2c-`bus`; `rotate` is 0 or 180 degrees."""

    chip: str
    bus: int
    address: int
    rotate: int = 0


class Seat(msgspec.Struct, frozen=True):
    """One seat: a board that brings everything, or buttons, panel and cup on wires.

    `buttons` maps left, right, ok and, where there is one, dudo to GPIOs (BCM numbers).
    """

    name: str
    color: str
    buttons: Mapping[str, int] | None = None
    panel: Panel | None = None
    cup: TiltSwitch | SerialDevice | None = None
    board: SerialDevice | None = None


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A whole table, seats clockwise. `wires` lists I2C buses that are one physical wire, as behind a mux."""

    name: str
    seats: tuple[Seat, ...]
    rules: str = "perudo"
    language: str = "en"
    uart: bool = False
    wires: tuple[tuple[int, ...], ...] = ()
    path: str = ""

    def first(self, count: int) -> Self:
        """The same table with only its first `count` seats. LayoutError where there are under two or too few."""
        laid = len(self.seats)
        if count not in SEATS or count > laid:
            problem = f"can't be laid for {count}"
            remedy = f"ask for 2 to {laid}" + (" or take a larger layout" if count in SEATS else "")
            raise LayoutError(self.path or self.name, [Fault("seat", f"{laid} seats", problem, remedy)])
        return msgspec.structs.replace(self, seats=self.seats[:count])

    def panel_wires(self) -> tuple[tuple[int, ...], ...]:
        """The physical I2C wires with panels on them, each as the numbers of its buses that have one."""
        used = dict.fromkeys(seat.panel.bus for seat in self.seats if seat.panel)
        shared = {bus: wire for wire in self.wires for bus in wire}
        whole = dict.fromkeys(shared.get(bus, (bus,)) for bus in used)
        return tuple(tuple(bus for bus in wire if bus in used) for wire in whole)


def find(name_or_file: str) -> Layout:
    """The shipped layout of that name, or else the file. Raises LayoutError."""
    if name_or_file in builtin():
        return load_builtin(name_or_file)
    looks_like_a_file = "/" in name_or_file or name_or_file.endswith(".toml")
    return load(name_or_file) if looks_like_a_file or os.path.exists(name_or_file) else load_builtin(name_or_file)


def builtin() -> tuple[str, ...]:
    """The names of the layouts that are shipped."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.toml")))


def load_builtin(name: str) -> Layout:
    """The shipped layout called `name`. Raises LayoutError."""
    if name not in builtin():
        raise LayoutError(name, [Fault("", "", "is no shipped layout", choose_from(name, builtin()))])
    return load(_SHIPPED / f"{name}.toml")


def load(path: str | Path) -> Layout:
    """Read and check a file. Raises LayoutError with every fault."""
    try:
        with open(path, "rb") as file:
            content = file.read(LONGEST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise LayoutError(str(path), [_unopened(error)]) from error
    if len(content) > LONGEST_BYTES:
        problem = f"is larger than {LONGEST_BYTES >> 10} KiB, no layout is"
        raise LayoutError(str(path), [Fault("", "", problem, "name a layout file")])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"byte {content[error.start]:#04x}"
        fault = Fault(f"line {line}", byte, "is not UTF-8", "save the file as UTF-8")
        raise LayoutError(str(path), [fault]) from error
    return parse(text, str(path))


def parse(text: str, path: str) -> Layout:
    """Check a file's text; `path` is what errors call it. Raises LayoutError with every fault."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise LayoutError(path, [_not_toml(text, error)]) from error
    if faults := [*LAYOUT.faults("", table), *wiring_faults(table)]:
        raise LayoutError(path, faults)
    return _layout(table, path)


def _layout(table: dict[str, Any], path: str) -> Layout:
    options = {key: table[key] for key in ("name", "rules", "language", "uart") if key in table}
    wires = tuple(tuple(wire) for wire in table.get("wires", ()))
    return Layout(**options, wires=wires, seats=tuple(map(_seat, table["seat"])), path=path)


def _seat(table: dict[str, Any]) -> Seat:
    if "board" in table:
        return Seat(table["name"], table["color"], board=SerialDevice(table["board"]))
    buttons = {name: table["buttons"][name] for name in _BUTTONS if name in table["buttons"]}
    cup = table["cup"]
    return Seat(
        table["name"],
        table["color"],
        buttons=buttons,
        panel=Panel(**table["panel"]),
        cup=TiltSwitch(cup["tilt"]) if "tilt" in cup else SerialDevice(cup["serial"]),
    )


def _unopened(error: OSError | ValueError) -> Fault:
    match error:
        case FileNotFoundError():
            shipped = ", ".join(builtin())
            return Fault("", "", "there is no such file", f"name a file, or a shipped layout: {shipped}")
        case IsADirectoryError():
            return Fault("", "", "is a directory", "name a file in it")
        case PermissionError():
            return Fault("", "", "may not be read", "give yourself the right to read it")
        case _:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return Fault("", "", f"can't be read ({why})", "name a layout file")


def _not_toml(text: str, error: ValueError | RecursionError) -> Fault:
    if not isinstance(error, tomllib.TOMLDecodeError):
        return Fault("", "", "has a number too long or tables too deep for a layout", "name a layout file")
    said, _, where = str(error).rpartition(" (at ")
    lines = text.split("\n")
    found = re.match(r"line (\d+)", where)
    number = int(found[1]) if found else len(lines)
    line = lines[number - 1].strip()
    remedy = f"mend it: {line[:60]}" if line else "mend that line or the one before"
    return Fault(f"line {number}", "", f"is not TOML: {said}", remedy)
