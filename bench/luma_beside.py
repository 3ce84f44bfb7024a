"""luma.oled as it comes, for the same pictures: what `device.display(image)` costs and what it sends.

Its best case: the interface takes blocks of 4 KiB in one transfer, as luma's own does when it opened the bus itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image
from smbus2 import i2c_msg

DEVICES = {"ssd1306": ssd1306, "ssd1309": ssd1309, "sh1106": sh1106}


class LumaBeside:
    """One of luma's devices on a bus that only counts, address bytes included."""

    def __init__(self, chip: str) -> None:
        self.bus = CountingBus()
        self._device = DEVICES[chip](_OwnBus(self.bus))
        self._device.persist = True  # no farewell at the end of the process
        self.bus.clear()

    def display(self, image: Image.Image) -> None:
        """What luma does with a picture."""
        self._device.display(image)


@dataclass
class CountingBus:
    """The two methods of `smbus2.SMBus` that luma uses."""

    transfers: int = 0
    sent_bytes: int = 0

    def clear(self) -> None:
        """Begin anew."""
        self.transfers = self.sent_bytes = 0

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Address, register and data."""
        self._count(2 + len(data))

    def i2c_rdwr(self, *messages: i2c_msg) -> None:
        """One transfer each."""
        for message in messages:
            self._count(1 + message.len)

    def _count(self, sent_bytes: int) -> None:
        self.transfers += 1
        self.sent_bytes += sent_bytes


class _OwnBus(i2c):  # type: ignore[misc]  # luma is not typed
    """As if luma had opened it with `port=`."""

    def __init__(self, bus: CountingBus) -> None:
        super().__init__(bus=bus)
        self._managed = True
        self._i2c_msg_write = i2c_msg.write
