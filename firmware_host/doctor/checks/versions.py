"""The versions of what is installed, against what dudo-table asks for, as far as this table needs it."""

import re
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right, wrong
from hardware.config.layout import SpiPanel
from hardware.link.messages import VERSION as LINK_VERSION

NAME = "versions"
DISTRIBUTION = "dudo-table"
PACKAGE = Path("/usr/lib")
"""Below it is what a package installed, and pip has no say."""

MODULES = {
    "gpiod": "gpiod",
    "gpiozero": "gpiozero",
    "lgpio": "lgpio",
    "luma.oled": "luma.oled",
    "msgspec": "msgspec",
    "pillow": "PIL",
    "pyserial": "serial",
    "rich": "rich",
    "smbus2": "smbus2",
    "spidev": "spidev",
}
DEBIAN = {
    "gpiod": "python3-libgpiod",
    "msgspec": "python3-msgspec",
    "pillow": "python3-pil",
    "pyserial": "python3-serial",
    "rich": "python3-rich",
    "smbus2": "python3-smbus2",
    "spidev": "python3-spidev",
}
_ASKED = re.compile(r"([\w.-]+)((?:(?:>=|<)[\w.]+,?)*)(.*)")
_BOUND = re.compile(r"(>=|<)([\w.]+)")


def check(patient: Patient) -> Iterator[Finding]:
    """The versions in one line, and one for each that is missing or does not fit."""
    from firmware_host.journal.journal import SCHEMA

    python = ".".join(map(str, sys.version_info[:3]))
    own = _version(DISTRIBUTION) or "not installed as a package"
    yield right(NAME, f"dudo-table {own}, Python {python}, link version {LINK_VERSION}, journal schema {SCHEMA}")
    there: list[str] = []
    for name, bounds in _asked_for():
        version = _version(name)
        if version is None:
            yield wrong(NAME, f"{name} is not installed", _install(name))
        elif unmet := [bound for bound in bounds if not _meets(version, *bound)]:
            asked = ", ".join(map("".join, unmet))
            yield wrong(NAME, f"{name} {version} is installed, dudo-table takes {asked}", _install(name))
        else:
            there.append(f"{name} {version}")
    yield right(NAME, ", ".join(there))
    yield from _for_this_table(patient)


def _for_this_table(patient: Patient) -> Iterator[Finding]:
    """What only some tables need."""
    if patient.is_wired and _version("gpiod") is None:
        if _version("lgpio") is None:
            yield wrong(NAME, "neither gpiod nor lgpio is installed, and one of them reads pins", _install("gpiod"))
        else:
            yield note(NAME, "lgpio reads the pins, which polls; gpiod does not", _install("gpiod"))
    if any(isinstance(seat.panel, SpiPanel) for _, seat in patient.seats) and _version("spidev") is None:
        yield wrong(NAME, "spidev is not installed, and a panel hangs on SPI", _install("spidev"))


def _asked_for() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """What the distribution asks for in any case, each with its bounds."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or ()
    except metadata.PackageNotFoundError:
        return
    for requirement in requirements:
        match = _ASKED.match(requirement.replace(" ", ""))
        if match and ";" not in match[3]:
            yield match[1], _BOUND.findall(match[2])


def _version(name: str) -> str | None:
    """The version of a distribution; `?` where a system has its module and says no more, None where there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?" if name in MODULES and _can_be_found(MODULES[name]) else None


def _can_be_found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _meets(version: str, sign: str, bound: str) -> bool:
    if version == "?":
        return True
    return _numbers(version) < _numbers(bound) if sign == "<" else _numbers(version) >= _numbers(bound)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _install(name: str) -> str:
    if PACKAGE in Path(__file__).parents:
        return f"sudo apt install --reinstall {DEBIAN.get(name, 'dudo-table')}"
    return f"{sys.executable} -m pip install --upgrade {name}"
