"""The panels' buses: which are there, and who answers at which address. Panels are asked as the daemon asks them.

A status byte is read, as i2cdetect does; a module that can't be read from gets a NOP. No picture is touched. While the
table runs nothing is asked: it says itself what it misses.
"""

import errno
import os
from collections.abc import Iterator, Mapping
from functools import partial

from drivers.display.bus_worker import BusIO, StatusPoll, describe_address
from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right, unknown, wrong
from hardware.config.layout import Panel, Seat, SpiPanel

NAME = "panels"
PANEL_ADDRESSES = (0x3C, 0x3D)
SLOW_HZ = 100_000
OWN_BUS = 1
"""The header's own bus; the channels of a mux come after it."""


def check(patient: Patient) -> Iterator[Finding]:
    """Buses first, then each panel."""
    if any(isinstance(seat.panel, SpiPanel) for _, seat in patient.seats):
        yield from _spi(patient)
    wires = () if patient.layout is None else patient.layout.panel_wires()
    for wire in wires:
        missing = {bus for bus in wire if not patient.machine.path(f"/dev/i2c-{bus}").exists()}
        if missing:
            yield _missing(patient, sorted(missing))
        if not patient.running and missing < {*wire}:
            yield from _asked(patient, [bus for bus in wire if bus not in missing])
    if wires:
        yield from _speed(patient)


def _asked(patient: Patient, wire: list[int]) -> Iterator[Finding]:
    """Who answers on one physical wire."""
    io = BusIO({bus: partial(patient.wires.open_bus, bus) for bus in wire})
    seats = {panel: seat for _, seat in patient.seats if (panel := _on(seat, wire))}
    silent = {panel: why for panel in seats if (why := _silence(io, panel.bus, panel.address))}
    for panel in (panel for panel in seats if panel not in silent):
        yield right(NAME, f"{seats[panel].name}'s panel answers {describe_address(panel.bus, panel.address)}")
    held = os.strerror(errno.ETIMEDOUT)  # each question then costs the second that an adapter grants it
    elsewhere = {panel: None if why == held else _other(io, panel, seats) for panel, why in silent.items()}
    io.shutdown(())
    if len(silent) == len(seats) > 1 and len({*silent.values()}) == 1 and not any(elsewhere.values()):
        (why,) = {*silent.values()}
        yield _unheard(patient, f"no panel answers on I2C bus {_listed(wire)} ({why})", why, _WHOLE_WIRE)
        return
    for panel, why in silent.items():
        what = f"{seats[panel].name}'s panel does not answer {describe_address(panel.bus, panel.address)} ({why})"
        if other := elsewhere[panel]:
            yield wrong(NAME, f"{what}, but one does at {other:#04x}", f"write address = {other:#04x} in the layout")
        else:
            yield _unheard(patient, what, why, _WIRES)


def _unheard(patient: Patient, what: str, why: str, wires: str) -> Finding:
    if why == os.strerror(errno.EACCES) and patient.user.login_groups is None:
        return unknown(NAME, f"{what}: you may not ask", "sudo dudo-table doctor")
    if why == os.strerror(errno.EACCES):
        return wrong(NAME, what, f"sudo usermod -aG i2c {patient.user.name}, then log out and in again")
    return wrong(NAME, what, _HELD if why == os.strerror(errno.ETIMEDOUT) else wires)


def _on(seat: Seat, wire: list[int]) -> Panel | None:
    return seat.panel if isinstance(seat.panel, Panel) and seat.panel.bus in wire else None


def _silence(io: BusIO, bus: int, address: int) -> str:
    """Why a panel does not answer, in the system's words; nothing if it does."""
    _, error = io.poll([StatusPoll(bus, address, (), stays_on=False)])
    return "" if error is None else str(error).rpartition("(")[2].rstrip(")")


def _other(io: BusIO, panel: Panel, seats: Mapping[Panel, Seat]) -> int | None:
    """Another address on a panel's bus where one answers that is nobody's."""
    taken = {other.address for other in seats if other.bus == panel.bus}
    free = (address for address in PANEL_ADDRESSES if address not in taken)
    return next((address for address in free if not _silence(io, panel.bus, address)), None)


def _missing(patient: Patient, buses: list[int]) -> Finding:
    what = f"there is no {', '.join(f'/dev/i2c-{bus}' for bus in buses)}"
    machine = patient.machine
    if OWN_BUS in buses or not machine.path(f"/dev/i2c-{OWN_BUS}").exists():
        return wrong(NAME, f"{what}: I2C is off", "sudo raspi-config nonint do_i2c 0, then sudo reboot")
    if machine.names("/sys/bus/i2c/devices", f"{OWN_BUS}-007*"):
        return wrong(NAME, f"{what}: the mux's channels have other numbers", _NUMBERS)
    return wrong(NAME, f"{what}: the kernel knows of no mux", _overlay(min(buses)))


def _overlay(base: int) -> str:
    line = f"dtoverlay=i2c-mux,pca9548,addr=0x70,base={base}"
    return f"echo '{line}' | sudo tee -a /boot/firmware/config.txt, then sudo reboot"


def _speed(patient: Patient) -> Iterator[Finding]:
    """The bus's clock, where the kernel tells it."""
    file = patient.machine.path(f"/sys/class/i2c-adapter/i2c-{OWN_BUS}/of_node/clock-frequency")
    try:
        hz = int.from_bytes(file.read_bytes(), "big")
    except OSError:
        return
    if hz <= SLOW_HZ:
        line = "dtparam=i2c_arm_baudrate=400000"  # on a line of its own: do_i2c would take it from the other
        remedy = f"echo '{line}' | sudo tee -a /boot/firmware/config.txt, then sudo reboot"
        yield note(NAME, f"I2C runs at {hz // 1000} kHz: pictures come four times slower", remedy)
    else:
        yield right(NAME, f"I2C runs at {hz // 1000} kHz")


def _spi(patient: Patient) -> Iterator[Finding]:
    """Whether the chip selects are there; nobody can ask what hangs on them."""
    for _, seat in patient.seats:
        if not isinstance(panel := seat.panel, SpiPanel):
            continue
        device = f"/dev/spidev{panel.spi}.{panel.select}"
        if patient.machine.path(device).exists():
            yield right(NAME, f"{seat.name}'s panel is on {device}; a panel on SPI never answers: look at it")
        else:
            overlay = "dtoverlay=spi0-2cs" if not panel.spi else "dtoverlay=spi1-3cs"
            remedy = f"echo '{overlay}' | sudo tee -a /boot/firmware/config.txt, then sudo reboot"
            yield wrong(NAME, f"{seat.name}'s panel: there is no {device}", remedy)


def _listed(wire: list[int]) -> str:
    return ", ".join(map(str, wire))


_WIRES = "check its four wires: GND, VCC, SCL, SDA; SCL and SDA may be swapped"
_WHOLE_WIRE = "check the wires from the Pi to the panels or their mux: GND, 3.3 V, SCL on pin 5, SDA on pin 3"
_HELD = "pull the panels one by one: something holds SCL or SDA to ground until the right one is out"
_NUMBERS = "add base=30 to the line dtoverlay=i2c-mux in /boot/firmware/config.txt, then sudo reboot"
