"""hardware/README.md's shopping list and hoods agree with the layouts and with the dimensions of the parts."""

import re
from math import ceil

import pytest
from support import ROOT

from docs.templates.dimensions import ARCADE_BUTTON, SMALL_BUTTON, TILT_SWITCH
from hardware.chips import CHIPS, SMALL, Chip
from hardware.config.layout import load_builtin
from hardware.drawing.wiring import table_diagram
from hardware.drawing.wiring.strip_board import COLUMNS, PICO_ROWS, PITCH_MM, ROWS
from hardware.firmware import wiring

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
PAGE = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")


def rows(heading: str, part: int) -> list[list[str]]:
    """Return the cells of a section's table, without its head; `part` counts the tables of the section from 0."""
    section = re.split(rf"^#+ {re.escape(heading)}$", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    lines = tables[part].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def count(cell: str) -> int:
    return 0 if cell == "–" else int(cell)


BOARDS = {row[0]: row for row in rows("Shopping list", 0)[:-1]}
WIRED = {row[0]: row for row in rows("Shopping list", 1)}


def bought(words: str, column: int, parts: dict[str, list[str]]) -> int:
    return sum(count(row[column]) for name, row in parts.items() if words in name)


@pytest.mark.parametrize(("column", "seats"), [(2, 4), (3, 8)])
def test_a_table_of_boards_has_what_its_layout_needs(column: int, seats: int) -> None:
    layout = load_builtin("boards-8").first(seats)
    boards = sum(seat.board is not None for seat in layout.seats)
    switches = {"tilt": wiring.TILT, "light": wiring.LIGHT}
    assert bought("Pico", column, BOARDS) == boards
    assert bought("USB data cable", column, BOARDS) == boards
    assert bought("display", column, BOARDS) == boards * (wiring.PANEL is not None)
    assert bought("button", column, BOARDS) == boards * len(wiring.BUTTONS)
    assert bought("tilt switch", column, BOARDS) == boards * (switches["tilt"] is not None)
    assert bought("LED", column, BOARDS) == boards * (switches["light"] is not None)
    assert bought("dice cup", column, BOARDS) == bought("lead of a cup", column, BOARDS) == boards
    assert bought("hub", column, BOARDS) == sum(box.name == "hub" for box in table_diagram(layout).left)


@pytest.mark.parametrize(("column", "seats"), [(2, 4), (3, 8)])
def test_the_hub_has_a_port_for_each_board(column: int, seats: int) -> None:
    (hub,) = (name for name, row in BOARDS.items() if "hub" in name and count(row[column]))
    assert int(re.findall(r"(\d+) ports", hub)[0]) >= seats


def test_the_example_is_the_display_that_a_board_is_wired_for() -> None:
    (display,) = (row for name, row in BOARDS.items() if name.startswith("display"))
    assert wiring.PANEL is not None
    assert wiring.PANEL.upper() in display[1]
    assert f"{CHIPS[wiring.PANEL].module.inches} inch" in display[0]


def test_the_buttons_are_those_of_the_templates() -> None:
    (small,), (arcade,) = ([name for name in BOARDS if words in name] for words in ("thread", "arcade"))
    assert f"{SMALL_BUTTON.hole:g} mm" in small
    assert f"{ARCADE_BUTTON.hole:g} mm" in arcade


def test_each_part_has_two_products_and_a_property_to_look_for() -> None:
    for row in rows("Two that fit", 0):
        assert len({*row}) == 4, row
        assert all(row), row


def test_what_fits_has_the_dimensions_of_box_cup_and_strip_board() -> None:
    fits = {row[0]: row[3] for row in rows("Two that fit", 0)}
    for name, button in (("small button", SMALL_BUTTON), ("arcade button", ARCADE_BUTTON)):
        assert re.findall(r"(\d+) mm (?:thread|hole), at most (\d+) mm", fits[name]) == [
            (f"{button.hole:g}", f"{button.depth:g}")
        ]
    assert "{:g} × {:g} mm".format(*TILT_SWITCH) in fits["tilt switch"]
    assert f"{COLUMNS} holes by {ROWS} strips" in fits["strip-board"]
    assert f"socket of {PICO_ROWS} contacts" in fits
    (board,) = (row for name, row in BOARDS.items() if name.startswith("strip-board"))
    assert f"{(COLUMNS + 1) * PITCH_MM:.0f} × {ROWS * PITCH_MM:.0f} mm, {PICO_ROWS} contacts" in board[1]


@pytest.mark.parametrize("column", [2, 3])
def test_the_sum_is_the_sum(column: int) -> None:
    total = sum(count(row[column]) * float(row[4]) for row in BOARDS.values())
    told = int(re.findall(r"\d+", rows("Shopping list", 0)[-1][column])[0])
    assert abs(total - told) < 2.5


def test_the_readme_estimates_no_less() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    seat, table = map(
        int, re.findall(r"A seat costs roughly (\d+) €, and the Pi with supply, card and hub (\d+) €", text)[0]
    )
    for column, seats in ((2, 4), (3, 8)):
        total = sum(count(row[column]) * float(row[4]) for row in BOARDS.values())
        assert 0.85 * total < seat * seats + table < 1.15 * total


@pytest.mark.parametrize(("column", "name"), [(2, "wired-4"), (3, "wired-8")])
def test_a_wired_table_has_the_muxes_the_regulator_and_the_cables_of_its_drawing(column: int, name: str) -> None:
    layout = load_builtin(name)
    boxes = [component.name for component in table_diagram(layout).left]
    assert bought("mux board", column, WIRED) == sum(box.startswith("mux") for box in boxes)
    assert bought("resistor", column, WIRED) == 2 * (0 in layout.header_buses())
    assert bought("step-down", column, WIRED) == boxes.count("regulator")
    assert bought("cable of a seat", column, WIRED) == len(layout.seats)


def test_the_hoods_are_those_of_the_templates() -> None:
    told = {float(row[0].split()[0]): row[1:] for row in rows("A hood against side-glances", 0)}
    displays = {chip.module for chip in CHIPS.values()}
    assert told.keys() == {display.inches for display in displays}
    for display in displays:
        lit, gap, depth, beyond = told[display.inches]
        assert [float(side) for side in lit.split(" × ")] == pytest.approx(display.lit, abs=0.51)
        assert tuple(map(float, (gap, depth, beyond))) == (display.hood_gap, display.hood_depth, display.hood_beyond)


@pytest.mark.parametrize("chip", CHIPS.values(), ids=CHIPS)
def test_the_largest_current_of_each_display_is_that_of_its_data_sheet(chip: Chip) -> None:
    """A column's current × 128, through a charge pump that doubles or a converter of 80 %; rounded up to 10 mA."""
    ((_, most, source),) = [row for row in rows("Power", 0) if chip.name.upper() in row[0]]
    column_ma = int(re.findall(r"(\d+) µA", source)[0]) / 1000
    volts = float(re.findall(r"at ([\d.]+) V", source)[0])
    max_ma = column_ma * 128 * (2 if "doubles" in source else volts / 3.3 / 0.8)
    assert chip.max_ma == int(most.split()[0]) == 10 * ceil(max_ma / 10)


def test_as_many_small_displays_may_be_connected_to_pin_1_as_it_has_current_for() -> None:
    most, others = re.findall(r"200 mA, (\w+) displays of 0.96 inch \((.*?)\),", " ".join(PAGE.split()))[0]
    told = {name: number for number, name in re.findall(r"(\w+) with an (\w+)", others)}
    for chip in CHIPS.values():
        if chip.module is SMALL:
            assert NUMBERS.index(told.get(chip.name.upper(), most)) == 200 // chip.max_ma, chip
