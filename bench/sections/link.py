"""Eight boards in real time, each the real program as a process on a terminal: how long a press takes, what it costs.

In one run: the lobby untouched, robots that play, presses with a stop-watch, and bare pings on the same terminals.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PIL import Image

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.counted_links import CountedLinks, Traffic
from bench.tools.ledger import Ledger
from bench.tools.live_table import LiveTable, live_table
from bench.tools.processes import children, waits
from drivers.link.seat_board import SeatBoard
from drivers.messages import Message
from hardware.config.layout import load_builtin
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess, micropython
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import Parser, frame
from hardware.link.messages import BUTTON_NAMES

SETTLED_S = 12.0
"""Seconds without a touch before the measurement: idle links ping less often."""
IDLE_S = 20.0
PLAYED_S = 60.0
PRESSES = 300
PINGS = 300
PICO_TIMES = 50
HIDES = 200
MS = 1000.0
LINK = "link"
OWNERS = {"drivers": LINK}


@dataclass(frozen=True)
class Cost:
    """CPU seconds and bytes of the links while the table did one thing for `passed_s`."""

    passed_s: float
    traffic: Traffic
    host_s: float
    boards_s: float

    def figures(self, name: str) -> list[Figure]:
        """Return CPU a minute and bytes a second."""
        minutes = self.passed_s / 60
        return [
            Figure(f"{name}: the links' CPU on the host", MS * self.host_s / minutes, "ms a minute", note=HOST_NOTE),
            Figure("… and that of the boards", MS * self.boards_s / minutes, "ms a minute", note="all of the program"),
            Figure("… bytes to the boards", self.traffic.to_boards / self.passed_s, "a second"),
            Figure("… bytes to the host", self.traffic.to_host / self.passed_s, "a second"),
        ]


HOST_NOTE = "reading, unpacking, diffing, packing and writing for all boards"


def measure(
    progress: Progress,
    *,
    seats: int = 8,
    settled_s: float = SETTLED_S,
    idle_s: float = IDLE_S,
    played_s: float = PLAYED_S,
    presses: int = PRESSES,
    pings: int = PINGS,
    pico_times: int = PICO_TIMES,
) -> Section:
    """Measure `boards-8`, or its first `seats`."""
    at_picos_pace = _pico_figures(progress, pico_times)
    run = _Run(progress, seats, settled_s, idle_s, played_s, presses, pings)
    interpreter = "MicroPython" if micropython() else "CPython, for want of MicroPython"
    about = (
        f"The daemon and the far ends of the boards' contacts and panels in one process, the boards' program under "
        f"{interpreter} in {seats} others. A press ends when the panel's memory holds the picture that it made."
    )
    return Section(
        "The link in real time, and a board at a Pico's pace", (*asyncio.run(run.figures()), *at_picos_pace), about
    )


@dataclass(frozen=True)
class _Run:
    progress: Progress
    seats: int
    settled_s: float
    idle_s: float
    played_s: float
    presses: int
    pings: int

    async def figures(self) -> list[Figure]:
        layout = load_builtin("boards-8").first(self.seats)
        links = CountedLinks(layout, asyncio.get_running_loop())
        with links.table:
            async with live_table(layout, links) as live:
                self.progress(f"an untouched lobby for {self.settled_s + self.idle_s:.0f} s")
                await asyncio.sleep(self.settled_s)
                idle = await self._cost(live, self.idle_s)
                async with live.playing():
                    await live.bidding()
                    self.progress(f"{self.seats} robots for {self.played_s:.0f} s")
                    play = await self._cost(live, self.played_s)
                    await live.bidding()
                self.progress(f"{self.presses} presses")
                pressed_ms = await self._pressed_ms(live)
            self.progress(f"{self.pings} pings")
            pings_ms = pinged_ms(links.boards, self.pings)
        press, ping = Spread.of(pressed_ms), Spread.of(pings_ms)
        return [
            Figure("press to changed panel: median", press.median, "ms", at_most(30), f"{press.count} steps in a menu"),
            Figure("… p95", press.p95, "ms"),
            Figure("… max", press.worst, "ms"),
            Figure("a bare ping and its answer: median", ping.median, "ms", note=f"{ping.count} on the same terminals"),
            Figure("… max", ping.worst, "ms"),
            *play.figures("robots play"),
            *idle.figures("an untouched lobby"),
        ]

    async def _cost(self, live: LiveTable, for_s: float) -> Cost:
        def boards_ns() -> int:
            return sum(waits(child).cpu_ns for child in children())

        def shown_ns() -> int:
            return sum(watch.spent_ns for watch in live.watches)

        before, began_s = live.links.traffic.copy(), time.monotonic()
        boards_before_ns, shown_before_ns = boards_ns(), shown_ns()
        with Ledger(OWNERS) as ledger:
            await asyncio.sleep(for_s)
        passed_s, after = time.monotonic() - began_s, live.links.traffic
        return Cost(
            passed_s,
            Traffic(after.to_boards - before.to_boards, after.to_host - before.to_host),
            (ledger.spent_ns[LINK] + shown_ns() - shown_before_ns) / 1e9,
            (boards_ns() - boards_before_ns) / 1e9,
        )

    async def _pressed_ms(self, live: LiveTable) -> list[float]:
        rng, taken_ms = random.Random(1), []
        for number in range(self.presses):
            seat = await live.bidding()
            taken_s = await live.pressed_s(seat, "left" if number % 2 else "right")
            if taken_s is not None:
                taken_ms.append(MS * taken_s)
            await asyncio.sleep(rng.uniform(0.02, 0.12))
        return taken_ms


def pinged_ms(boards: Sequence[CupProcess], pings: int) -> list[float]:
    """Return the milliseconds from writing a ping to reading its answer, without a driver, board after board."""
    taken_ms = []
    for number, board in enumerate(boards):
        with board.open() as port:
            port.timeout = 1.0
            parser = Parser()
            for token in range(1, pings // len(boards) + 1):
                began_s = time.perf_counter()
                port.write(frame(link.to_body(0, link.Ping(token, 500))))
                while not _answers(parser.feed(port.read(max(1, port.in_waiting))), token):
                    assert time.perf_counter() - began_s < 2.0, f"board {number} does not answer"
                taken_ms.append(MS * (time.perf_counter() - began_s))
    return taken_ms


def _answers(bodies: Sequence[bytes], token: int) -> bool:
    messages = [link.from_body(body)[1] for body in bodies]
    return any(isinstance(message, link.Pong) and message.token == token for message in messages)


DICE = ((4, 32, 120, 24),)


class PicoBench:
    """A board at an emulated line, its real driver and a finger on its OK button."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.loop = loop
        self.board = EmulatedCup(DeviceConfig("BOARD01", buttons=BUTTON_NAMES, panel="ssd1309"), loop, seed=1)
        self.driver = SeatBoard(0, self.board.open, loop=loop, post=self._post)
        self.rng = random.Random(1)

    def close(self) -> None:
        """Close both."""
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


def _pico_figures(progress: Progress, times: int) -> list[Figure]:
    """Measure one seat board at a Raspberry Pi Pico's pace, in virtual time: the host's CPU is not in these figures."""
    progress("one board at a Pico's pace")
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=60)) as runner:
        return runner.run(_measure_pico(times, HIDES if times == PICO_TIMES else times))


async def _measure_pico(times: int, hides: int) -> list[Figure]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    bench = PicoBench(loop)
    dark, lit = Image.new("1", (128, 64)), Image.new("1", (128, 64), 1)
    noise = [Image.frombytes("1", (128, 64), bench.rng.randbytes(1024)) for _ in range(times)]
    await bench.until(lambda: bench.driver.is_up)
    started = [await bench.started_ms(noise[number]) for number in range(times)]
    darks = [await bench.answered_ms(dark if number % 2 else lit) for number in range(times)]
    noises = [await bench.answered_ms(picture) for picture in noise]
    quiet = [await bench.hidden_ms(noise[0], None) for _ in range(times)]
    busy = [await bench.hidden_ms(noise[0], noise[-1 - number % 2]) for number in range(hides)]
    bench.close()
    note = "in the table's own time, without the host's CPU"
    return [
        *Spread.of(darks).figures("a Pico, whole picture to its answer, dark", "ms", worst=at_most(120), note=note),
        *Spread.of(noises).figures("… of noise", "ms", worst=at_most(120)),
        *Spread.of(quiet).figures("… OK up to dice gone", "ms", worst=at_most(10)),
        *Spread.of(busy).figures("… at random moments of an incoming picture", "ms", worst=at_most(10)),
        *Spread.of(started).figures("… plug to first picture", "ms", note="450 ms of it until its first Hello"),
    ]
