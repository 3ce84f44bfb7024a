"""The checks' input: a computer, its table's layout, its ports, and the running table.

`build` makes a `Context` from the command line and touches no device.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from firmware_host.configuration import DEFAULT_LAYOUT, lookup
from firmware_host.configuration.configuration import Configuration
from firmware_host.devices.host_io.ports import Ports
from firmware_host.devices.pairing.replacements import ReplacementsError, read, seated
from firmware_host.doctor.machine import Machine, User, current_user, service_user
from firmware_host.doctor.running_table import RunningTable, find_running_table, has_service
from firmware_host.public import address
from firmware_host.util import state_dir
from hardware.config.layout import Layout, LayoutSeat
from hardware.config.problems import FileError, Problem

SERVICE_STATE = "/var/lib/dudo-table"
SERVICE_SOCKET = "/run/dudo-table/events.sock"

_Faults = tuple[tuple[str, Problem], ...]


class PinHolders(Protocol):
    """The programs holding GPIO lines, looked up without touching the lines."""

    def holder(self, pin: int) -> str | None:
        """Return the program holding a pin (BCM number), or None if it is free. Raises OSError for a missing pin."""


@dataclass(frozen=True)
class Context:
    """The input of all checks. Without a usable layout `layout` is None, and `faults` say why."""

    machine: Machine
    user: User
    ports: Ports
    pin_holders: PinHolders
    state: Path
    layout_name: str
    configured_layout: Layout | None = None
    """The layout in the file; `layout` has the replacements for its cups and boards."""
    layout: Layout | None = None
    faults: _Faults = ()
    """Each with its file: the layout, its rules, or the replacements."""
    is_service: bool = False
    """Whether systemd runs the table here, under its own user."""
    running: RunningTable | None = None

    @property
    def seats(self) -> tuple[tuple[int, LayoutSeat], ...]:
        """The seats with their numbers; empty without a layout."""
        return () if self.layout is None else tuple(enumerate(self.layout.seats))

    @property
    def is_wired(self) -> bool:
        """Whether some seat is wired to the Pi's own pins."""
        return any(seat.buttons is not None for _, seat in self.seats)

    @property
    def stop(self) -> str:
        """The command to stop the running table."""
        if self.is_service:
            return "sudo systemctl stop dudo-table"
        process = self.running.process if self.running else None
        return f"kill {process}" if process else "stop it with Ctrl-C where it runs"


def build(
    layout_name: str,
    state: Path | None,
    *,
    ports: Ports,
    pin_holders: PinHolders,
    machine: Machine,
    environment: Mapping[str, str] = os.environ,
) -> Context:
    """Return the checks' input. An unusable layout or replacement becomes a fault, not an error.

    Without `state`, the table is the one run by systemd here, or else the user's own.
    """
    service = service_user(machine) if has_service(machine) else None
    is_service = service is not None and state is None
    folder = state or (machine.path(SERVICE_STATE) if is_service else state_dir.default(environment))
    name = str(machine.path(DEFAULT_LAYOUT)) if layout_name == DEFAULT_LAYOUT else layout_name
    configured, faults = _configured_layout(name, folder)
    layout, more = _with_replacements(configured, folder)
    sockets = [address.default_path(folder, environment), *([machine.path(SERVICE_SOCKET)] if is_service else [])]
    return Context(
        machine=machine,
        user=service if service is not None and is_service else current_user(machine),
        ports=ports,
        pin_holders=pin_holders,
        state=folder,
        layout_name=name,
        configured_layout=configured,
        layout=layout,
        faults=(*faults, *more),
        is_service=is_service,
        running=find_running_table(machine, folder, sockets),
    )


def _configured_layout(name: str, folder: Path) -> tuple[Layout | None, _Faults]:
    """Return the layout in the file, or the last good one if the file is wrong; and every fault."""
    try:
        layout = lookup.layout(name)
    except FileError as error:
        return _last_good(name, folder), _in_file(error)
    try:
        lookup.rules_of(layout)
    except FileError as error:
        return layout, _in_file(error)
    return layout, ()


def _in_file(error: FileError) -> _Faults:
    return tuple((error.file, fault) for fault in error.first_problems)


def _last_good(name: str, folder: Path) -> Layout | None:
    with suppress(OSError):
        return Configuration(name, folder).last_layout()
    return None


def _with_replacements(layout: Layout | None, folder: Path) -> tuple[Layout | None, _Faults]:
    """Return the layout with its cups and boards replaced as recorded."""
    if layout is None:
        return None, ()
    try:
        return seated(layout, read(folder)), ()
    except ReplacementsError as error:
        if isinstance(error.__cause__, PermissionError):
            return layout, ()  # the user may not look there; the checks of disk and journal say so
        text, _, remedy = str(error).partition("; ")
        file, _, problem = text.partition(": ")
        return layout, ((file, Problem("", "", problem, remedy)),)
