"""A cup's base: a disc with the cup's sensor, glued inside under its closed end.
A cup stands with its mouth down, so the disc's parts hang from it. Three discs: for a tilt switch and for an
accelerometer on a lead from the seat, and for a Pico with either of them in the cup (`wired-8`).
"""

from math import cos, radians, sin, tan

from docs.templates.dimensions import LIS3DH, PICO, TILT_SWITCH
from docs.templates.paper import MARGIN, TOP, Paper
from hardware.drawing.wiring.svg import Point

DIAMETERS = (60.0, 65.0, 70.0, 75.0, 80.0)
"""The circles to choose from, a little less than a cup's inside. The Pico's disc begins at `PICO_DIAMETERS`."""
PICO_DIAMETERS = DIAMETERS[2:]
SWITCH_ANGLE = 15.0
"""Degrees by which the legs of a tilt switch are higher than its other end, while the cup stands."""
WEDGE = 20.0
"""Length of the wedge that holds the switch at its angle."""
LEAD_HOLE, TIE_HOLE = 6.0, 3.0
LEAD = 22.0
"""Distance of the lead's hole from the middle."""
PICO_MIDDLE = (-5.0, -5.5)
"""The middle of the Pico on its disc, to the right and towards the player of the disc's middle."""
SENSOR_MIDDLE = (16.5, 2.0)
"""The middle of the sensor beside the Pico."""

_SKETCH = 1.6  # how much larger than real the switch is in the picture of the cup
_STEPS = (
    "1. Cut one disc from board, 3 mm thick, and glue the sensor on as marked.",
    "2. Drill the lead's hole through disc and cup, and hold the lead with a cable tie.",
    "3. Glue the disc in under the closed end, and mark the player's side on the cup's outside.",
)
_LARGEST = DIAMETERS[-1]
_ROW = _LARGEST + 12


def cup_base_sheet() -> str:
    """Return the sheet with the three discs and the wedge."""
    notes = (
        "Solid lines: cut. Dashed: only mark.",
        "Cut the largest circle that fits into your cup.",
        "You look at each disc through the cup's mouth.",
    )
    paper = Paper("Cup: discs for its base", notes)
    left, right = MARGIN + _LARGEST / 2, MARGIN + 1.5 * _LARGEST + 10
    first, second = TOP + 8 + _LARGEST / 2, TOP + 8 + _LARGEST / 2 + _ROW
    _draw_tilt_disc(paper, (left, first))
    _draw_lis3dh_disc(paper, (right, first))
    _draw_pico_disc(paper, (left, second))
    _draw_section(paper, (right - _LARGEST / 2, second - _LARGEST / 2))
    paper.steps((MARGIN, second + _LARGEST / 2 + 14), "Cup", _STEPS)
    return paper.document()


def wedge_height() -> float:
    """Return the height of the wedge at its thick end."""
    return WEDGE * tan(radians(SWITCH_ANGLE))


def _draw_disc(paper: Paper, middle: Point, diameters: tuple[float, ...], title: str) -> None:
    x, y = middle
    for diameter in diameters:
        paper.ring(middle, diameter)
    paper.text((x, y - _LARGEST / 2 - 2), title, anchor="middle", weight="bold")
    for diameter in diameters:
        paper.text((x, y + diameter / 2 - 0.5), f"{diameter:g}", size=2.2, anchor="middle")
    paper.arrow((x, y + 20.5), (x, y + 26.5))
    paper.text((x + 2.5, y + 24.5), "player", size=2.6)


def _draw_lead(paper: Paper, middle: Point) -> None:
    """Draw the lead's hole, through the disc and the cup, and two for a cable tie."""
    x, y = middle
    paper.hole((x, y - LEAD), LEAD_HOLE)
    paper.text((x + 4.5, y - LEAD + 1), f"lead {LEAD_HOLE:g}", size=2.4)
    for side in (-6.0, 6.0):
        paper.hole((x + side, y - LEAD + 9), TIE_HOLE)
    paper.text((x + 9, y - LEAD + 10), "tie", size=2.4)


def _draw_tilt_disc(paper: Paper, middle: Point) -> None:
    x, y = middle
    _draw_disc(paper, middle, DIAMETERS, "tilt switch on a lead")
    _draw_lead(paper, middle)
    _mark_switch(paper, (x, y + 4))


def _mark_switch(paper: Paper, middle: Point) -> None:
    (x, y), (length, diameter) = middle, TILT_SWITCH
    paper.mark_rect((x - 3, y - WEDGE / 2), (6, WEDGE))
    paper.mark_rect((x - diameter / 2, y - length / 2), (diameter, length))
    paper.text((x + 5, y - 5), "legs, high", size=2.4)
    paper.lines((x + 5, y + 8.5), ("wedge's thick", "end, low"), spacing=3, size=2.4)


def _draw_lis3dh_disc(paper: Paper, middle: Point) -> None:
    x, y = middle
    _draw_disc(paper, middle, DIAMETERS, "LIS3DH on a lead")
    _draw_lead(paper, middle)
    _mark_lis3dh(paper, (x, y + 4))


def _mark_lis3dh(paper: Paper, middle: Point) -> None:
    x, y = middle
    paper.mark_rect((x - LIS3DH[0] / 2, y - LIS3DH[1] / 2), LIS3DH)
    paper.lines((x, y - 3), ("LIS3DH flat,", "chip visible:", 'UP = "-z"'), spacing=3.6, size=2.4, anchor="middle")


def _draw_pico_disc(paper: Paper, middle: Point) -> None:
    x, y = middle
    _draw_disc(paper, middle, PICO_DIAMETERS, "a Pico in the cup")
    at = (x + PICO_MIDDLE[0], y + PICO_MIDDLE[1])
    paper.mark_pico(at)
    opening = ("open the cup's", "wall here for", "the plug:", "12 × 16")
    paper.lines((at[0], at[1] - PICO.board[0] / 2 + 13), opening, spacing=3.4, size=2.2, anchor="middle")
    _mark_lis3dh(paper, (x + SENSOR_MIDDLE[0], y + SENSOR_MIDDLE[1]))
    paper.text((x + SENSOR_MIDDLE[0] + 0.5, y + SENSOR_MIDDLE[1] + 14), "or a tilt switch", size=2.2, anchor="middle")


def _draw_section(paper: Paper, at: Point) -> None:
    """Draw the wedge, and a cup cut open from the side; the cup is not to scale."""
    x, y = at
    height = wedge_height()
    paper.text((x, y - 2), "wedge, cut 2 and glue them side by side", weight="bold")
    for left in (0.0, 28.0):
        paper.cut((x + left, y + 2), (x + left + WEDGE, y + 2), (x + left, y + 2 + height))
    paper.text((x + 54, y + 4), f"{WEDGE:g} × {height:.1f},", size=2.6)
    paper.text((x + 54, y + 7.5), f"{SWITCH_ANGLE:g}°", size=2.6)

    _draw_cup(paper, (x, y + 26))


def _draw_cup(paper: Paper, at: Point) -> None:
    """Draw the cup with its disc, wedge and switch, cut open."""
    x, top = at
    paper.text((x, top - 6), "seen from the side, not to scale", weight="bold")
    paper.mark((x + 14, top), (x + 82, top), (x + 88, top + 62), (x + 8, top + 62))
    paper.mark_rect((x + 15, top + 1), (66, 4))
    paper.text((x + 84, top + 3.5), "disc", size=2.6)
    wedge_left, under = x + 30.0, top + 5
    length, diameter = (_SKETCH * side for side in TILT_SWITCH)
    base, height, lean = _SKETCH * WEDGE, _SKETCH * wedge_height(), radians(SWITCH_ANGLE)

    def on_slope(along: float, off: float) -> Point:
        return wedge_left + along * cos(lean) + off * sin(lean), under + height - along * sin(lean) + off * cos(lean)

    paper.mark((wedge_left, under), (wedge_left + base, under), (wedge_left, under + height))
    paper.mark(on_slope(2, 0), on_slope(2 + length, 0), on_slope(2 + length, diameter), on_slope(2, diameter))
    paper.mark_ring(on_slope(2 + diameter / 2, diameter / 2), diameter - 2)
    for off in (diameter / 2 - 2, diameter / 2 + 2):
        paper.mark_line(on_slope(2 + length, off), on_slope(2 + length + 7, off))
    legs = on_slope(2 + length + 7, diameter / 2)
    paper.text((legs[0] + 1.5, legs[1] + 2), "legs", size=2.6)
    paper.lines(
        (wedge_left - 3, under + height + 17), ("the ball rests low:", "the switch is open"), spacing=4, size=2.6
    )
    paper.text((x - 2, top + 40), "player", size=2.6)
    paper.arrow((x + 7, top + 43), (x - 2, top + 43))
    paper.text((x + 48, top + 59.5), "mouth, on the table", size=2.6, anchor="middle")
