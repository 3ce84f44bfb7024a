"""The outer dimensions of a seat's parts in millimetres.

`firmware_host.drawing.templates` draws the templates for a seat's box and a cup from it, and tests compare the hood's
table in hardware/README.md with it. Modules of the same name differ from maker to maker, above all in
their screw holes, so the templates fix displays without screws and leave room around every part.
"""

from collections.abc import Mapping
from typing import NamedTuple

Size = tuple[float, float]
"""Width and height, or length and width."""


class Hood(NamedTuple):
    """Three walls around a display: how far from its lit area, how deep, and how far beyond it towards the player."""

    gap: float
    depth: float
    beyond: float


class DisplayModule(NamedTuple):
    """A display with its board: its diagonal in inches, its lit area, its board, and the hood it needs."""

    inches: float
    lit: Size
    board: Size
    hood: Hood


class Pico(NamedTuple):
    """A Pico: its board, its four screw holes and the distances between their middles along and across the board."""

    board: Size
    hole: float
    holes: Size


class Button(NamedTuple):
    """A push button: the hole it needs, the rim that covers the hole, and its depth below the panel with terminals."""

    hole: float
    rim: float
    depth: float


DISPLAYS: Mapping[str, DisplayModule] = {
    # Lit areas: data sheets of the bare panels, Univision UG-2864ASWPG01 (55.01 x 27.49), UG-2864KSWLG01 (29.42 x
    # 14.70) and UG-2864HSWEG01 (21.74 x 10.86). Boards: the largest of the common modules, about 72 x 44, 36 x 34 and
    # 28 x 28. Hoods: "A hood against side-glances" in hardware/README.md.
    "ssd1309": DisplayModule(2.42, (55.0, 27.5), (72.0, 44.0), Hood(14, 72, 18)),
    "sh1106": DisplayModule(1.3, (29.4, 14.7), (36.0, 34.0), Hood(7, 39, 10)),
    "ssd1306": DisplayModule(0.96, (21.7, 10.9), (28.0, 28.0), Hood(6, 29, 8)),
}
"""The displays by their chip, as a layout and a Pico's wiring name them."""

PICO = Pico(board=(51.0, 21.0), hole=2.1, holes=(47.0, 11.4))
"""Source: "Raspberry Pi Pico Datasheet", mechanical specification. The USB socket sticks out by 1.3 mm."""

SMALL_BUTTON = Button(hole=12.0, rim=16.0, depth=25.0)
"""A button with a 12 mm thread and a nut, such as PBS-33B. Rim and depth are rounded up, so that other makes fit."""

ARCADE_BUTTON = Button(hole=24.0, rim=29.0, depth=36.0)
"""A small arcade button, such as Sanwa's OBSF-24, with its terminals; rounded up in the same way."""

TILT_SWITCH: Size = (14.0, 5.5)
"""Length and diameter of a ball in a tube, such as SW-520D, without its legs; rounded up."""

LIS3DH: Size = (20.6, 20.3)
"""The board of Adafruit's breakout 2809, from its product page; many others are smaller."""

LIGHT_HOLE = 5.0
"""Diameter of a standard LED."""

USB_PLUG: Size = (16.0, 12.0)
"""Opening through which the moulded plug of a micro-USB cable fits."""
