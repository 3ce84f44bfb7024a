"""The wiring drawings: every wire of a layout once, from the right pin to the right terminal, and all of it legible."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero.pins.pi import PiBoardInfo
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from support.pictures.wiring_drawings import PICO, PICO_LEFT, PICO_RIGHT, Drawn, Sheet, assert_legible, level, upright

from docs.pictures import TABLES, drawings
from firmware_host import cli
from hardware.chips import CHIPS
from hardware.config import layout as layouts
from hardware.config.layout import I2cDisplay, Layout, LayoutError, SerialDevice, SpiDisplay, TiltSwitch, load_builtin
from hardware.drawing.wiring import render_svg, seat_board_diagram, table_diagram
from hardware.firmware import wiring

PI_4 = {str(n): pin.name for n, pin in PiBoardInfo.from_revision(0xC03111).headers["J8"].pins.items()}
"""The Pi's header as gpiozero knows it, which is not where the drawings have it from."""

SPI = {
    0: (10, 11, (8, 7)),
    1: (20, 21, (18, 17, 16)),
}  # MOSI, SCLK and chip selects, as the kernel's overlays have them


def sheet(layout: Layout) -> Sheet:
    return Sheet(render_svg(table_diagram(layout)))


def joined(wires: list[Drawn], board: str, pins: Mapping[str, str]) -> Counter[frozenset[str]]:
    """Count the sets of ends that a wire joins; pins by role instead of number."""

    def label(end: str) -> str:
        part, _, name = end.rpartition(" ")
        return pins[name] if part == board and name in pins else end

    return Counter(frozenset(map(label, wire.ends)) for wire in wires)


HEADER_I2C = {1: ("GPIO2", "GPIO3"), 0: ("GPIO0", "GPIO1")}  # SDA and SCL


def mux_names(layout: Layout) -> Mapping[tuple[int, ...], str]:
    """Return the name of each wire's mux: the first one needs no number."""
    used = {laid.display.bus for laid in layout.seats if isinstance(laid.display, I2cDisplay)}
    wires = [wire for wire in layout.wires if used.difference(HEADER_I2C).intersection(wire)]
    names = (f"mux of i2c-{min(bus for bus in wire if bus not in HEADER_I2C)}" for wire in wires[1:])
    return dict(zip(wires, ("mux", *names), strict=False))


def expected(layout: Layout) -> Counter[frozenset[str]]:
    """Count the sets that a layout's wires should join, thought through once more."""
    rails: defaultdict[str, set[str]] = defaultdict(set)
    power = "3V3"
    if sum(CHIPS[laid.display.chip].max_ma for laid in layout.seats if laid.display is not None) > 200:
        power = "regulator OUT"
        rails["5V"].add("regulator IN 5V")
        rails["GND"].add("regulator GND")
    for number, laid in enumerate(layout.seats, 1):
        seat = f"seat {number}"
        for name, gpio in (laid.buttons or {}).items():
            rails[f"GPIO{gpio}"].add(f"{seat} {name}")
        if isinstance(laid.cup, TiltSwitch):
            rails[f"GPIO{laid.cup.pin}"].add(f"{seat} tilt")
        if laid.display is not None:
            rails["GND"].add(f"{seat} GND")
            rails[power].add(f"{seat} VCC")
        if isinstance(laid.display, I2cDisplay) and laid.display.bus in HEADER_I2C:
            sda, scl = HEADER_I2C[laid.display.bus]
            rails[sda].add(f"{seat} SDA")
            rails[scl].add(f"{seat} SCL")
        elif isinstance(laid.display, I2cDisplay):
            (wire,) = (wire for wire in layout.wires if laid.display.bus in wire)
            sda, scl = HEADER_I2C[0 if 0 in wire else 1]
            channels = [bus for bus in wire if bus not in HEADER_I2C]
            mux = mux_names(layout)[wire]
            channel = laid.display.bus - min(channels)
            rails[sda].add(f"{mux} SDA")
            rails[scl].add(f"{mux} SCL")
            rails["GND"].add(f"{mux} GND")
            rails[power].add(f"{mux} VIN")
            rails[f"{mux} SD{channel}"].add(f"{seat} SDA")
            rails[f"{mux} SC{channel}"].add(f"{seat} SCL")
        elif isinstance(laid.display, SpiDisplay):
            mosi, sclk, selects = SPI[laid.display.spi]
            rails[f"GPIO{mosi}"].add(f"{seat} DIN")
            rails[f"GPIO{sclk}"].add(f"{seat} CLK")
            rails[f"GPIO{selects[laid.display.select]}"].add(f"{seat} CS")
            rails[f"GPIO{laid.display.dc}"].add(f"{seat} DC")
            rails[f"GPIO{laid.display.reset}"].add(f"{seat} RES")
    ports: list[str] = []
    for number, laid in enumerate(layout.seats, 1):
        device = laid.board or laid.cup
        if isinstance(device, SerialDevice) and device.address:
            rails[f"dongle {device.id} cup {device.address}"].add(f"seat {number} radio")
            ports += [f"dongle {device.id} USB"] if f"dongle {device.id} USB" not in ports else []
        elif isinstance(device, SerialDevice):
            ports.append(f"seat {number} USB")
    if ports:
        rails["Raspberry Pi USB"].add("hub cable")
    for port, end in enumerate(ports, 1):
        rails[f"hub port {port}"].add(end)
    return Counter(frozenset((source, *ends)) for source, ends in rails.items())


@st.composite
def any_layout(draw: st.DrawFn) -> Layout:
    """Return a layout of 2 to 8 seats with anything that can be at them."""
    pins = iter(draw(st.permutations(range(4, 28))))
    name = st.text("ABCxyzñÖ .&", min_size=1, max_size=10).filter(lambda text: text == text.strip())
    names = draw(st.lists(name, min_size=2, max_size=8, unique_by=str.casefold))
    wires = draw(st.sampled_from([[[*range(30, 38)]], [[1, *range(30, 38)]], [[1, 30, 31, 32], [0, 40, 41, 42]]]))
    buses = st.sampled_from([0, 1, *(bus for wire in wires for bus in wire if bus > 1)])
    chips = st.sampled_from(draw(st.sampled_from([["ssd1306"], [*CHIPS]])))

    def seat(number: int, called: str) -> dict[str, Any]:
        seat: dict[str, Any] = {"name": called, "color": draw(st.sampled_from(["red", "white", "#012345"]))}
        if draw(st.integers(0, 3)) == 0:
            return {**seat, "board": f"{'E' * draw(st.sampled_from([1, 16, 60]))}{number}"}
        seat["buttons"] = {name: next(pins) for name in ("left", "right", "ok", "dudo")[: draw(st.integers(3, 4))]}
        radio = {"serial": draw(st.sampled_from(["DONGLE", "OTHER"])), "address": 10 + number}
        cups = st.sampled_from([{"tilt": next(pins)}, {"serial": f"CUP{number}"}, radio])
        seat["cup"] = draw(cups)
        if draw(st.integers(0, 2)) == 0:
            place = {"spi": draw(st.integers(0, 1)), "select": draw(st.integers(0, 2))}
            seat["panel"] = {"chip": draw(chips), **place, "dc": next(pins), "reset": next(pins)}
        else:
            place = {"bus": draw(buses), "address": draw(st.sampled_from([0x3C, 0x3D, 0x77]))}
            seat["panel"] = {"chip": draw(chips), **place, "rotate": draw(st.sampled_from([0, 180]))}
        return seat

    try:
        seats = [seat(number, called) for number, called in enumerate(names)]
        return layouts.check({"name": "any", "seat": seats, "wires": wires}, "any.toml")
    except (LayoutError, StopIteration, RuntimeError):
        return reject()


def test_every_shipped_table_for_real_wires_is_drawn() -> None:
    assert {*TABLES, "emulated"} == {*layouts.builtin()}


@pytest.mark.parametrize("name", TABLES)
def test_every_wire_of_a_table_is_there_once_and_ends_at_the_right_pins(name: str) -> None:
    layout = load_builtin(name)
    assert joined(sheet(layout).wires(), "Raspberry Pi", PI_4) == expected(layout)


@pytest.mark.parametrize("name", drawings())
def test_a_shipped_drawing_is_legible(name: str) -> None:
    assert_legible(Sheet(drawings()[name].text))


@pytest.mark.slow
@settings(max_examples=40)
@given(any_layout())
def test_any_layout_is_drawn_whole_and_legibly(layout: Layout) -> None:
    drawn = sheet(layout)
    assert joined(drawn.wires(), "Raspberry Pi", PI_4) == expected(layout)
    assert_legible(drawn)


@pytest.mark.parametrize("name", drawings())
def test_every_terminal_but_a_free_pin_has_exactly_one_wire(name: str) -> None:
    drawn = Sheet(drawings()[name].text)
    ends = Counter(end for wire in drawn.wires() for end in wire.ends)
    assert set(ends.values()) == {1}
    unwired = set(drawn.terminals.values()) - set(ends)
    assert all(terminal.startswith("Raspberry Pi") for terminal in unwired)


@pytest.mark.parametrize(("tilt", "accelerometer"), [(22, None), (None, 0x18)])
def test_every_wire_of_a_seat_board_ends_at_the_pins_that_its_program_uses(
    tilt: int | None, accelerometer: int | None
) -> None:
    fitted = SimpleNamespace(**{**vars(wiring), "TILT": tilt, "ACCELEROMETER": accelerometer})
    wires = Sheet(render_svg(seat_board_diagram(fitted))).wires()
    switches = {**wiring.BUTTONS, "light": wiring.LIGHT} | ({"tilt": tilt} if tilt is not None else {})
    modules = ["seat"] + ["seat LIS3DH"] * (accelerometer is not None)
    lines = {"GND": "GND", "3V3": "VCC", f"GP{wiring.SDA}": "SDA", f"GP{wiring.SCL}": "SCL"}
    assert joined(wires, "Raspberry Pi Pico", PICO) == Counter(
        [
            *(frozenset((f"GP{gpio}", f"seat {name}")) for name, gpio in switches.items()),
            *(frozenset((pin, *(f"{module} {name}" for module in modules))) for pin, name in lines.items()),
        ]
    )


def beside(drawn: Sheet, board: str, number: str) -> list[str]:
    """Return the texts at a pin's height, near its row of pins."""
    y = next(at[1] for at, terminal in drawn.terminals.items() if terminal == f"{board} {number}")
    return [text.words for text in drawn.texts() if text.top < y + 2 and y - 6 < text.bottom and text.left < 300]


@pytest.mark.parametrize("name", ["wired-4", "wired-8"])
def test_the_pis_pins_lie_as_they_do_on_the_board(name: str) -> None:
    drawn = sheet(load_builtin(name))
    ends = {terminal.rpartition(" "): at for at, terminal in drawn.terminals.items()}
    pins = {name: at for (part, _, name), at in ends.items() if part == "Raspberry Pi" and name != "USB"}
    header = {str(n): pin for n, pin in PiBoardInfo.from_revision(0xC03111).headers["J8"].pins.items()}
    columns = sorted({x for x, _ in pins.values()})
    rows = sorted({y for _, y in pins.values()})
    assert (len(columns), len(rows)) == (2, 20)
    for number, (x, y) in pins.items():
        assert (columns.index(x) + 1, rows.index(y) + 1) == (header[number].col, header[number].row)
        if header[number].col == 1:
            assert f"{PI_4[number]} {number:>2}" in beside(drawn, "Raspberry Pi", number)


def test_the_picos_pins_lie_as_they_do_on_the_board() -> None:
    drawn = Sheet(drawings()["wiring-seat-board.svg"].text)
    pins = {terminal.split()[-1]: at for at, terminal in drawn.terminals.items() if "Pico" in terminal}
    columns, rows = sorted({x for x, _ in pins.values()}), sorted({y for _, y in pins.values()})
    assert (len(columns), len(rows)) == (2, 20)
    for row, (left, right) in enumerate(zip(PICO_LEFT.split(), PICO_RIGHT.split(), strict=True)):
        for column, (number, name) in enumerate(((row + 1, left), (40 - row, right))):
            assert pins[str(number)] == (columns[column], rows[row])
            words = f"{name} {number}" if column else f"{number:>2} {name}"
            assert words in beside(drawn, "Raspberry Pi Pico", str(number))


@pytest.mark.parametrize("name", drawings())
def test_a_wire_is_one_piece(name: str) -> None:
    for wire in Sheet(drawings()[name].text).wires():
        (lane,) = {x for x, _, _ in upright(wire)}
        assert all(min(abs(start - lane), abs(end - lane)) <= 4 for _, start, end in level(wire) if end - start > 20)


@pytest.mark.parametrize("name", drawings())
def test_every_wire_is_named_where_it_begins(name: str) -> None:
    drawn = Sheet(drawings()[name].text)
    for wire in drawn.wires():
        starts = {y for y, start, _ in level(wire) if start < 240}
        assert any(abs(text.bottom + 4.5 - y) < 0.1 and 220 < text.left < 240 for y in starts for text in drawn.texts())


def test_a_cup_without_a_panel_has_a_ground_of_its_own() -> None:
    bare = {"TILT": 22, "ACCELEROMETER": None, "BUTTONS": {}, "PANEL": None, "LIGHT": None}
    wires = Sheet(render_svg(seat_board_diagram(SimpleNamespace(**{**vars(wiring), **bare})))).wires()
    assert joined(wires, "Raspberry Pi Pico", PICO) == Counter(
        [frozenset(("GP22", "seat tilt")), frozenset(("GND", "seat GND"))]
    )


def test_show_writes_the_drawing_of_an_owners_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "mine.svg"
    assert cli.main(["show", "wired-4", "--wiring", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8") == drawings()["wiring-wired-4.svg"].text
    assert str(picture) in capsys.readouterr().out


@pytest.mark.parametrize("name", ["mine.png", "no/such/folder/mine.svg", "mine"])
def test_a_picture_that_cannot_be_written_is_told_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", "wired-4", "--wiring", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "; " in err


def test_show_writes_the_drawing_of_an_owners_board(tmp_path: Path) -> None:
    mine, picture = tmp_path / "mine.py", tmp_path / "mine.svg"
    text = Path(wiring.__file__).read_text(encoding="utf-8")
    mine.write_text(text.replace('TILT: "int | None" = 22', 'TILT: "int | None" = 26'), encoding="utf-8")
    assert cli.main(["show", str(mine), "--wiring", str(picture)]) == 0
    wires = Sheet(picture.read_text(encoding="utf-8")).wires()
    assert joined(wires, "Raspberry Pi Pico", PICO)[frozenset(("GP26", "seat tilt"))] == 1


def test_a_board_with_a_service_key_is_drawn() -> None:
    with_key = SimpleNamespace(**{**vars(wiring), "KEY": 16})
    wires = Sheet(render_svg(seat_board_diagram(with_key))).wires()
    assert joined(wires, "Raspberry Pi Pico", PICO)[frozenset(("GP16", "seat key"))] == 1


def test_a_wiring_is_checked_as_layouts_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", wiring.__file__]) == 0
    assert "a Pico with 4 buttons, a tilt switch, a display ssd1309 at 0x3c, a light" in capsys.readouterr().out
    (tmp_path / "mine.py").write_text("TILT = 3", encoding="utf-8")
    assert cli.main(["check", str(tmp_path / "mine.py")]) == 2
    assert "SERVICE: is missing" in capsys.readouterr().err


def test_a_wiring_without_a_picture_to_write_is_told_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", wiring.__file__]) == 2
    assert "add --wiring my-board.svg" in capsys.readouterr().err
