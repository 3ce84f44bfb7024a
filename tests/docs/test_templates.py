"""The templates to cut from: true millimetres, every part fits where it goes, and nothing is cut twice."""

import re
import zlib
from itertools import combinations
from math import cos, hypot, radians, tan
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from support.pages.browser import a_chromium
from support.pictures.wiring_drawings import SVG, Sheet, Written

from docs.pictures import FOLDER, TABLES, templates
from docs.templates import seat_box
from docs.templates.cup_base import DIAMETERS, PICO_DIAMETERS, cup_base_sheet, wedge_height
from docs.templates.dimensions import LIGHT_HOLE, PICO
from docs.templates.paper import SCALE_BAR, SHEET
from docs.templates.seat_box import BUTTONS, FACE, THICKNESS, box_sheet, face_sheet
from hardware.chips import CHIPS, LARGE
from hardware.config.layout import load_builtin
from hardware.firmware import wiring

SHEETS = {name: sheet.text for name, sheet in templates().items()}
FACES = {chip: face_sheet(CHIPS[chip].module) for chip in CHIPS}
BROWSER_MARGIN = 10.16
"""Millimetres: 0.4 inch, what Chromium leaves free at each side unless it is told otherwise."""
in_every_sheet = pytest.mark.parametrize("name", SHEETS)
for_every_display = pytest.mark.parametrize("chip", CHIPS)


class Shape(NamedTuple):
    """The box around a line that is cut or marked."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> tuple[float, float]:
        return round(self.right - self.left, 1), round(self.bottom - self.top, 1)

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, other: "Shape") -> bool:
        left, top = self.left <= other.left, self.top <= other.top
        return left and top and other.right <= self.right and other.bottom <= self.bottom

    def meets(self, other: "Shape") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def shapes(text: str, line: str) -> list[Shape]:
    root = ElementTree.fromstring(text)
    found = []
    for element in root.iter():
        if element.attrib.get("data-line") != line:
            continue
        if element.tag == f"{SVG}circle":
            x, y, r = (float(element.attrib[name]) for name in ("cx", "cy", "r"))
            found.append(Shape(x - r, y - r, x + r, y + r))
        elif "z" in element.attrib["d"]:
            corners = [tuple(map(float, at.split())) for at in element.attrib["d"].strip("Mz").split("L")]
            xs, ys = zip(*corners, strict=True)
            found.append(Shape(min(xs), min(ys), max(xs), max(ys)))
    return found


def holes(text: str) -> list[Shape]:
    """Circles that are cut, in the order of the drawing."""
    round_ones = {float(c.attrib["cx"]) for c in ElementTree.fromstring(text).iter(f"{SVG}circle")}
    return [shape for shape in shapes(text, "cut") if shape.size[0] == shape.size[1] and shape.middle[0] in round_ones]


def texts(text: str) -> list[Written]:
    return Sheet(text.replace('mm"', '"')).texts()


@in_every_sheet
def test_a_unit_of_a_sheet_is_a_millimetre(name: str) -> None:
    root = ElementTree.fromstring(SHEETS[name])
    width, height = SHEET
    assert (root.attrib["width"], root.attrib["height"]) == (f"{width:g}mm", f"{height:g}mm")
    assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}"


@in_every_sheet
def test_a_sheet_has_a_level_and_an_upright_bar_of_50_mm(name: str) -> None:
    bars = [
        element.attrib["d"].split("M")[1]
        for element in ElementTree.fromstring(SHEETS[name]).iter()
        if element.attrib.get("data-line") == "scale"
    ]
    assert SCALE_BAR == 50
    assert sorted(bar[-3:] for bar in bars) == ["h50", "v50"]


@in_every_sheet
def test_a_browser_prints_all_of_it_on_a4_and_on_letter_without_scaling_it(name: str) -> None:
    drawn = [*shapes(SHEETS[name], "cut"), *shapes(SHEETS[name], "mark")]
    written = [Shape(text.left, text.top, text.right, text.bottom) for text in texts(SHEETS[name])]
    paper = Shape(0, 0, *SHEET)
    for width, height in ((210, 297), (215.9, 279.4)):
        assert SHEET[0] <= width - 2 * BROWSER_MARGIN
        assert SHEET[1] <= height - 2 * BROWSER_MARGIN
    assert [shape for shape in (*drawn, *written) if not paper.holds(shape)] == []


@in_every_sheet
def test_no_text_covers_another(name: str) -> None:
    found = [
        (one.words, other.words)
        for one, other in combinations(texts(SHEETS[name]), 2)
        if one.meets(other.left, other.top, other.right, other.bottom)
    ]
    assert not found


@pytest.mark.parametrize("name", [name for name in SHEETS if "cup" not in name])
def test_pieces_lie_apart_and_holes_lie_in_pieces(name: str) -> None:
    cut = shapes(SHEETS[name], "cut")
    pairs = [(a, b) for a, b in combinations(cut, 2) if a.meets(b) and not a.holds(b) and not b.holds(a)]
    assert not pairs


@for_every_display
def test_the_window_shows_the_whole_lit_area(chip: str) -> None:
    wide, high = CHIPS[chip].module.lit
    windows = [shape for shape in shapes(FACES[chip], "cut") if shape.size == (round(wide + 2, 1), round(high + 2, 1))]
    assert len(windows) == 1


@for_every_display
def test_the_hood_is_as_far_and_as_deep_as_its_measures_ask(chip: str) -> None:
    display = CHIPS[chip].module
    window = next(s for s in shapes(FACES[chip], "cut") if s.size[0] == round(display.lit[0] + 2, 1))
    left, right = window.left + 1 - display.hood_gap, window.right - 1 + display.hood_gap
    walls = [s for s in shapes(FACES[chip], "mark") if THICKNESS in s.size]
    assert {round(s.right, 2) for s in walls if s.right < window.left} == {round(left, 2)}
    assert {round(s.left, 2) for s in walls if s.left > window.right} == {round(right, 2)}
    sides = [s for s in walls if s.size[0] == THICKNESS]
    assert {round(s.bottom - (window.bottom - 1), 2) for s in sides} == {display.hood_beyond}
    cut = [s.size for s in shapes(FACES[chip], "cut")]
    for size in (seat_box.hood_top(display), seat_box.hood_side(display)):
        assert tuple(round(side, 1) for side in size) in cut
        assert size[1] == display.hood_depth


@for_every_display
def test_buttons_light_display_and_hood_have_room_beside_each_other(chip: str) -> None:
    rims = [s for s in shapes(FACES[chip], "mark") if s.size in {(b.rim, b.rim) for _, _, b in BUTTONS}]
    light = next(s for s in shapes(FACES[chip], "cut") if s.size == (LIGHT_HOLE, LIGHT_HOLE))
    others = [s for s in shapes(FACES[chip], "mark") if s not in rims and THICKNESS in s.size]
    board = next(s for s in shapes(FACES[chip], "mark") if s.size == CHIPS[chip].module.board)
    assert len(rims) == len(BUTTONS)
    assert not [(a, b) for a, b in combinations([*rims, light], 2) if a.meets(b)]
    assert not [(a, b) for a in [*rims, light] for b in [*others, board] if a.meets(b)]
    face = next(s for s in shapes(FACES[chip], "cut") if s.size == FACE)
    inside = Shape(face.left + THICKNESS, face.top, face.right - THICKNESS, face.bottom)
    assert all(inside.holds(shape) for shape in [*rims, light, *others, board])


def test_there_is_a_hole_for_each_button_of_a_seat() -> None:
    names = [name.lower().replace("◀", "left").replace("▶", "right") for name, _, _ in BUTTONS]
    assert [*wiring.BUTTONS] == names
    for layout in map(load_builtin, TABLES):
        assert all({*(seat.buttons or {})} <= {*names} for seat in layout.seats)


def test_no_button_reaches_the_base_and_none_the_pico() -> None:
    for _, along, button in BUTTONS:
        nearest = seat_box.BUTTON_ROW - button.hole / 2
        room = (seat_box.FRONT_HEIGHT + nearest * tan(radians(30)) * cos(radians(30)) - THICKNESS) / cos(radians(30))
        assert button.depth <= room
        deepest = seat_box.BUTTON_ROW * cos(radians(30)) + button.depth * 0.5 + button.hole / 2
        pico_begins = seat_box.DEPTH - THICKNESS - 2 - PICO.board[0]
        beside = abs(along - FACE[0] / 2) > button.hole / 2 + PICO.board[1] / 2
        assert beside or deepest < pico_begins + 3


def test_every_display_has_a_sheet_with_its_face() -> None:
    assert {*FACES.values()} <= {*SHEETS.values()}


def test_the_pieces_of_the_box_fit_each_other() -> None:
    cut = {shape.size for shape in shapes(box_sheet(), "cut")}
    side = next(s.size for s in shapes(face_sheet(LARGE), "cut") if s.size[0] == round(seat_box.DEPTH, 1))
    inner = FACE[0] - 2 * THICKNESS
    slope = hypot(side[0], side[1] - seat_box.FRONT_HEIGHT)
    assert slope == pytest.approx(FACE[1], abs=0.1)
    assert (inner, round(side[0] - 2 * THICKNESS, 1)) in cut
    assert (inner, round(side[1] - THICKNESS * tan(radians(30)), 1)) in cut
    assert (seat_box.FRONT_HEIGHT, inner) in cut


def test_the_picos_holes_are_those_of_its_data_sheet() -> None:
    middles = [shape.middle for shape in holes(box_sheet()) if shape.size == (2.1, 2.1)]
    xs, ys = ({round(at[axis], 2) for at in middles} for axis in (0, 1))
    assert len(middles) == 4
    assert max(xs) - min(xs) == pytest.approx(11.4)
    assert max(ys) - min(ys) == pytest.approx(47)


def test_a_tilt_switch_lies_15_degrees_up() -> None:
    assert wedge_height() / 20 == pytest.approx(tan(radians(15)))


@pytest.mark.parametrize(("column", "row", "smallest"), [(0, 0, DIAMETERS), (1, 0, DIAMETERS), (0, 1, PICO_DIAMETERS)])
def test_what_is_on_a_disc_fits_the_smallest_circle_that_can_be_cut(
    column: int, row: int, smallest: tuple[float, ...]
) -> None:
    cut, marks = shapes(cup_base_sheet(), "cut"), shapes(cup_base_sheet(), "mark")
    largest = [shape for shape in cut if shape.size == (DIAMETERS[-1], DIAMETERS[-1])]
    xs, ys = (sorted({shape.middle[axis] for shape in largest}) for axis in (0, 1))
    disc = next(shape for shape in largest if shape.middle == (xs[column], ys[row]))
    (x, y), radius = disc.middle, smallest[0] / 2
    on_it = [shape for shape in (*cut, *marks) if disc.holds(shape) and max(shape.size) < smallest[0]]
    assert len(on_it) > 3
    for shape in on_it:
        assert max(hypot(a - x, b - y) for a in (shape.left, shape.right) for b in (shape.top, shape.bottom)) <= radius


@pytest.mark.slow
def test_chromium_prints_a_millimetre_as_a_millimetre() -> None:
    usual = dict.fromkeys(("top", "right", "bottom", "left"), "0.4in")
    with a_chromium() as chromium:
        page = chromium.new_page()
        for name in SHEETS:
            page.goto((FOLDER / name).as_uri())
            for paper in ("A4", "Letter"):
                printed = page.pdf(format=paper, margin=usual)
                assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
                assert points_in_a_millimetre(printed) == pytest.approx(72 / 25.4, rel=0.002)


def points_in_a_millimetre(printed: bytes) -> float:
    """Return the scale of a PDF: the product of the first two transformations of its drawing."""
    streams = [_inflated(found) for found in re.findall(rb"stream\r?\n(.*?)endstream", printed, re.DOTALL)]
    drawing = next(stream for stream in streams if b" cm" in stream)
    outer, inner = (float(line.split()[0]) for line in re.findall(rb"([^\n]*) cm", drawing)[:2])
    return outer * inner


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""
