"""Cups behind a radio dongle in a layout file: one device, an address each."""

import pytest

from hardware.config.layout import LayoutError, Problem, SerialDevice, parse

SEATS = """\
name = "test"

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13 }
panel = { chip = "ssd1309", bus = 1, address = 0x3c }
cup = { serial = "DONGLE", address = 1 }

[[seat]]
name = "South"
color = "blue"
buttons = { left = 16, right = 20, ok = 21 }
panel = { chip = "ssd1309", bus = 1, address = 0x3d }
cup = { serial = "DONGLE", address = 2 }
"""


def problem_of(old: str, new: str) -> Problem:
    assert old in SEATS
    with pytest.raises(LayoutError) as caught:
        parse(SEATS.replace(old, new, 1), "table.toml")
    (problem,) = caught.value.problems
    return problem


def test_two_cups_share_a_dongle() -> None:
    cups = [seat.cup for seat in parse(SEATS, "").seats]
    assert cups == [SerialDevice("DONGLE", 1), SerialDevice("DONGLE", 2)]


def test_an_address_is_no_pin() -> None:
    assert parse(SEATS.replace("address = 2", "address = 5"), "").seats[1].cup == SerialDevice("DONGLE", 5)


@pytest.mark.parametrize("zero", ["address = 0", ""])
def test_a_cup_without_an_address_has_a_cable_of_its_own(zero: str) -> None:
    text = SEATS.replace('"DONGLE", address = 2', f'"CUP2", {zero}'.rstrip(", "))
    assert parse(text, "").seats[1].cup == SerialDevice("CUP2", 0)


def test_two_cups_at_one_address_are_told() -> None:
    assert str(problem_of("address = 2", "address = 1")) == (
        'seat[2, South].cup.address = 1 behind "DONGLE": another cup answers there (seat[1, North].cup.address); '
        "give each cup behind a dongle its own"
    )


@pytest.mark.parametrize("zero", [", address = 0", ""])
def test_a_dongle_that_is_a_cup_besides_is_told(zero: str) -> None:
    problem = problem_of('"DONGLE", address = 2', f'"dongle"{zero}')
    assert (problem.key, problem.value) == ("seat[2, South].cup.serial", '"dongle"')
    assert "is a dongle with other cups behind it (seat[1, North].cup.address)" in problem.message


def test_a_dongle_that_is_a_board_besides_is_told() -> None:
    text = SEATS[: SEATS.index('[[seat]]\nname = "South"')] + '[[seat]]\nname = "S"\ncolor = "blue"\nboard = "DONGLE"\n'
    with pytest.raises(LayoutError, match="is a dongle with other cups behind it"):
        parse(text, "")


@pytest.mark.parametrize("address", ["256", "-1", '"2"', "true", "2.5"])
def test_an_address_that_no_cup_has_is_told(address: str) -> None:
    assert problem_of("address = 2", f"address = {address}").key == "seat[2, South].cup.address"


def test_a_switch_with_an_address_is_told() -> None:
    problem = problem_of('serial = "DONGLE", address = 2', "tilt = 26, address = 2")
    assert (problem.key, problem.remedy) == ("seat[2, South].cup.address", "take it out")
