"""One seat board at a Raspberry Pi Pico's pace, in the table's own time: part of the section `link`.

The real driver and the board's program talk over an emulated line; the host's CPU is not in these figures.
"""

import asyncio
import random
from collections.abc import Callable

from PIL import Image

from bench.report import Figure, Progress, at_most
from bench.spread import Spread
from drivers.link.seat_board import SeatBoard
from drivers.messages import Message
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link.messages import BUTTON_NAMES

MS = 1000.0
TIMES = 50
DICE = ((4, 32, 120, 24),)


class Bench:
    """A board, its driver and a finger on its OK button."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.loop = loop
        self.board = EmulatedCup(DeviceConfig("BOARD01", buttons=BUTTON_NAMES, panel="ssd1309"), loop, seed=1)
        self.driver = SeatBoard(0, self.board.open, loop=loop, post=self._post)
        self.rng = random.Random(1)

    def close(self) -> None:
        """Take both off the loop."""
        self.driver.close()
        self.board.close()

    async def until(self, holds: Callable[[], bool]) -> float:
        """Return the milliseconds until something holds."""
        began_s = self.loop.time()
        while not holds():
            await asyncio.sleep(0.0001)
        return MS * (self.loop.time() - began_s)

    async def started_ms(self, picture: Image.Image) -> float:
        """Return the milliseconds from the plug to a picture on the panel."""
        self.driver.show(picture)
        self.board.unplug()
        await asyncio.sleep(1 + self.rng.random())
        self.board.plug()
        return await self.until(lambda: self.driver.is_shown)

    async def answered_ms(self, picture: Image.Image) -> float:
        """Return the milliseconds from the write of a whole picture to its answer, with nothing else to do."""
        await asyncio.sleep(0.3 + self.rng.random())
        self.driver._forget_picture()
        self.driver._held_crc = None  # else it would be sent what differs
        self.driver.show(picture)
        return await self.until(lambda: self.driver.is_shown)

    async def hidden_ms(self, peek: Image.Image, covered: Image.Image | None) -> float:
        """Return the milliseconds from OK's coming up to a dark panel; `covered` is sent just before that, if any."""
        self.driver.show(peek, dice=DICE)
        self.board.press("ok")
        await self.until(lambda: self.driver.is_shown and self.board.picture().getbbox() is not None)
        await asyncio.sleep(0.1 + self.rng.random())
        if covered is not None:
            self.driver.show(covered, dice=DICE)
            await asyncio.sleep(self.rng.uniform(0, 0.1))
        self.board.release("ok")
        taken_ms = await self.until(lambda: self.board.picture().getbbox() is None)
        await asyncio.sleep(0.3)
        return taken_ms

    def _post(self, message: Message) -> None:
        event = getattr(message, "event", None)
        if event is not None:
            self.loop.call_later(0.002, self.driver.acknowledge, event)


def figures(progress: Progress, times: int = TIMES) -> list[Figure]:
    """Measure each so many times, on a clock of its own."""
    progress("one board at a Pico's pace")
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=60)) as runner:
        return runner.run(_figures(times))


async def _figures(times: int) -> list[Figure]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    bench = Bench(loop)
    dark, lit = Image.new("1", (128, 64)), Image.new("1", (128, 64), 1)
    noise = [Image.frombytes("1", (128, 64), bench.rng.randbytes(1024)) for _ in range(times)]
    await bench.until(lambda: bench.driver.is_up)
    started = [await bench.started_ms(noise[number]) for number in range(times)]
    darks = [await bench.answered_ms(dark if number % 2 else lit) for number in range(times)]
    noises = [await bench.answered_ms(picture) for picture in noise]
    quiet = [await bench.hidden_ms(noise[0], None) for _ in range(times)]
    busy = [await bench.hidden_ms(noise[0], noise[-1 - number % 2]) for number in range(times)]
    bench.close()
    note = "in the table's own time, without the host's CPU"
    return [
        *Spread.of(darks).figures("a Pico, whole picture to its answer, dark", "ms", worst=at_most(120), note=note),
        *Spread.of(noises).figures("… of noise", "ms", worst=at_most(120)),
        *Spread.of(quiet).figures("… OK up to dice gone", "ms"),
        *Spread.of(busy).figures("… while it takes in another picture", "ms", worst=at_most(100)),
        *Spread.of(started).figures("… plug to first picture", "ms", note="450 ms of it until its first Hello"),
    ]
