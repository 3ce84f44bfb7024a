"""A made-up display controller, added to a copy of the program as CONTRIBUTING.md says, works in every place.

Its commands are those of an SH1106, but 130 columns stand behind its 128 of display, and it is for I2C alone.
"""

import re

import pytest
from support import ROOT
from support.scratch_copy import ScratchCopy

LAYOUT = "table.toml"

VALUE = """
    Chip(
        "xy1300",
        Module(1.8, (40.0, 20.0), (50.0, 40.0), (9, 50, 12)),
        b"\\xd5\\x80\\xa8\\x3f\\x40\\xad\\x8b\\x33\\xa1\\xc8\\xda\\x12\\xd9\\x1f\\xdb\\x40\\xa4",
        max_ma=120,
        luma="sh1106",
        first_column=1,
        buses=("i2c",),
    ),
)

CHIPS = """
MODEL = """
class XY1300(SH1106):
    COLUMNS = 130
    FIRST_COLUMN = 1


_MODELS: Mapping[str, type[Controller]] = {"xy1300": XY1300, """

MATCH = """
from firmware_host import cli
from hardware.emulated import cables
from hardware.emulated.chips.controllers import XY1300

made, lit = [], set()

class Watched(XY1300):
    def __init__(self, seed):
        super().__init__(seed)
        made.append(self)

    def write(self, data):
        super().write(data)
        if self.picture().getbbox():
            lit.add(self)

cables.CONTROLLERS = {"xy1300": Watched}
cli.main(["play", "--headless", "--layout", "table.toml", "--seed", "7"])
print(len(made), "displays,", len(lit), "lit,", sum(len(chip.unknown) for chip in made), "commands unknown")
"""

GATHER = """
from pathlib import Path
from hardware.boards.pico_bundle import gather
from hardware.firmware.loader import Image
gather(Path("pico"), compiled=False, wiring=Path("my-wiring.py"))
image = Image("pico/a.img")
for name in image._places:
    module = Path("program", name)
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_bytes(image.open(name, "rb").read())
"""
DRIVE = """
import sys
sys.path[:0] = ["program", "pico/hardware/firmware"]
import wiring
from hardware.firmware.oled_panel import OledPanel
from hardware.link.messages import NO_BASE, Picture, whole_picture
from hardware.link.oled import DisplayMode
panel = OledPanel(wiring.PANEL, lambda payload: print(payload.hex()))
panel.apply(Picture(1, NO_BASE, 0, DisplayMode(), whole_picture(bytes([1, *bytes(1022), 128]))))
list(panel.tick(0))
"""
LOOK = """
import sys
from hardware.emulated.chips.controllers import CONTROLLERS
chip = CONTROLLERS["xy1300"]()
for payload in sys.argv[1].split():
    chip.write(bytes.fromhex(payload))
picture = chip.picture()
print(picture.getbbox() == (0, 0, 128, 64), chip.unknown, picture.getpixel((0, 0)), picture.getpixel((127, 63)))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    """Return a copy with the new controller, and a layout that uses it at each seat."""
    made = ScratchCopy(tmp_path_factory.mktemp("copy"), ("hardware",), ("docs/__init__.py", "docs/templates"))
    made.put("hardware/chips.py", ")\n\nCHIPS = ", VALUE.lstrip("\n"))
    models = "_MODELS: Mapping[str, type[Controller]] = {"
    made.put("hardware/emulated/chips/controllers.py", models, MODEL.lstrip("\n"))
    wired = (ROOT / "hardware" / "config" / "layouts" / "wired-4.toml").read_text(encoding="utf-8")
    (made.folder / LAYOUT).write_text(wired.replace('"ssd1309"', '"xy1300"'), encoding="utf-8")
    return made


def test_a_layout_with_it_is_right(copy: ScratchCopy) -> None:
    assert "right" in copy.table("check", LAYOUT)


def test_show_says_where_it_is_and_how_much_all_of_them_draw(copy: ScratchCopy) -> None:
    shown = copy.table("show", LAYOUT)
    assert len(re.findall(r"xy1300 0x3c /dev/i2c-3\d", shown)) == 4
    assert "480 mA" in shown


def test_its_wiring_is_drawn(copy: ScratchCopy) -> None:
    copy.table("show", LAYOUT, "--wiring", "wiring.svg")
    assert "xy1300" in (copy.folder / "wiring.svg").read_text(encoding="utf-8")


def test_a_display_on_a_bus_that_it_lacks_is_a_fault(copy: ScratchCopy) -> None:
    wrong = copy.folder / "spi.toml"
    text = (copy.folder / LAYOUT).read_text(encoding="utf-8")
    wrong.write_text(text.replace("bus = 30, address = 0x3c", "spi = 0, select = 0, dc = 24, reset = 25"))
    assert 'chip = "xy1300": is not a known display chip for SPI' in copy.table("check", str(wrong), status=2)


def test_it_has_a_template(copy: ScratchCopy) -> None:
    drawn = copy.run(
        "-c",
        "from docs.templates import face_sheet; from hardware.chips import CHIPS; "
        "print(face_sheet(CHIPS['xy1300'].module))",
    )
    assert "Seat: face for a display of 1.8 inch" in drawn


def test_the_files_for_a_pico_know_it_and_drive_it(copy: ScratchCopy) -> None:
    shipped = (ROOT / "hardware" / "firmware" / "wiring.py").read_text(encoding="utf-8")
    (copy.folder / "my-wiring.py").write_text(shipped.replace('"ssd1309"', '"xy1300"'), encoding="utf-8")
    copy.run("-c", GATHER)
    payloads = copy.run("-c", DRIVE)
    assert copy.run("-c", LOOK, payloads).split() == ["True", "[]", *["255"] * 2]


@pytest.mark.slow
def test_a_match_is_played_on_displays_of_it(copy: ScratchCopy) -> None:
    assert "4 displays, 4 lit, 0 commands unknown" in copy.run("-c", MATCH)


def test_the_interactive_test_names_it(copy: ScratchCopy) -> None:
    code = (
        "from firmware_host.doctor.interactive.guided_test import _remedy; from hardware.config.layout import load;"
        "seat = load('table.toml').seats[0]; print(_remedy(seat, ''), _remedy(seat, 's'))"
    )
    assert "sh1106, xy1300" in copy.run("-c", code)
    assert "xy1300 by 1 pixels" in copy.run("-c", code)
