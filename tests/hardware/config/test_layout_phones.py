"""Seats for guests' phones in a layout."""

import pytest

from hardware.config.layout import LayoutError, parse

MIXED = """
name = "mixed"

[[seat]]
name = "Lima"
color = "red"
phone = true

[[seat]]
name = "Cusco"
color = "blue"
board = "E6614103E7452D21"

[[seat]]
name = "Puno"
color = "green"
phone = true
language = "es"
"""
PHONES = MIXED.replace('board = "E6614103E7452D21"', "phone = true")


def fault(text: str) -> str:
    with pytest.raises(LayoutError) as wrong:
        parse(text, "mixed.toml")
    return str(wrong.value)


def test_a_phones_id_is_its_seats_number() -> None:
    lima, cusco, puno = parse(MIXED, "mixed.toml").seats
    assert (lima.phone, cusco.phone, puno.phone) == ("phone/1", None, "phone/3")
    assert (puno.name, puno.language, puno.board, puno.buttons) == ("Puno", "es", None, None)


def test_a_phone_that_is_switched_off_is_none() -> None:
    seats = parse(MIXED.replace('board = "E66', 'phone = false\nboard = "E66'), "mixed.toml").seats
    assert seats[1].phone is None


def test_the_owner_reads_messages_at_the_first_seat_that_is_no_phone() -> None:
    assert parse(MIXED, "mixed.toml").service_seat == 1
    assert parse(PHONES, "mixed.toml").service_seat == 0


def test_a_phone_brings_everything_itself() -> None:
    told = fault(MIXED.replace('board = "E66', 'phone = true\nboard = "E66'))
    assert "seat[2, Cusco].phone = true: a phone brings its own board" in told
    assert "take out phone or the board" in told


def test_a_guests_phone_is_no_place_for_the_owner() -> None:
    assert "name a seat with a display of its own" in fault('service = "Puno"\n' + MIXED)
    for key in ("service_hold = true", "service_key = 17"):
        assert "every seat is a phone" in fault(f"{key}\n{PHONES}")
    assert "the service seat has no board" not in fault(f'service_key = "board"\n{MIXED}\nphones = 1')


def test_whether_a_seat_is_a_phone_is_true_or_false() -> None:
    assert "seat[1, Lima].phone" in fault(MIXED.replace("phone = true", 'phone = "yes"', 1))
