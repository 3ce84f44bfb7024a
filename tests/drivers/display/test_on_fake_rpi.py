"""fake-rpi where it can stand: its SMBus under our panel driver, its GPIO as an SPI panel's D/C and reset lines."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import fake_rpi
import pytest
from luma.core.interface.serial import i2c, spi
from luma.oled.device import ssd1306
from PIL import Image

from drivers.display.bus import DisplayBus
from drivers.display.spi import Select, SpiPort
from drivers.messages import Message
from hardware.emulated.chips.controllers import CONTROLLERS, SSD1306
from hardware.emulated.virtual_loop import VirtualLoop

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


@pytest.mark.parametrize("chip", CONTROLLERS)
def test_our_driver_shows_pictures_through_fake_rpis_smbus(
    chip: str, loop: VirtualLoop, inbox: list[Message], wait: Callable[[float], None]
) -> None:
    panel: Any = CONTROLLERS[chip]()
    wire = DisplayBus({1: lambda: WatchedSMBus(panel)}, loop=loop, post=inbox)  # type: ignore[arg-type]
    wire.add(0, 1, 0x3C, chip).show(PICTURE)
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
    """spidev with a controller at its end that looks at the D/C line; it remembers what came how."""

    def __init__(self, panel: SSD1306, lines: Lines) -> None:
        self.panel = panel
        self.lines = lines
        self.max_speed_hz = 0
        self.received: list[bytes] = []

    def open(self, port: int, device: int) -> None:
        """There is one."""

    def writebytes(self, data: Sequence[int]) -> None:
        assert self.lines.levels[RESET] == self.lines.HIGH
        self.received.append(bytes([0x40 if self.lines.levels[DC] else 0x00, *data]))
        self.panel.write(self.received[-1])

    def close(self) -> None:
        """Nothing to give back."""


class FakeRpiLine:
    """One of fake-rpi's outputs, as gpiozero would have it."""

    def __init__(self, lines: Lines, channel: int) -> None:
        lines.setup(channel, lines.OUT)
        self.on = partial(lines.output, channel, lines.HIGH)
        self.off = partial(lines.output, channel, lines.LOW)
        self.close = partial(lines.cleanup, channel)


def opened_by_luma(wire: SpiWire) -> spi:
    return spi(spi=wire, gpio=wire.lines, gpio_DC=DC, gpio_RST=RESET)


def opened_by_us(wire: SpiWire) -> SpiPort:
    return SpiPort(wire, FakeRpiLine(wire.lines, DC), FakeRpiLine(wire.lines, RESET))


def test_lumas_own_device_shows_a_picture_on_fake_rpis_lines() -> None:
    panel, lines = SSD1306(), Lines()
    device = ssd1306(opened_by_luma(SpiWire(panel, lines)))
    device.persist = True
    device.display(PICTURE)
    assert panel.picture().tobytes() == PICTURE.tobytes()
    assert (panel.unknown, lines.resets) == ([], 1)


@pytest.mark.parametrize("chip", CONTROLLERS)
def test_our_driver_shows_pictures_on_fake_rpis_lines(
    chip: str, loop: VirtualLoop, inbox: list[Message], wait: Callable[[float], None]
) -> None:
    panel: Any = CONTROLLERS[chip]()
    spi_wire = SpiWire(panel, Lines())
    wire = DisplayBus({Select(0, 0): lambda: opened_by_us(spi_wire)}, loop=loop, post=inbox)  # type: ignore[arg-type]
    wire.add(0, Select(0, 0), 0, chip).show(PICTURE)
    wait(0.1)
    assert panel.picture().tobytes() == PICTURE.tobytes()
    assert (panel.unknown, inbox, spi_wire.lines.resets) == ([], [], 1)
    wire.close()
    loop.run_until_complete(wire.wait_closed())


def test_we_say_on_the_wire_what_lumas_own_interface_says() -> None:
    received = []
    for say in (_as_luma, _as_we):
        wire = SpiWire(SSD1306(), Lines())
        say(wire)
        received.append((wire.received, wire.lines.resets))
    assert received[0] == received[1]


def _as_luma(wire: SpiWire) -> None:
    interface = opened_by_luma(wire)
    interface.command(0x21, 0, 127, 0x22, 0, 7)
    interface.data(list(range(256)))
    interface.command(0xAF)


def _as_we(wire: SpiWire) -> None:
    port = opened_by_us(wire)
    for payload in (bytes([0x00, 0x21, 0, 127, 0x22, 0, 7]), bytes([0x40, *range(256)]), bytes([0x00, 0xAF])):
        port.write(payload)
