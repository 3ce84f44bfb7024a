"""The installed library versions, compared with dudo-table's requirements."""

import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import InvalidVersion

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, wrong
from hardware.config.layout import SpiDisplay
from hardware.link.messages import VERSION as LINK_VERSION

DISTRIBUTION = "dudo-table"
DEBIAN_FOLDER = Path("/usr/lib")
"""Folder of Debian's Python packages; pip must not change it."""
UNKNOWN = "?"
"""Version of a module whose distribution has no metadata."""

MODULES = {
    "gpiod": "gpiod",
    "gpiozero": "gpiozero",
    "lgpio": "lgpio",
    "luma.oled": "luma.oled",
    "msgspec": "msgspec",
    "packaging": "packaging",
    "pillow": "PIL",
    "pyserial": "serial",
    "rich": "rich",
    "smbus2": "smbus2",
    "spidev": "spidev",
}
DEBIAN = {
    "gpiod": "python3-libgpiod",
    "msgspec": "python3-msgspec",
    "packaging": "python3-packaging",
    "pillow": "python3-pil",
    "pyserial": "python3-serial",
    "rich": "python3-rich",
    "smbus2": "python3-smbus2",
    "spidev": "python3-spidev",
}


def check(context: Context) -> Iterator[Finding]:
    """Yield all versions in one finding, and one finding for each missing or unfit library."""
    from firmware_host.store.journal.journal import SCHEMA

    python = ".".join(map(str, sys.version_info[:3]))
    own = _version(DISTRIBUTION) or "not installed as a package"
    yield right(f"dudo-table {own}, Python {python}, link version {LINK_VERSION}, journal schema {SCHEMA}")
    installed: list[str] = []
    for requirement in _requirements():
        name = requirement.name
        version = _version(name)
        if version is None:
            yield wrong(f"{name} is not installed", _install(name))
        elif not _meets(version, requirement):
            what = f"{name} {version} is installed, dudo-table needs {requirement.specifier}"
            yield wrong(what, _install(name))
        else:
            installed.append(f"{name} {version}")
    yield right(", ".join(installed))
    yield from _for_this_table(context)


def _for_this_table(context: Context) -> Iterator[Finding]:
    """Yield findings on libraries for some tables only."""
    if context.is_wired and _version("gpiod") is None:
        if _version("lgpio") is None:
            yield wrong("neither gpiod nor lgpio is installed, and the pins need one of them", _install("gpiod"))
        else:
            yield note("lgpio reads the pins by polling; gpiod does not poll", _install("gpiod"))
    if any(isinstance(seat.display, SpiDisplay) for _, seat in context.seats) and _version("spidev") is None:
        yield wrong("spidev is not installed, and a display is on SPI", _install("spidev"))


def _requirements() -> Iterator[Requirement]:
    """Yield the distribution's requirements without its extras."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or ()
    except metadata.PackageNotFoundError:
        return
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement


def _version(name: str) -> str | None:
    """Return a distribution's version, `UNKNOWN` if only its module is there, None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return UNKNOWN if name in MODULES and _can_be_found(MODULES[name]) else None


def _can_be_found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _meets(version: str, requirement: Requirement) -> bool:
    if version == UNKNOWN:
        return True
    try:
        return requirement.specifier.contains(version, prereleases=True)
    except InvalidVersion:  # a distributor's own version
        return True


def _install(name: str) -> str:
    if DEBIAN_FOLDER in Path(__file__).parents:
        return f"sudo apt install --reinstall {DEBIAN.get(name, 'dudo-table')}"
    return f"{sys.executable} -m pip install --upgrade {name}"
