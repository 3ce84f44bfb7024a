"""The emulated controllers: against luma's own drivers, and against the data sheets where luma doesn't go."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from luma.core.interface.serial import i2c
from luma.oled import device as luma_devices
from PIL import Image

from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS, SH1106, SSD1306, SSD1309, Controller
from hardware.emulated.chips.i2c import EmulatedBus

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma calls it

ADDRESS = 0x3C
LUMA: dict[str, Callable[..., Any]] = {name: getattr(luma_devices, chip.luma) for name, chip in CHIPS.items()}


def luma_device(chip: str, panel: Controller, **options: int):  # type: ignore[no-untyped-def]
    bus = EmulatedBus(1)
    bus.plug(ADDRESS, panel)
    device = LUMA[chip](i2c(bus=bus.open(), address=ADDRESS), **options)
    device.persist = True  # its hook at exit would talk to a bus that is gone
    return device


def noise(size: tuple[int, int], rng: random.Random) -> Image.Image:
    return Image.frombytes("1", size, rng.randbytes(size[0] * size[1] // 8))


def commands(*codes: int) -> bytes:
    return bytes([0x00, *codes])


def lit(chip: type[Controller] = SSD1306) -> Controller:
    """Return a panel that is on, upright, empty and in horizontal addressing where it can."""
    panel = chip()
    panel.write(commands(0xAF, 0xA1, 0xC8))
    if isinstance(panel, SSD1306):
        panel.write(commands(0x8D, 0x14, 0x20, 0x00))
    for page in panel.pages:
        page[:] = bytes(len(page))
    return panel


def dots(panel: Controller) -> set[tuple[int, int]]:
    picture = panel.picture()
    return {(x, y) for y in range(64) for x in range(128) if picture.getpixel((x, y))}


def drawn_by_luma(name: str) -> ParameterSet:
    """Return a chip that luma can draw on: its class knows only the first column of the chip with its name."""
    chip = CHIPS[name]
    differs = chip.first_column != CHIPS.get(chip.luma, chip).first_column
    reason = f"luma's {chip.luma} begins at another column; tests/drivers/display draws by the driver"
    return pytest.param(name, marks=pytest.mark.skipif(differs, reason=reason))


@pytest.mark.parametrize("rotate", [0, 1, 2, 3])
@pytest.mark.parametrize("chip", [*map(drawn_by_luma, LUMA)])
def test_what_luma_draws_is_what_an_eye_sees(chip: str, rotate: int) -> None:
    panel = CONTROLLERS[chip](seed=rotate)
    device = luma_device(chip, panel, rotate=rotate)
    rng = random.Random(f"{chip} {rotate}")
    for _ in range(8):
        image = noise(device.size, rng)
        device.display(image)
        upright = image.rotate(-90 * rotate, expand=True)
        assert panel.picture().tobytes() == upright.tobytes()
    assert panel.unknown == []


@pytest.mark.parametrize("chip", LUMA)
def test_luma_says_nothing_a_controller_does_not_know(chip: str) -> None:
    panel = CONTROLLERS[chip]()
    device = luma_device(chip, panel)
    device.contrast(7)
    device.hide()
    device.show()
    assert panel.unknown == []
    assert (panel.on, panel.contrast) == (True, 7)


@pytest.mark.parametrize("chip", CONTROLLERS)
def test_a_panel_is_dark_until_it_is_switched_on(chip: str) -> None:
    assert CONTROLLERS[chip]().picture().getbbox() is None


@pytest.mark.parametrize("chip", CONTROLLERS)
def test_memory_is_noise_at_power_on(chip: str) -> None:
    panel = CONTROLLERS[chip](seed=1)
    panel.write(commands(0xAF))
    if isinstance(panel, SSD1306):
        panel.write(commands(0x8D, 0x14))
    assert 1000 < sum(panel.picture().histogram()[255:]) < 7000
    assert panel.picture().tobytes() == panel.registers.picture(panel.pages, panel.FIRST_COLUMN).tobytes()


def test_an_ssd1306_without_its_charge_pump_stays_dark() -> None:
    panel = SSD1306()
    panel.write(commands(0xAF, 0xA5))
    assert not panel.on
    panel.write(commands(0x8D, 0x14))
    assert panel.on


def test_arguments_may_come_in_a_later_write() -> None:
    panel = lit()
    panel.write(commands(0x81))
    panel.write(commands(0x42))
    assert (panel.contrast, panel.unknown) == (0x42, [])


def test_every_byte_may_have_a_control_byte_of_its_own() -> None:
    panel = lit()
    panel.write(bytes([0x80, 0x81, 0x80, 0x33, 0xC0, 0x01, 0x80, 0xE3, 0x40, 0x02, 0x04]))
    assert panel.contrast == 0x33
    assert dots(panel) == {(0, 0), (1, 1), (2, 2)}


@pytest.mark.parametrize("code", [0xF5, 0x23, 0xAB, 0xFD])
def test_an_unknown_command_is_remembered(code: int) -> None:
    panel = lit()
    panel.write(commands(code))
    assert panel.unknown == [bytes([code])]


def test_a_window_that_is_none_is_remembered() -> None:
    panel = lit()
    panel.write(commands(0x21, 90, 20))
    assert panel.unknown == [bytes([0x21, 90, 20])]


def test_a_control_byte_that_is_none_is_remembered() -> None:
    panel = lit()
    panel.write(bytes([0x41, 0xFF]))
    assert (panel.unknown, dots(panel)) == ([b"\x41"], set())


def test_data_in_the_middle_of_a_command_is_remembered() -> None:
    panel = lit()
    panel.write(commands(0x81))
    panel.write(b"\x40\x01")
    assert (panel.unknown, dots(panel)) == ([b"\x81"], {(0, 0)})


def test_horizontal_addressing_wraps_in_its_window() -> None:
    panel = lit()
    panel.write(commands(0x21, 10, 11, 0x22, 2, 3))
    panel.write(b"\x40\x01\x02\x04\x08\x10")
    assert dots(panel) == {(10, 20), (11, 17), (10, 26), (11, 27)}  # the fifth byte took the place of the first


def test_vertical_addressing_goes_down_first() -> None:
    panel = lit()
    panel.write(commands(0x20, 0x01, 0x21, 10, 11, 0x22, 2, 3))
    panel.write(b"\x40\x01\x02\x04\x08")
    assert dots(panel) == {(10, 16), (10, 25), (11, 18), (11, 27)}


def test_page_addressing_stays_on_its_page() -> None:
    panel = lit()
    panel.write(commands(0x20, 0x02, 0xB5, 0x0F, 0x17))
    panel.write(b"\x40\x01\x01")
    assert dots(panel) == {(127, 40), (0, 40)}


class Wide(SSD1306):
    """An SSD1306 with more memory columns than its panel."""

    COLUMNS = 132


def test_a_wider_controller_wraps_behind_its_own_last_column() -> None:
    panel = lit(Wide)
    panel.write(commands(0x20, 0x02, 0xB5, 0x0E, 0x17))  # column 126
    panel.write(bytes([0x40, *range(1, 8)]))
    assert panel.pages[5][126:] == bytes(range(1, 7))
    assert panel.pages[5][0] == 7


def test_a_wider_controller_is_written_to_its_own_last_column() -> None:
    panel = lit(Wide)
    panel.write(commands(0x21, 126, 131, 0x22, 0, 1))
    panel.write(bytes([0x40, *range(1, 9)]))
    assert panel.unknown == []
    assert panel.pages[0][126:] == bytes(range(1, 7))
    assert panel.pages[1][126:128] == bytes([7, 8])


def test_a_wider_controller_points_at_its_own_last_column() -> None:
    panel = lit(Wide)
    panel.write(commands(0x20, 0x02, 0xB5, 0x03, 0x18))
    panel.write(b"\x40\x01\x02")
    assert (panel.pages[5][131], panel.pages[5][0], panel.unknown) == (1, 2, [])


def test_page_commands_mean_nothing_in_other_modes() -> None:
    panel = lit()
    panel.write(commands(0xB5))
    assert panel.unknown == [b"\xb5"]


def test_an_sh1106_shows_the_middle_128_of_its_132_columns() -> None:
    panel = lit(SH1106)
    for column in (1, 2, 129, 130):
        panel.write(commands(0xB0, column & 0x0F, 0x10 | column >> 4))
        panel.write(b"\x40\x01")
    assert dots(panel) == {(0, 0), (127, 0)}


def test_an_sh1106_stops_counting_behind_its_last_column() -> None:
    panel = lit(SH1106)
    panel.write(commands(0xB0, 0x01, 0x18))
    panel.write(b"\x40\x01\x01\x01\x01\x01")
    assert dots(panel) == {(127, 0)}


def test_an_sh1106_without_its_converter_is_dark() -> None:
    panel = lit(SH1106)
    panel.write(commands(0xAD, 0x8A))
    assert not panel.on


def test_a_locked_ssd1309_takes_no_commands() -> None:
    panel = lit(SSD1309)
    panel.write(commands(0xFD, 0x16, 0xAE, 0xFD, 0x12, 0x81, 0x05))
    assert (panel.on, panel.contrast, panel.unknown) == (True, 5, [])


@pytest.mark.parametrize(
    ("codes", "seen"),
    [
        ((), (3, 0)),
        ((0xA0,), (124, 0)),
        ((0xC0,), (3, 63)),
        ((0x48,), (3, 56)),  # start line 8: row 8 comes first
        ((0xD3, 0x08), (3, 56)),  # table 10-2: remapped, offset 8, COM7 drives row 0
        ((0xC0, 0xD3, 0x08), (3, 7)),  # table 10-1: offset 8, COM56 drives row 0
        ((0xA8, 0x37), (3, 8)),  # table 10-2: multiplex 56, COM55 drives row 0
    ],
)
def test_registers_map_memory_to_the_display_as_in_the_data_sheet(
    codes: tuple[int, ...], seen: tuple[int, int]
) -> None:
    panel = lit()
    panel.write(commands(*codes))
    panel.write(bytes([0x40, 0, 0, 0, 1]))
    assert dots(panel) == {seen}


def test_sequential_com_pins_interleave_a_display_that_is_wired_for_alternate_ones() -> None:
    panel = lit()
    panel.write(commands(0xDA, 0x02, 0xC0))
    panel.pages[0][0] = 0b11
    assert dots(panel) == {(0, 63), (0, 61)}


def test_lines_beyond_the_multiplex_ratio_are_dark() -> None:
    panel = lit()
    panel.write(commands(0xA5, 0xA8, 31))
    assert panel.picture().getbbox() == (0, 32, 128, 64)


def test_all_on_and_inverse_leave_the_memory_alone() -> None:
    panel = lit()
    panel.write(b"\x40\x01")
    panel.write(commands(0xA7))
    assert (0, 0) not in dots(panel)
    assert len(dots(panel)) == 128 * 64 - 1
    panel.write(commands(0xA6, 0xA5))
    assert len(dots(panel)) == 128 * 64
    panel.write(commands(0xA4))
    assert dots(panel) == {(0, 0)}
