"""The Pi's header as data, against gpiozero's own picture of it."""

import pytest
from gpiozero.pins.pi import PiBoardInfo

from hardware.boards.pi_header import EEPROM, GROUNDS, HEADER, SCL, SDA, UART, nearest_ground, pin_of

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
    [(SDA, "i2c"), (SCL, "i2c"), (UART[0], "uart"), (UART[1], "uart"), (EEPROM[0], "i2c"), (EEPROM[1], "i2c")],
)
def test_a_reserved_pin_can_do_what_it_is_reserved_for(gpio: int, interface: str) -> None:
    assert interface in PI_4[pin_of(gpio).number].interfaces


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
