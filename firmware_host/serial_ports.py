"""The serial devices that are plugged in, by the names the system gives their ports: which port is whose.

/dev/serial/by-id has a link for every port, named after the device's maker, model and own id: the same name whichever
socket the device is in. `wires.RealWires` opens ports by it; `strangers` looks here for devices that are nobody's.
"""

import errno
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SERIAL = Path("/dev/serial/by-id")


class Plug(NamedTuple):
    """A device in a socket. `mark` is another one each time it is plugged in."""

    name: str
    mark: int


def plugs(folder: Path = SERIAL) -> tuple[Plug, ...]:
    """What is plugged in, a device once. The folder comes with the first device: without it there is none."""
    found: list[Plug] = []
    for port in _ports(folder):
        try:
            mark = os.lstat(port).st_ctime_ns
        except OSError:
            continue  # it has just been pulled
        if not found or _device(found[-1].name) != _device(port.name):
            found.append(Plug(port.name, mark))
    return tuple(found)


def is_named_after(name: str, serial_id: str) -> bool:
    """Whether a port's name has this id in it, as a whole and in capitals or not."""
    return re.search(rf"(^|[_-]){re.escape(serial_id)}([_-]|$)", name, re.IGNORECASE) is not None


def is_own_name(name: str, identity: str) -> bool:
    """Whether a device that calls itself so is the only one whose port can have that name.

    It must be the end, where the system puts the device's own id: what is before it, others have as well.
    """
    return re.search(rf"(^|[_-]){re.escape(identity)}$", _device(name), re.IGNORECASE) is not None


def port_of(serial_id: str, folder: Path = SERIAL) -> Path:
    """The port of the one device with this id, the first where a device has several.

    Raises FileNotFoundError where there is none, OSError with both names where two devices have it.
    """
    found = [port for port in _ports(folder) if is_named_after(port.name, serial_id)]
    if not found:
        raise FileNotFoundError(errno.ENOENT, f"nothing in {folder} has {serial_id} in its name", str(folder))
    other = next((port for port in found if _device(port.name) != _device(found[0].name)), None)
    if other is not None:
        both = f"{found[0].name} and {other.name} both have {serial_id} in their names; pull one of them"
        raise OSError(errno.ENOTUNIQ, both)
    return found[0]


def _ports(folder: Path) -> Sequence[Path]:
    return sorted(port for port in folder.glob("*") if port.exists())


def _device(name: str) -> str:
    """A port's name without which of its device's interfaces it is."""
    return re.sub(r"-if[0-9a-f]{2}(-port\d+)?$", "", name)
