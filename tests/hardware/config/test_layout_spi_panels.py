"""Panels on SPI in a layout file: what they say, what they take of the header, and what is wrong with wrong ones."""

import pytest
from gpiozero.pins.pi import PiBoardInfo

from hardware.boards.pi_header import SPI, pin_of, spi_pins
from hardware.config.layout import LayoutError, Problem, SpiDisplay, parse

GOOD = """\
name = "test"

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13 }
panel = { chip = "ssd1309", spi = 0, select = 0, dc = 24, reset = 25 }
cup = { tilt = 26 }

[[seat]]
name = "South"
color = "blue"
buttons = { left = 4, right = 12, ok = 27 }
panel = { chip = "sh1106", spi = 0, select = 1, dc = 22, reset = 23, rotate = 180 }
cup = { serial = "CUP1" }
"""
NORTH, SOUTH = "seat[1, North].panel", "seat[2, South].panel"
ONE_SPI = 'chip = "ssd1309", spi = 0, select = 0, dc = 24, reset = 25'


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(LayoutError) as caught:
        parse(text, "table.toml")
    return caught.value.problems


def test_a_panel_on_spi_is_read_as_it_is_written() -> None:
    north, south = parse(GOOD, "table.toml").seats
    assert north.display == SpiDisplay("ssd1309", spi=0, select=0, dc=24, reset=25)
    assert south.display == SpiDisplay("sh1106", spi=0, select=1, dc=22, reset=23, rotate=180)


def test_panels_of_one_spi_bus_are_one_wire_and_none_of_them_is_i2c() -> None:
    layout = parse(GOOD, "table.toml")
    assert layout.display_wires() == ()
    assert layout.spi_displays() == {0: tuple(seat.display for seat in layout.seats)}


def test_panels_on_spi_and_on_i2c_sit_at_one_table() -> None:
    layout = parse(changed(ONE_SPI, 'chip = "ssd1306", bus = 1, address = 0x3c'), "table.toml")
    assert layout.display_wires() == ((1,),)
    assert [*layout.spi_displays()] == [0]


ONE_FAULT = {
    "on both": ("spi = 0, select = 0", "spi = 0, bus = 1", NORTH, "{ chip, spi, bus, dc, reset }", "one of", "or {"),
    "no D/C": (" dc = 24,", "", f"{NORTH}.dc", "", "is missing", "add dc = 17"),
    "no reset": (", reset = 25", "", f"{NORTH}.reset", "", "is missing", "add reset = 17"),
    "no select": (" select = 0,", "", f"{NORTH}.select", "", "is missing", "add select = 0"),
    "no bus": (" spi = 0,", "", f"{NORTH}.spi", "", "is missing", "add spi = 0"),
    "a misspelled key": ("reset = 25", "rest = 25", f"{NORTH}.rest", "25", "unknown", "did you mean reset?"),
    "an unknown key": ("reset = 25", "reset = 25, mhz = 8", f"{NORTH}.mhz", "8", "unknown", "there is chip, spi,"),
    "another bus": ("spi = 0", "spi = 2", f"{NORTH}.spi", "2", "is not an SPI bus on the Pi's header", "use 0 to 1"),
    "a select far out": ("select = 0", "select = 3", f"{NORTH}.select", "3", "is not a chip select", "use 0 to 2"),
    "a third select": ("select = 0", "select = 2", f"{NORTH}.select", "2", "SPI 0 has 2 chip selects", "use 0 to 1"),
    "two on one select": ("select = 1", "select = 0", f"{SOUTH}.select", "0 on SPI 0", NORTH, "change its select"),
    "a chip nobody knows": ('"ssd1309"', '"sd1309"', f"{NORTH}.chip", '"sd1309"', "chip", "mean ssd1309?"),
    "turned halfway": ("rotate = 180", "rotate = 90", f"{SOUTH}.rotate", "90", "turn a display", "0, 180"),
    "no pin": ("dc = 24", "dc = 28", f"{NORTH}.dc", "28", "not a GPIO", "0 to 27"),
    "a line that a button has": ("dc = 24", "dc = 13", f"{NORTH}.dc", "13", "seat[1, North].buttons.ok", "free pins"),
    "a line of two panels": ("dc = 22", "dc = 24", f"{SOUTH}.dc", "24", f"already in use ({NORTH}.dc)", "free pins"),
    "two lines in one": ("reset = 25", "reset = 24", f"{NORTH}.reset", "24", f"already in use ({NORTH}.dc)", "free"),
    "a line on the EEPROM": ("dc = 24", "dc = 0", f"{NORTH}.dc", "0", "EEPROM", "free pins are 2, 3, 14"),
    "a button on the clock": ("ok = 13", "ok = 11", "seat[1, North].buttons.ok", "11", "carries SPI", "free pins"),
    "a button on a select": ("ok = 13", "ok = 7", "seat[1, North].buttons.ok", "7", "pin 7 carries SPI", "free pins"),
}


@pytest.mark.parametrize(("old", "new", "key", "value", "message", "remedy"), ONE_FAULT.values(), ids=ONE_FAULT)
def test_what_is_wrong_with_a_panel_on_spi_is_told_once(
    old: str, new: str, key: str, value: str, message: str, remedy: str
) -> None:
    (problem,) = problems_of(changed(old, new))
    assert (problem.key, problem.value) == (key, value)
    assert message in problem.message
    assert remedy in problem.remedy


def test_spi_0_leaves_the_pins_of_spi_1_free_and_the_other_way_round() -> None:
    assert parse(changed("ok = 13", "ok = 21"), "table.toml")
    assert parse(GOOD.replace("spi = 0", "spi = 1").replace("ok = 13", "ok = 11"), "table.toml")


def test_a_table_with_panels_on_spi_alone_may_use_the_pins_of_i2c() -> None:
    assert parse(changed("ok = 13", "ok = 2"), "table.toml")


def test_a_chip_select_behind_the_last_used_one_is_free() -> None:
    one = GOOD.replace("spi = 0, select = 1", "spi = 1, select = 0")
    assert parse(one.replace("ok = 13", "ok = 7"), "table.toml")
    assert [problem.key for problem in problems_of(one.replace("ok = 13", "ok = 18"))] == ["seat[1, North].buttons.ok"]


PI_4 = PiBoardInfo.from_revision(0xC03111).headers["J8"].pins


@pytest.mark.parametrize("bus", SPI)
def test_the_pins_of_an_spi_bus_can_do_spi(bus: int) -> None:
    for gpio in spi_pins(bus, range(len(SPI[bus].selects))):
        assert "spi" in PI_4[pin_of(gpio).number].interfaces
