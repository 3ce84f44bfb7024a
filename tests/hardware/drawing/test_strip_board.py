"""The strip-board drawing, followed along its copper: the same nets as the wiring, and no two of them joined."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pictures.wiring_drawings import PICO, SVG, Sheet, assert_legible, points

from firmware_host import cli
from hardware.boards import pico_wiring
from hardware.boards.pico_wiring import WiringError
from hardware.drawing.wiring import render_strip_board, seat_board_diagram
from hardware.drawing.wiring.strip_board import COLUMNS, ROWS
from hardware.firmware import wiring

Point = tuple[float, float]
PITCH = 24.0  # pixels
PICO_GROUNDS = {"3", "8", "13", "18", "23", "28", "38"}
"""The Pico's own pins called GND, which it joins inside; AGND is left alone."""


def drawn(**changes: object) -> str:
    return render_strip_board(seat_board_diagram(SimpleNamespace(**{**vars(wiring), **changes})))


class Board:
    """A drawing's copper: each piece of a strip between two cuts, and what is soldered to it."""

    def __init__(self, text: str) -> None:
        self._root = ElementTree.fromstring(text)
        self.sheet = Sheet(text)
        strips = [strip for strip in self._root.iter(f"{SVG}rect") if "data-strip" in strip.attrib]
        self._strips = {strip: self._box(strip) for strip in strips}
        self._cuts = [self._box(cut) for cut in self._root.iter(f"{SVG}rect") if "data-cut" in cut.attrib]
        assert len(strips) == ROWS

    def _box(self, rect: ElementTree.Element) -> tuple[float, float, float, float]:
        x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        return x, y, x + width, y + height

    def piece(self, at: Point) -> tuple[int, int]:
        """Return a strip's number, and how many of its cuts are left of a point."""
        ((number, (left, top, right, bottom)),) = [
            (number, box) for number, box in enumerate(self._strips.values()) if box[1] < at[1] < box[3]
        ]
        assert left < at[0] < right
        cuts = [cut for cut in self._cuts if cut[1] <= top and bottom <= cut[3]]
        assert not any(cut[0] <= at[0] <= cut[2] for cut in cuts), f"a leg at {at} has its copper cut away"
        return number, sum(cut[2] < at[0] for cut in cuts)

    def nets(self) -> dict[tuple[int, int], set[str]]:
        """Return the pins and leads at each piece of copper, and "resistor"."""
        nets: dict[tuple[int, int], set[str]] = {}
        for at, name in self.sheet.terminals.items():
            if "Pico" in name:
                nets.setdefault(self.piece(at), set()).add(name.split()[-1])
        for wire in self.sheet.wires():
            (name,) = wire.ends
            (stroke,) = wire.strokes
            nets.setdefault(self.piece(stroke[0]), set()).add(name)
        for leg in self.resistor_legs():
            nets.setdefault(self.piece(leg), set()).add("resistor")
        return nets

    def resistor_legs(self) -> Iterator[Point]:
        for group in self._root.iter(f"{SVG}g"):
            if "data-resistor" in group.attrib:
                for path in group.iter(f"{SVG}path"):
                    yield from (points(path.attrib["d"])[0], points(path.attrib["d"])[-1])

    def legs(self) -> list[Point]:
        """Every place where something is soldered."""
        pins = [at for at, name in self.sheet.terminals.items() if "Pico" in name]
        return [*pins, *(wire.strokes[0][0] for wire in self.sheet.wires()), *self.resistor_legs()]


def expected(fitted: Mapping[str, object]) -> list[frozenset[str]]:
    """Return the nets of a wiring, thought through once more: pins by their GP numbers, all grounds as one."""
    switches = {**fitted["BUTTONS"], "tilt": fitted["TILT"], "light": fitted["LIGHT"], "key": fitted["KEY"]}
    switches = {name: gpio for name, gpio in switches.items() if gpio is not None}
    modules = ["seat "] * (fitted["PANEL"] is not None)
    modules += [f"seat {'LIS3DH ' if modules else ''}"] * (fitted["ACCELEROMETER"] is not None)
    nets = [{f"GP{gpio}", f"seat {name}"} for name, gpio in switches.items() if name != "light"]
    if "light" in switches:
        nets += [{f"GP{switches['light']}", "resistor"}, {"resistor", "seat light"}]
    nets.append({"GND", *(f"seat {name} GND" for name in switches), *(f"{module}GND" for module in modules)})
    if modules:
        for pin, name in (("3V3", "VCC"), (f"GP{fitted['SCL']}", "SCL"), (f"GP{fitted['SDA']}", "SDA")):
            nets.append({pin, *(f"{module}{name}" for module in modules)})
    return sorted(map(frozenset, nets), key=sorted)


def found(board: Board) -> list[frozenset[str]]:
    """Return the drawing's nets with a part, their pins by name; the Pico joins its grounds."""
    ground: set[str] = set()
    nets = []
    for ends in board.nets().values():
        pins = {end for end in ends if end.isdecimal()}
        assert len(pins) <= 1, f"copper joins the pins {pins}"
        named = {PICO.get(end, end) for end in ends}
        if pins & PICO_GROUNDS:
            ground |= named
        elif named - {PICO[pin] for pin in pins}:
            nets.append(named)
    return sorted(map(frozenset, [*nets, ground]), key=sorted)


@st.composite
def any_wiring(draw: st.DrawFn) -> dict[str, object]:
    """Return the names that differ from the shipped wiring's."""
    bus = draw(st.integers(0, 1))
    data, clock = (draw(st.sampled_from(range(2 * bus + first, 23, 4))) for first in (0, 1))
    free = draw(st.permutations([gpio for gpio in (*range(23), 26, 27, 28) if gpio not in (data, clock)]))
    buttons = dict(zip(("left", "right", "ok", "dudo"), free, strict=False))
    return {
        "I2C_BUS": bus,
        "SDA": data,
        "SCL": clock,
        "BUTTONS": buttons,
        "SERVICE": free[4],
        **{name: draw(st.sampled_from([None, gpio])) for name, gpio in zip(("LIGHT", "KEY"), free[5:7], strict=True)},
        **draw(st.sampled_from([{"TILT": free[7]}, {"TILT": None, "ACCELEROMETER": 0x18}, {"TILT": None}])),
        **draw(st.sampled_from([{}, {"PANEL": None, "LIGHT": None}])),
    }


def assert_right(changes: Mapping[str, object]) -> None:
    board = Board(drawn(**changes))
    assert found(board) == expected({**vars(wiring), **changes})
    legs = board.legs()
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) >= PITCH - 0.1 for a, b in combinations(legs, 2)), "two in one hole"
    assert_legible(board.sheet)


def test_the_shipped_board_joins_what_the_wiring_joins() -> None:
    assert_right({})


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(any_wiring())
def test_any_wiring_is_laid_out_as_it_is_wired(changes: dict[str, object]) -> None:
    text = "\n".join(f"{name} = {({**vars(wiring), **changes})[name]!r}" for name in pico_wiring.NAMES)
    try:
        pico_wiring.parse(text, "any.py")
    except WiringError as error:
        raise AssertionError(text) from error
    assert_right(changes)


def test_another_wiring_has_another_drawing() -> None:
    assert drawn(TILT=26) != drawn()
    assert "R10 tilt switch, one leg" in drawn(TILT=26)


def test_the_resistor_lies_on_free_holes_of_one_strip() -> None:
    (left, y), (right, other_y) = Board(drawn()).resistor_legs()
    assert (y, right - left) == (other_y, 3 * PITCH)


@pytest.mark.parametrize("changes", [{}, {"LIGHT": None}, {"LIGHT": 2}])
def test_the_copper_side_has_the_same_cuts(changes: dict[str, object]) -> None:
    rects = [*ElementTree.fromstring(drawn(**changes)).iter(f"{SVG}rect")]
    above, below = (
        {rect.attrib[name]: float(rect.attrib["x"]) for rect in rects if name in rect.attrib}
        for name in ("data-cut", "data-cut-below")
    )
    assert above.keys() == below.keys()
    assert len(above) == 20 + (changes.get("LIGHT", 17) is not None)
    columns = {ord(name[0]) - ord("A") + 1: x for name, x in below.items()}
    assert all((a < b) is (columns[a] > columns[b]) for a, b in combinations(columns, 2)), "is not mirrored"
    assert all(1 <= column <= COLUMNS for column in columns)


def test_show_writes_an_owners_strip_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "mine.svg"
    assert cli.main(["show", wiring.__file__, "--strip-board", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8") == drawn()
    assert str(picture) in capsys.readouterr().out


def test_a_layout_has_no_strip_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", "wired-4", "--strip-board", str(tmp_path / "mine.svg")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "wired-4" in err
