"""Reads and checks an owner's `wiring.py` on a computer, because a Pico can't report its errors.
`make pico WIRING=file`, `dudo-table show` and `dudo-table check` call it. The file is not executed: each line must be a
name and a literal.
"""

import ast
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from hardware.boards.pico_pins import GPIOS
from hardware.config import toml_file
from hardware.config.problems import FileError, Problem, preview, suggest
from hardware.config.schema import I2cAddress, OneOf, ValueType
from hardware.firmware import wiring as shipped
from hardware.firmware.device_config import DeviceConfig
from hardware.link.accelerometer_gesture import AXES


class PicoWiring(Struct, frozen=True, kw_only=True):
    """The values of a `wiring.py`, by its names."""

    IDENTITY: str | None
    ADDRESS: int
    TILT: int | None
    ACCELEROMETER: int | None
    UP: str
    BUTTONS: Mapping[str, int]
    PANEL: str | None
    PANEL_ADDRESS: int
    I2C_BUS: int
    SDA: int
    SCL: int
    LIGHT: int | None
    KEY: int | None
    SERVICE: int


NAMES = PicoWiring.__struct_fields__
_FIELDS: Mapping[str, ValueType] = {
    "UP": OneOf(AXES, "an axis"),
    "PANEL_ADDRESS": I2cAddress(),
    "I2C_BUS": OneOf((0, 1), "an I2C bus of a Pico"),
}
_ACCELEROMETERS = (0x18, 0x19)


class WiringError(FileError):
    """An invalid Pico wiring."""


def load(path: str | Path) -> PicoWiring:
    """Read and check a file. Raises WiringError with every problem."""
    return parse(toml_file.read(path, WiringError, "wiring", ()), str(path))


def parse(text: str, path: str) -> PicoWiring:
    """Check a file's text; `path` is its name in errors. Raises WiringError with every problem."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of invalid escapes; they are problems below
            # An earlier release's file has no KEY.
            values = {"KEY": None, **dict(_assigned(ast.parse(text)))}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f"line {error.lineno} " if isinstance(error, SyntaxError) else ""
        problem = Problem("", "", f"{line}is not Python", "compare it with hardware/firmware/wiring.py")
        raise WiringError(path, [problem]) from error
    problems = [*_names(values)] or [*_values(values)]
    if problems:
        raise WiringError(path, problems)
    return PicoWiring(**values)


def _assigned(module: ast.Module) -> Iterator[tuple[str, Any]]:
    for node in module.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            try:
                yield target.id, ast.literal_eval(value)
            except (ValueError, TypeError):  # a name, or a table with a key that can't be one
                yield target.id, ast.unparse(value)


def _names(values: Mapping[str, Any]) -> Iterator[Problem]:
    for name in NAMES:
        if name not in values:
            value = getattr(shipped, name)
            line = f"{name} = {_address(value) if name == 'PANEL_ADDRESS' else repr(value)}"
            yield Problem(name, "", "is missing", f"add {line}, as in hardware/firmware/wiring.py")
    for name in values.keys() - {*NAMES}:
        yield Problem(name, preview(values[name]), "is not known", suggest(name, NAMES))


def _address(value: object) -> str:
    """Return an I2C address as printed on parts and written in `wiring.py`."""
    return f"{value:#04x}" if type(value) is int and 0 <= value < 0x1000 else preview(value)


def _values(values: Mapping[str, Any]) -> Iterator[Problem]:
    for name, field in _FIELDS.items():
        yield from field.problems(name, values[name])
    yield from _device(values)
    yield from _pins(values)
    yield from _i2c(values)


def _device(values: Mapping[str, Any]) -> Iterator[Problem]:
    buttons, felt, sensed = values["BUTTONS"], values["TILT"], values["ACCELEROMETER"]
    if not isinstance(buttons, dict):
        yield Problem(
            "BUTTONS", preview(buttons), "is not a list of buttons", f"write {shipped.BUTTONS!r}, or {{}} for none"
        )
        buttons = {}
    if felt is not None and sensed is not None:
        yield Problem(
            "ACCELEROMETER", _address(sensed), "a cup has a tilt switch or an LIS3DH", "set one of them to None"
        )
    if sensed not in (None, *_ACCELEROMETERS):
        yield Problem("ACCELEROMETER", _address(sensed), "is not an LIS3DH's address", "write 0x18 or 0x19, or None")
    try:
        lit = values["LIGHT"] is not None
        DeviceConfig(values["IDENTITY"] or "its-own", values["ADDRESS"], True, tuple(buttons), values["PANEL"], lit)
    except (ValueError, TypeError) as error:
        yield Problem("", "", str(error), "compare it with hardware/firmware/wiring.py")


def _pins(values: Mapping[str, Any]) -> Iterator[Problem]:
    buttons = values["BUTTONS"] if isinstance(values["BUTTONS"], dict) else {}
    claims = {f"BUTTONS {name}": gpio for name, gpio in buttons.items()}
    claims |= {name: values[name] for name in ("TILT", "LIGHT", "KEY") if values[name] is not None}
    claims |= {name: values[name] for name in ("SDA", "SCL", "SERVICE")}
    first: dict[int, str] = {}
    for name, gpio in claims.items():
        if type(gpio) is not int or gpio not in GPIOS:
            yield Problem(name, preview(gpio), "is not a pin of a Pico", "use GP0 to GP22 or GP26 to GP28")
        elif gpio in first:
            yield Problem(name, preview(gpio), f"this pin is already in use ({first[gpio]})", "give each its own")
        else:
            first[gpio] = name


def _i2c(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield pins outside the I2C bus; each bus has every fourth pin: data sheet, "GPIO functions"."""
    bus = values["I2C_BUS"]
    if any(_FIELDS["I2C_BUS"].problems("", bus)):
        return
    for name, first in (("SDA", 2 * bus), ("SCL", 2 * bus + 1)):
        gpio = values[name]
        if isinstance(gpio, int) and gpio % 4 != first:
            there = ", ".join(f"GP{number}" for number in range(first, 23, 4))
            yield Problem(name, preview(gpio), f"is not {name} of I2C bus {bus}", f"use {there}, or the other bus")
