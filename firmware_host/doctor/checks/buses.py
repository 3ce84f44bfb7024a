"""The display buses: whether they exist, and the addresses that answer. Displays are polled as the daemon polls them.

The doctor reads a status byte, as i2cdetect does; a write-only module gets a NOP. Pictures stay. While the table runs,
the doctor asks it for missing displays and polls none.
"""

import errno
import os
from collections.abc import Iterator, Mapping
from functools import partial

from drivers.display.bus_worker import BusIO, StatusPoll, describe_address
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, unknown, wrong
from hardware.boards.pi_header import I2C, mux_overlay, pin_of
from hardware.config.layout import I2cDisplay, Layout, LayoutSeat, SpiDisplay

DISPLAY_ADDRESSES = (0x3C, 0x3D)
SLOW_HZ = 100_000
PARAMETERS = {1: "i2c_arm", 0: "i2c_vc"}
"""The header's I2C buses, each with its name in config.txt."""


def check(context: Context) -> Iterator[Finding]:
    """Yield findings on the buses, then on each display."""
    if any(isinstance(seat.display, SpiDisplay) for _, seat in context.seats):
        yield from _spi(context)
    if (layout := context.layout) is None:
        return
    for wire in layout.display_wires():
        missing = {bus for bus in wire if not context.machine.path(f"/dev/i2c-{bus}").exists()}
        if missing:
            yield _missing(context, layout, sorted(missing))
        if not context.running and missing < {*wire}:
            yield from _poll(context, layout, [bus for bus in wire if bus not in missing])
    for bus in layout.header_buses():
        yield from _speed(context, bus)


def _poll(context: Context, layout: Layout, wire: list[int]) -> Iterator[Finding]:
    """Yield findings on the displays of one physical bus."""
    io = BusIO({bus: partial(context.ports.open_bus, bus) for bus in wire})
    seats = {panel: seat for _, seat in context.seats if (panel := _on(seat, wire))}
    silent = {panel: why for panel in seats if (why := _silence(io, panel.bus, panel.address))}
    for panel in (panel for panel in seats if panel not in silent):
        yield right(f"{seats[panel].name}'s display answers {describe_address(panel.bus, panel.address)}")
    held = os.strerror(errno.ETIMEDOUT)  # each poll then takes the second that the adapter waits
    elsewhere = {panel: None if why == held else _other(io, panel, seats) for panel, why in silent.items()}
    io.shutdown(())
    if len(silent) == len(seats) > 1 and len({*silent.values()}) == 1 and not any(elsewhere.values()):
        (why,) = {*silent.values()}
        what = f"no display answers on I2C bus {_listed(wire)} ({why})"
        yield _silent_finding(context, what, why, _whole_wire(layout.header_bus(wire[0])))
        return
    for panel, why in silent.items():
        what = f"{seats[panel].name}'s display does not answer {describe_address(panel.bus, panel.address)} ({why})"
        if other := elsewhere[panel]:
            yield wrong(f"{what}, but one does at {other:#04x}", f"write address = {other:#04x} in the layout")
        else:
            yield _silent_finding(context, what, why, _WIRES)


def _silent_finding(context: Context, what: str, why: str, wires: str) -> Finding:
    if why == os.strerror(errno.EACCES) and context.user.login_groups is None:
        return unknown(f"{what}: you may not use the bus", "sudo dudo-table doctor")
    if why == os.strerror(errno.EACCES):
        return wrong(what, f"sudo usermod -aG i2c {context.user.name}, then log out and in again")
    return wrong(what, _HELD if why == os.strerror(errno.ETIMEDOUT) else wires)


def _on(seat: LayoutSeat, wire: list[int]) -> I2cDisplay | None:
    return seat.display if isinstance(seat.display, I2cDisplay) and seat.display.bus in wire else None


def _silence(io: BusIO, bus: int, address: int) -> str:
    """Return why a display does not answer, in the system's words; empty if it does."""
    _, error = io.poll([StatusPoll(bus, address, (), stays_on=False)])
    return "" if error is None else str(error).rpartition("(")[2].rstrip(")")


def _other(io: BusIO, panel: I2cDisplay, seats: Mapping[I2cDisplay, LayoutSeat]) -> int | None:
    """Return an answering address without a seat on the display's bus."""
    taken = {other.address for other in seats if other.bus == panel.bus}
    free = (address for address in DISPLAY_ADDRESSES if address not in taken)
    return next((address for address in free if not _silence(io, panel.bus, address)), None)


def _missing(context: Context, layout: Layout, buses: list[int]) -> Finding:
    what = f"there is no {', '.join(f'/dev/i2c-{bus}' for bus in buses)}"
    machine, header_bus = context.machine, layout.header_bus(buses[0])
    if header_bus is None:
        return wrong(what, "add the bus's line to /boot/firmware/config.txt, then sudo reboot")
    if header_bus in buses or not machine.path(f"/dev/i2c-{header_bus}").exists():
        return wrong(f"{what}: I2C is off", _SWITCHED_ON[header_bus])
    base = min(bus for wire in layout.wires if buses[0] in wire for bus in wire if bus not in I2C)
    if machine.names("/sys/bus/i2c/devices", f"{header_bus}-007*"):
        remedy = f"add base={base} to the mux's line dtoverlay=i2c-mux in /boot/firmware/config.txt, then sudo reboot"
        return wrong(f"{what}: the mux's channels have other numbers", remedy)
    return wrong(f"{what}: the kernel does not know the mux", _config_line(mux_overlay(header_bus, base)))


def _config_line(line: str) -> str:
    return f"echo '{line}' | sudo tee -a /boot/firmware/config.txt, then sudo reboot"


def _speed(context: Context, bus: int) -> Iterator[Finding]:
    """Yield a bus's clock, if the kernel reports it."""
    file = context.machine.path(f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency")
    try:
        hz = int.from_bytes(file.read_bytes(), "big")
    except OSError:
        return
    if hz <= SLOW_HZ:
        line = f"dtparam={PARAMETERS[bus]}_baudrate=400000"  # on its own line: do_i2c would remove it from the other
        yield note(f"I2C bus {bus} runs at {hz // 1000} kHz: pictures take four times longer", _config_line(line))
    else:
        yield right(f"I2C bus {bus} runs at {hz // 1000} kHz")


def _spi(context: Context) -> Iterator[Finding]:
    """Yield findings on the chip selects; a display on SPI can't be polled."""
    for _, seat in context.seats:
        if not isinstance(panel := seat.display, SpiDisplay):
            continue
        device = f"/dev/spidev{panel.spi}.{panel.select}"
        if context.machine.path(device).exists():
            yield right(f"{seat.name}'s display is on {device}; a display on SPI never answers: look at it")
        else:
            overlay = "dtoverlay=spi0-2cs" if not panel.spi else "dtoverlay=spi1-3cs"
            yield wrong(f"{seat.name}'s display: there is no {device}", _config_line(overlay))


def _listed(wire: list[int]) -> str:
    return ", ".join(map(str, wire))


_WIRES = "check its four wires: GND, VCC, SCL, SDA; SCL and SDA may be swapped"
_HELD = "unplug the displays one by one: the one that holds SCL or SDA to ground is found when the others answer"
_SWITCHED_ON = {
    1: "sudo raspi-config nonint do_i2c 0, then sudo reboot",
    0: _config_line(f"dtparam={PARAMETERS[0]}=on"),
}


def _whole_wire(header_bus: int | None) -> str:
    """Return the remedy for a wire on which every display is silent."""
    if header_bus is None:
        return "check the wires from the Pi to the displays: GND, 3.3 V, SCL, SDA"
    sda, scl = (pin_of(gpio).number for gpio in I2C[header_bus])
    places = f"GND, 3.3 V, SCL on pin {scl}, SDA on pin {sda}" + ("" if header_bus == 1 else ", their pull-ups")
    return f"check the wires from the Pi to the displays or their mux: {places}"
