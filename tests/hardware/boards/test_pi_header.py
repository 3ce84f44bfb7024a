"""The Pi's header as data, against gpiozero's own picture of it."""

import pytest
from gpiozero.pins.pi import PiBoardInfo

from hardware.boards.pi_header import (
    EEPROM,
    GROUNDS,
    HEADER,
    I2C,
    UART,
    header_i2c,
    mux_overlay,
    nearest_ground,
    pin_of,
)

PI_4 = PiBoardInfo.from_revision(0xC03111).headers["J8"].pins


def test_there_are_forty_pins_in_two_rows_of_twenty() -> None:
    assert [pin.number for pin in HEADER] == list(range(1, 41))
    assert {(pin.row, pin.column) for pin in HEADER} == {(row, column) for row in range(20) for column in range(2)}


@pytest.mark.parametrize("pin", HEADER, ids=lambda pin: str(pin.number))
def test_every_pin_is_what_gpiozero_says_it_is(pin: object) -> None:
    there = PI_4[pin.number]  # type: ignore[attr-defined]
    role = pin.role  # type: ignore[attr-defined]
    assert there.name == ({"ground": "GND"}.get(role, role) if isinstance(role, str) else f"GPIO{role}")
    assert (there.row - 1, there.col - 1) == (pin.row, pin.column)  # type: ignore[attr-defined]


def test_every_gpio_is_on_it_once() -> None:
    assert sorted(pin.gpio for pin in HEADER if pin.gpio is not None) == list(range(28))


def test_there_are_eight_grounds() -> None:
    assert [pin.number for pin in GROUNDS] == [6, 9, 14, 20, 25, 30, 34, 39]


@pytest.mark.parametrize(
    ("gpio", "interface"),
    [
        *((pin, "i2c") for pins in I2C.values() for pin in pins),
        *((pin, "uart") for pin in UART),
        *((pin, "i2c") for pin in EEPROM),
    ],
)
def test_a_reserved_pin_can_do_what_it_is_reserved_for(gpio: int, interface: str) -> None:
    assert interface in PI_4[pin_of(gpio).number].interfaces


@pytest.mark.parametrize(
    ("bus", "wires", "own"),
    [
        (1, [], 1),
        (0, [], 0),
        (5, [], None),
        (31, [[30, 31]], 1),
        (31, [[1, 30, 31], [0, 40, 41]], 1),
        (41, [[1, 30, 31], [40, 0, 41]], 0),
        (5, [[1, 30, 31]], None),
    ],
)
def test_a_bus_is_led_to_by_the_headers_bus_in_its_wire(bus: int, wires: list[list[int]], own: int | None) -> None:
    assert header_i2c(bus, wires) == own


def test_a_mux_on_the_second_bus_has_that_in_its_line() -> None:
    assert mux_overlay(1, 30) == "dtoverlay=i2c-mux,pca9548,addr=0x70,base=30"
    assert mux_overlay(0, 40) == "dtoverlay=i2c-mux,pca9548,addr=0x70,base=40,i2c0"


@pytest.mark.parametrize(("gpio", "ground"), [(4, 9), (14, 6), (5, 30), (6, 30), (7, 25), (21, 39), (26, 39), (18, 14)])
def test_the_nearest_ground_is_the_one_with_the_shortest_way(gpio: int, ground: int) -> None:
    assert nearest_ground(gpio).number == ground


@pytest.mark.parametrize("gpio", range(28))
def test_no_ground_is_nearer_than_the_nearest(gpio: int) -> None:
    def way(number: int) -> int:
        return (HEADER[number - 1].row - pin_of(gpio).row) ** 2 + (HEADER[number - 1].column - pin_of(gpio).column) ** 2

    assert way(nearest_ground(gpio).number) == min(way(ground.number) for ground in GROUNDS)


def test_a_number_that_is_no_gpio_has_no_pin() -> None:
    with pytest.raises(KeyError):
        pin_of(28)
