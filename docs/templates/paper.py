"""A printed sheet in true millimetres: lines to cut, lines to mark, holes, and bars to check the print with.

A sheet is as large as what a browser prints on A4 and on US Letter alike within its usual margins: a larger one would
be scaled down. Solid lines are cut. Dashed lines are only marked: where a part or a wall goes.
"""

from collections.abc import Mapping, Sequence

from docs.templates.dimensions import PICO, Size
from hardware.drawing.wiring.svg import INK, QUIET, Anchor, Attribute, Point, Svg

SHEET: Size = (189.0, 258.0)
"""A4 has 210 mm and US Letter 279.4 mm, less Chromium's margins of 10.2 mm at each side."""
MARGIN = 0.3
"""Half of a line's width, and a little more."""
SCALE_BAR = 50
"""Length in millimetres of the bars that show whether the print has its true size."""

TOP = 34.0
"""Millimetres from the top to the first piece, below the title and the bars."""
_CUT, _MARK = 0.35, 0.25
_TEXT, _TITLE = 3.0, 5.0
_CUT_LINE: Mapping[str, Attribute] = {"stroke": INK, "stroke_width": _CUT, "data_line": "cut"}
_MARKED_LINE: Mapping[str, Attribute] = {
    "stroke": QUIET,
    "stroke_width": _MARK,
    "stroke_dasharray": "1.6 1.2",
    "data_line": "mark",
}


class Paper:
    """A sheet in the making. All positions and sizes are in millimetres from its top left corner."""

    def __init__(self, title: str, notes: Sequence[str]) -> None:
        self._svg = Svg()
        self._title = title
        self.text((MARGIN, 5), title, size=_TITLE, weight="bold")
        self.lines((MARGIN, 10.5), notes, spacing=4)
        self._draw_scale((SHEET[0] - MARGIN - SCALE_BAR - 8, 4))

    def cut(self, *corners: Point) -> None:
        """Draw a closed line to cut along."""
        self._svg.path(_closed(corners), **_CUT_LINE)

    def mark(self, *corners: Point) -> None:
        """Draw a closed line that is not cut."""
        self._svg.path(_closed(corners), **_MARKED_LINE)

    def mark_line(self, start: Point, end: Point) -> None:
        """Draw a straight line that is not cut."""
        (x1, y1), (x2, y2) = start, end
        path = f"M{round(x1, 2):g} {round(y1, 2):g}L{round(x2, 2):g} {round(y2, 2):g}"
        self._svg.path(path, **_MARKED_LINE)

    def cut_rect(self, at: Point, size: Size) -> None:
        """Draw a rectangle to cut; `at` is its top left corner."""
        self.cut(*_corners(at, size))

    def mark_rect(self, at: Point, size: Size) -> None:
        """Draw a rectangle that is not cut."""
        self.mark(*_corners(at, size))

    def hole(self, middle: Point, diameter: float) -> None:
        """Draw a hole to drill, with a cross in its middle."""
        x, y = middle
        self.ring(middle, diameter)
        arm = min(2.0, diameter / 2 + 0.8)
        self._svg.path(f"M{x - arm:g} {y:g}h{2 * arm:g}M{x:g} {y - arm:g}v{2 * arm:g}", stroke=INK, stroke_width=0.15)

    def ring(self, middle: Point, diameter: float) -> None:
        """Draw a circle to cut along."""
        self._svg.circle(middle, diameter / 2, fill="none", **_CUT_LINE)

    def mark_ring(self, middle: Point, diameter: float) -> None:
        """Draw a circle that is not cut."""
        self._svg.circle(middle, diameter / 2, fill="none", **_MARKED_LINE)

    def mark_pico(self, middle: Point) -> None:
        """Draw the outline of a Pico with its screw holes; its USB socket points to the top of the sheet."""
        (x, y), (long, wide), (along, across) = middle, PICO.board, PICO.holes
        self.mark_rect((x - wide / 2, y - long / 2), (wide, long))
        for left in (-across / 2, across / 2):
            for down in (-along / 2, along / 2):
                self.hole((x + left, y + down), PICO.hole)
        self.text((x, y - long / 2 + 8), "USB", anchor="middle")

    def arrow(self, start: Point, end: Point) -> None:
        """Draw an upright or level arrow."""
        (x1, y1), (x2, y2) = start, end
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        tip = f"M{x2 - 2 * dx - dy:g} {y2 - 2 * dy - dx:g}L{x2:g} {y2:g}L{x2 - 2 * dx + dy:g} {y2 - 2 * dy + dx:g}"
        self._svg.path(f"M{x1:g} {y1:g}L{x2:g} {y2:g}{tip}", stroke=QUIET, stroke_width=_CUT)

    def text(
        self,
        at: Point,
        text: str,
        *,
        size: float = _TEXT,
        anchor: Anchor = "start",
        weight: str | None = None,
    ) -> None:
        """Write one line; `at` is on its baseline."""
        self._svg.text(at, text, size=size, anchor=anchor, font_weight=weight)

    def lines(
        self, at: Point, lines: Sequence[str], *, spacing: float, size: float = _TEXT, anchor: Anchor = "start"
    ) -> None:
        """Write lines below each other; `at` is on the baseline of the first."""
        x, y = at
        for index, line in enumerate(lines):
            self.text((x, y + spacing * index), line, size=size, anchor=anchor)

    def steps(self, at: Point, title: str, lines: Sequence[str]) -> None:
        """Write instructions, a line each, under a title."""
        x, y = at
        self.text(at, title, weight="bold")
        self.lines((x, y + 4.5), lines, spacing=4.5)

    def document(self) -> str:
        """Return the text of the file."""
        return self._svg.document(SHEET, self._title, unit="mm")

    def _draw_scale(self, at: Point) -> None:
        """Draw a level and an upright bar: a printer can be wrong in one direction alone."""
        x, y = at
        ticks = "".join(f"M{x + mm:g} {y:g}v{2.5 if mm % 50 else 4:g}" for mm in range(0, SCALE_BAR + 1, 10))
        self._svg.path(f"M{x:g} {y:g}h{SCALE_BAR}{ticks}", stroke=INK, stroke_width=_CUT, data_line="scale")
        self.text((x + SCALE_BAR / 2, y + 7), f"{SCALE_BAR} mm, if printed at 100 %", size=2.6, anchor="middle")
        self.text((x + SCALE_BAR / 2, y + 10.5), "measure both bars first", size=2.6, anchor="middle")
        x, y = SHEET[0] - MARGIN, at[1]
        ticks = "".join(f"M{x:g} {y + mm:g}h-{2.5 if mm % 50 else 4:g}" for mm in range(0, SCALE_BAR + 1, 10))
        self._svg.path(f"M{x:g} {y:g}v{SCALE_BAR}{ticks}", stroke=INK, stroke_width=_CUT, data_line="scale")


def _corners(at: Point, size: Size) -> tuple[Point, ...]:
    (x, y), (width, height) = at, size
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _closed(corners: Sequence[Point]) -> str:
    return "M" + "L".join(f"{round(x, 2):g} {round(y, 2):g}" for x, y in corners) + "z"
