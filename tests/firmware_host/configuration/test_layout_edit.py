"""Seats of a layout as the owner's page writes them: what is not changed stays, comments too."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.configuration.layout_edit import with_seats
from firmware_host.table.staff.setup import SeatEntry
from hardware.config.layout import LayoutError
from hardware.config.layout_schema import COLORS

PATH = "/etc/dudo-table/table.toml"
NEW = "E6614103E7452D21"
TEXT = """\
# My table.
name = "bar"    # as on the door
service = "Red"
service_key = "board"

[[seat]]  # at the window
name = "Red"      # the owner's
color = 'red'
board = "E661410000000001"  # the one with the dent
language = "es"

[[seat]]
name = "Blue"
color = "blue"
board = "E661410000000002"

[[ seat ]]
name = "Phone"
color = "#112233"
phone = true
"""
SAME = (
    SeatEntry("Red", "red", "E661410000000001", "Red"),
    SeatEntry("Blue", "blue", "E661410000000002", "Blue"),
    SeatEntry("Phone", "#112233", "", "Phone"),
)


def test_the_same_seats_leave_every_byte() -> None:
    assert with_seats(TEXT, PATH, SAME) == TEXT


def test_a_board_takes_the_place_of_another_and_only_its_line_changes() -> None:
    changed = with_seats(TEXT, PATH, (SeatEntry("Red", "red", NEW, "Red"), *SAME[1:]))
    assert changed == TEXT.replace("E661410000000001", NEW)


def test_a_renamed_seat_stays_the_service_seat() -> None:
    changed = with_seats(TEXT, PATH, (SeatEntry("Ñandú", "red", SAME[0].board, "Red"), *SAME[1:]))
    assert changed == TEXT.replace('"Red"', '"Ñandú"')


def test_a_new_seat_comes_where_it_stands_and_others_keep_their_lines_in_another_order() -> None:
    new = SeatEntry("Door", "green", NEW)
    changed = with_seats(TEXT, PATH, (SAME[2], new, SAME[0], SAME[1]))
    assert [seat["name"] for seat in tomllib.loads(changed)["seat"]] == ["Phone", "Door", "Red", "Blue"]
    assert tomllib.loads(changed)["seat"][1] == {"name": "Door", "color": "green", "board": NEW}
    for comment in ("# My table.", "# at the window", "# the owner's", "# the one with the dent"):
        assert comment in changed


def test_a_new_seat_for_a_phone_is_added_and_the_one_there_stays() -> None:
    seats = (
        *SAME[:2],
        SeatEntry("Phone", "#112233", "", "Phone", is_phone=True),
        SeatEntry("Sofa", "pink", is_phone=True),
    )
    changed = with_seats(TEXT, PATH, seats)
    assert changed == f'{TEXT}\n[[seat]]\nname = "Sofa"\ncolor = "pink"\nphone = true\n'


def test_a_seat_is_taken_out() -> None:
    changed = with_seats(TEXT, PATH, (SAME[0], SAME[2]))
    assert [seat["name"] for seat in tomllib.loads(changed)["seat"]] == ["Red", "Phone"]


def test_a_file_without_a_last_line_break_can_be_continued() -> None:
    changed = with_seats(TEXT.rstrip(), PATH, (*SAME, SeatEntry("Door", "green", NEW)))
    assert len(tomllib.loads(changed)["seat"]) == 4


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        ((SAME[0],), "is the wrong number of seats"),
        ((*SAME, SeatEntry("Door", "green", "E661410000000001")), "E661410000000001"),
        ((*SAME, SeatEntry("Red", "green", NEW)), "Red"),
        ((*SAME, SeatEntry("Door", "greeen", NEW)), "is not a known colour"),
        ((*SAME, SeatEntry("Door", "green", "no id")), "is not the id of a serial device"),
        ((*SAME, SeatEntry("Door", "green")), "seat[4, Door]"),
        ((*SAME, SeatEntry("A name too long", "green", NEW)), "A name too long"),
        ((*SAME, SeatEntry('x"\n[[seat]]', "green", NEW)), "seat[4]"),
        ((*SAME, SeatEntry("卓", "green", NEW)), "the displays have no letter"),
        ((*SAME, SeatEntry("Door", "green", NEW, "Gate")), "is not a seat of the layout any more"),
        ((*SAME, SAME[0]), "one seat stands there twice"),
        ((SAME[0], SAME[1], SeatEntry("Phone", "red", NEW, "Phone")), "is in a form that the page does not change"),
        ((SAME[0], SeatEntry("Blue", "blue", "", "Blue", is_phone=True)), "is in a form that the page does not change"),
        ((*SAME, SeatEntry("Red", "pink", is_phone=True)), "Red"),
        (SAME[1:], "service"),
    ],
)
def test_a_layout_that_check_would_refuse_is_refused(seats: tuple[SeatEntry, ...], why: str) -> None:
    with pytest.raises(LayoutError) as refused:
        with_seats(TEXT, PATH, seats)
    assert why in str(refused.value)
    assert str(refused.value).startswith(f"{PATH}: ")


INLINE = (
    'name = "bar"\nseat = [{name = "A", color = "red", board = "B1"}, {name = "B", color = "blue", board = "B2"}]\n'
)
QUOTED = TEXT.replace('name = "Red"      # the owner\'s', '"name" = "Red"')


@pytest.mark.parametrize("text", [INLINE, QUOTED])
def test_a_file_in_another_form_is_refused_rather_than_damaged(text: str) -> None:
    names = [seat["name"] for seat in tomllib.loads(text)["seat"]]
    entries = tuple(SeatEntry(f"{name}2", "red", "", name) for name in names)
    with pytest.raises(LayoutError, match="is in a form that the page does not change; change it with an editor"):
        with_seats(text, PATH, entries)


def test_a_table_keeps_some_seats() -> None:
    with pytest.raises(LayoutError):
        with_seats(TEXT, PATH, ())


def test_a_file_with_a_fault_is_its_owners_to_correct() -> None:
    with pytest.raises(LayoutError, match="serivce"):
        with_seats(TEXT.replace("service =", "serivce ="), PATH, SAME)


@given(
    st.permutations(SAME),
    st.lists(st.tuples(st.text(max_size=12), st.sampled_from([*COLORS, "x"])), min_size=3, max_size=3),
    st.booleans(),
)
def test_any_names_are_written_as_they_are_or_refused(
    order: list[SeatEntry], texts: list[tuple[str, str]], adds: bool
) -> None:
    seats = [SeatEntry(name, color, seat.board, seat.was) for seat, (name, color) in zip(order, texts, strict=True)]
    seats += [SeatEntry("Door", "green", NEW)] if adds else []
    try:
        written = tomllib.loads(with_seats(TEXT, PATH, seats))
    except LayoutError:
        return
    assert [(seat["name"], seat["color"]) for seat in written["seat"]] == [(seat.name, seat.color) for seat in seats]
    assert written["service"] == next(seat.name for seat in seats if seat.was == "Red")


@pytest.mark.parametrize("name", ["boards-8", "wired-4", "wired-8"])
def test_each_shipped_layout_can_be_changed(name: str) -> None:
    text = Path("hardware/config/layouts", f"{name}.toml").read_text(encoding="utf-8")
    laid = tomllib.loads(text)["seat"]
    seats = [
        SeatEntry(f"Seat {at}", seat["color"], seat.get("board", ""), seat["name"]) for at, seat in enumerate(laid)
    ]
    written = tomllib.loads(with_seats(text, PATH, seats[::-1]))["seat"]
    assert written == [{**seat, "name": f"Seat {at}"} for at, seat in enumerate(laid)][::-1]
