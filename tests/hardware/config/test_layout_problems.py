"""Every way a layout file can be wrong, and the sentence its owner gets."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.config.layout import Layout, LayoutError, Problem, builtin, find, load, load_builtin, parse

GOOD = """\
name = "test"
rules = "perudo"

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13, dudo = 19 }
panel = { chip = "ssd1309", bus = 1, address = 0x3c }
cup = { tilt = 26 }

[[seat]]
name = "South"
color = "blue"
buttons = { left = 16, right = 20, ok = 21 }
panel = { chip = "sh1106", bus = 1, address = 0x3d, rotate = 180 }
cup = { serial = "CUP1" }

[[seat]]
name = "West"
color = "green"
board = "BOARD1"
"""


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(LayoutError) as caught:
        parse(text, "table.toml")
    return caught.value.problems


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_the_file_the_others_here_break_is_right() -> None:
    assert len(parse(GOOD, "table.toml").seats) == 3


ONE_FAULT = {
    "an unknown key": ('rules = "perudo"', "tea = 1", "tea", "1", ["there is name, seat, rules"]),
    "a misspelled key": ('rules = "perudo"', 'rule = "x"', "rule", '"x"', ["did you mean rules?"]),
    "a misspelled needed key": ("color", "colour", "seat[1, North].colour", '"red"', ["mean color?"]),
    "a misspelled button": ("ok = 13", "okk = 13", "seat[1, North].buttons.okk", "13", ["did you mean ok?"]),
    "no name": ('name = "test"', "", "name", "", ['add name = "my-table"']),
    "a seat without a name": ('name = "South"\n', "", "seat[2].name", "", ['add name = "North"']),
    "a seat without a colour": ('color = "red"\n', "", "seat[1, North].color", "", ['color = "red"']),
    "a seat without OK": (" ok = 13,", "", "seat[1, North].buttons.ok", "", ["add ok = 17"]),
    "a name that is not text": ('"North"', "7", "seat[1].name", "7", ['"North"']),
    "an empty name": ('"North"', '" "', "seat[1].name", '" "', ['"North"']),
    "a long name": ('"North"', '"Northernmost"', "seat[1].name", '"Northernmost"', ["12 characters"]),
    "a name with a line end": ('"North"', '"No\\nth"', "seat[1].name", '"No\\nth"', ['"North"']),
    "two seats of one name": ('"South"', '"north"', "seat[2, north].name", '"north"', []),
    "a colour nobody knows": ('"red"', '"gren"', "seat[1, North].color", '"gren"', ["did you mean green?"]),
    "a colour of other form": ('"red"', '"#f00"', "seat[1, North].color", '"#f00"', ["#rrggbb"]),
    "a colour that is not text": ('"red"', "1", "seat[1, North].color", "1", ["#rrggbb"]),
    "a chip nobody knows": ('"sh1106"', '"sh1107"', "seat[2, South].panel.chip", '"sh1107"', ["mean sh1106?"]),
    "a panel turned halfway": ("180", "90", "seat[2, South].panel.rotate", "90", ["0, 180"]),
    "another language": ('"red"', '"red"\nlanguage = "de"', "seat[1, North].language", '"de"', ["is en, es"]),
    "a language's name": ('"perudo"', '"perudo"\nlanguage = "Spanish"', "language", '"Spanish"', ["mean es?"]),
    "a country's language": ('"perudo"', '"perudo"\nlanguage = "fr_FR"', "language", '"fr_FR"', ["mean fr?"]),
    "a language that is not text": ('"perudo"', '"perudo"\nlanguage = 1', "language", "1", ["there is en"]),
    "no seat's name": ('"perudo"', '"perudo"\nservice = "Bar"', "service", '"Bar"', ["there is North, South"]),
    "nearly a seat's name": ('"perudo"', '"perudo"\nservice = "south"', "service", '"south"', ["mean South?"]),
    "a clock that leaves no time to think": (
        '"perudo"',
        '"perudo"\nturn_clock_s = 5',
        "turn_clock_s",
        "5",
        ["10 to 600, or leave it out"],
    ),
    "a clock that is not a clock": (
        '"perudo"',
        '"perudo"\nturn_clock_s = 3600',
        "turn_clock_s",
        "3600",
        ["10 to 600, or leave it out"],
    ),
    "half a second": ('"perudo"', '"perudo"\nturn_clock_s = 30.5', "turn_clock_s", "30.5", ["60"]),
    "a seat's number": ('"perudo"', '"perudo"\nservice = 2', "service", "2", ['"North"']),
    "rules that are not text": ('"perudo"', "5", "rules", "5", ['"perudo"']),
    "a pin beyond the header": ("ok = 13", "ok = 28", "seat[1, North].buttons.ok", "28", ["0 to 27"]),
    "a negative pin": ("ok = 13", "ok = -1", "seat[1, North].buttons.ok", "-1", ["0 to 27"]),
    "a pin in quotes": ("ok = 13", 'ok = "13"', "seat[1, North].buttons.ok", '"13"', ["example 17"]),
    "a pin that is true": ("ok = 13", "ok = true", "seat[1, North].buttons.ok", "true", ["17"]),
    "a pin used twice": ("ok = 21", "ok = 13", "seat[2, South].buttons.ok", "13", ["seat[1, North].buttons.ok"]),
    "a pin of buttons and cup": ("tilt = 26", "tilt = 5", "seat[1, North].cup.tilt", "5", ["North].buttons.left"]),
    "an I2C pin": ("ok = 13", "ok = 2", "seat[1, North].buttons.ok", "2", ["I2C", "free pins are 4, 7"]),
    "an EEPROM pin": ("ok = 13", "ok = 1", "seat[1, North].buttons.ok", "1", ["free pins are 4, 7"]),
    "a bus in quotes": ("bus = 1,", 'bus = "1",', "seat[1, North].panel.bus", '"1"', ["/dev/i2c-N"]),
    "a negative bus": ("bus = 1,", "bus = -1,", "seat[1, North].panel.bus", "-1", ["not a /dev/i2c-N", "0 to 255"]),
    "an 8-bit address": ("0x3c", "0x78", "seat[1, North].panel.address", "0x78", ["8-bit", "0x3c"]),
    "an address of the bus's own": ("0x3c", "0x07", "seat[1, North].panel.address", "0x07", ["I2C address", "0x3c"]),
    "a huge address": ("0x3c", "70000", "seat[1, North].panel.address", "70000", ["I2C address", "0x3c or 0x3d"]),
    "an address in quotes": ("0x3c", '"0x3c"', "seat[1, North].panel.address", '"0x3c"', []),
    "two panels at one address": ("0x3d", "0x3c", "seat[2, South].panel.address", "0x3c on bus 1", ["North"]),
    "two seats with one device": ("BOARD1", "cup1", "seat[3, West].board", '"cup1"', ["seat[2, South].cup.serial"]),
    "an id with a slash": ("CUP1", "../tty", "seat[2, South].cup.serial", '"../tty"', ["ls /dev/serial/by-id"]),
    "a Pico's id with a digit too few": (
        "BOARD1",
        "E6614103E7452D2",
        "seat[3, West].board",
        '"E6614103E7452D2"',
        ["has 15 digits", "16", "ls /dev/serial/by-id"],
    ),
    "an empty id": ("BOARD1", "", "seat[3, West].board", '""', ["ls /dev/serial/by-id"]),
    "a seat with nothing": ('board = "BOARD1"', "", "seat[3, West]", "", []),
    "a wired seat without panel": (
        'panel = { chip = "ssd1309", bus = 1, address = 0x3c }',
        "",
        "seat[1, North].display",
        "",
        ["add display = {"],
    ),
    "a wired seat without cup": ("cup = { tilt = 26 }", "", "seat[1, North].cup", "", ["add cup = {"]),
    "a wired seat without buttons": (
        "buttons = { left = 16, right = 20, ok = 21 }",
        "",
        "seat[2, South].buttons",
        "",
        ["add buttons = {"],
    ),
    "a board beside wires": (
        "cup = { tilt = 26 }",
        'cup = { tilt = 26 }\nboard = "B2"',
        "seat[1, North].board",
        '"B2"',
        [],
    ),
    "a cup that is its id": (
        'cup = { serial = "CUP1" }',
        'cup = "E6614103E7452D21"',
        "seat[2, South].cup",
        '"E6614103E7452D21"',
        ['write { serial = "E6614103E7452D21" }'],
    ),
    "a cup that is its pin": ("cup = { tilt = 26 }", "cup = 17", "seat[1, North].cup", "17", ["write { tilt = 17 }"]),
    "a cup that is its pin in quotes": ("{ tilt = 26 }", '"26"', "seat[1, North].cup", '"26"', ["{ tilt = 26 }"]),
    "a cup that is neither": ("cup = { tilt = 26 }", 'cup = "in hand"', "seat[1, North].cup", '"in hand"', []),
    "a cup of two kinds": ("tilt = 26", 'tilt = 26, serial = "C"', "seat[1, North].cup", "{ tilt, serial }", []),
    "a cup of no kind": ("{ tilt = 26 }", "{}", "seat[1, North].cup", "{}", []),
    "a panel that is a number": ("{ tilt = 26 }", "26", "seat[1, North].cup", "26", ["{ tilt = 26 }"]),
    "a switch that is text": ('"perudo"', '"perudo"\nuart = "no"', "uart", '"no"', []),
    "wires that are not lists": ('"perudo"', '"perudo"\nwires = [1, 2]', "wires", "[1, 2]", ["[[1, 30, 31]]"]),
    "a wire of one bus": ('"perudo"', '"perudo"\nwires = [[1]]', "wires", "[[1]]", []),
    "a bus on two wires": ('"perudo"', '"perudo"\nwires = [[1, 2], [2, 3]]', "wires", "2", []),
    "a wire of words": ('"perudo"', '"perudo"\nwires = [["a", 2]]', "wires", '"a"', ["/dev/i2c-N"]),
}
"""A text of the good file and its replacement; the problem's key and value; the words that its sentence must have."""


@pytest.mark.parametrize(("old", "new", "key", "value", "named"), ONE_FAULT.values(), ids=ONE_FAULT.keys())
def test_it_is_one_problem_with_key_value_message_and_remedy(
    old: str, new: str, key: str, value: str, named: list[str]
) -> None:
    (problem,) = problems_of(changed(old, new))
    assert (problem.key, problem.value) == (key, value)
    assert problem.message
    assert problem.remedy
    for fact in named:
        assert fact in f"{problem.message}; {problem.remedy}"


def test_uart_pins_are_free_unless_the_layout_says_the_uart_is_used() -> None:
    on_uart = changed("ok = 13", "ok = 14")
    parse(on_uart, "table.toml")
    (problem,) = problems_of("uart = true\n" + on_uart)
    assert (problem.key, problem.value) == ("seat[1, North].buttons.ok", "14")
    assert "UART" in problem.message


def test_the_pins_of_the_second_bus_are_taken_by_a_mux_on_it() -> None:
    full = Path(load_builtin("wired-8").path).read_text()
    (problem,) = problems_of("service_key = 0\n" + full)
    assert (problem.key, problem.value) == ("service_key", "0")
    assert problem.message == "pin 0 carries I2C to the displays"


def test_wired_8_with_one_mux_for_all_eight_is_right_too() -> None:
    text = Path(load_builtin("wired-8").path).read_text()
    one = re.findall(r"With one mux for all eight, write (wires = .*?\]\])", text)[0]
    text = re.sub(r"^wires = .*$", one, text, flags=re.MULTILINE)
    for channel in range(4):
        text = text.replace(f"bus = {40 + channel}", f"bus = {34 + channel}")
    layout = parse(text, "")
    assert [sorted(wire) for wire in layout.display_wires()] == [[*range(30, 38)]]
    assert layout.header_buses() == (1,)


def test_a_table_with_every_pin_taken_is_told_what_to_leave_out() -> None:
    full = Path(load_builtin("wired-8").path).read_text()
    (problem,) = problems_of(full.replace("ok = 27", "ok = 27, dudo = 4"))
    assert "no pin is free: leave out a DUDO button" in problem.remedy


@pytest.mark.parametrize(("count", "said"), [(1, "1 seat"), (9, "9 seats")])
def test_one_or_nine_seats_are_no_table(count: int, said: str) -> None:
    seats = "".join(f'[[seat]]\nname = "S{n}"\ncolor = "red"\nboard = "B{n}"\n' for n in range(count))
    (problem,) = problems_of(f'name = "test"\n{seats}')
    assert (problem.key, problem.value) == ("seat", said)
    assert "2 to 8" in problem.remedy


def test_no_seats_at_all() -> None:
    (problem,) = problems_of('name = "test"')
    assert (problem.key, problem.message) == ("seat", "is missing")


def test_a_seat_headed_in_single_brackets() -> None:
    (problem,) = problems_of('name = "test"\n[seat]\nname = "North"\n')
    assert "two brackets" in problem.remedy


def test_two_seats_headed_in_single_brackets() -> None:
    (problem,) = problems_of('name = "test"\n[seat]\nname = "North"\n[seat]\nname = "South"\n')
    assert (problem.key, problem.message) == ("line 4", "is a second seat in one bracket")
    assert "[[seat]], in two brackets" in problem.remedy


def test_all_problems_of_a_file_are_told_at_once() -> None:
    text = changed("ok = 13", "ok = 28").replace("CUP1", "a/b").replace('"green"', '"grene"')
    assert [problem.key for problem in problems_of(text)] == [
        "seat[1, North].buttons.ok",
        "seat[2, South].cup.serial",
        "seat[3, West].color",
    ]


def test_a_fault_is_one_line_with_file_key_value_problem_and_remedy() -> None:
    with pytest.raises(LayoutError) as caught:
        parse(changed("ok = 13", "ok = 28"), "my table.toml")
    assert str(caught.value) == (
        "my table.toml: seat[1, North].buttons.ok = 28: is not a GPIO of the Pi (BCM number); use 0 to 27"
    )


def test_a_file_that_is_not_toml_is_told_with_its_line() -> None:
    (problem,) = problems_of(changed("left = 5", "left 5"))
    assert problem.key == "line 7"
    assert "is not TOML" in problem.message
    assert "left 5" in problem.remedy


def test_a_file_that_ends_too_early_is_told_with_its_last_line() -> None:
    (problem,) = problems_of(GOOD + '[[seat]]\nname = "Ea')
    assert problem.key == f"line {GOOD.count(chr(10)) + 2}"


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 10_000], ids=["deep", "long number"])
def test_what_the_toml_reader_itself_gives_up_on_is_a_fault_too(text: str) -> None:
    (problem,) = problems_of(text)
    assert "too" in problem.message


def test_a_number_too_long_to_write_out_is_cut() -> None:
    assert any(problem.value.endswith("…") for problem in problems_of("name = 0x" + "f" * 10_000))


def test_a_missing_file() -> None:
    with pytest.raises(LayoutError, match=r"^no/such\.toml: there is no such file; .*wired-4"):
        load("no/such.toml")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="is a directory; name a file in it"):
        load(tmp_path)


def test_a_file_that_is_not_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(GOOD.replace("North", "Nörth").encode("latin-1"))
    with pytest.raises(LayoutError, match="line 5 = byte 0xf6: is not UTF-8; save the file as UTF-8"):
        load(file)


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("#" * 300_000)
    with pytest.raises(LayoutError, match="larger than 64 KiB, no layout is"):
        load(file)


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "x" * 5000 + ".toml", "wired-5", "a/b"])
def test_a_name_that_is_neither_shipped_nor_a_file(name: str) -> None:
    with pytest.raises(LayoutError):
        find(name)


def test_a_shipped_name_misspelled() -> None:
    with pytest.raises(LayoutError, match="did you mean wired-4"):
        find("wird-4")
    with pytest.raises(LayoutError, match="did you mean boards-8"):
        load_builtin("board-8")


# Random files: half of them junk, half of them a shipped layout with a few places written over.

WORDS = """name seat rules language service turn_clock_s uart wires color buttons left right ok dudo
panel chip bus address rotate spi select dc reset cup tilt serial board"""
KEYS = st.sampled_from(WORDS.split())
NUMBERS = st.integers() | st.sampled_from([0, 1, 2, 13, 0x3C]) | st.floats()
VALUES = st.recursive(
    NUMBERS | st.booleans() | st.text(max_size=12) | st.dates(),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=6),
    max_leaves=30,
)
TABLES = st.dictionaries(KEYS | st.text(max_size=5), VALUES, max_size=8)


def toml_of(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + "".join(f"\\U{ord(character):08x}" for character in value) + '"'
        case dict():
            return "{" + ", ".join(f"{toml_of(key)} = {toml_of(entry)}" for key, entry in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml_of, value)) + "]"
        case _:
            return str(value)


def document_of(table: dict[str, object]) -> str:
    return "".join(f"{toml_of(key)} = {toml_of(value)}\n" for key, value in table.items())


def judged(text: str) -> Layout | LayoutError:
    try:
        return parse(text, "junk.toml")
    except LayoutError as error:
        return error


@pytest.mark.slow
@given(TABLES)
def test_any_toml_is_a_layout_or_a_list_of_problems_of_one_line_each(table: dict[str, object]) -> None:
    verdict = judged(document_of(table))
    if isinstance(verdict, LayoutError):
        lines = str(verdict).splitlines()
        assert len(lines) == len(verdict.first_problems) > 0
        assert all(re.match(r"junk\.toml: .+; .+", line) for line in lines)


@given(st.text() | st.binary().map(lambda junk: junk.decode("latin-1")))
def test_any_text_at_all_is_a_layout_or_faults(text: str) -> None:
    judged(text)


@pytest.mark.slow
@given(st.data())
def test_a_layout_written_over_in_places_is_a_layout_or_faults(data: st.DataObject) -> None:
    table = tomllib.loads(Path(load_builtin(data.draw(st.sampled_from(builtin()))).path).read_text())
    for _ in range(data.draw(st.integers(1, 4))):
        place: dict[str, object] = data.draw(st.sampled_from([table, *table["seat"]]))
        inner = [entry for entry in place.values() if isinstance(entry, dict)]
        place = data.draw(st.sampled_from([place, *inner]))
        place[data.draw(KEYS)] = data.draw(VALUES)
        if not isinstance(table["seat"], list) or not all(isinstance(seat, dict) for seat in table["seat"]):
            break
    verdict = judged(document_of(table))
    if isinstance(verdict, Layout):
        assert 2 <= len(verdict.seats) <= 8
        assert all(seat.board or (seat.buttons and seat.display and seat.cup) for seat in verdict.seats)
