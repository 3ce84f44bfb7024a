"""A Raspberry Pi's 40-pin header, as it lies on the board.
`dudo-table show` draws it in the terminal. A pin has two numbers: the header counts its pins from 1 to 40, odd ones in
the inner column and even ones along the board's edge; a layout names GPIOs by their BCM number. The same on every Pi
with 40 pins, from the 1 B+ and Zero to the 5. Source: the Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from hardware.boards import BoardPin

_IN_ORDER: tuple[int | str, ...] = (
    *("3V3", "5V"),
    *(2, "5V"),
    *(3, "ground"),
    *(4, 14),
    *("ground", 15),
    *(17, 18),
    *(27, "ground"),
    *(22, 23),
    *("3V3", 24),
    *(10, "ground"),
    *(9, 25),
    *(11, 8),
    *("ground", 7),
    *(0, 1),
    *(5, "ground"),
    *(6, 12),
    *(13, "ground"),
    *(19, 16),
    *(26, 20),
    *("ground", 21),
)

HEADER = tuple(BoardPin(at + 1, role, row=at // 2, column=at % 2) for at, role in enumerate(_IN_ORDER))
"""All 40 pins, in header order."""

GROUNDS = tuple(pin for pin in HEADER if pin.role == "ground")


class I2cPins(NamedTuple):
    """An I2C bus's GPIOs (BCM numbers)."""

    sda: int
    scl: int


I2C: Mapping[int, I2cPins] = {1: I2cPins(2, 3), 0: I2cPins(0, 1)}
"""The header's two I2C buses by number, as dtparam=i2c_arm=on and i2c_vc=on make them; a mux hangs on one of them.
The Pi has pull-up resistors for /dev/i2c-1 alone.
"""

EEPROM = (0, 1)
"""GPIOs on which a starting Pi looks for a HAT's EEPROM."""

UART = (14, 15)
"""GPIOs for the serial console, TXD and RXD."""


class SpiPins(NamedTuple):
    """An SPI bus's GPIOs (BCM numbers); `selects` has one for each chip select."""

    miso: int
    mosi: int
    sclk: int
    selects: tuple[int, ...]


SPI: Mapping[int, SpiPins] = {0: SpiPins(9, 10, 11, (8, 7)), 1: SpiPins(19, 20, 21, (18, 17, 16))}
"""The header's two SPI buses, as dtoverlay=spi0-2cs and spi1-3cs configure them."""

_BY_GPIO = {pin.gpio: pin for pin in HEADER if pin.gpio is not None}


def pin_of(gpio: int) -> BoardPin:
    """Return a GPIO's pin (BCM number, 0 to 27). KeyError for any other number."""
    return _BY_GPIO[gpio]


def header_i2c(bus: int, wires: Iterable[Collection[int]]) -> int | None:
    """Return the header's I2C bus that leads to a bus; `wires` lists the buses on each physical wire, as in a layout.
    The one in the bus's wire is meant; a wire without one is behind a mux on /dev/i2c-1. None for a bus on other pins.
    """
    wire = next((wire for wire in wires if bus in wire), (bus,))
    return next((own for own in I2C if own in wire), None if len(wire) == 1 else 1)


def mux_overlay(bus: int, base: int) -> str:
    """Return the line in config.txt for a mux on one of the header's I2C buses; its channel 0 is /dev/i2c-`base`."""
    return f"dtoverlay=i2c-mux,pca9548,addr=0x70,base={base}{'' if bus == 1 else f',i2c{bus}'}"


def spi_pins(bus: int, selects: Collection[int]) -> dict[int, str]:
    """Return the GPIOs used by an SPI bus (0 or 1) with panels at these chip selects, with their names.
    The kernel assigns chip selects from the first on: with dtoverlay=spi0-2cs both are taken.
    """
    pins = SPI[bus]
    names = {pins.miso: "MISO", pins.mosi: "MOSI", pins.sclk: "SCLK"}
    names |= {gpio: f"CE{select}" for select, gpio in enumerate(pins.selects[: max(selects, default=-1) + 1])}
    return {gpio: f"SPI{bus} {name}" for gpio, name in names.items()}


def nearest_ground(gpio: int) -> BoardPin:
    """Return the nearest ground pin to a GPIO; on a tie, the one in its own row, then the lower."""
    pin = pin_of(gpio)

    def distance(ground: BoardPin) -> tuple[int, int]:
        across, along = ground.column - pin.column, ground.row - pin.row
        return across**2 + along**2, abs(across)

    return min(GROUNDS, key=distance)
