"""The hood around a panel: how deep it must be that neighbours can't read the glass, and the drawing that shows it.

`make drawings` draws it and hardware/README.md has its figures. Lengths are millimetres. A place at the table is
(x, y, z): from the middle towards the owner's chair, to the owner's right, up from the table top.
"""

from math import atan2, cos, degrees, hypot, radians, sin, tan
from typing import NamedTuple

from firmware_host.drawing.wiring.svg import INK, QUIET, Picture, Point

Place = tuple[float, float, float]

RADIUS = 750.0
"""Of a round table for eight: 1.5 m across, 59 cm of edge for each."""

SEATS = 8
PANEL: Place = (550.0, 0.0, 20.0)
"""The middle of the glass, 20 cm in from the edge."""

EYES = RADIUS + 50, 450.0
"""Where a sitting player's eyes are: from the middle of the table, and above its top."""

LEAN = 150.0
"""How far a neighbour leans over without being asked what that is for."""

TALLER = 50.0
"""How much higher a neighbour's eyes may be than the owner's."""

SWAY = 90.0
"""How far to each side of the middle an eye of the owner's is: half of what is between two eyes, and some freedom."""

STANDING = 900.0
"""Above the table top, the eyes of somebody across the table who gets up."""


FORWARD = 0.25
"""How much of its depth a side wall reaches beyond the glass: for who leans back beside the owner."""


class Glass(NamedTuple):
    """A panel's active area, as its data sheet has it."""

    name: str
    width: float
    height: float


GLASSES = (Glass("2.42 inch", 55.01, 27.49), Glass("1.3 inch", 29.42, 14.70), Glass("0.96 inch", 21.74, 10.86))


class Hood(NamedTuple):
    """Three walls square to the glass, as deep as each other, with a gap between glass and wall.

    The side walls reach `front` beyond the glass towards the owner, where there is no wall.
    """

    depth: float
    gap: float
    front: float


def seen_from(eye: Place) -> tuple[float, float, float]:
    """An eye from the glass's middle: to the right along it, up along it, and out of it. It faces the owner's eyes."""
    away, up = EYES[0] - PANEL[0], EYES[1] - PANEL[2]
    length = hypot(away, up)
    x, y, z = (at - origin for at, origin in zip(eye, PANEL, strict=True))
    return y, (-x * up + z * away) / length, (x * away + z * up) / length


def neighbours_eye(lean: float = LEAN, up: float = 0) -> Place:
    """The eye of the next player, who leans towards the owner; `up` is how much higher it is than the owner's."""
    angle = radians(360 / SEATS)
    x, y = EYES[0] * cos(angle), EYES[0] * sin(angle)
    way = hypot(EYES[0] - x, y)
    return x + (EYES[0] - x) * lean / way, y - y * lean / way, EYES[1] + up


def side_angle(eye: Place) -> float:
    """Degrees by which an eye is beside the line straight out of the glass."""
    right, _, out = seen_from(eye)
    return degrees(atan2(right, out))


def tilt() -> float:
    """Degrees by which the glass is raised from the table top, so that it faces the owner's eyes."""
    return degrees(atan2(EYES[0] - PANEL[0], EYES[1] - PANEL[2]))


def hood_of(glass: Glass) -> Hood:
    """The shallowest hood that hides all of the glass from the neighbours and none of it from the owner.

    Over the near wall's edge a neighbour looks at the far wall, just above the glass: depth = (width + gap) / tan(side
    angle). The owner's eyes see past both: gap = depth * SWAY / distance.
    """
    _, _, distance = seen_from((EYES[0], 0, EYES[1]))
    slope = tan(radians(side_angle(neighbours_eye(up=TALLER))))
    freedom = SWAY / distance
    depth = glass.width / (slope - freedom)
    gap = depth * freedom
    return Hood(round(depth + 0.5), round(gap + 0.5), round(FORWARD * depth + 0.5))


def drawing() -> str:
    """The text of the SVG."""
    picture = Picture()
    picture.words((24, 36), "A hood against side-glances", size=20, font_weight="bold")
    _from_above(picture, (210, 290))
    _section(picture, (650, 400))
    _figures(picture, (440, 500))
    return picture.text((930, 626), "A hood against side-glances")


def _from_above(picture: Picture, middle: Point) -> None:
    scale = 0.2

    def at(place: Place) -> Point:
        return round(middle[0] + place[1] * scale, 1), round(middle[1] + place[0] * scale, 1)

    def player(eye: Place, color: str) -> None:
        picture.circle(at(eye), 9, fill=color, stroke=INK)

    picture.words((24, 72), "From above: eight at 1.5 m", font_weight="bold")
    picture.circle(middle, RADIUS * scale, fill="#f3f5f1", stroke="#8a8f87")
    leaning = neighbours_eye()
    sitting = neighbours_eye(0)
    panel = at(PANEL)
    for eye, dashes in ((sitting, "5 4"), (leaning, None)):
        for side in (1, -1):
            end = at((eye[0], side * eye[1], eye[2]))
            line = f"M{panel[0]:g} {panel[1]:g}L{end[0]:g} {end[1]:g}"
            picture.path(line, stroke="#d55e00", stroke_width=1.6, stroke_dasharray=dashes)
    own = at((EYES[0], 0, EYES[1]))
    picture.path(f"M{panel[0]:g} {panel[1]:g}L{own[0]:g} {own[1]:g}", stroke="#0072b2", stroke_width=2.4)
    for seat in range(SEATS):
        angle = radians(360 / SEATS * seat)
        player((EYES[0] * cos(angle), EYES[0] * sin(angle), EYES[1]), "#0072b2" if seat == 0 else "#e9e9e4")
    for side in (1, -1):
        player((leaning[0], side * leaning[1], leaning[2]), "#d55e00")
    picture.rect((panel[0] - 8, panel[1] - 4), (16, 8), fill=INK)
    told = (
        f"Glass 20 cm in from the edge, raised by {tilt():.0f}°:",
        "it faces its owner's eyes (blue), which are",
        "45 cm above the table top.",
        f"A neighbour (dashed) looks from {side_angle(sitting):.0f}° beside",
        f"it, one who is tall and leans over {LEAN / 10:.0f} cm",
        f"from {side_angle(neighbours_eye(up=TALLER)):.0f}°. The hood is made for that one.",
    )
    for index, words in enumerate(told):
        picture.words((24, 500 + 18 * index), words, fill=QUIET)


def _section(picture: Picture, foot: Point) -> None:
    """Across the glass of the first panel, seen from the owner's chair."""
    glass = GLASSES[0]
    hood = hood_of(glass)
    scale = 3.0
    x, y = foot
    half, wall, high = glass.width / 2 * scale, (glass.width / 2 + hood.gap) * scale, hood.depth * scale
    picture.words((440, 72), "Across the hood, seen from its owner's chair", font_weight="bold")
    picture.path(f"M{x - wall:g} {y - high:g}V{y:g}H{x + wall:g}V{y - high:g}", stroke=INK, stroke_width=5)
    picture.path(f"M{x - half:g} {y - 5:g}H{x + half:g}", stroke="#0072b2", stroke_width=6)
    slope = tan(radians(side_angle(neighbours_eye(up=TALLER))))
    line = f"M{x + wall - high * slope:.1f} {y - 3:g}L{x + wall + 70 * slope:.1f} {y - high - 70:g}"
    picture.path(line, stroke="#d55e00", stroke_width=1.8)
    picture.words((x + wall + 70 * slope - 6, y - high - 78), "a neighbour's eye", anchor="end", fill="#a84a00")
    for side in (-1, 1):
        lean = SWAY / hypot(EYES[0] - PANEL[0], EYES[1] - PANEL[2])
        top = high + 40
        start, end = x + side * half, x + side * (half + top * lean)
        line = f"M{start:g} {y - 8:g}L{end:.1f} {y - top:g}"
        picture.path(line, stroke="#0072b2", stroke_width=1.8, stroke_dasharray="7 4")
    picture.words((x - wall - 14, y - high - 14), "the owner's eyes", anchor="end", fill="#0072b2")
    _measure(picture, (x - half, y + 22), (x + half, y + 22), f"glass {glass.width:.0f}")
    _measure(picture, (x + half, y + 46), (x + wall, y + 46), f"gap {hood.gap:.0f}")
    picture.path(f"M{x - wall - 16:g} {y - high:g}v{high:g}m-4 0h8m-8 {-high:g}h8", stroke=QUIET)
    picture.words((x - wall - 26, y - high / 2), f"depth {hood.depth:.0f}", anchor="end")


def _measure(picture: Picture, start: Point, end: Point, words: str) -> None:
    wide = end[0] - start[0]
    picture.path(f"M{start[0]:g} {start[1]:g}h{wide:g}m0 -4v8m{-wide:g} -8v8", stroke=QUIET)
    beside = wide < 60
    at = (end[0] + 10, end[1] + 4.5) if beside else ((start[0] + end[0]) / 2, start[1] + 17)
    picture.words(at, words, anchor="start" if beside else "middle")


def _figures(picture: Picture, at: Point) -> None:
    rows = [("panel", "glass", "gap", "depth", "forward")]
    for glass in GLASSES:
        hood = hood_of(glass)
        figures = (hood.gap, hood.depth, hood.front)
        rows.append((glass.name, f"{glass.width:.0f} x {glass.height:.0f}", *(f"{figure:.0f}" for figure in figures)))
    columns = (0, 90, 175, 225, 290)
    for index, row in enumerate(rows):
        for column, words in zip(columns, row, strict=True):
            bold = "bold" if index == 0 else None
            picture.words((at[0] + column, at[1] + 18 * index), words, font_weight=bold)
    told = (
        "Millimetres. Three walls of one depth, none to the owner;",
        "forward: how far the side walls reach past the glass there.",
        "Matt black inside.",
    )
    for index, words in enumerate(told):
        picture.words((at[0], at[1] + 18 * (len(rows) + index)), words, fill=QUIET)
