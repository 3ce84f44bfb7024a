"""The table that runs here, if one does: asked of systemd and of the table's own public socket, never fought over."""

import json
import os
import re
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from firmware_host.doctor.checks import alerts
from firmware_host.doctor.context import Patient, Running, Told
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.users import service_user
from firmware_host.host_io.serial_ports import is_named_after
from firmware_host.util.state_dir import LOCK
from hardware.config.layout import Panel, Seat, SerialDevice, SpiPanel, TiltSwitch
from hardware.config.layout_schema import SEATS

NAME = "table"
UNIT = "dudo-table.service"
UNIT_FOLDERS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system", "/run/systemd/system")
ANSWERS_WITHIN_S = 2.0
LONGEST_LINE = 1 << 18
"""The bytes of a line; a table lets no more pile up for a reader."""
MAX_TOLD = 20
"""The devices of a seat and the troubles of a table that are read; there are four and six kinds."""
_SHOWN = ("ActiveState", "SubState", "NRestarts", "Result", "ExecMainStatus", "StatusText", "UnitFileState")


def check(patient: Patient) -> Iterator[Finding]:
    """How the service stands, and what a running table says that it misses."""
    if patient.is_service:
        yield from _unit(patient)
    running = patient.running
    if running is None:
        return
    by = f" (process {running.process})" if running.process else ""
    if running.told is None:
        what = f"a table runs here{by}, and its public socket does not answer you: its wires were left alone"
        yield note(NAME, what, "sudo dudo-table doctor")
        return
    yield right(NAME, f"a table runs here{by}; its wires were left alone and it was asked what it misses")
    plugged = [name for name, _ in patient.wires.plugged_in()]
    for number, seat in patient.seats:
        for device in running.told.misses.get(number, ()):
            if _is_unplugged(seat, device, plugged) or _has_no_bus(patient, seat, device):
                continue  # `ports` tells it, with what is plugged in instead, and `panels`, with what is switched off
            what = f"the running table misses {seat.name}'s {device}"
            yield wrong(NAME, what, _PINS if _is_on_pins(seat, device) else _CABLES.get(device, _CABLE))
    yield from alerts.findings(NAME, running.told.troubles, is_layout_wrong=bool(patient.faults))


def _is_unplugged(seat: Seat, device: str, plugged: Iterable[str]) -> bool:
    """Whether it is a cup or board on USB that is in no socket."""
    on_usb = {"board": seat.board, "cup": seat.cup}.get(device)
    return isinstance(on_usb, SerialDevice) and not any(is_named_after(name, on_usb.id) for name in plugged)


def _has_no_bus(patient: Patient, seat: Seat, device: str) -> bool:
    """Whether it is a wired panel that the kernel has no bus for."""
    match seat.panel:
        case Panel(bus=bus):
            place = f"/dev/i2c-{bus}"
        case SpiPanel(spi=spi, select=select):
            place = f"/dev/spidev{spi}.{select}"
        case _:
            return False
    return device == "panel" and not patient.machine.path(place).exists()


def _is_on_pins(seat: Seat, device: str) -> bool:
    return device == "buttons" or (device == "cup" and isinstance(seat.cup, TiltSwitch))


def _unit(patient: Patient) -> Iterator[Finding]:
    said = patient.machine.run(("systemctl", "show", UNIT, *(f"--property={name}" for name in _SHOWN)))
    if not said:
        return
    shown = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    state, restarts = shown.get("ActiveState", ""), shown.get("NRestarts", "0")
    if state == "active":
        yield right(NAME, f"{UNIT} is active: {shown.get('StatusText') or shown.get('SubState', '')}")
    elif state == "failed" and shown.get("ExecMainStatus") == str(os.EX_CONFIG):
        what = f"{UNIT} found nothing to play with and waits"
        yield wrong(NAME, what, f"when dudo-table check says that all is right: sudo systemctl start {UNIT}")
    elif state in ("failed", "activating", "auto-restart"):
        what = f"{UNIT} does not come up ({shown.get('Result', state)}, started anew {restarts} times)"
        yield wrong(NAME, what, f"journalctl -b -u {UNIT} -n 20 tells why")
    elif state == "inactive":
        yield note(NAME, f"{UNIT} is stopped", f"sudo systemctl start {UNIT}")
    if shown.get("UnitFileState") == "disabled":
        yield note(NAME, f"{UNIT} does not start with the Pi", f"sudo systemctl enable {UNIT}")


def has_unit(machine: Machine) -> bool:
    """Whether systemd knows the table here."""
    return any(machine.path(f"{folder}/{UNIT}").exists() for folder in UNIT_FOLDERS)


def running(machine: Machine, state: Path, sockets: Sequence[Path]) -> Running | None:
    """The table that runs here; None where none does. Nothing is locked to find out."""
    process = _locker(machine, state / LOCK) or _runner(machine)
    told = next((told for place in sockets if (told := _told(place)) is not None), None)
    return None if process is None and told is None else Running(process or None, told)


def _locker(machine: Machine, lock: Path) -> int | None:
    """The process that holds the lock of the state folder, as the kernel lists locks."""
    try:
        at = lock.stat()
    except OSError:
        return None
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    for line in (machine.text("/proc/locks") or "").splitlines():
        if match := re.match(r"\d+: FLOCK +\S+ +\S+ +(-?\d+) +(\S+)", line):
            process, where = int(match[1]), match[2]
            if where == place:
                return process
            if where.endswith(f":{at.st_ino}") and _is_runner(machine, process):  # an overlay has numbers of its own
                return process
    return None


def _runner(machine: Machine) -> int | None:
    """A process whose command line is that of a table, of somebody who runs tables: anybody can call one so.

    Nobody else's is even read: a process can let whoever reads its command line wait for as long as it likes.
    """
    service = service_user(machine)
    users = {0, os.geteuid(), *([service.uid] if service is not None else [])}
    processes = (int(Path(name).name) for name in machine.names("/proc", "[0-9]*"))
    own = (process for process in processes if (at := machine.stat(f"/proc/{process}")) and at.st_uid in users)
    return next((process for process in own if _is_runner(machine, process)), None)


def _is_runner(machine: Machine, process: int) -> bool:
    words = (machine.text(f"/proc/{process}/cmdline") or "").split("\0")
    commands = [at for at, word in enumerate(words) if Path(word).name in ("dudo-table", "firmware_host.cli", "cli.py")]
    return process != os.getpid() and any(words[at + 1 : at + 2] == ["run"] for at in commands[:1])


def _told(place: Path) -> Told | None:
    """What a table tells at a socket: the first line of it is its state."""
    try:
        state = json.loads(_first_line(place))
        seats = enumerate(state["seats"][: SEATS.stop - 1])
        misses = {number: tuple(map(str, seat["missing"][:MAX_TOLD])) for number, seat in seats if seat["missing"]}
        return Told(misses, tuple(map(str, state.get("troubles", ())[:MAX_TOLD])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _first_line(place: Path) -> bytes:
    """Return the first line that is told at a socket, or what there is of it in time. Raises `OSError`."""
    until_s = time.monotonic() + ANSWERS_WITHIN_S
    line = bytearray()
    with socket.socket(socket.AF_UNIX) as table:
        table.settimeout(ANSWERS_WITHIN_S)
        table.connect(os.fspath(place))
        while b"\n" not in line and len(line) <= LONGEST_LINE and (left_s := until_s - time.monotonic()) > 0:
            table.settimeout(left_s)
            if not (chunk := table.recv(1 << 16)):
                break
            line += chunk
    return bytes(line.partition(b"\n")[0])


_CABLE = "plug its cable in again"
_CABLES = {
    "board": "plug its USB cable in again, or another board: hold its OK and shake its cup",
    "cup": "plug its cable in again, or another cup: hold OK at the seat and shake it",
    "panel": "check its four wires: GND, VCC, SCL, SDA; SCL and SDA may be swapped",
}
_PINS = "sudo systemctl stop dudo-table, then ask again: then the pins are looked at themselves"
