"""The picture of the printed parts: line drawings of `solids`, for hardware/README.md.

build123d draws them and is not in every .venv, so the file is compared by its sources, whose digest it holds.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from hardware.chips import LARGE
from hardware.drawing.wiring.svg import INK, Point, Svg, text_width

_ROOT = Path(__file__).parents[2]
_SOURCES = (
    *(f"docs/templates/{name}.py" for name in ("solids", "solids_picture", "seat_box", "cup_base", "dimensions")),
    "hardware/chips.py",
    "hardware/drawing/wiring/strip_board.py",
)
_SCALE = 2.0  # pixels a millimetre
_EYE = (-700.0, -1000.0, 850.0)
_COLUMNS, _GAP, _MARGIN = 3, 40.0, 24.0
Line = list[Point]


class SolidsPicture:
    """The drawings of box, face, hood and cup disc, and of a seat put together."""

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the digest of the sources."""
        return [] if _digest() in file.read_text(encoding="utf-8") else ["the parts' dimensions or their drawing"]

    def write(self, file: Path) -> None:
        """Draw and write the picture; needs the extra `parts`."""
        file.write_text(f"{_render()}<!-- sources {_digest()} -->\n", encoding="utf-8")


def _digest() -> str:
    return sha256(b"\0".join((_ROOT / name).read_bytes() for name in _SOURCES)).hexdigest()


def _pieces() -> Iterator[tuple[str, Any]]:
    """Yield each drawing's caption and solid."""
    from build123d import Compound, Pos

    from docs.templates import solids
    from docs.templates.seat_box import THICKNESS

    hood = Pos(0, 0, THICKNESS - solids.GROOVE) * solids.hood(LARGE)
    seat = Compound([solids.box(), solids.on_box(solids.face(LARGE)), solids.on_box(hood)])
    yield "a seat put together", seat
    yield "box", solids.box()
    yield "face, 2.42 inch", solids.face(LARGE)
    yield "hood, 2.42 inch", solids.hood(LARGE)
    yield "disc for a tilt switch", solids.cup_disc("tilt", 70)
    yield "disc for a Pico", solids.cup_disc("pico", 70)


def _render() -> str:
    drawings = [(caption, _lines(solid)) for caption, solid in _pieces()]
    sizes = [_size(lines) for _, lines in drawings]
    width = max(width for width, _ in sizes) + _GAP
    rows = [sizes[first : first + _COLUMNS] for first in range(0, len(sizes), _COLUMNS)]
    heights = [max(height for _, height in row) + 60 for row in rows]
    svg = Svg()
    for index, ((caption, lines), (wide, high)) in enumerate(zip(drawings, sizes, strict=True)):
        row, column = divmod(index, _COLUMNS)
        left = _MARGIN + column * width + (width - wide) / 2
        bottom = _MARGIN + sum(heights[: row + 1]) - 40
        svg.begin_group(caption)
        for line in lines:
            steps = (f"{round(left + x, 1):g} {round(bottom - high + y, 1):g}" for x, y in line)
            svg.path("M" + "L".join(steps), stroke=INK, stroke_width=1.3, stroke_linejoin="round")
        svg.end_group()
        middle = _MARGIN + column * width + width / 2
        svg.text((middle - text_width(caption) / 2, bottom + 22), caption, font_weight="bold")
    return svg.document((2 * _MARGIN + _COLUMNS * width, 2 * _MARGIN + sum(heights) - 20), "The printed parts")


def _lines(solid: Any) -> list[Line]:
    """Return a solid's visible edges in pixels, its top left corner at 0, 0."""
    middle = solid.bounding_box().center()
    eye = (middle.X + _EYE[0], middle.Y + _EYE[1], middle.Z + _EYE[2])
    visible, _ = solid.project_to_viewport(eye, look_at=middle)
    lines = []
    for edge in visible:
        count = 2 if edge.geom_type.name == "LINE" else 49
        points = [edge.position_at(step / (count - 1)) for step in range(count)]
        lines.append([(_SCALE * point.X, -_SCALE * point.Y) for point in points])
    left, top = (min(point[axis] for line in lines for point in line) for axis in (0, 1))
    return [[(x - left, y - top) for x, y in line] for line in lines]


def _size(lines: list[Line]) -> Point:
    return max(x for line in lines for x, _ in line), max(y for line in lines for _, y in line)
