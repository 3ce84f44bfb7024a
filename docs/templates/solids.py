"""A seat's box and a cup's disc as solids to print, from the dimensions of the templates: `make parts` writes them.

Each is an STL for a slicer and a STEP for a CAD program, in millimetres, lying as it is printed, without supports. The
pieces are those of the templates, with what a print can have at no cost: the box in one piece, ribs that hold the face
in place, grooves for the hood, and the switch's wedge as part of its disc.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from math import degrees
from pathlib import Path

from build123d import (
    Align,
    Box,
    Cylinder,
    Part,
    Polyline,
    Pos,
    Rot,
    export_step,
    export_stl,
    extrude,
    make_face,
)

from docs.templates import cup_base, seat_box
from docs.templates.dimensions import LIGHT_HOLE, PICO
from docs.templates.seat_box import BACK_HEIGHT, DEPTH, FACE, FRONT_HEIGHT, LEAN, THICKNESS
from hardware.chips import CHIPS, Module

GROOVE = 1.2
"""Depth of the grooves for the hood."""
FIT = 0.3
"""Gap between two printed pieces that go into each other."""
_RIB = (2.0, 60.0, 4.0)
_CORNER = (Align.MIN, Align.MIN, Align.MIN)
_ON_BED = (Align.CENTER, Align.CENTER, Align.MIN)


def _block(at: tuple[float, float, float], size: tuple[float, float, float]) -> Part:
    """Return a block with its lowest corner at `at`."""
    return Pos(*at) * Box(*size, align=_CORNER)


def _through(x: float, y: float, diameter: float) -> Part:
    """Return a hole's cylinder, long enough for every piece."""
    return Pos(x, y, 0) * Cylinder(diameter / 2, 40)


def face(display: Module) -> Part:
    """Return the face for a display: x from its left, y from its low edge, z upwards from its underside."""
    piece = Box(*FACE, THICKNESS, align=_CORNER)
    middle_x, middle_y = seat_box.DISPLAY_MIDDLE
    window = [side + 2 * seat_box.WINDOW_MARGIN for side in display.lit]
    piece -= Pos(middle_x, middle_y, 0) * Box(*window, 40)
    for _, along, button in seat_box.BUTTONS:
        piece -= _through(along, seat_box.BUTTON_ROW, button.hole)
    piece -= _through(*seat_box.LIGHT, LIGHT_HOLE)
    piece -= Pos(0, 0, THICKNESS - GROOVE) * _hood_walls(display, GROOVE, FIT / 2)
    for left in (THICKNESS + FIT, FACE[0] - THICKNESS - FIT - _RIB[0]):
        piece += _block((left, FACE[1] / 2 - 20, -_RIB[2]), _RIB)
    return piece


def hood(display: Module) -> Part:
    """Return the hood's three walls, standing on the face's groove at z = 0."""
    return _hood_walls(display, display.hood_depth + GROOVE, 0)


def _hood_walls(display: Module, height: float, wider: float) -> Part:
    (width, _), (length, _) = seat_box.hood_top(display), seat_box.hood_side(display)
    x, y = seat_box.DISPLAY_MIDDLE
    high = y + display.lit[1] / 2 + display.hood_gap + THICKNESS
    outer = (width + 2 * THICKNESS + 2 * wider, length + 2 * wider)
    walls = _block((x - outer[0] / 2, high + wider - outer[1], 0), (*outer, height))
    inner = (width - 2 * wider, length - THICKNESS + wider)
    return walls - _block((x - inner[0] / 2, high - THICKNESS - wider - inner[1], 0), (inner[0], inner[1], height))


def box() -> Part:
    """Return the box without its face: x from its left, y from the player, z upwards from the table."""

    def profile(corners: list[tuple[float, float]], left: float, width: float) -> Part:
        outline = make_face(Polyline(*((left, y, z) for y, z in corners), close=True))
        return extrude(outline, width, dir=(1, 0, 0))

    outside = profile([(0, 0), (DEPTH, 0), (DEPTH, BACK_HEIGHT), (0, FRONT_HEIGHT)], 0, FACE[0])
    near, far = THICKNESS, DEPTH - THICKNESS
    inside = [(near, THICKNESS), (far, THICKNESS), (far, BACK_HEIGHT + 9), (near, BACK_HEIGHT + 9)]
    shell = outside - profile(inside, THICKNESS, FACE[0] - 2 * THICKNESS)
    for across, level, size in seat_box.back_openings():
        middle = Pos(FACE[0] - THICKNESS - across, DEPTH, level)  # the template shows the back from outside
        shell -= middle * (
            Box(size[0], 20, size[1]) if isinstance(size, tuple) else Rot(90, 0, 0) * Cylinder(size / 2, 20)
        )
    for x, y in seat_box.pico_holes():
        shell -= _through(THICKNESS + x, DEPTH - THICKNESS - y, PICO.hole)
    for x, y in seat_box.strip_board_holes():
        shell -= _through(THICKNESS + x, DEPTH - THICKNESS - y, seat_box.SCREW_HOLE)
    return shell


def cup_disc(kind: str, diameter: float) -> Part:
    """Return the disc for a `tilt`, `lis3dh` or `pico` cup, its parts' side up; y points away from the player."""
    disc = Cylinder(diameter / 2, THICKNESS, align=_ON_BED)
    if kind == "pico":
        x, y = cup_base.PICO_MIDDLE
        for side in (-1, 1):
            for end in (-1, 1):
                disc -= _through(x + side * PICO.holes[1] / 2, -y + end * PICO.holes[0] / 2, PICO.hole)
        return disc
    disc -= _through(0, cup_base.LEAD, cup_base.LEAD_HOLE)
    for side in (-6, 6):
        disc -= _through(side, cup_base.LEAD - 9, cup_base.TIE_HOLE)
    if kind == "tilt":
        disc += Pos(0, -4, THICKNESS) * wedge()
    return disc


def wedge() -> Part:
    """Return the tilt switch's wedge, on z = 0 and around the middle, its thick end towards the player."""
    long, high = cup_base.WEDGE, cup_base.wedge_height()
    side = make_face(Polyline((-3, -long / 2, 0), (-3, long / 2, 0), (-3, -long / 2, high), close=True))
    return extrude(side, 6, dir=(1, 0, 0))


def on_box(piece: Part) -> Part:
    """Move a piece from the face's coordinates to its place on the box."""
    return Pos(0, 0, FRONT_HEIGHT) * Rot(degrees(LEAN), 0, 0) * piece


def displays() -> tuple[Module, ...]:
    """Return every kind of display, the largest first."""
    return tuple(sorted({chip.module for chip in CHIPS.values()}, key=lambda display: -display.inches))


def printed() -> Mapping[str, Callable[[], Part]]:
    """Return what makes each part, by file name, as it lies on the printer's bed."""
    turned = Pos(0, FACE[1], THICKNESS) * Rot(180, 0, 0)  # the player's side of a face lies on the bed
    parts: dict[str, Callable[[], Part]] = {"box": box}
    for display in displays():
        parts[f"face-{display.inches:g}-inch"] = lambda display=display: turned * face(display)
        parts[f"hood-{display.inches:g}-inch"] = partial(hood, display)
    for kind, diameters in (
        ("tilt", cup_base.DIAMETERS),
        ("lis3dh", cup_base.DIAMETERS),
        ("pico", cup_base.PICO_DIAMETERS),
    ):
        for diameter in diameters:
            parts[f"cup-disc-{kind}-{diameter:g}-mm"] = partial(cup_disc, kind, diameter)
    return parts


def main(folder: Path) -> None:
    """Write every part into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = printed()
    for name, make in parts.items():
        part = make()
        export_stl(part, folder / f"{name}.stl")
        export_step(part, folder / f"{name}.step")
    print(f"{folder}: {len(parts)} parts, each as STL to print and as STEP to change")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
