"""Panels that take more than the Pi's 3.3 V gives: their regulator and the one wire with 5 V in the drawings."""

import re
from pathlib import Path

import pytest
from support import ROOT
from support.pictures.wiring_drawings import Drawn, Sheet, level, upright

from hardware.config.layout import Layout, load_builtin, parse
from hardware.drawing.wiring import render_svg, table_diagram
from hardware.drawing.wiring.netlist import WIRE_STYLES

HUNGRY = ("wired-4", "wired-8")
MUXES = {"wired-4": ["mux"], "wired-8": ["mux", "mux of i2c-40"]}
FIVE_VOLTS, THREE_VOLTS = {"Raspberry Pi 2", "Raspberry Pi 4"}, {"Raspberry Pi 1", "Raspberry Pi 17"}


def sheet(layout: Layout) -> Sheet:
    return Sheet(render_svg(table_diagram(layout)))


def with_panels(name: str, chip: str) -> Layout:
    source = Path(load_builtin(name).path).read_text(encoding="utf-8")
    return parse(re.sub('chip = "[a-z0-9]+"', f'chip = "{chip}"', source), "mine.toml")


def lightness(color: str) -> float:
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def wire_of(drawn: Sheet, kind: str) -> Drawn:
    (wire,) = (wire for wire in drawn.wires() if wire.kind == kind)
    return wire


@pytest.mark.parametrize("name", HUNGRY)
def test_5_volts_end_nowhere_but_at_the_regulator(name: str) -> None:
    drawn = sheet(load_builtin(name))
    assert wire_of(drawn, "5V").ends == {"Raspberry Pi 2", "regulator IN 5V"}
    assert not any(wire.ends & FIVE_VOLTS for wire in drawn.wires() if wire.kind != "5V")


@pytest.mark.parametrize("name", HUNGRY)
def test_nothing_hangs_on_the_pis_own_3_volts_beside_a_regulator(name: str) -> None:
    assert not any(wire.ends & THREE_VOLTS for wire in sheet(load_builtin(name)).wires())


@pytest.mark.parametrize("name", HUNGRY)
def test_every_panel_and_each_mux_are_fed_by_the_regulator(name: str) -> None:
    layout = load_builtin(name)
    panels = {f"seat {number} VCC" for number, _ in enumerate(layout.seats, 1)}
    assert wire_of(sheet(layout), "3V3").ends == {"regulator OUT", *(f"{mux} VIN" for mux in MUXES[name]), *panels}


@pytest.mark.parametrize("name", HUNGRY)
def test_the_regulator_shares_the_ground_of_pi_mux_and_panels(name: str) -> None:
    grounds = {"Raspberry Pi 6", "regulator GND", *(f"{mux} GND" for mux in MUXES[name]), "seat 1 GND"}
    assert grounds <= wire_of(sheet(load_builtin(name)), "GND").ends


@pytest.mark.parametrize("name", HUNGRY)
def test_the_wire_with_5_volts_crosses_no_other(name: str) -> None:
    drawn = sheet(load_builtin(name))
    five = wire_of(drawn, "5V")
    for wire in drawn.wires():
        if wire.kind != "5V":
            for one, other in ((five, wire), (wire, five)):
                assert not any(
                    left < x < right and top < y < bottom
                    for y, left, right in level(one)
                    for x, top, bottom in upright(other)
                ), wire


@pytest.mark.parametrize(
    ("name", "chip", "amperes"),
    [("wired-4", "ssd1309", 1), ("wired-8", "sh1106", 1), ("wired-8", "ssd1309", 2)],
)
def test_the_regulator_gives_what_the_panels_can_take(name: str, chip: str, amperes: int) -> None:
    words = [text.words for text in sheet(with_panels(name, chip)).texts()]
    assert f"regulator 3.3 V, {amperes} A" in words
    assert any(f"a regulator of {amperes} A" in told for told in words)


def test_panels_that_ask_little_hang_on_pin_1_and_5_volts_are_nowhere() -> None:
    drawn = sheet(with_panels("wired-4", "ssd1306"))
    assert "Raspberry Pi 1" in wire_of(drawn, "3V3").ends
    assert not any(wire.ends & FIVE_VOLTS or wire.kind == "5V" for wire in drawn.wires())
    assert not any("regulator" in text.words for text in drawn.texts())


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309"])
def test_a_free_pin_with_5_volts_says_that_it_stays_free(chip: str) -> None:
    drawn = sheet(with_panels("wired-4", chip))
    wired = {end for wire in drawn.wires() for end in wire.ends}
    told = {text.words for text in drawn.texts() if text.words.endswith("5V: leave free")}
    assert told == {f"{pin[-1]}  5V: leave free" for pin in FIVE_VOLTS - wired}


def test_5_volts_are_told_from_every_other_wire_without_colour() -> None:
    five = WIRE_STYLES["5V"]
    for kind, look in WIRE_STYLES.items():
        if kind != "5V":
            same = (look.dashes, look.hollow) == (five.dashes, five.hollow)
            assert not same or abs(lightness(look.color) - lightness(five.color)) > 60, kind


def test_the_readme_feeds_the_regulator_from_the_pin_that_the_drawing_has() -> None:
    source = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    assert "its input alone on pin 2 (5 V)" in " ".join(source.split())
