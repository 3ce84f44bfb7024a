"""What `dudo-table show` draws: every wire of a layout is on it, at every width, with colour and without."""

import re

import msgspec
import pytest

from firmware_host import cli
from hardware.boards.pi_header import nearest_ground, pin_of
from hardware.config.layout import Layout, builtin, load_builtin
from hardware.drawing import render
from hardware.drawing.header import switch_pins

WIDTHS = (60, 80, 120, 200)


def text(layout: Layout, width: int = 80, *, plain: bool = False) -> str:
    return "\n".join(line.plain for line in render(layout, width, plain=plain))


@pytest.mark.parametrize("name", builtin())
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_terminal(name: str, width: int) -> None:
    assert max(line.cell_len for line in render(load_builtin(name), width, plain=False)) <= width


@pytest.mark.parametrize("name", builtin())
@pytest.mark.parametrize("width", WIDTHS)
def test_every_wire_of_every_seat_is_told(name: str, width: int) -> None:
    layout = load_builtin(name)
    output = text(layout, width)
    for seat in layout.seats:
        for what, gpio in switch_pins(seat):
            pin, ground = pin_of(gpio).number, nearest_ground(gpio).number
            assert re.search(rf"{what} +GPIO {gpio} +pin {pin} +ground {ground}\b", output)
        assert seat.board is None or re.search(rf" {seat.name} +board  {seat.board.id}\b", output)
        assert seat.display is None or f"{seat.display.chip} 0x3c /dev/i2c-{seat.display.bus}" in output


@pytest.mark.parametrize("name", ["wired-4", "wired-8"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_header_names_who_hangs_on_each_pin(name: str, width: int) -> None:
    layout = load_builtin(name)
    output = text(layout, width)
    for seat in layout.seats:
        for what, gpio in switch_pins(seat):
            number, label = pin_of(gpio).number, f"{seat.name} {what}"
            gpio_there = rf"(GPIO )?{gpio}"
            odd, even = rf" {label} +{gpio_there} +{number} │", rf"│ {number} +{gpio_there} +{label}( |$)"
            assert re.search(odd if number % 2 else even, output, re.MULTILINE)


def test_the_header_marks_grounds_supplies_and_what_is_kept_free() -> None:
    rows = text(load_builtin("wired-4")).splitlines()
    assert sum(row.count("ground  ") + row.endswith("ground") for row in rows if "│" in row) == 8
    assert sum("I2C1 SDA" in row or "I2C1 SCL" in row for row in rows) == 2
    assert sum(row.count("HAT") for row in rows) == 2
    assert sum(row.count("free") for row in rows) == 4


def test_a_uart_in_use_is_marked() -> None:
    layout = msgspec.structs.replace(load_builtin("wired-4"), uart=True)
    assert "UART TXD" in text(layout)


def test_a_table_of_boards_needs_no_header() -> None:
    assert "header" not in text(load_builtin("boards-8"))


def test_a_wide_terminal_has_seats_beside_the_header() -> None:
    layout = load_builtin("wired-4")
    assert len(text(layout, 120).splitlines()) < len(text(layout, 80).splitlines())


def test_plain_is_ascii() -> None:
    assert text(load_builtin("wired-8"), plain=True).isascii()


def test_buses_that_share_a_wire_are_told_to() -> None:
    assert "I2C buses 30, 31, 32, 33 are one wire" in text(load_builtin("wired-4"), 120)


@pytest.mark.parametrize("color", ["red", "white", "black", "#123456"])
def test_a_seat_has_a_tag_in_its_colour(color: str) -> None:
    layout = load_builtin("wired-4")
    north = msgspec.structs.replace(layout.seats[0], color=color)
    lines = render(msgspec.structs.replace(layout, seats=(north, *layout.seats[1:])), 80, plain=False)
    tags = [span.style for line in lines if " North " in line.plain for span in line.spans]
    assert any(getattr(style, "bgcolor", None) for style in tags)


def test_what_is_no_terminal_gets_no_colour(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", "wired-4"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_table_that_speaks_another_language_says_so() -> None:
    assert render(load_builtin("wired-4").speaking("es"), 80, plain=True)[0].plain.endswith("rules perudo, language es")


@pytest.mark.parametrize(("name", "most_ma"), [("wired-4", 760), ("wired-8", 720)])
def test_panels_that_ask_too_much_of_the_header_are_sent_to_a_regulator(name: str, most_ma: int) -> None:
    output = " ".join(text(load_builtin(name)).split())
    assert f"The displays can take {most_ma} mA at 3.3 V" in output
    assert "Displays take 3V3 (pin" not in output


def test_panels_that_ask_little_hang_on_the_header() -> None:
    four = load_builtin("wired-4")
    small = [
        msgspec.structs.replace(seat, display=msgspec.structs.replace(seat.display, chip="ssd1306"))
        for seat in four.seats
    ]
    output = text(msgspec.structs.replace(four, seats=tuple(small)))
    assert "Displays take 3V3 (pin 1 or 17) and ground." in output
    assert "regulator" not in output
