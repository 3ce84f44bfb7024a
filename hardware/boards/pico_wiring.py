"""An owner's `wiring.py`, read and checked on a computer before it goes to a Pico, where nobody tells what is wrong.

`make pico WIRING=file` and `dudo-table show` and `check` read it. It is not run: each line is a name and a value.
"""

import ast
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hardware.boards.pico_pins import GPIOS
from hardware.config import toml_file
from hardware.config.problems import Fault, FileError, choose_from, shown
from hardware.firmware import wiring as shipped
from hardware.firmware.device_config import Fitted
from hardware.link.accelerometer_gesture import AXES

NAMES = tuple(name for name in vars(shipped) if name.isupper())
_ACCELEROMETERS = (0x18, 0x19)


class WiringError(FileError):
    """A Pico's wiring that can't be used."""


def load(path: str | Path) -> SimpleNamespace:
    """Read and check a file; what it says is in attributes, as in `hardware.firmware.wiring`. Raises WiringError."""
    return parse(toml_file.read(path, WiringError, "wiring", ()), str(path))


def parse(text: str, path: str) -> SimpleNamespace:
    """Check a file's text; `path` is what errors call it. Raises WiringError with every fault."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of escapes that are none: what is wrong is a fault below
            values = dict(_assigned(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f"line {error.lineno} " if isinstance(error, SyntaxError) else ""
        fault = Fault("", "", f"{line}is no Python", "compare it with hardware/firmware/wiring.py")
        raise WiringError(path, [fault]) from error
    faults = [*_names(values)] or [*_values(values)]
    if faults:
        raise WiringError(path, faults)
    return SimpleNamespace(**values)


def _assigned(module: ast.Module) -> Iterator[tuple[str, Any]]:
    for node in module.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            try:
                yield target.id, ast.literal_eval(value)
            except (ValueError, TypeError):  # a name; a table by something that can't be a key
                yield target.id, ast.unparse(value)


def _names(values: Mapping[str, Any]) -> Iterator[Fault]:
    for name in NAMES:
        if name not in values:
            value = getattr(shipped, name)
            line = f"{name} = {_address(value) if name == 'PANEL_ADDRESS' else repr(value)}"
            yield Fault(name, "", "is missing", f"add {line}, as in hardware/firmware/wiring.py")
    for name in values.keys() - {*NAMES}:
        yield Fault(name, shown(values[name]), "is not known", choose_from(name, NAMES))


def _address(value: object) -> str:
    """An I2C address as it is written on parts and in `wiring.py`."""
    return f"{value:#04x}" if type(value) is int and 0 <= value < 0x1000 else shown(value)


def _values(values: Mapping[str, Any]) -> Iterator[Fault]:
    yield from _kinds(values)
    yield from _pins(values)
    yield from _i2c(values)


def _kinds(values: Mapping[str, Any]) -> Iterator[Fault]:
    buttons, felt, sensed = values["BUTTONS"], values["TILT"], values["ACCELEROMETER"]
    if not isinstance(buttons, dict):
        yield Fault("BUTTONS", shown(buttons), "is no list of buttons", f"write {shipped.BUTTONS!r}, or {{}} for none")
        buttons = {}
    if felt is not None and sensed is not None:
        yield Fault(
            "ACCELEROMETER", _address(sensed), "a cup has a tilt switch or an LIS3DH", "set one of them to None"
        )
    if sensed not in (None, *_ACCELEROMETERS):
        yield Fault("ACCELEROMETER", _address(sensed), "is no address of an LIS3DH", "write 0x18 or 0x19, or None")
    if values["UP"] not in AXES:
        yield Fault("UP", shown(values["UP"]), "is no axis", choose_from(str(values["UP"]), AXES))
    if type(address := values["PANEL_ADDRESS"]) is not int or address not in range(0x08, 0x78):
        yield Fault("PANEL_ADDRESS", _address(address), "is no I2C address", "panels answer at 0x3c or 0x3d")
    try:
        lit = values["LIGHT"] is not None
        Fitted(values["IDENTITY"] or "its-own", values["ADDRESS"], True, tuple(buttons), values["PANEL"], lit)
    except (ValueError, TypeError) as error:
        yield Fault("", "", str(error), "compare it with hardware/firmware/wiring.py")


def _pins(values: Mapping[str, Any]) -> Iterator[Fault]:
    buttons = values["BUTTONS"] if isinstance(values["BUTTONS"], dict) else {}
    claims = {f"BUTTONS {name}": gpio for name, gpio in buttons.items()}
    claims |= {name: values[name] for name in ("TILT", "LIGHT") if values[name] is not None}
    claims |= {name: values[name] for name in ("SDA", "SCL", "SERVICE")}
    first: dict[int, str] = {}
    for name, gpio in claims.items():
        if type(gpio) is not int or gpio not in GPIOS:
            yield Fault(name, shown(gpio), "is no pin of a Pico", "use GP0 to GP22 or GP26 to GP28")
        elif gpio in first:
            yield Fault(name, shown(gpio), f"this pin is already in use ({first[gpio]})", "give each its own")
        else:
            first[gpio] = name


def _i2c(values: Mapping[str, Any]) -> Iterator[Fault]:
    """The RP2040's two I2C buses come out at every fourth pin: data sheet, "GPIO functions"."""
    bus = values["I2C_BUS"]
    if isinstance(bus, bool) or bus not in (0, 1):
        yield Fault("I2C_BUS", shown(bus), "is no I2C bus of a Pico", "write 0 or 1")
        return
    for name, first in (("SDA", 2 * bus), ("SCL", 2 * bus + 1)):
        gpio = values[name]
        if isinstance(gpio, int) and gpio % 4 != first:
            there = ", ".join(f"GP{number}" for number in range(first, 23, 4))
            yield Fault(name, shown(gpio), f"is not {name} of I2C bus {bus}", f"use {there}, or the other bus")
