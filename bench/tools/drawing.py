"""The cost of drawing and packing the pictures of a match, compared with luma.oled's `display()` for the same ones.

Both take every picture in turn on one thread, so that other load on the machine affects both.
"""

import binascii
import time
from collections.abc import Sequence
from dataclasses import dataclass

from luma.core.interface.serial import i2c
from luma.oled import device as luma_devices
from PIL import Image
from smbus2 import i2c_msg

from bench.tools.watched_match import Look
from drivers.display.frame import DesiredFrame, DeviceFrame, diff, to_page_format
from drivers.display.oled import OledController
from drivers.link.seat_board import picture_of
from firmware_host.screens import dice_boxes, draw, draw_peek
from hardware.chips import CHIPS, RECOMMENDED
from hardware.config.layout import Layout
from hardware.link import messages as link
from hardware.link.framing import frame


@dataclass
class Drawn:
    """CPU nanoseconds for `pictures` that differ from the one before on the same display."""

    pictures: int = 0
    drawing_ns: int = 0
    packing_ns: int = 0
    luma_ns: int = 0
    luma_bytes: int = 0
    luma_transfers: int = 0


def drawn_again(layout: Layout, looks: Sequence[Look]) -> Drawn:
    """Draw and pack the pictures of a layout's displays in the same order, and have luma display them."""
    drawn = Drawn()
    seats = range(len(layout.seats))
    chips = [seat.display.chip if seat.display else RECOMMENDED for seat in layout.seats]
    lumas = [LumaBeside(chip) for chip in chips]
    controllers = [OledController(chips[seat]) if layout.seats[seat].display else None for seat in seats]
    shown = [DeviceFrame(DesiredFrame()) for _ in seats]
    clock_ns = time.thread_time_ns
    for seat, view, menu, look in looks:
        began_ns = clock_ns()
        image = draw(view, menu) if look is None else draw_peek(view, menu, look)
        dice = () if look is None else dice_boxes(view, look)
        drawn_ns = clock_ns()
        controller = controllers[seat]
        before = shown[seat]
        desired = DesiredFrame(to_page_format(image) if controller is None else controller.dots(image), dice)
        if desired.dots != before.desired.dots:
            shown[seat] = _packed(controller, desired, before)
        packed_ns = clock_ns()
        drawn.drawing_ns += drawn_ns - began_ns
        drawn.packing_ns += packed_ns - drawn_ns
        if shown[seat] is before:
            continue
        luma_from_ns = clock_ns()
        lumas[seat].display(image)
        drawn.luma_ns += clock_ns() - luma_from_ns
        drawn.pictures += 1
    drawn.luma_bytes = sum(luma.bus.sent_bytes for luma in lumas)
    drawn.luma_transfers = sum(luma.bus.transfers for luma in lumas)
    return drawn


def _packed(controller: OledController | None, desired: DesiredFrame, before: DeviceFrame) -> DeviceFrame:
    """Pack a picture as the driver of a wired display does, or that of a seat board."""
    update = diff(desired, before)
    if controller is None:
        frame(link.to_body(0, picture_of(update, 1, binascii.crc32(before.memory))))
    else:
        controller.apply(update, before)
    return update.after


class LumaBeside:
    """One of luma's devices on a bus that only counts, address bytes included.

    It is luma's best case: the interface takes blocks of 4 KiB in one transfer, as if luma had opened the bus itself.
    """

    def __init__(self, chip: str) -> None:
        self.bus = CountingBus()
        self._device = getattr(luma_devices, CHIPS[chip].luma)(_OwnBus(self.bus))
        self._device.persist = True  # no farewell at the end of the process
        self.bus.clear()

    def display(self, image: Image.Image) -> None:
        """Display a picture."""
        self._device.display(image)


@dataclass
class CountingBus:
    """The two methods of `smbus2.SMBus` that luma uses."""

    transfers: int = 0
    sent_bytes: int = 0

    def clear(self) -> None:
        """Reset the counters."""
        self.transfers = self.sent_bytes = 0

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Count address, register and data."""
        self._count(2 + len(data))

    def i2c_rdwr(self, *messages: i2c_msg) -> None:
        """Count a transfer for each message."""
        for message in messages:
            self._count(1 + message.len)

    def _count(self, sent_bytes: int) -> None:
        self.transfers += 1
        self.sent_bytes += sent_bytes


class _OwnBus(i2c):  # type: ignore[misc]  # luma is not typed
    """A bus that luma treats as one it opened itself with `port=`."""

    def __init__(self, bus: CountingBus) -> None:
        super().__init__(bus=bus)
        self._managed = True
        self._i2c_msg_write = i2c_msg.write
