import errno
import random

import pytest
import smbus2
from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from hardware.emulated.chips.controllers import SSD1306
from hardware.emulated.chips.i2c import EmulatedBus, wire_time_s
from hardware.emulated.virtual_loop import START_S, VirtualLoop

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma calls it

ADDRESS = 0x3C


@pytest.fixture
def bus() -> EmulatedBus:
    bus = EmulatedBus(1)
    bus.plug(ADDRESS, SSD1306())
    return bus


def failure(bus: EmulatedBus, payload: bytes = b"\x00\xe3") -> int | None:
    with pytest.raises(OSError) as raised:  # noqa: PT011 - its errno is the fact
        bus.open().i2c_rdwr(smbus2.i2c_msg.write(ADDRESS, payload))
    return raised.value.errno


def test_nobody_answers_at_an_address_where_nothing_is_plugged(bus: EmulatedBus) -> None:
    bus.unplug(ADDRESS)
    assert failure(bus) == errno.EREMOTEIO


def test_luma_takes_a_missing_panel_for_what_it_is(bus: EmulatedBus) -> None:
    with pytest.raises(DeviceNotFoundError, match="0x3D"):
        ssd1306(i2c(bus=bus.open(), address=0x3D))


def test_a_full_frame_takes_23_ms_in_two_transfers(bus: EmulatedBus) -> None:
    opened = bus.open()
    opened.write_i2c_block_data(ADDRESS, 0x00, [0x21, 0, 127, 0x22, 0, 7])
    opened.i2c_rdwr(smbus2.i2c_msg.write(ADDRESS, [0x40] + [0] * 1024))
    assert (bus.transfers, bus.bytes_sent) == (2, 1034)
    assert bus.busy_s == pytest.approx(0.0233, abs=1e-4)


def test_lumas_own_frame_in_blocks_is_1096_bytes_in_33_transfers(bus: EmulatedBus) -> None:
    device = ssd1306(i2c(bus=bus.open(), address=ADDRESS))
    device.persist = True
    before = bus.bytes_sent, bus.transfers
    device.display(Image.new("1", (128, 64)))
    assert (bus.bytes_sent - before[0], bus.transfers - before[1]) == (1096, 33)


def test_a_transfer_takes_its_time_on_the_virtual_clock(loop: VirtualLoop) -> None:
    bus = EmulatedBus(1, elapse=loop.elapse)
    bus.plug(ADDRESS, SSD1306())
    loop.run_until_complete(loop.run_in_executor(None, bus.open().write_byte_data, ADDRESS, 0x00, 0xE3))
    assert loop.time() == pytest.approx(START_S + wire_time_s(3))


def test_a_slow_bus_takes_longer() -> None:
    assert wire_time_s(1, 100_000) == pytest.approx(0.00011)


def test_a_transfer_can_fail_in_the_middle(bus: EmulatedBus) -> None:
    panel = SSD1306()
    bus.plug(ADDRESS, panel)
    panel.write(bytes([0x00, 0x20, 0x00]))
    noise = bytes(panel.pages[0][3:])
    bus.fail(ADDRESS, after_bytes=4)
    assert failure(bus, bytes([0x40, 1, 2, 3, 4, 5])) == errno.EREMOTEIO
    assert bytes(panel.pages[0]) == bytes([1, 2, 3]) + noise
    bus.open().write_byte(ADDRESS, 0x00)


def test_a_panel_that_holds_the_line_costs_the_adapters_time_out(loop: VirtualLoop) -> None:
    bus = EmulatedBus(1, elapse=loop.elapse)
    bus.plug(ADDRESS, SSD1306())
    bus.hang(ADDRESS)
    work = loop.run_in_executor(None, failure, bus)
    assert loop.run_until_complete(work) == errno.ETIMEDOUT
    assert loop.time() == pytest.approx(START_S + 1.0, abs=1e-3)


def test_a_fault_can_be_repaired(bus: EmulatedBus) -> None:
    bus.fail(ADDRESS, times=1000)
    assert failure(bus) == errno.EREMOTEIO
    bus.repair(ADDRESS)
    bus.open().write_byte(ADDRESS, 0x00)


def test_only_acknowledged_payloads_are_heard(bus: EmulatedBus) -> None:
    received: list[tuple[int, bytes]] = []
    bus.listen = lambda address, payload: received.append((address, payload))
    bus.fail(ADDRESS)
    failure(bus)
    bus.open().write_byte_data(ADDRESS, 0x00, 0xAF)
    assert received == [(ADDRESS, b"\x00\xaf")]


def test_a_closed_bus_carries_nothing(bus: EmulatedBus) -> None:
    with bus.open() as opened:
        pass
    with pytest.raises(OSError, match="Bad file descriptor"):
        opened.write_byte(ADDRESS, 0)


def test_a_block_of_33_bytes_is_refused_as_by_smbus2(bus: EmulatedBus) -> None:
    with pytest.raises(ValueError, match="32"):
        bus.open().write_i2c_block_data(ADDRESS, 0x40, [0] * 33)


def test_the_status_of_a_panel_says_whether_it_is_off(bus: EmulatedBus) -> None:
    answers = []
    for command in (0xAF, 0xAE):
        bus.open().write_byte_data(ADDRESS, 0x00, command)
        answer = smbus2.i2c_msg.read(ADDRESS, 1)
        bus.open().i2c_rdwr(answer)
        answers += list(answer)
    assert answers == [0x00, 0x40]


def test_a_module_that_cannot_be_read_refuses(bus: EmulatedBus) -> None:
    bus.is_mute = True
    with pytest.raises(OSError, match="Remote I/O"):
        bus.open().i2c_rdwr(smbus2.i2c_msg.read(ADDRESS, 1))


def test_a_panel_plugged_again_has_forgotten_everything(bus: EmulatedBus) -> None:
    panel = SSD1306(seed=random.randrange(100))
    bus.open().write_byte_data(ADDRESS, 0x00, 0xAF)
    bus.unplug(ADDRESS)
    bus.plug(ADDRESS, panel)
    assert not panel.on
