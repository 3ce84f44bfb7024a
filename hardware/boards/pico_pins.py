"""A Raspberry Pi Pico's 40 pins, as they lie on the board.
`hardware.drawing.wiring` draws it. A pin has two numbers: the board counts its pins from 1 to 40, down its left edge
and up its right one with the USB socket on top; `hardware/firmware/wiring.py` names GPIOs by their GP number, as
printed on the board's underside. The same on Pico, Pico H, Pico W and Pico 2. Source: "Raspberry Pi Pico Datasheet",
pinout figure.
"""

from hardware.boards import BoardPin

_IN_ORDER: tuple[int | str, ...] = (
    *(0, 1, "ground", 2, 3, 4, 5, "ground", 6, 7),
    *(8, 9, "ground", 10, 11, 12, 13, "ground", 14, 15),
    *(16, 17, "ground", 18, 19, 20, 21, "ground", 22, "RUN"),
    *(26, 27, "AGND", 28, "ADC_VREF", "3V3", "3V3_EN", "ground", "VSYS", "VBUS"),
)

PICO = tuple(BoardPin(at + 1, role, row=min(at, 39 - at), column=at // 20) for at, role in enumerate(_IN_ORDER))
"""All 40 pins, in board order."""

POWER = next(pin for pin in PICO if pin.role == "3V3")
"""The board's 3.3 V output: pin 36, called 3V3(OUT)."""

GROUNDS = tuple(pin for pin in PICO if pin.role == "ground")

GPIOS = frozenset(pin.gpio for pin in PICO if pin.gpio is not None)
"""The GP numbers with a pin."""

_BY_GPIO = {pin.gpio: pin for pin in PICO if pin.gpio is not None}


def pin_of(gpio: int) -> BoardPin:
    """Return a GPIO's pin (GP number). KeyError for GP23 to GP25 and GP29, which have no pin."""
    return _BY_GPIO[gpio]
