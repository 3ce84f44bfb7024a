"""Summaries for `dudo-table check`, `layouts` and `doctor`: a layout, a rule set or a Pico's wiring."""

from engine import RULESETS, Rules
from firmware_host.configuration.rules.custom import differences
from firmware_host.util.counted import counted
from hardware.boards.pico_wiring import PicoWiring
from hardware.config.layout import Layout, SerialDevice, SpiDisplay, TiltSwitch


def of_layout(layout: Layout) -> str:
    """Return the number of seats and devices by kind."""
    seats = layout.seats
    on_spi = sum(isinstance(seat.display, SpiDisplay) for seat in seats)
    pins = sum(len(seat.buttons or ()) + isinstance(seat.cup, TiltSwitch) for seat in seats) + 2 * on_spi
    cups = sum(isinstance(seat.cup, SerialDevice) for seat in seats)
    boards = sum(seat.board is not None for seat in seats)
    phones = sum(seat.phone is not None for seat in seats)
    wires = len(layout.display_wires())
    parts = {
        counted(boards, "seat board"): boards,
        counted(phones, "phone"): phones,
        counted(pins, "pin"): pins,
        counted(cups, "serial cup"): cups,
        f"displays on {counted(wires, 'I2C wire')}": wires,
        f"{counted(on_spi, 'display')} on SPI": on_spi,
    }
    return f"{len(seats)} seats: {', '.join(words for words, count in parts.items() if count)}"


def of_wiring(fitted: PicoWiring) -> str:
    """Return the parts on a Pico."""
    parts = (
        (f"{len(fitted.BUTTONS)} buttons", fitted.BUTTONS),
        ("a tilt switch", fitted.TILT is not None),
        (f"an LIS3DH at {fitted.ACCELEROMETER or 0:#04x}", fitted.ACCELEROMETER),
        (f"a display {fitted.PANEL} at {fitted.PANEL_ADDRESS:#04x}", fitted.PANEL),
        ("a light", fitted.LIGHT is not None),
        ("a service key", fitted.KEY is not None),
    )
    return f"a Pico with {', '.join(words for words, there in parts if there) or 'nothing'}"


def of_rules(rules: Rules) -> str:
    """Return the nearest shipped rule set and the differences from it."""
    base, different = differences(rules)
    if rules == RULESETS.get(rules.name):
        return f"the rules of {rules.name}"
    if not different:
        return f"rules called {rules.name}, the same as {base}"
    return f"rules called {rules.name}, {base} but for {', '.join(different)}"
