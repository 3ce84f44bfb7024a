"""Where the terminals of every part are on the sheet, and how much room a part takes.

Terminals on the left stand at whole steps of `STEP` and those on the right at halves between, as `lanes` asks.
"""

from typing import NamedTuple

from firmware_host.drawing.wiring.nets import Terminal
from firmware_host.drawing.wiring.parts import Box, Connector, Pin, Seat
from firmware_host.drawing.wiring.svg import Point

STEP = 18.0
LEFT, EDGE = 24.0, 212.0
"""Where the parts on the left begin and end."""

ODD, EVEN = 152.0, 188.0
"""A Pi's two rows of pins."""


class Spot(NamedTuple):
    """A terminal's place, and the height at which its wire leaves for its lane."""

    at: Point
    leaves: float
    to_the_right: bool


Spots = dict[Terminal, Spot]


def height_of(part: Connector | Box | Seat) -> float:
    """How much of the sheet's height a part takes, a gap below it included; a whole number of steps."""
    match part:
        case Connector():
            return STEP * (44 + len(part.words) + 2 * len(part.terminals))
        case Box():
            return STEP * (len(part.words) + len(part.terminals) + 2)
        case Seat():
            return STEP * (len(part.terminals) + 3)


def spots_of(part: Connector | Box | Seat, top: float, left: float) -> Spots:
    """Where a part's terminals are when its upper edge is at `top` (a whole step) and its left one at `left`."""
    match part:
        case Connector():
            first = top + STEP * (len(part.words) + 2)
            spots = {Terminal(part.name, str(pin.number)): _pin_spot(part, pin, first) for pin in part.pins}
            below = first + 41 * STEP
            return spots | _down(part.name, part.terminals, EDGE, below, to_the_right=True)
        case Box():
            first = top + STEP * (len(part.words) + 1)
            return _down(part.name, part.terminals, EDGE, first, to_the_right=True)
        case Seat():
            return _down(part.name, part.terminals, left, top + 2.5 * STEP, to_the_right=False)


def _down(part: str, names: tuple[str, ...], x: float, first: float, *, to_the_right: bool) -> Spots:
    heights = (first + STEP * index for index in range(len(names)))
    return {Terminal(part, name): Spot((x, y), y, to_the_right) for name, y in zip(names, heights, strict=True)}


def _pin_spot(part: Connector, pin: Pin, first: float) -> Spot:
    y = first + 2 * STEP * pin.row
    columns = (LEFT, EDGE) if part.inside else (ODD, EVEN)
    return Spot((columns[pin.column], y), y + (0 if pin.column else STEP), True)
