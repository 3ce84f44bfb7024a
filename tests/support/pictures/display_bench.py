"""A display bus at its driver, on an emulated wire that takes its time and fails; and pictures for it."""

import random
from collections.abc import Callable

from PIL import Image, ImageChops

from drivers.display.bus import DisplayBus
from drivers.messages import Message
from hardware.emulated.chips.controllers import CONTROLLERS, Controller
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.virtual_loop import VirtualLoop

SIZE = (128, 64)
A, B = 0x3C, 0x3D
PIPS = tuple((left, 40, 16, 16) for left in range(4, 124, 25))
FIRST_DIE = (4, 40, 20, 56)
PLACES = [(column, row) for column in range(4) for row in range(4)]
Wait = Callable[[float], None]


def noise(seed: object) -> Image.Image:
    return Image.frombytes("1", SIZE, random.Random(str(seed)).randbytes(1024))


def framed(seed: object) -> Image.Image:
    """Return a picture that leaves the margin to the background, with a frame around the rest."""
    picture = Image.new("1", SIZE)
    picture.paste(noise(seed).crop((0, 0, 124, 60)))
    for line in ((0, 0, 124, 1), (0, 59, 124, 60), (0, 0, 1, 60), (123, 0, 124, 60)):
        picture.paste(255, line)
    return picture


def with_dice(dice: str) -> Image.Image:
    """Five dice in words that are always the same; covered and with a bid they differ from box to box."""
    picture = framed("words")
    for box in PIPS:
        picture.paste(noise(dice).crop((0, 0, *box[2:])), box[:2])
    return picture


def covers(*dice: str) -> list[Image.Image]:
    return [with_dice(name).crop(FIRST_DIE) for name in dice]


def inverse(picture: Image.Image) -> Image.Image:
    return ImageChops.invert(picture)


def chops(picture: Image.Image, place: tuple[int, int]) -> Image.Image:
    """Return the picture moved back from a place."""
    return ImageChops.offset(picture, -place[0], -place[1])


class Bench:
    """A wire with the driver at one end and panels at the other."""

    def __init__(self, loop: VirtualLoop, post: Callable[[Message], None], numbers: tuple[int, ...] = (1,)) -> None:
        self.buses = {number: EmulatedBus(number, elapse=loop.elapse) for number in numbers}
        self.wire = DisplayBus({number: bus.open for number, bus in self.buses.items()}, loop=loop, post=post)
        self.bus = self.buses[numbers[0]]

    def plug(self, address: int, chip: str = "ssd1306", bus: int | None = None) -> None:
        (self.buses[bus] if bus else self.bus).plug(address, CONTROLLERS[chip](seed=random.getrandbits(16)))

    def seen(self, address: int) -> bytes:
        assert self.controller(address).unknown == []
        return self.controller(address).picture().tobytes()

    def controller(self, address: int) -> Controller:
        panel = self.bus.panel(address)
        assert panel is not None
        return panel

    def where_it_stands(self, address: int) -> bytes:
        """Return the picture, wherever on the display it has wandered: its frame shows where."""
        seen = self.controller(address).picture()
        return next((chops(seen, place).tobytes() for place in PLACES if chops(seen, place).getpixel((0, 0))), b"")
