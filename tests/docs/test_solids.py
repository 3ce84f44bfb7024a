"""The parts to print: closed solids with walls that print, on a common bed, with room for every part of the list."""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("build123d", reason="make parts installs it")
import numpy as np
from build123d import Box, Cylinder, Pos

from docs.templates import cup_base, seat_box, solids
from docs.templates.dimensions import LIS3DH, PICO, TILT_SWITCH
from docs.templates.seat_box import DEPTH, FACE, THICKNESS
from hardware.chips import Module

pytestmark = pytest.mark.slow
BED_MM, MIN_WALL_MM = 180, 1.6
TALLEST_MODULE_MM, STACK_MM = 8.0, 13.0
"""A display with the pins on its back; a strip-board's sockets with the Pico in them."""
for_each_display = pytest.mark.parametrize("display", solids.displays(), ids=lambda display: f"{display.inches}")


def triangles(part: Any) -> Any:
    """Return a solid's surface as an array of triangles, wound outwards."""
    points, faces = part.tessellate(0.05, 0.2)
    return np.array([(point.X, point.Y, point.Z) for point in points])[np.array(faces)]


def thinnest(surface: Any) -> float:
    """Return the shortest way through a solid, straight in from the middle of each of its triangles."""
    a, b, c = surface[:, 0], surface[:, 1], surface[:, 2]
    normals = np.cross(b - a, c - a)
    areas = np.linalg.norm(normals, axis=1)
    shortest = np.inf
    for index in np.flatnonzero(areas > 1e-6):
        way = -normals[index] / areas[index]
        start = surface[index].mean(axis=0) + way * 1e-4
        edge_1, edge_2, back = b - a, c - a, start - a
        cross = np.cross(way, edge_2)
        across = np.einsum("ij,ij->i", edge_1, cross)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.einsum("ij,ij->i", back, cross) / across
            turned = np.cross(back, edge_1)
            v = turned @ way / across
            far = np.einsum("ij,ij->i", edge_2, turned) / across
        hits = far[(u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-3)]
        assert len(hits), "a way in has no way out"
        shortest = min(shortest, float(hits.min()))
    return shortest


@pytest.mark.parametrize("name", solids.printed())
def test_a_part_is_closed_fits_the_bed_and_has_walls_that_print(name: str) -> None:
    part = solids.printed()[name]()
    assert part.is_valid
    assert len(part.solids()) == 1
    surface = triangles(part)
    edges: dict[tuple[tuple[float, ...], tuple[float, ...]], int] = {}
    for corners in np.round(surface, 4).tolist():
        for start, end in ((0, 1), (1, 2), (2, 0)):
            edge = tuple(corners[start]), tuple(corners[end])
            edges[edge] = edges.get(edge, 0) + 1
    assert all(edges.get((end, start)) == count for (start, end), count in edges.items()), "is not watertight"
    size = part.bounding_box().size
    assert max(size.X, size.Y, size.Z) <= BED_MM
    assert abs(part.bounding_box().min.Z) < 1e-6
    assert thinnest(surface) >= MIN_WALL_MM - 1e-3


def in_seat(display: Module) -> Iterator[tuple[str, Any]]:
    """Yield the bought parts of a seat in their places: those at the face, then those on the base."""
    x, y = seat_box.DISPLAY_MIDDLE
    yield "display", solids.on_box(Pos(x, y, -TALLEST_MODULE_MM / 2) * Box(*display.board, TALLEST_MODULE_MM))
    for name, along, button in seat_box.BUTTONS:
        body = Pos(along, seat_box.BUTTON_ROW, THICKNESS - button.depth / 2) * Cylinder(button.hole / 2, button.depth)
        rim = Pos(along, seat_box.BUTTON_ROW, THICKNESS + 2) * Cylinder(button.rim / 2, 4)
        yield name, solids.on_box(body)
        yield f"{name}, its rim", solids.on_box(rim)
    yield "light", solids.on_box(Pos(*seat_box.LIGHT, 0) * Cylinder(2.5, 12))


def boards() -> Iterator[tuple[str, Any]]:
    """Yield a Pico on its spacers of 5 mm, and a strip-board on its of 3 mm; a box has one of them."""
    back = DEPTH - THICKNESS - 2
    yield "Pico", Pos(FACE[0] / 2, back - PICO.board[0] / 2, THICKNESS + 7) * Box(PICO.board[1], PICO.board[0], 4)
    wide, long = seat_box.STRIP_BOARD
    yield "strip-board", Pos(FACE[0] / 2, back - long / 2, THICKNESS + 3.8) * Box(wide, long, 1.6)
    pico = Pos(FACE[0] / 2, back - PICO.board[0] / 2, THICKNESS + 4.6 + STACK_MM / 2)
    yield "Pico in its sockets", pico * Box(PICO.board[1], PICO.board[0], STACK_MM)


def overlap(one: Any, other: Any) -> float:
    common = one & other
    return sum(solid.volume for solid in common.solids()) if common else 0.0


@for_each_display
def test_the_parts_of_a_seat_collide_with_nothing(display: Module) -> None:
    hood = Pos(0, 0, THICKNESS - solids.GROOVE) * solids.hood(display)
    printed = {
        "box": solids.box(),
        "face": solids.on_box(solids.face(display)),
        "hood": solids.on_box(hood),
    }
    at_face, at_base = [*in_seat(display)], [*boards()]
    pairs = [(name, solid, *other) for name, solid in printed.items() for other in (*at_face, *at_base)]
    pairs += [(*one, *other) for one in at_face for other in at_base]
    pairs += [("display", at_face[0][1], *other) for other in at_face[1:]]
    pairs += [("hood", printed["hood"], "face", printed["face"]), ("box", printed["box"], "face", printed["face"])]
    met = {(one, other): volume for one, a, other, b in pairs if (volume := overlap(a, b)) > 1e-3}
    assert met == {}


def test_a_part_that_is_too_large_is_found() -> None:
    body = Pos(98, seat_box.BUTTON_ROW, -25) * Cylinder(12, 50)
    assert overlap(solids.box(), solids.on_box(body)) > 1


def test_the_cups_sensors_lie_on_their_discs() -> None:
    disc = solids.cup_disc("pico", cup_base.PICO_DIAMETERS[0])
    (x, y), (sensor_x, sensor_y) = cup_base.PICO_MIDDLE, cup_base.SENSOR_MIDDLE
    pico = Pos(x, -y, THICKNESS + 7) * Box(PICO.board[1], PICO.board[0], 4)
    sensor = Pos(sensor_x, -sensor_y, THICKNESS + 2) * Box(*LIS3DH, 4)
    assert overlap(disc, pico) == overlap(disc, sensor) == overlap(pico, sensor) == 0
    assert overlap(solids.wedge(), Box(6, TILT_SWITCH[0], 20)) > 0
