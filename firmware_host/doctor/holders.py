"""Which program has a serial port open, as far as /proc tells whoever asks; root is told of all."""

import os
from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.machine import Machine
from firmware_host.serial_ports import is_named_after

BY_ID = "/dev/serial/by-id"


def of(machine: Machine, serial_id: str) -> tuple[int, str] | None:
    """The process that has a device's port open, and its name; None where none is known."""
    ports = {os.path.realpath(machine.path(name)) for name in machine.names(BY_ID) if _is(name, serial_id)}
    return next(_holders(machine, ports), None) if ports else None


def _is(name: str, serial_id: str) -> bool:
    return is_named_after(Path(name).name, serial_id)


def _holders(machine: Machine, ports: set[str]) -> Iterator[tuple[int, str]]:
    for process in machine.names("/proc", "[0-9]*"):
        number = int(Path(process).name)
        if number != os.getpid() and any(_leads_to(machine.path(fd), ports) for fd in machine.names(f"{process}/fd")):
            yield number, machine.text(f"{process}/comm") or "unknown"


def _leads_to(descriptor: Path, ports: set[str]) -> bool:
    try:
        return os.readlink(descriptor) in ports
    except OSError:
        return False
