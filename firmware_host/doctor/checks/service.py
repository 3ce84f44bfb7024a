"""The service, and this computer's running table: its missing devices and its troubles."""

import os
from collections.abc import Iterable, Iterator

from drivers.link.handshake import OUTDATED
from firmware_host.devices.host_io.serial_ports import is_named_after
from firmware_host.doctor.checks.serial import PROGRAM
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.running_table import UNIT
from firmware_host.table.health import Alert
from hardware.config.layout import I2cDisplay, LayoutSeat, SerialDevice, SpiDisplay, TiltSwitch

_PROPERTIES = ("ActiveState", "SubState", "NRestarts", "Result", "ExecMainStatus", "StatusText", "UnitFileState")


def check(context: Context) -> Iterator[Finding]:
    """Yield the service's state, and a running table's missing devices."""
    if context.is_service:
        yield from _unit(context)
    running = context.running
    if running is None:
        return
    by = f" (process {running.process})" if running.process else ""
    if running.state is None:
        what = f"a table runs here{by}, and its public socket does not answer you: its buses were not touched"
        yield note(what, "sudo dudo-table doctor")
        return
    yield right(f"a table runs here{by}; its buses were not touched, it was asked what it misses")
    plugged = [name for name, _ in context.ports.plugged_in()]
    for (number, seat), public in zip(context.seats, running.state.seats, strict=False):
        for device in public.missing:
            if seat.phone is not None:
                continue  # a guest has gone out for a moment
            if _is_unplugged(seat, device, plugged) or _has_no_bus(context, seat, device):
                continue  # the checks of ports and panels report it, with what is plugged in or switched off instead
            why = running.reasons.get((number, device), "")
            what = f"the running table misses {seat.name}'s {'display' if device == 'panel' else device}"
            yield wrong(f"{what}: {why}" if why else what, _remedy(seat, device, why))
    yield from _troubles(running.state.troubles, is_layout_wrong=bool(context.faults))


def _troubles(troubles: Iterable[str], *, is_layout_wrong: bool) -> Iterator[Finding]:
    """Yield a finding for each trouble. The faults of a wrong layout already say that the last good one is used."""
    rows = {str(alert): alert.row for alert in Alert}
    for trouble in troubles:
        if (row := rows.get(trouble)) is None:
            remedy = "update dudo-table: this doctor is older than the running table"
            yield wrong(f"the running table is in trouble: {trouble}", remedy)
        elif row.remedy:
            yield wrong(f"the running table {row.finding}", row.remedy)
        elif not (is_layout_wrong and row.of_file):
            yield note(f"the running table {row.finding}")


def _is_unplugged(seat: LayoutSeat, device: str, plugged: Iterable[str]) -> bool:
    """Return whether it is an unplugged cup or board on USB."""
    on_usb = {"board": seat.board, "cup": seat.cup}.get(device)
    return isinstance(on_usb, SerialDevice) and not any(is_named_after(name, on_usb.id) for name in plugged)


def _has_no_bus(context: Context, seat: LayoutSeat, device: str) -> bool:
    """Return whether it is a wired display without a bus in the kernel."""
    match seat.display:
        case I2cDisplay(bus=bus):
            place = f"/dev/i2c-{bus}"
        case SpiDisplay(spi=spi, select=select):
            place = f"/dev/spidev{spi}.{select}"
        case _:
            return False
    return device == "panel" and not context.machine.path(place).exists()


def _remedy(seat: LayoutSeat, device: str, why: str) -> str:
    """Return the remedy for a missing device; a cable does not help a board with another release's firmware."""
    if why.endswith(OUTDATED):
        return f"update the {device}: {PROGRAM}"
    return _PINS if _is_on_pins(seat, device) else _CABLES.get(device, _CABLE)


def _is_on_pins(seat: LayoutSeat, device: str) -> bool:
    return device == "buttons" or (device == "cup" and isinstance(seat.cup, TiltSwitch))


def _unit(context: Context) -> Iterator[Finding]:
    output = context.machine.run(("systemctl", "show", UNIT, *(f"--property={name}" for name in _PROPERTIES)))
    if not output:
        return
    shown = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    state, restarts = shown.get("ActiveState", ""), shown.get("NRestarts", "0")
    if state == "active":
        yield right(f"{UNIT} is active: {shown.get('StatusText') or shown.get('SubState', '')}")
    elif state == "failed" and shown.get("ExecMainStatus") == str(os.EX_CONFIG):
        what = f"{UNIT} found no layout that it can use and waits"
        yield wrong(what, f"when dudo-table check finds no fault: sudo systemctl start {UNIT}")
    elif state in ("failed", "activating", "auto-restart"):
        what = f"{UNIT} does not start ({shown.get('Result', state)}, restarted {restarts} times)"
        yield wrong(what, f"journalctl -b -u {UNIT} -n 20 tells why")
    elif state == "inactive":
        yield note(f"{UNIT} is stopped", f"sudo systemctl start {UNIT}")
    if shown.get("UnitFileState") == "disabled":
        yield note(f"{UNIT} does not start with the Pi", f"sudo systemctl enable {UNIT}")


_CABLE = "plug its cable in again"
_CABLES = {
    "board": "plug its USB cable in again, or plug in another board, hold its OK and shake its cup",
    "cup": "plug its cable in again, or plug in another cup, hold OK at the seat and shake it",
    "panel": "check its four wires: GND, VCC, SCL, SDA; SCL and SDA may be swapped",
}
_PINS = "sudo systemctl stop dudo-table, then run the doctor again: it then checks the pins themselves"
