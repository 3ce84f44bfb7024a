"""The Pi's GPIO pins: whether they exist, their holders, and whether every switch is open.

libgpiod names a line's holder without touching the line. The doctor reads free pins with switches for a moment; players
leave the buttons alone meanwhile, so a closed switch is a fault.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cached_property
from typing import Any, NamedTuple

from gpiozero import InputDevice

from firmware_host.doctor.checks.computer import board_of
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, right, unknown, wrong
from firmware_host.doctor.machine import Machine
from firmware_host.util.system_error import reason_of
from hardware.boards.pi_header import SPI, UART, pin_of
from hardware.config.layout import SpiDisplay, TiltSwitch

SETTLE_S = 0.02
"""Seconds until a pin is read. A pull-up of 50 kΩ charges three metres of wire in a tenth of that."""
CONSOLES = ("console=serial0", "console=ttyAMA0", "console=ttyS0")
CONSUMER = "dudo-table"
"""Name under which the daemon holds its pins."""


def header_chip() -> Any:
    """Return the header's GPIO chip, or None without libgpiod's bindings. Raises OSError."""
    try:
        from drivers.gpio.pins import header_chip
    except ImportError:
        return None  # the holder of a pin is unknown; opening a pin that is held fails with an error
    return header_chip()


class KernelPinHolders:
    """The programs holding lines of a GPIO chip."""

    def __init__(self, open_chip: Callable[[], Any] = header_chip) -> None:
        self._open_chip = open_chip

    def holder(self, pin: int) -> str | None:
        """Return the program holding a pin (BCM number), or None if it is free. Raises OSError for a missing pin."""
        if self._chip is None:
            return None
        line = self._chip.get_line_info(pin)
        return (line.consumer or "the kernel") if line.used else None

    @cached_property
    def _chip(self) -> Any:
        return self._open_chip()


class CheckedPin(NamedTuple):
    """A pin in the layout, with its seat and part; `is_switch` if it is an input."""

    pin: int
    seat: str
    part: str
    is_switch: bool

    def __str__(self) -> str:
        return f"{self.seat}'s {self.part}, GPIO {self.pin} (pin {pin_of(self.pin).number})"


def check(context: Context) -> Iterator[Finding]:
    """Yield findings on every layout pin. While the table runs, pins are left alone."""
    uses = [*_uses(context)]
    if not uses:
        return
    if not pin_chips(context.machine):
        if board_of(context.machine):  # else the check `board` reports that this is not a Pi
            yield wrong("this computer has no GPIO pins: there is no /dev/gpiochip*", _NO_CHIP)
        return
    faulty = False
    for finding in _check_pins(context, uses):
        faulty = True
        yield finding
    if not faulty:
        state = "held by the table" if context.running else "free, and every switch open"
        yield right(f"{len(uses)} pins are {state}")


def pin_chips(machine: Machine) -> list[str]:
    """Return the GPIO chips' device files."""
    return machine.names("/dev", "gpiochip*")


def _uses(context: Context) -> Iterator[CheckedPin]:
    for _, seat in context.seats:
        for button, pin in (seat.buttons or {}).items():
            yield CheckedPin(pin, seat.name, f"button {button.upper()}", True)
        if isinstance(seat.cup, TiltSwitch):
            yield CheckedPin(seat.cup.pin, seat.name, "tilt switch", True)
        if isinstance(seat.display, SpiDisplay):
            yield CheckedPin(seat.display.dc, seat.name, "display (DC)", False)
            yield CheckedPin(seat.display.reset, seat.name, "display (RES)", False)


def _check_pins(context: Context, uses: list[CheckedPin]) -> Iterator[Finding]:
    used_by_system = dict(_used_by_system(context.machine))
    for use in uses:
        if use.pin in used_by_system:
            who, remedy = used_by_system[use.pin]
            yield wrong(f"{use}: {who} has this pin", remedy)
            continue
        try:
            holder = context.pin_holders.holder(use.pin)
        except OSError as error:
            yield _no_chip(context, error)
            return  # all pins are on the same chip
        if holder is not None and not (context.running and CONSUMER in holder):
            yield wrong(f"{use}: {holder or 'another program'} has this pin", _remedy_for(holder))
        elif holder is None and not context.running and use.is_switch:
            yield from _level(context, use)


def _no_chip(context: Context, error: OSError) -> Finding:
    """Return the reason why pin holders are unknown."""
    what = f"the pins can't be checked ({reason_of(error)})"
    if not isinstance(error, PermissionError):
        return wrong(what, _NO_CHIP)
    if context.user.login_groups is None:
        return unknown(f"{what} by you", "sudo dudo-table doctor")
    return wrong(what, f"sudo usermod -aG gpio {context.user.name}, then log out and in again")


def _level(context: Context, use: CheckedPin) -> Iterator[Finding]:
    """Yield a finding if an untouched switch is closed."""
    try:
        with closing(InputDevice(use.pin, pull_up=True, pin_factory=context.ports.factory)) as switch:
            time.sleep(SETTLE_S)
            is_closed = bool(switch.is_active)
    except Exception as error:  # the factories' errors have no common base; lgpio's is a bare Exception
        yield wrong(f"{use}: can't be opened ({error or type(error).__name__})", _LIBRARY)
        return
    if is_closed and "button" in use.part:
        yield wrong(f"{use}: reads as pressed though nobody presses it", _JOINED)
    elif is_closed:
        yield wrong(f"{use}: reads as tipped though the cup stands", _TIPPED)


def _used_by_system(machine: Machine) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield pins in use by an alternate chip function; the kernel does not list these as held."""
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
_TIPPED = "turn the switch around on its cup, so that it is open while the cup stands"
_NO_CONSOLE = "sudo raspi-config nonint do_serial_cons 1, then sudo reboot"
_NO_SPI = {
    0: "turn SPI off: sudo raspi-config nonint do_spi 1, then sudo reboot",
    1: "remove the line dtoverlay=spi1-… from /boot/firmware/config.txt, then sudo reboot",
}
