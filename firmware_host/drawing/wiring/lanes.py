"""Wires laid between two columns of parts, each with a lane of its own: where each runs, so that few of them cross.

A wire leaves its places level, up to its lane, and runs up and down in that alone. Places to the left and to the right
never have one height, so no two wires run on top of each other: they only cross.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from firmware_host.drawing.wiring.svg import Point


class Reach(NamedTuple):
    """The heights at which a wire comes to its lane: from the left and from the right."""

    left: tuple[float, ...]
    right: tuple[float, ...]

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it runs in its lane."""
        heights = (*self.left, *self.right)
        return min(heights), max(heights)


def ordered(reaches: Sequence[Reach]) -> tuple[int, ...]:
    """The wires by index, from the leftmost lane to the rightmost: each where it crosses fewest of the others."""
    count = len(reaches)
    cost = [[_crossings(one, other) for other in reaches] for one in reaches]
    lanes = sorted(range(count), key=lambda index: (-reaches[index].span[1], index))
    moved = True
    while moved:
        moved = False
        for index in range(count):
            was = lanes.index(index)
            others = [other for other in lanes if other != index]
            best, least = was, 0
            change = 0
            totals = [sum(cost[index][other] for other in others)]  # with this one leftmost
            for other in others:
                change += cost[other][index] - cost[index][other]
                totals.append(totals[0] + change)
            least = min(totals)
            if totals[was] > least:
                best = totals.index(least)
                lanes = [*others[:best], index, *others[best:]]
                moved = True
    return tuple(lanes)


def _crossings(one: Reach, other: Reach) -> int:
    """How often two wires cross when `one` has its lane to the left of the `other`'s."""
    (top, bottom), (its_top, its_bottom) = one.span, other.span
    under = sum(top < height < bottom for height in other.left)
    return under + sum(its_top < height < its_bottom for height in one.right)


def bent(points: list[Point]) -> str:
    """A path's text along points, its bends rounded."""
    d = f"M{points[0][0]:g} {points[0][1]:g}"
    for (before, bend), (_, after) in zip(pairwise(points), pairwise(points[1:]), strict=False):
        near, far = _towards(bend, before), _towards(bend, after)
        d += f"L{near[0]:g} {near[1]:g}Q{bend[0]:g} {bend[1]:g} {far[0]:g} {far[1]:g}"
    return f"{d}L{points[-1][0]:g} {points[-1][1]:g}"


def _towards(corner: Point, other: Point, most: float = 4.0) -> Point:
    (x, y), (to_x, to_y) = corner, other
    way = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 1e-9)
    share = min(most / way, 0.5)
    return round(x + (to_x - x) * share, 2), round(y + (to_y - y) * share, 2)
