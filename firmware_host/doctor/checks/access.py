"""Whether the user who runs the table may touch what the layout hangs on: the groups that the system gives devices."""

from collections.abc import Iterable, Iterator

from firmware_host.doctor.checks.gpio import pin_chips
from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, right, wrong
from firmware_host.doctor.users import group_name
from firmware_host.pairing.replacements import device_of
from hardware.config.layout import Panel, SerialDevice, SpiPanel

NAME = "groups"
USUAL = {"gpiochip": "gpio", "i2c": "i2c", "spidev": "spi", "tty": "dialout"}
"""The groups Raspberry Pi OS gives devices; Debian knows dialout and i2c."""


def check(patient: Patient) -> Iterator[Finding]:
    """One finding for all groups that are missing: one command gives them."""
    user = patient.user
    if user.uid == 0:
        yield right(NAME, "root may touch every device")
        return
    missing: dict[str, list[str]] = {}
    stale: dict[str, list[str]] = {}
    for device in _devices(patient):
        at = patient.machine.stat(device)
        if at is None:
            continue
        group = group_name(patient.machine, at.st_gid)
        if not user.may_use(at):
            missing.setdefault(_group_for(device) if group in ("root", "0") else group, []).append(device)
        elif not user.may_use(at, login=True):
            stale.setdefault(group, []).append(device)
    if missing:
        what = ", ".join(device for devices in missing.values() for device in devices)
        yield wrong(NAME, f"the user {user.name} may not touch {what}", _join(patient, missing))
    elif stale:
        what = f"{user.name} is in the group {', '.join(stale)}, but not yet in this login"
        yield wrong(NAME, what, "log out and in again")
    else:
        yield right(NAME, f"the user {user.name} may touch every device of the layout that is there")


def _devices(patient: Patient) -> Iterable[str]:
    """What the layout hangs on, by the names the computer has for it; some may not be there."""
    if patient.is_wired:
        yield from pin_chips(patient.machine)
    panels = [seat.panel for _, seat in patient.seats if seat.panel is not None]
    yield from (f"/dev/i2c-{bus}" for bus in sorted({panel.bus for panel in panels if isinstance(panel, Panel)}))
    yield from (f"/dev/spidev{panel.spi}.{panel.select}" for panel in panels if isinstance(panel, SpiPanel))
    if any(device_of(seat) or isinstance(seat.cup, SerialDevice) for _, seat in patient.seats):
        yield from patient.machine.names("/dev/serial/by-id")


def _group_for(device: str) -> str:
    return next((group for part, group in USUAL.items() if part in device), "dialout")


def _join(patient: Patient, missing: Iterable[str]) -> str:
    groups, name = ",".join(missing), patient.user.name
    if patient.is_service:
        return f"sudo usermod -aG {groups} {name} && sudo systemctl restart dudo-table"
    return f"sudo usermod -aG {groups} {name}, then log out and in again"
