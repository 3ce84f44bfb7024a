"""Outer dimensions of a seat's parts in millimetres, except displays, which are in `hardware.chips`.
The templates for a seat's box and a cup are drawn from it. Modules with the same name differ from maker to maker, above
all in their screw holes, so the templates fix displays without screws and leave room around every part.
"""

from typing import NamedTuple

Size = tuple[float, float]
"""Width and height, or length and width."""


class Pico(NamedTuple):
    """A Pico: its board, its four screw holes and their centre distances along and across the board."""

    board: Size
    hole: float
    holes: Size


class PushButton(NamedTuple):
    """A push button: the hole it needs, the rim that covers the hole, and its depth below the panel with terminals."""

    hole: float
    rim: float
    depth: float


PICO = Pico(board=(51.0, 21.0), hole=2.1, holes=(47.0, 11.4))
"""Source: "Raspberry Pi Pico Datasheet", mechanical specification. The USB socket sticks out by 1.3 mm."""

SMALL_BUTTON = PushButton(hole=12.0, rim=16.0, depth=25.0)
"""A button with a 12 mm thread and a nut, such as PBS-33B. Rim and depth are rounded up, so that other makes fit."""

ARCADE_BUTTON = PushButton(hole=24.0, rim=29.0, depth=36.0)
"""A small arcade button, such as Sanwa's OBSF-24, with its terminals; rounded up in the same way."""

TILT_SWITCH: Size = (14.0, 5.5)
"""Length and diameter of a ball in a tube, such as SW-520D, without its legs; rounded up."""

LIS3DH: Size = (20.6, 20.3)
"""Adafruit's breakout board 2809, from its product page; many others are smaller."""

LIGHT_HOLE = 5.0
"""A standard LED's diameter."""

USB_PLUG: Size = (16.0, 12.0)
"""Opening for the moulded plug on a micro-USB cable."""
