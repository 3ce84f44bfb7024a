"""Who has which GPIO, asked of the kernel by libgpiod: reading who has a line touches nothing.

The Pi's pins: whether they are there, who has them, and whether every switch is open while nobody touches it.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cached_property
from typing import Any, NamedTuple

from gpiozero import InputDevice

from firmware_host.doctor.checks.computer import board_of
from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, right, unknown, wrong
from firmware_host.doctor.machine import Machine
from hardware.boards.pi_header import SPI, UART, pin_of
from hardware.config.layout import SpiPanel, TiltSwitch


def header() -> Any:
    """The chip behind the header, None where libgpiod's bindings are not installed. Raises OSError."""
    try:
        from drivers.gpio.pins import header_chip
    except ImportError:
        return None  # nobody knows who has a pin; who opens it is told
    return header_chip()


class KernelPins:
    """The lines of a chip."""

    def __init__(self, open_chip: Callable[[], Any] = header) -> None:
        self._open_chip = open_chip

    def holder(self, pin: int) -> str | None:
        """Who has a pin (BCM number), None where it is free. Raises OSError where there is no such pin."""
        if self._chip is None:
            return None
        line = self._chip.get_line_info(pin)
        return (line.consumer or "the kernel") if line.used else None

    @cached_property
    def _chip(self) -> Any:
        return self._open_chip()


NAME = "pins"
SETTLE_S = 0.02
"""A pull-up of 50 kΩ charges three metres of wire in a tenth of that."""

CONSOLES = ("console=serial0", "console=ttyAMA0", "console=ttyS0")
OURS = "dudo-table"


class Use(NamedTuple):
    """What a pin is for. `is_switch` where it is read."""

    pin: int
    seat: str
    part: str
    is_switch: bool

    def __str__(self) -> str:
        return f"{self.seat}'s {self.part}, GPIO {self.pin} (pin {pin_of(self.pin).number})"


def check(patient: Patient) -> Iterator[Finding]:
    """Every pin of the layout. While the table runs, pins are not touched."""
    uses = [*_uses(patient)]
    if not uses:
        return
    if not pin_chips(patient.machine):
        if board_of(patient.machine):  # else that is what is wrong, and told by `board`
            yield wrong(NAME, "this computer gives no GPIO pins: there is no /dev/gpiochip*", _NO_CHIP)
        return
    faulty = False
    for finding in _examined(patient, uses):
        faulty = True
        yield finding
    if not faulty:
        state = "the table's own" if patient.running else "free, and every switch open"
        yield right(NAME, f"{len(uses)} pins are {state}")


def pin_chips(machine: Machine) -> list[str]:
    """The kernel's GPIO chips."""
    return machine.names("/dev", "gpiochip*")


def _uses(patient: Patient) -> Iterator[Use]:
    for _, seat in patient.seats:
        for button, pin in (seat.buttons or {}).items():
            yield Use(pin, seat.name, f"button {button.upper()}", True)
        if isinstance(seat.cup, TiltSwitch):
            yield Use(seat.cup.pin, seat.name, "tilt switch", True)
        if isinstance(seat.panel, SpiPanel):
            yield Use(seat.panel.dc, seat.name, "panel (DC)", False)
            yield Use(seat.panel.reset, seat.name, "panel (RES)", False)


def _examined(patient: Patient, uses: list[Use]) -> Iterator[Finding]:
    taken_by_system = dict(_taken_by_system(patient.machine))
    for use in uses:
        if use.pin in taken_by_system:
            who, remedy = taken_by_system[use.pin]
            yield wrong(NAME, f"{use}: {who} has this pin", remedy)
            continue
        try:
            holder = patient.pins.holder(use.pin)
        except OSError as error:
            yield _no_chip(patient, error)
            return  # it is the same with all of them
        if holder is not None and not (patient.running and OURS in holder):
            yield wrong(NAME, f"{use}: {holder or 'another program'} has this pin", _remedy_for(holder))
        elif holder is None and not patient.running and use.is_switch:
            yield from _level(patient, use)


def _no_chip(patient: Patient, error: OSError) -> Finding:
    """Why no pin can be asked about."""
    what = f"the pins can't be looked at ({error.strerror or error})"
    if not isinstance(error, PermissionError):
        return wrong(NAME, what, _NO_CHIP)
    if patient.user.login_groups is None:
        return unknown(NAME, f"{what} by you", "sudo dudo-table doctor")
    return wrong(NAME, what, f"sudo usermod -aG gpio {patient.user.name}, then log out and in again")


def _level(patient: Patient, use: Use) -> Iterator[Finding]:
    """Whether a switch is open, as it is when nobody touches anything."""
    try:
        with closing(InputDevice(use.pin, pull_up=True, pin_factory=patient.wires.factory)) as switch:
            time.sleep(SETTLE_S)
            is_closed = bool(switch.is_active)
    except Exception as error:  # the factories' errors have no base in common, lgpio's is a bare Exception
        yield wrong(NAME, f"{use}: can't be opened ({error or type(error).__name__})", _LIBRARY)
        return
    if is_closed and "button" in use.part:
        yield wrong(NAME, f"{use}: reads as pressed though nobody presses it", _JOINED)
    elif is_closed:
        yield wrong(NAME, f"{use}: reads as tipped though the cup stands", _TIPPED)


def _taken_by_system(machine: Machine) -> Iterator[tuple[int, tuple[str, str]]]:
    """Pins that something has whatever the kernel says of the line: a function of the chip's own."""
    if any(console in (machine.text("/proc/cmdline") or "") for console in CONSOLES):
        yield from ((pin, ("the serial console", _NO_CONSOLE)) for pin in UART)
    for bus, pins in SPI.items():
        if machine.names("/dev", f"spidev{bus}.*"):
            yield from ((pin, (f"SPI {bus}", _NO_SPI[bus])) for pin in (pins.miso, pins.mosi, pins.sclk))


def _remedy_for(holder: str) -> str:
    if "spi" in holder.casefold():
        return _NO_SPI[0]
    if "onewire" in holder.casefold() or "w1" in holder.casefold():
        return "turn 1-Wire off: sudo raspi-config nonint do_onewire 1, then sudo reboot"
    return f"end the program that calls itself {holder!r}, or give the seat another pin in the layout"


_NO_CHIP = "sudo apt full-upgrade, then sudo reboot"
_LIBRARY = "sudo apt install python3-libgpiod"
_JOINED = "move its wire to the leg diagonally across: two legs of a button are always joined"
_TIPPED = "turn the switch round on its cup, so that it is open while the cup stands"
_NO_CONSOLE = "sudo raspi-config nonint do_serial_cons 1, then sudo reboot"
_NO_SPI = {
    0: "turn SPI off: sudo raspi-config nonint do_spi 1, then sudo reboot",
    1: "take the line dtoverlay=spi1-… out of /boot/firmware/config.txt, then sudo reboot",
}
