"""fake-rpi where it can stand: its SMBus under our panel driver, its GPIO as an SPI panel's D/C and reset lines."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import fake_rpi
import pytest
from luma.core.interface.serial import i2c, spi
from luma.oled.device import ssd1306
from PIL import Image

from drivers.messages import Message
from drivers.panel import PanelWire
from hardware.emulated.clock import VirtualLoop
from hardware.emulated.controllers import CHIPS, SSD1306

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma calls it

PICTURE = Image.frombytes("1", (128, 64), random.Random(4).randbytes(1024))


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """fake-rpi prints every call."""
    fake_rpi.toggle_print(False)
    yield
    fake_rpi.toggle_print(True)


class WatchedSMBus(fake_rpi.smbus.SMBus):  # type: ignore[misc]
    """fake-rpi's SMBus, which has no `i2c_rdwr`, with a controller listening on the wire."""

    def __init__(self, panel: SSD1306) -> None:
        super().__init__(1)
        self.panel = panel

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        super().write_i2c_block_data(i2c_addr, register, data)
        assert len(data) <= 32
        self.panel.write(bytes([register, *data]))


@pytest.mark.parametrize("chip", CHIPS)
def test_our_driver_shows_pictures_through_fake_rpis_smbus(
    chip: str, loop: VirtualLoop, inbox: list[Message], wait: Callable[[float], None]
) -> None:
    panel: Any = CHIPS[chip]()
    wire = PanelWire({1: lambda: WatchedSMBus(panel)}, loop=loop, post=inbox)  # type: ignore[arg-type]
    wire.panel(0, 1, 0x3C, chip).show(PICTURE)
    wait(0.1)
    assert panel.picture().tobytes() == PICTURE.tobytes()
    assert (panel.unknown, inbox) == ([], [])
    wire.close()
    loop.run_until_complete(wire.wait_closed())


def test_lumas_own_device_shows_the_same_through_it() -> None:
    panel = SSD1306()
    device = ssd1306(i2c(bus=WatchedSMBus(panel)))
    device.persist = True
    device.display(PICTURE)
    assert panel.picture().tobytes() == PICTURE.tobytes()


class Lines(type(fake_rpi.RPi.GPIO)):  # type: ignore[misc]
    """fake-rpi's GPIO, remembering what its outputs were last set to, as its own does not."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: dict[int, int] = {}
        self.resets = 0

    def output(self, channel: int, state: int) -> None:
        super().output(channel, state)
        self.resets += channel == RESET and state == self.LOW
        self.levels[channel] = state


DC, RESET = 24, 25


class SpiWire:
    """spidev with a controller at its end that looks at the D/C line."""

    def __init__(self, panel: SSD1306, lines: Lines) -> None:
        self.panel = panel
        self.lines = lines
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        """There is one."""

    def writebytes(self, data: Sequence[int]) -> None:
        assert self.lines.levels[RESET] == self.lines.HIGH
        self.panel.write(bytes([0x40 if self.lines.levels[DC] else 0x00, *data]))

    def close(self) -> None:
        """Nothing to give back."""


def test_an_spi_panels_data_command_and_reset_lines_stand_on_fake_rpis_gpio() -> None:
    panel, lines = SSD1306(), Lines()
    device = ssd1306(spi(spi=SpiWire(panel, lines), gpio=lines, gpio_DC=DC, gpio_RST=RESET))
    device.persist = True
    device.display(PICTURE)
    assert panel.picture().tobytes() == PICTURE.tobytes()
    assert (panel.unknown, lines.resets) == ([], 1)
