"""Whether the table's user may use the layout's devices: the groups of the device files."""

from collections.abc import Iterable, Iterator

from firmware_host.devices.pairing.replacements import device_of
from firmware_host.doctor.checks.gpio import pin_chips
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, right, wrong
from firmware_host.doctor.machine import group_name
from hardware.config.layout import I2cDisplay, SerialDevice, SpiDisplay

GROUPS = {"gpiochip": "gpio", "i2c": "i2c", "spidev": "spi", "tty": "dialout"}
"""Device groups in Raspberry Pi OS; Debian has dialout and i2c."""


def check(context: Context) -> Iterator[Finding]:
    """Yield one finding for all missing groups, because one command adds them."""
    user = context.user
    if user.uid == 0:
        yield right("root may use every device")
        return
    missing: dict[str, list[str]] = {}
    inactive: dict[str, list[str]] = {}
    for device in _devices(context):
        at = context.machine.stat(device)
        if at is None:
            continue
        group = group_name(context.machine, at.st_gid)
        if not user.may_use(at):
            missing.setdefault(_group_for(device) if group in ("root", "0") else group, []).append(device)
        elif not user.may_use(at, login=True):
            inactive.setdefault(group, []).append(device)
    if missing:
        what = ", ".join(device for devices in missing.values() for device in devices)
        yield wrong(f"the user {user.name} may not use {what}", _join(context, missing))
    elif inactive:
        what = f"{user.name} is in the group {', '.join(inactive)}, but not yet in this login"
        yield wrong(what, "log out and in again")
    else:
        yield right(f"the user {user.name} may use every device of the layout that exists")


def _devices(context: Context) -> Iterable[str]:
    """Yield the layout's device files; some may be missing."""
    if context.is_wired:
        yield from pin_chips(context.machine)
    panels = [seat.display for _, seat in context.seats if seat.display is not None]
    yield from (f"/dev/i2c-{bus}" for bus in sorted({panel.bus for panel in panels if isinstance(panel, I2cDisplay)}))
    yield from (f"/dev/spidev{panel.spi}.{panel.select}" for panel in panels if isinstance(panel, SpiDisplay))
    if any(device_of(seat) or isinstance(seat.cup, SerialDevice) for _, seat in context.seats):
        yield from context.machine.names("/dev/serial/by-id")


def _group_for(device: str) -> str:
    return next((group for part, group in GROUPS.items() if part in device), "dialout")


def _join(context: Context, missing: Iterable[str]) -> str:
    groups, name = ",".join(missing), context.user.name
    if context.is_service:
        return f"sudo usermod -aG {groups} {name} && sudo systemctl restart dudo-table"
    return f"sudo usermod -aG {groups} {name}, then log out and in again"
