"""An owner's wiring.py: what is right is taken, and what is wrong is told with what to write instead."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hardware.boards import pico_bundle, pico_wiring
from hardware.boards.pico_wiring import WiringError
from hardware.firmware import wiring

SHIPPED = Path(wiring.__file__).read_text(encoding="utf-8")


def with_line(name: str, value: str) -> str:
    return f"{SHIPPED}\n{name} = {value}\n"


def fault(text: str) -> str:
    with pytest.raises(WiringError) as raised:
        pico_wiring.parse(text, "mine.py")
    return str(raised.value)


def test_the_shipped_wiring_is_right_and_read_as_it_is_run() -> None:
    read = pico_wiring.parse(SHIPPED, "wiring.py")
    assert structs.asdict(read) == {name: getattr(wiring, name) for name in pico_wiring.NAMES}


def test_a_name_that_a_later_program_needs_is_asked_for() -> None:
    line = next(line for line in SHIPPED.splitlines() if line.startswith("SERVICE"))
    assert fault(SHIPPED.replace(line, "")) == (
        "mine.py: SERVICE: is missing; add SERVICE = 14, as in hardware/firmware/wiring.py"
    )


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("TILT", "23", "TILT = 23: is not a pin of a Pico"),
        ("TILT", "18", "TILT = 18: this pin is already in use (BUTTONS left)"),
        ("LIGHT", "'17'", "is not a pin of a Pico"),
        ("ACCELEROMETER", "0x18", "a cup has a tilt switch or an LIS3DH"),
        ("ACCELEROMETER", "0x30", "is not an LIS3DH's address"),
        ("UP", "'z'", 'UP = "z": is not an axis; '),
        ("SDA", "5", "SDA = 5: is not SDA of I2C bus 0; use GP0, GP4, GP8, GP12, GP16, GP20"),
        ("SCL", "7", "is not SCL of I2C bus 0"),
        ("I2C_BUS", "2", "is not an I2C bus of a Pico"),
        ("PANEL", "'ssd1305'", "panel is 'ssd1305'"),
        ("PANEL", "None", "there is a light, but no display"),
        ("PANEL_ADDRESS", "0x78", "is the 8-bit form"),
        ("PANEL_ADDRESS", "0x80", "is not an I2C address"),
        ("BUTTONS", "[18]", "is not a list of buttons"),
        ("BUTTONS", "{'up': 18}", "button 'up' is none of"),
        ("ADDRESS", "300", "address is 300"),
        ("IDENTITY", "'a cup'", "identity is"),
        ("BUTONS", "{}", "BUTONS = {}: is not known; did you mean BUTTONS?"),
        ("TILT", "machine.Pin(3)", "is not a pin of a Pico"),
    ],
)
def test_what_is_wrong_is_told(name: str, value: str, problem: str) -> None:
    assert problem in fault(with_line(name, value))


@pytest.mark.parametrize("text", ["", "TILT =", "TILT = 1\0", "(" * 2000, "Dear owner,"])
def test_what_is_no_wiring_is_told(text: str) -> None:
    assert fault(text).startswith("mine.py: ")


VALUES = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers()) | st.floats(allow_nan=False)


@given(st.sampled_from(pico_wiring.NAMES), VALUES)
def test_any_value_is_taken_or_told(name: str, value: object) -> None:
    with suppress(WiringError):
        pico_wiring.parse(with_line(name, repr(value).replace("inf", "1e999")), "mine.py")


def test_a_board_with_an_lis3dh_on_the_other_bus_is_right() -> None:
    mine = with_line("TILT", "None") + "ACCELEROMETER = 0x19\nI2C_BUS = 1\nUP = '-y'\nSDA = 6\nSCL = 7\n"
    assert pico_wiring.parse(mine, "mine.py").SDA == 6


def test_an_owners_wiring_goes_onto_the_pico_as_it_is(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(with_line("LIGHT", "None"), encoding="utf-8")
    pico_bundle.gather(tmp_path / "pico", compiled=False, wiring=mine)
    assert (tmp_path / "pico" / "hardware" / "firmware" / "wiring.py").read_text() == mine.read_text()


def test_a_wiring_that_is_wrong_goes_nowhere(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(with_line("TILT", "99"), encoding="utf-8")
    with pytest.raises(WiringError):
        pico_bundle.gather(tmp_path / "pico", compiled=False, wiring=mine)
    assert not (tmp_path / "pico").exists()


def test_a_wiring_of_an_earlier_release_has_no_key() -> None:
    lines = [line for line in SHIPPED.splitlines() if not line.startswith("KEY")]
    assert pico_wiring.parse("\n".join(lines), "mine.py").KEY is None


def test_a_key_has_a_pin_of_its_own() -> None:
    assert pico_wiring.parse(with_line("KEY", "16"), "mine.py").KEY == 16
    assert "this pin is already in use (BUTTONS left)" in fault(with_line("KEY", "18"))
