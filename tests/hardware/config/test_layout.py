import re
from pathlib import Path

import msgspec
import pytest
from support import ROOT

from hardware.config.layout import (
    I2cDisplay,
    Layout,
    LayoutError,
    LayoutSeat,
    SerialDevice,
    TiltSwitch,
    builtin,
    find,
    load,
    load_builtin,
    parse,
)
from hardware.config.layout_schema import LAYOUT, SEAT

WIRED = """
name = "test"

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13, dudo = 19 }
panel = { chip = "ssd1309", bus = 1, address = 0x3c }
cup = { tilt = 26 }

[[seat]]
name = "South"
color = "#00ff7f"
board = "E6614103E7452D21"
"""


def test_a_layout_is_read_as_it_is_written() -> None:
    layout = parse(WIRED, "test.toml")
    north, south = layout.seats
    assert (layout.name, layout.rules, layout.language, layout.path) == ("test", "perudo", "en", "test.toml")
    assert north.buttons == {"left": 5, "right": 6, "ok": 13, "dudo": 19}
    assert north.display == I2cDisplay("ssd1309", bus=1, address=0x3C, rotate=0)
    assert north.cup == TiltSwitch(26)
    assert south.board == SerialDevice("E6614103E7452D21")
    assert south.buttons is south.display is south.cup is None


def test_the_dudo_button_may_be_left_out() -> None:
    layout = parse(WIRED.replace(", dudo = 19", ""), "test.toml")
    assert layout.seats[0].buttons == {"left": 5, "right": 6, "ok": 13}


def test_buttons_come_in_the_order_of_the_seat_whatever_the_files() -> None:
    layout = parse(
        WIRED.replace("left = 5, right = 6, ok = 13, dudo = 19", "dudo = 19, ok = 13, right = 6, left = 5"), ""
    )
    assert [*(layout.seats[0].buttons or ())] == ["left", "right", "ok", "dudo"]


def test_a_cup_may_have_a_program_of_its_own() -> None:
    layout = parse(WIRED.replace("tilt = 26", 'serial = "CUP0001"'), "test.toml")
    assert layout.seats[0].cup == SerialDevice("CUP0001")


def test_a_layout_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        parse(WIRED, "test.toml").name = "other"  # type: ignore[misc]


def test_a_byte_order_mark_and_windows_line_ends_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(b"\xef\xbb\xbf" + WIRED.replace("\n", "\r\n").encode())
    assert load(file).seats == parse(WIRED, "").seats


@pytest.mark.parametrize("name", builtin())
def test_every_shipped_layout_is_right_and_named_like_its_file(name: str) -> None:
    assert load_builtin(name).name == name


@pytest.mark.parametrize(
    ("name", "seats", "pins"), [("boards-8", 8, 0), ("emulated", 8, 0), ("wired-4", 4, 20), ("wired-8", 8, 24)]
)
def test_a_shipped_layout_takes_the_pins_it_says(name: str, seats: int, pins: int) -> None:
    layout = load_builtin(name)
    taken = [pin for seat in layout.seats for pin in (seat.buttons or {}).values()]
    taken += [seat.cup.pin for seat in layout.seats if isinstance(seat.cup, TiltSwitch)]
    assert (len(layout.seats), len(taken)) == (seats, pins)


def test_the_emulated_table_has_the_reference_tables_seats_but_for_names_and_ids() -> None:
    def shape(layout: Layout) -> list[object]:
        return [msgspec.structs.replace(seat, name="", board=SerialDevice("")) for seat in layout.seats]

    assert shape(load_builtin("emulated")) == shape(load_builtin("boards-8"))


def test_the_first_seats_are_a_smaller_table() -> None:
    layout = load_builtin("boards-8")
    assert layout.first(3).seats == layout.seats[:3]
    assert layout.first(8) == layout


@pytest.mark.parametrize("count", [-1, 0, 1, 5, 9])
def test_a_table_of_four_cannot_be_laid_for_fewer_than_two_or_more_than_four(count: int) -> None:
    with pytest.raises(LayoutError, match="ask for 2 to 4"):
        load_builtin("wired-4").first(count)


def test_buses_behind_a_mux_are_one_wire_and_others_are_their_own() -> None:
    seat = WIRED[WIRED.index("[[seat]]") : WIRED.rindex("[[seat]]")]
    pins = iter(range(4, 28))
    text = 'name = "test"\nwires = [[30, 31, 32]]\n'
    for number, bus in enumerate((31, 1, 30)):
        text += (
            seat.replace("North", f"Seat{number}")
            .replace("bus = 1", f"bus = {bus}")
            .replace(
                "left = 5, right = 6, ok = 13, dudo = 19",
                f"left = {next(pins)}, right = {next(pins)}, ok = {next(pins)}",
            )
            .replace("tilt = 26", f"tilt = {next(pins)}")
        )
    assert parse(text, "").display_wires() == ((30, 31), (1,))


def test_boards_need_no_i2c_wire() -> None:
    assert load_builtin("boards-8").display_wires() == ()


def test_switches_are_all_buttons_and_tilt_switches_and_nothing_else() -> None:
    assert load_builtin("boards-8").switches() == ()
    wired = load_builtin("wired-4")
    assert len(wired.switches()) == len(set(wired.switches())) == 4 * (4 + 1)
    assert set(wired.seats[0].buttons.values()) < set(wired.switches())  # type: ignore[union-attr]
    assert len(load_builtin("wired-8").switches()) == 8 * 3


def test_a_layout_is_found_by_its_shipped_name_or_as_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WIRED)
    assert find("wired-4") == load_builtin("wired-4")
    assert find(str(file)).name == "test"


def test_a_player_may_take_as_long_as_it_takes_unless_the_layout_sets_a_clock() -> None:
    assert parse(WIRED, "").turn_clock_s is None
    assert parse(WIRED.replace('"test"', '"test"\nturn_clock_s = 45'), "").turn_clock_s == 45


def test_the_service_seat_is_the_first_unless_the_layout_names_another() -> None:
    assert parse(WIRED, "").service_seat == 0
    assert parse(WIRED.replace('"test"', '"test"\nservice = "South"'), "").service_seat == 1


def test_every_seat_speaks_the_tables_language_but_one_that_has_its_own() -> None:
    layout = parse(WIRED.replace('"test"', '"test"\nlanguage = "es"').replace('"red"', '"red"\nlanguage = "fr"'), "")
    assert layout.languages() == ("fr", "es")
    board = WIRED.replace('"#00ff7f"', '"#00ff7f"\nlanguage = "fr"')
    assert parse(board, "").languages() == ("en", "fr")


def test_a_table_can_be_made_to_speak_one_language() -> None:
    layout = parse(WIRED.replace('"red"', '"red"\nlanguage = "fr"'), "test.toml").speaking("es")
    assert layout.languages() == ("es", "es")


def test_the_service_key_may_be_at_the_board_of_the_service_seat() -> None:
    text = Path(load_builtin("boards-8").path).read_text(encoding="utf-8")
    keyed = parse(text.replace("[[seat]]", 'service_key = "board"\n\n[[seat]]', 1), "")
    assert (keyed.service_key, keyed.switches()) == ("board", ())


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ('"board"', 'service_key = "board": the service seat has no board; put the key on a GPIO'),
        ('"bord"', 'service_key = "bord": is not an input for a key; write the number of a GPIO, for example 17'),
        ("28", "service_key = 28: is not a GPIO of the Pi"),
    ],
)
def test_a_key_without_an_input_is_a_problem(key: str, problem: str) -> None:
    with pytest.raises(LayoutError) as raised:
        parse(WIRED.replace('"test"', f'"test"\nservice_key = {key}'), "")
    assert problem in str(raised.value)


def test_a_display_is_read_under_its_former_key_too() -> None:
    today = WIRED.replace("\npanel = ", "\ndisplay = ")
    assert today != WIRED
    assert parse(today, "table.toml") == parse(WIRED, "table.toml")


def test_a_display_under_both_keys_is_a_fault() -> None:
    line = next(line for line in WIRED.splitlines() if line.startswith("panel"))
    with pytest.raises(LayoutError, match=r"panel = .*: is the former name of display; take one of them out"):
        parse(WIRED.replace(line, f"{line}\n{line.replace('panel', 'display')}", 1), "table.toml")


def test_every_key_of_a_file_has_its_value_and_its_line_in_the_document() -> None:
    table, seat = ({*keys.required, *keys.optional} for keys in (LAYOUT, SEAT))
    assert table - {"seat"} == {*Layout.__struct_fields__} - {"seats", "path"}
    assert seat == {*LayoutSeat.__struct_fields__}
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert [key for key in table | seat if not re.search(rf"\b{key}( =|\]\])", text)] == []
