"""Eight boards in real time, each the real program as a process on a terminal: how long a press takes, what it costs.

In one run: the lobby untouched, robots that play, presses with a stop-watch, and bare pings on the same terminals.
Then one board at a Raspberry Pi Pico's pace, in virtual time.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PIL import Image

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.ledger import DRIVERS, Ledger
from bench.tools.processes import children, waits
from bench.tools.table import BenchTable, CountedTable, Traffic
from drivers.link.seat_board import SeatBoard
from drivers.messages import Message
from engine import View
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SceneName, SeatView
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
MIN_ITEMS = 4
"""Menu items where a press is timed: with fewer it may leave the picture as it is."""
TAP_S = 0.05
MS = 1000.0
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
    progress("one board at a Pico's pace")
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=60)) as runner:
        at_picos_pace = runner.run(_pico_figures(pico_times, HIDES if pico_times == PICO_TIMES else pico_times))
    in_real_time = asyncio.run(_live_figures(progress, seats, settled_s, idle_s, played_s, presses, pings))
    interpreter = "MicroPython" if micropython() else "CPython, for want of MicroPython"
    about = (
        f"The daemon and the far ends of the boards' contacts and panels in one process, the boards' program under "
        f"{interpreter} in {seats} others. A press ends when the panel's memory holds the picture that it made."
    )
    return Section("The link in real time, and a board at a Pico's pace", (*in_real_time, *at_picos_pace), about)


async def _live_figures(
    progress: Progress, seats: int, settled_s: float, idle_s: float, played_s: float, presses: int, pings: int
) -> list[Figure]:
    layout = load_builtin("boards-8").first(seats)
    wires = CountedTable(layout, asyncio.get_running_loop(), CupProcess)
    table = _LiveTable(layout, wires)
    with wires:
        async with table.running():
            progress(f"an untouched lobby for {settled_s + idle_s:.0f} s")
            await asyncio.sleep(settled_s)
            idle = await table.cost(idle_s)
            async with table.playing():
                await table.bidding()
                progress(f"{seats} robots for {played_s:.0f} s")
                play = await table.cost(played_s)
                await table.bidding()
            progress(f"{presses} presses")
            press = Spread.of(await table.pressed_ms(presses))
        progress(f"{pings} pings")
        ping = Spread.of(pinged_ms([wires.board(seat) for seat in range(seats)], pings))
    return [
        Figure("press to changed panel: median", press.median, "ms", at_most(30), f"{press.count} steps in a menu"),
        Figure("… p95", press.p95, "ms"),
        Figure("… max", press.worst, "ms"),
        Figure("a bare ping and its answer: median", ping.median, "ms", note=f"{ping.count} on the same terminals"),
        Figure("… max", ping.worst, "ms"),
        *play.figures("robots play"),
        *idle.figures("an untouched lobby"),
    ]


@dataclass(frozen=True)
class _Cost:
    """CPU nanoseconds and bytes of the links while the table did one thing for `passed_s`."""

    passed_s: float
    traffic: Traffic
    host_ns: int
    boards_ns: int

    def figures(self, name: str) -> list[Figure]:
        """Return CPU a minute and bytes a second."""
        host_ms, boards_ms = (spent_ns / 1e6 * 60 / self.passed_s for spent_ns in (self.host_ns, self.boards_ns))
        return [
            Figure(f"{name}: the links' CPU on the host", host_ms, "ms a minute", note=HOST_NOTE),
            Figure("… and that of the boards", boards_ms, "ms a minute", note="all of the program"),
            Figure("… bytes to the boards", self.traffic["to_board"] / self.passed_s, "a second"),
            Figure("… bytes to the host", self.traffic["to_host"] / self.passed_s, "a second"),
        ]


class _LiveTable(BenchTable):
    """A table on the machine's own clock."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._seen: dict[int, tuple[SeatView, Menu]] = {}

    def see(self, seat: int, view: SeatView, menu: Menu, look: View | None) -> None:
        """Note the menu of a seat."""
        self._seen[seat] = view, menu

    async def cost(self, for_s: float) -> _Cost:
        """Return the cost of so many seconds."""
        before, boards_ns, shown_ns, began_s = self._traffic, _boards_ns(), self._shown_ns, time.monotonic()
        with Ledger() as ledger:
            await asyncio.sleep(for_s)
        host_ns = ledger.spent_ns[DRIVERS] + self._shown_ns - shown_ns
        return _Cost(time.monotonic() - began_s, self._traffic - before, host_ns, _boards_ns() - boards_ns)

    @property
    def _traffic(self) -> Traffic:
        return sum(self.wires.traffic, Traffic())

    @property
    def _shown_ns(self) -> int:
        return sum(watch.spent_ns for watch in self.watches)

    async def bidding(self) -> int:
        """Wait until a seat is in turn with something to step through; return its number."""
        while True:
            for seat, (view, menu) in self._seen.items():
                is_mine = view.me is not None and view.me in view.waiting_for
                if view.scene is SceneName.BIDDING and is_mine and len(menu.items) >= MIN_ITEMS:
                    return seat
            await asyncio.sleep(0.05)

    async def pressed_ms(self, presses: int) -> list[float]:
        """Tap arrows; return the milliseconds until the panel shows another picture, where it came within a second."""
        rng, taken_ms = random.Random(1), []
        for number in range(presses):
            taken_s = await self._pressed_s(await self.bidding(), "left" if number % 2 else "right")
            taken_ms += [] if taken_s is None else [MS * taken_s]
            await asyncio.sleep(rng.uniform(0.02, 0.12))
        return taken_ms

    async def _pressed_s(self, seat: int, button: str) -> float | None:
        loop, watch = asyncio.get_running_loop(), self.watches[seat]
        began_s, changed = loop.time(), loop.create_future()

        def complete() -> None:
            if watch.drawn_s >= began_s and not changed.done():
                changed.set_result(loop.time() - began_s)

        watch.on_complete = complete
        self.wires.seats[seat].tap(button, for_s=TAP_S)
        await asyncio.sleep(TAP_S + 0.01)  # the button is up again before the next
        with suppress(TimeoutError):
            return await asyncio.wait_for(changed, 1.0)
        return None


def _boards_ns() -> int:
    return sum(waits(child).cpu_ns for child in children())


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


class _PicoBoard:
    """A board at an emulated line, its real driver and a finger on its OK button. Its methods return milliseconds."""

    def __init__(self) -> None:
        self.rng = random.Random(1)
        self.loop = asyncio.get_running_loop()
        fitted = DeviceConfig("BOARD01", buttons=BUTTON_NAMES, panel="ssd1309")
        self.board = EmulatedCup(fitted, self.loop, seed=1)
        self.driver = SeatBoard(0, self.board.open, loop=self.loop, post=self._post)

    async def until(self, holds: Callable[[], bool]) -> float:
        """Wait until something holds."""
        began_s = self.loop.time()
        while not holds():
            await asyncio.sleep(0.0001)
        return MS * (self.loop.time() - began_s)

    async def start(self, picture: Image.Image) -> float:
        """Wait from the plug to a picture on the panel."""
        self.driver.show(picture)
        self.board.unplug()
        await asyncio.sleep(1 + self.rng.random())
        self.board.plug()
        return await self.until(lambda: self.driver.is_shown)

    async def answer(self, picture: Image.Image) -> float:
        """Wait from the write of a whole picture to its answer, with nothing else to do."""
        await asyncio.sleep(0.3 + self.rng.random())
        self.driver._forget_picture()
        self.driver._held_crc = None  # else it would be sent the difference
        self.driver.show(picture)
        return await self.until(lambda: self.driver.is_shown)

    async def hide(self, peek: Image.Image, covered: Image.Image | None = None) -> float:
        """Wait from OK's coming up to a dark panel; `covered` is sent just before that, if any."""
        self.driver.show(peek, dice=DICE)
        self.board.hand.press("ok")
        await self.until(lambda: self.driver.is_shown and self.board.picture().getbbox() is not None)
        await asyncio.sleep(0.1 + self.rng.random())
        if covered is not None:
            self.driver.show(covered, dice=DICE)
            await asyncio.sleep(self.rng.uniform(0, 0.1))
        self.board.hand.release("ok")
        taken_ms = await self.until(lambda: self.board.picture().getbbox() is None)
        await asyncio.sleep(0.3)
        return taken_ms

    def _post(self, message: Message) -> None:
        event = getattr(message, "event", None)
        if event is not None:
            self.loop.call_later(0.002, self.driver.acknowledge, event)


async def _pico_figures(times: int, hides: int) -> list[Figure]:
    """Measure one seat board; the host's CPU is not in these figures."""
    pico = _PicoBoard()
    dark, lit = Image.new("1", (128, 64)), Image.new("1", (128, 64), 1)
    noise = [Image.frombytes("1", (128, 64), pico.rng.randbytes(1024)) for _ in range(times)]
    await pico.until(lambda: pico.driver.is_up)
    started = Spread.of([await pico.start(picture) for picture in noise])
    darks = Spread.of([await pico.answer(dark if number % 2 else lit) for number in range(times)])
    noises = Spread.of([await pico.answer(picture) for picture in noise])
    quiet = Spread.of([await pico.hide(noise[0]) for _ in range(times)])
    busy = Spread.of([await pico.hide(noise[0], noise[-1 - number % 2]) for number in range(hides)])
    pico.driver.close()
    pico.board.close()
    note = "in the table's own time, without the host's CPU"
    return [
        *darks.figures("a Pico, whole picture to its answer, dark", "ms", worst=at_most(120), note=note),
        *noises.figures("… of noise", "ms", worst=at_most(120)),
        *quiet.figures("… OK up to dice gone", "ms", worst=at_most(10)),
        *busy.figures("… at random moments of an incoming picture", "ms", worst=at_most(10)),
        *started.figures("… plug to first picture", "ms", note="450 ms of it until its first Hello"),
    ]
