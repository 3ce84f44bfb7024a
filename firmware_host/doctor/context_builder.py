"""Who is to be examined: from what stands on the command line to a `Patient`, at which nothing has been touched yet."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from firmware_host.commands.parser import USUAL_LAYOUT
from firmware_host.configuration import lookup
from firmware_host.configuration.configuration import Configuration
from firmware_host.configuration.rules import registry
from firmware_host.doctor.checks import service
from firmware_host.doctor.context import Patient, PinSight
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.users import myself, service_user
from firmware_host.host_io.ports import Wires
from firmware_host.pairing.replacements import StandInsError, read, seated
from firmware_host.public import address
from firmware_host.util import state_dir
from hardware.config.layout import Layout
from hardware.config.problems import FileError, Problem

SERVICE_STATE = "/var/lib/dudo-table"
SERVICE_SOCKET = "/run/dudo-table/events.sock"


def admit(
    layout_name: str,
    state: Path | None,
    *,
    wires: Wires,
    pins: PinSight,
    machine: Machine,
    environment: Mapping[str, str] = os.environ,
) -> Patient:
    """Everything the checks need. A layout or stand-ins that can't be used become findings, not errors.

    Without a folder it is the table that systemd runs here, if it runs one, else the user's own.
    """
    user = service_user(machine) if service.has_unit(machine) else None
    is_service = user is not None and state is None
    folder = state or (machine.path(SERVICE_STATE) if is_service else state_dir.usual(environment))
    name = str(machine.path(USUAL_LAYOUT)) if layout_name == USUAL_LAYOUT else layout_name
    laid, faults = _laid(name, folder)
    layout, more = _seated(laid, folder)
    sockets = [address.usual(folder, environment), *([machine.path(SERVICE_SOCKET)] if is_service else [])]
    return Patient(
        machine=machine,
        user=user if user is not None and is_service else myself(machine),
        wires=wires,
        pins=pins,
        state=folder,
        layout_name=name,
        laid=laid,
        layout=layout,
        faults=(*faults, *more),
        is_service=is_service,
        running=service.running(machine, folder, sockets),
    )


_Faults = tuple[tuple[str, Problem], ...]


def _laid(name: str, folder: Path) -> tuple[Layout | None, _Faults]:
    """The layout in the file, or the one that was last in force where the file is wrong; and every fault."""
    try:
        layout = lookup.layout(name)
    except FileError as error:
        return _last(name, folder), _in_file(error)
    try:
        registry.of_layout(layout)
    except FileError as error:
        return layout, _in_file(error)
    return layout, ()


def _in_file(error: FileError) -> _Faults:
    return tuple((error.file, fault) for fault in error.first_problems)


def _last(name: str, folder: Path) -> Layout | None:
    with suppress(OSError):
        return Configuration(name, folder).last_layout()
    return None


def _seated(laid: Layout | None, folder: Path) -> tuple[Layout | None, _Faults]:
    """The layout with what stands in for its cups and boards."""
    if laid is None:
        return None, ()
    try:
        return seated(laid, read(folder)), ()
    except StandInsError as error:
        if isinstance(error.__cause__, PermissionError):
            return laid, ()  # who asks may not look there; `disk` and `journal` say so
        said, _, remedy = str(error).partition("; ")
        file, _, problem = said.partition(": ")
        return laid, ((file, Problem("", "", problem, remedy)),)
