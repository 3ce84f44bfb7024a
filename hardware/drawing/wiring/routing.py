"""Terminal positions on the sheet, and the lane order for the nets between them. Nets run in the channel between the
components on the left and the seats on the right. Each net has its own lane, an upright line, and runs level from each
terminal to that lane. Terminals on the left are at whole steps of `STEP` and those on the right halfway between, so
nets cross but never overlap.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from hardware.drawing.wiring.netlist import Connector, ConnectorPin, PartBox, SeatBox, Terminal
from hardware.drawing.wiring.svg import Point

STEP = 18.0
"""Pixels between two terminals, and from line to line of text."""

LEFT, EDGE = 24.0, 212.0
"""Pixels from the sheet's left edge to the left components' left and right edges."""

ODD, EVEN = 152.0, 188.0
"""Pixels from the sheet's left edge to a Pi header's two columns."""


class Placement(NamedTuple):
    """A terminal's position, the height at which its wire runs to its lane, and the side of the channel."""

    at: Point
    wire_y: float
    is_left: bool


Placements = dict[Terminal, Placement]


def height_of(component: Connector | PartBox | SeatBox) -> float:
    """Return a component's height with the gap below it, in pixels; a whole number of steps."""
    match component:
        case Connector():
            return STEP * (44 + len(component.caption) + 2 * len(component.terminals))
        case PartBox():
            return STEP * (len(component.caption) + len(component.terminals) + 2)
        case SeatBox():
            return STEP * (len(component.terminals) + 3)


def positions_of(component: Connector | PartBox | SeatBox, top: float, seats_left: float) -> Placements:
    """Return the positions of a component's terminals; `top` is its upper edge, a whole step.

    Seats have their left edge at `seats_left`.
    """
    match component:
        case Connector():
            first = top + STEP * (len(component.caption) + 2)
            pins = {
                Terminal(component.name, str(pin.number)): _pin_position(component, pin, first)
                for pin in component.pins
            }
            return pins | _column(component.name, component.terminals, EDGE, first + 41 * STEP, is_left=True)
        case PartBox():
            first = top + STEP * (len(component.caption) + 1)
            return _column(component.name, component.terminals, EDGE, first, is_left=True)
        case SeatBox():
            return _column(component.name, component.terminals, seats_left, top + 2.5 * STEP, is_left=False)


def _column(component: str, names: tuple[str, ...], x: float, first: float, *, is_left: bool) -> Placements:
    heights = (first + STEP * index for index in range(len(names)))
    return {Terminal(component, name): Placement((x, y), y, is_left) for name, y in zip(names, heights, strict=True)}


def _pin_position(connector: Connector, pin: ConnectorPin, first: float) -> Placement:
    y = first + 2 * STEP * pin.row
    columns = (LEFT, EDGE) if connector.pins_at_edges else (ODD, EVEN)
    # A wire from the left column passes between two pins of the right one, half a row further down.
    return Placement((columns[pin.column], y), y + (0 if pin.column else STEP), is_left=True)


class NetHeights(NamedTuple):
    """The heights where a net reaches its lane, from the left and from the right."""

    left: tuple[float, ...]
    right: tuple[float, ...]

    @property
    def span(self) -> tuple[float, float]:
        """The upper and lower end of the net's lane."""
        heights = (*self.left, *self.right)
        return min(heights), max(heights)


def lane_order(nets: Sequence[NetHeights]) -> tuple[int, ...]:
    """Return the nets' indices in lane order from the left, with few crossings.
    One net after the other moves to the lane with the fewest crossings, until no move helps.
    """
    crossings = [[_crossings(one, other) for other in nets] for one in nets]
    lanes = sorted(range(len(nets)), key=lambda index: (-nets[index].span[1], index))
    has_moved = True
    while has_moved:
        has_moved = False
        for index in range(len(nets)):
            current = lanes.index(index)
            others = [other for other in lanes if other != index]
            totals = [sum(crossings[index][other] for other in others)]  # crossings with this net leftmost
            for other in others:
                totals.append(totals[-1] + crossings[other][index] - crossings[index][other])
            if totals[current] > min(totals):
                best = totals.index(min(totals))
                lanes = [*others[:best], index, *others[best:]]
                has_moved = True
    return tuple(lanes)


def _crossings(left: NetHeights, right: NetHeights) -> int:
    """Count two nets' crossings if `left` has its lane to the left of `right`'s."""
    (top, bottom), (right_top, right_bottom) = left.span, right.span
    through_left_lane = sum(top < height < bottom for height in right.left)
    return through_left_lane + sum(right_top < height < right_bottom for height in left.right)


def rounded_path(points: list[Point]) -> str:
    """Return a path's `d` attribute along points, with rounded bends."""
    d = f"M{points[0][0]:g} {points[0][1]:g}"
    for (before, bend), (_, after) in zip(pairwise(points), pairwise(points[1:]), strict=False):
        near, far = _towards(bend, before), _towards(bend, after)
        d += f"L{near[0]:g} {near[1]:g}Q{bend[0]:g} {bend[1]:g} {far[0]:g} {far[1]:g}"
    return f"{d}L{points[-1][0]:g} {points[-1][1]:g}"


def _towards(corner: Point, other: Point, max_px: float = 4.0) -> Point:
    """Return the point `max_px` from a corner towards another point, or halfway if that is nearer."""
    (x, y), (to_x, to_y) = corner, other
    length = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 1e-9)
    share = min(max_px / length, 0.5)
    return round(x + (to_x - x) * share, 2), round(y + (to_y - y) * share, 2)
