"""A seat's box: a desk with a face that leans by 30° towards its player, with display, hood and four buttons.
The box has one size for all displays; only the window and the hood on its face differ. Its walls are glued edge to
edge: the sides outermost, the face on top, front, base and back between the sides. Every piece stands on the table.
"""

from math import cos, radians, tan

from docs.templates.dimensions import ARCADE_BUTTON, LIGHT_HOLE, PICO, SMALL_BUTTON, USB_PLUG, PushButton, Size
from docs.templates.paper import MARGIN, TOP, Paper
from hardware.chips import Module
from hardware.drawing.wiring.strip_board import COLUMNS, PITCH_MM, ROWS, SCREWS
from hardware.drawing.wiring.svg import Point

THICKNESS = 3.0
"""Millimetres of the board that the pieces are cut from."""
LEAN = radians(30)
"""Angle of the face, which "A hood against side-glances" in hardware/README.md reckons with."""
FACE = (120.0, 107.0)
"""Width, and length along the slope."""
FRONT_HEIGHT = 30.0
"""Height of the low edge, so that an arcade button does not reach the base."""
DEPTH = FACE[1] * cos(LEAN)
BACK_HEIGHT = FRONT_HEIGHT + DEPTH * tan(LEAN)

BUTTONS: tuple[tuple[str, float, PushButton], ...] = (
    ("◀", 16.0, SMALL_BUTTON),
    ("▶", 38.0, SMALL_BUTTON),
    ("OK", 64.0, SMALL_BUTTON),
    ("DUDO", 98.0, ARCADE_BUTTON),
)
"""The name of each button, its distance from the left edge of the face, and its kind."""
BUTTON_ROW = 22.0
"""Distance of the buttons' middles from the low edge of the face."""
DISPLAY_MIDDLE = (FACE[0] / 2, 71.0)
"""The middle of every display, from the left and from the low edge of the face."""
WINDOW_MARGIN = 1.0
LIGHT = (111.0, 50.0)
"""The light's middle, from the left and from the low edge of the face."""
SCREW_HOLE = 3.0
"""Diameter of the holes in the base for the screws of a strip-board."""
STRIP_BOARD: Size = ((COLUMNS + 1) * PITCH_MM, ROWS * PITCH_MM)
_INNER = FACE[0] - 2 * THICKNESS
_GAP = 6.0
_PICO_FROM_BACK = 2.0
_OPENINGS_HEIGHT = 10.0  # above the table: the plug of a Pico on 5 mm spacers
_PLUG_RISE = 11.0  # how much higher the plug is with a strip-board on 3 mm spacers, the Pico in its sockets

_FACE_STEPS = (
    "1. Glue the sheet on, cut and drill the face. Glue the hood's walls upright onto their marks.",
    "2. Paint the hood and the rim of the window matt black inside.",
    "3. Light the display, centre its picture in the window, and glue its corners from below.",
)
_BOX_STEPS = (
    "1. Stand front, base and back between the two sides, along the marks on the sides, and glue them.",
    "2. A seat board: drill the four holes of a Pico, or the two of a strip-board, and screw it on.",
    "3. Wire and test everything, then fix the face with screws or tape: you may want to open it again.",
)
_GLUE_NOTES = ("Solid lines: cut. Dashed: only mark.", f"For board {THICKNESS:g} mm thick, glued edge to edge.")


def face_sheet(display: Module) -> str:
    """Return the sheet with the face for a display, its hood, and a side of the box."""
    paper = Paper(
        f"Seat: face for a display of {display.inches:g} inch", (*_GLUE_NOTES, "The box is on a sheet of its own.")
    )
    _draw_face(paper, (MARGIN, TOP), display)
    width, length = hood_side(display)
    left = MARGIN + FACE[0] + _GAP
    _draw_wall(paper, (left, TOP + 25), (width, length), ("hood side", "cut 2"))
    below = TOP + FACE[1] + _GAP
    _draw_side(paper, (MARGIN, below))
    _draw_wall(paper, (MARGIN + DEPTH + _GAP, below), hood_top(display), ("hood top", "cut 1"))
    paper.steps((MARGIN, below + BACK_HEIGHT + 8), "Face and hood", _FACE_STEPS)
    return paper.document()


def box_sheet() -> str:
    """Return the sheet with the box's common pieces."""
    paper = Paper("Seat: base, back and front", (*_GLUE_NOTES, "Its two sides are on the sheet with the face."))
    base = DEPTH - 2 * THICKNESS
    _draw_base(paper, (MARGIN, TOP), base)
    _draw_back(paper, (MARGIN, TOP + base + _GAP))
    front = (FRONT_HEIGHT, _INNER)  # turned, so that all fits on the sheet
    _draw_wall(paper, (MARGIN + _INNER + _GAP, TOP + 30), front, ("front", "cut 1"))
    paper.steps((MARGIN, TOP + base + _GAP + back_wall() + 9), "Box", _BOX_STEPS)
    return paper.document()


def hood_top(display: Module) -> tuple[float, float]:
    """Return the width and depth for the hood's top wall, which stands between the sides."""
    return display.lit[0] + 2 * display.hood_gap, display.hood_depth


def hood_side(display: Module) -> tuple[float, float]:
    """Return the length and depth for a side wall of the hood, which covers the top wall's end."""
    return THICKNESS + display.hood_gap + display.lit[1] + display.hood_beyond, display.hood_depth


def _draw_wall(paper: Paper, at: Point, size: tuple[float, float], words: tuple[str, ...]) -> None:
    paper.cut_rect(at, size)
    x, y = at[0] + size[0] / 2, at[1] + size[1] / 2 - 4
    paper.lines((x, y), (*words, _measure(size)), spacing=4.5, anchor="middle")


def _draw_face(paper: Paper, at: Point, display: Module) -> None:
    x, y = at
    paper.cut_rect(at, FACE)
    low = y + FACE[1]
    middle = (x + DISPLAY_MIDDLE[0], low - DISPLAY_MIDDLE[1])
    window = (display.lit[0] + 2 * WINDOW_MARGIN, display.lit[1] + 2 * WINDOW_MARGIN)
    paper.cut_rect(_around(middle, window), window)
    paper.text(middle, "window", anchor="middle")
    paper.text((middle[0], middle[1] + 4), _measure(window), size=2.6, anchor="middle")
    _mark_hood(paper, middle, display)
    for name, along, button in BUTTONS:
        at_button = (x + along, low - BUTTON_ROW)
        paper.hole(at_button, button.hole)
        paper.mark_ring(at_button, button.rim)
        paper.text((at_button[0], low - 3.2), f"{name} {button.hole:g}", anchor="middle")
    light = (x + LIGHT[0], low - LIGHT[1])
    paper.hole(light, LIGHT_HOLE)
    paper.text((light[0], light[1] - 4.5), "light", size=2.6, anchor="middle")
    paper.text((x + 3, y + 3.6), f"face, cut 1, {_measure(FACE)}", size=2.6)
    paper.text((x + FACE[0] - 3, y + 3.6), "back, high", size=2.6, anchor="end")
    paper.text((x + FACE[0] / 2, low + 3.8), "towards the player, low", size=2.6, anchor="middle")


def _mark_hood(paper: Paper, middle: Point, display: Module) -> None:
    """Mark where the hood's walls are glued on, and the display's board behind it."""
    x, y = middle
    width, _ = hood_top(display)
    length, _ = hood_side(display)
    top = y - display.lit[1] / 2 - display.hood_gap - THICKNESS
    paper.mark_rect((x - width / 2, top), (width, THICKNESS))
    for left in (x - width / 2 - THICKNESS, x + width / 2):
        paper.mark_rect((left, top), (THICKNESS, length))
    paper.mark_rect(_around(middle, display.board), display.board)
    paper.text((x, y + display.board[1] / 2 + 3.5), "board of the display, below", size=2.4, anchor="middle")


def _draw_side(paper: Paper, at: Point) -> None:
    x, y = at
    bottom = y + BACK_HEIGHT
    paper.cut((x, bottom), (x + DEPTH, bottom), (x + DEPTH, y), (x, bottom - FRONT_HEIGHT))
    front, back = x + THICKNESS, x + DEPTH - THICKNESS
    paper.mark_line((front, bottom - THICKNESS), (back, bottom - THICKNESS))
    paper.mark_line((front, bottom), (front, bottom - FRONT_HEIGHT))
    paper.mark_line((back, bottom), (back, bottom - back_wall()))
    words = ("side, cut 2", "mark the second", "on its other face", f"{DEPTH:.1f} × {BACK_HEIGHT:.1f}")
    paper.lines((x + DEPTH * 0.66, bottom - 30), words, spacing=4.5, anchor="middle")
    paper.text((x + 5, bottom - 6), "player", size=2.6)
    paper.text((x + DEPTH - 5, bottom - 6), "back", size=2.6, anchor="end")


def back_wall() -> float:
    """Return the back wall's height; its front face must stay below the slope."""
    return BACK_HEIGHT - THICKNESS * tan(LEAN)


def back_openings() -> tuple[tuple[float, float, Size | float], ...]:
    """Return the openings of the back: the middle from its left and from the table, and the size or a hole's diameter.

    They are for the plug of a seat board, the cable of a wired seat, and the lead of the cup.
    """
    plug = (USB_PLUG[0], USB_PLUG[1] + _PLUG_RISE)
    return (
        (_INNER / 2, _OPENINGS_HEIGHT + _PLUG_RISE / 2, plug),
        (18.0, _OPENINGS_HEIGHT, 10.0),
        (_INNER - 18, _OPENINGS_HEIGHT, 5.0),
    )


def pico_holes() -> tuple[Point, ...]:
    """Return the holes for a Pico's screws in the base, from its left and from its back edge."""
    along, across = PICO.holes
    middle = _PICO_FROM_BACK + PICO.board[0] / 2
    return tuple((_INNER / 2 + x, middle + y) for x in (-across / 2, across / 2) for y in (-along / 2, along / 2))


def strip_board_holes() -> tuple[Point, ...]:
    """Return the holes for a strip-board's screws in the same way; the board ends where a Pico does."""
    return tuple(
        (
            _INNER / 2 + (hole.column - (COLUMNS + 1) / 2) * PITCH_MM,
            _PICO_FROM_BACK + (hole.row - 0.5) * PITCH_MM,
        )
        for hole in SCREWS
    )


def _draw_base(paper: Paper, at: Point, depth: float) -> None:
    (x, y), size = at, (_INNER, depth)
    paper.cut_rect(at, size)
    middle, top = x + _INNER / 2, y + _PICO_FROM_BACK
    paper.mark_pico((middle, top + PICO.board[0] / 2))
    paper.mark_rect((middle - STRIP_BOARD[0] / 2, top), STRIP_BOARD)
    for across, down in strip_board_holes():
        paper.hole((x + across, y + down), SCREW_HOLE)
    paper.lines((middle, top + 54.5), ("or strip-board, on", "spacers of 3 mm"), spacing=3, size=2.4, anchor="middle")
    words = ("Pico of a", "seat board,", "on spacers", "of 5 mm")
    paper.lines((middle, top + 20), words, spacing=4, size=2.6, anchor="middle")
    paper.lines((x + 3, y + 4.5), ("base, cut 1", _measure(size)), spacing=4.5)
    paper.text((x + _INNER - 3, y + 4.5), "back", anchor="end")
    paper.text((middle, y + depth - 3), "player", anchor="middle")


def _draw_back(paper: Paper, at: Point) -> None:
    (x, y), size = at, (_INNER, back_wall())
    paper.cut_rect(at, size)
    middle = x + _INNER / 2
    for (across, level, opening), words in zip(
        back_openings(), ("plug of a seat board", "cable of a wired seat", "lead of the cup"), strict=True
    ):
        at_opening, high = (x + across, y + size[1] - level), opening if isinstance(opening, float) else opening[1]
        if isinstance(opening, float):
            paper.hole(at_opening, opening)
        else:
            paper.cut_rect(_around(at_opening, opening), opening)
        paper.text((at_opening[0], at_opening[1] - max(high / 2 + 2, 8)), words, size=2.6, anchor="middle")
    paper.text((middle, y + size[1] / 2 - 8), "back, cut 1", anchor="middle")
    paper.text((middle, y + size[1] / 2 - 3.5), _measure(size), anchor="middle")
    paper.text((middle, y + size[1] - 1.2), "table", size=2.2, anchor="middle")


def _around(middle: Point, size: tuple[float, float]) -> Point:
    """Return the top left corner for a rectangle around its middle."""
    return middle[0] - size[0] / 2, middle[1] - size[1] / 2


def _measure(size: tuple[float, float]) -> str:
    return " × ".join(f"{round(side, 1):g}" for side in size)
