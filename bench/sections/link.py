"""Eight boards in real time, each the real program as a process on a terminal: press times, CPU and bytes.

In one run: an untouched lobby, playing robots, timed presses, and bare pings on the same terminals.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.ledger import DRIVERS, Ledger
from bench.tools.processes import children, waits
from bench.tools.table import BenchTable, CountedTable, DisplayWatch, Traffic
from firmware_host.table.seat.view import SceneName
from hardware.config.layout import load_builtin
from hardware.emulated.cup_process import CupProcess, micropython
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame

MIN_ITEMS = 4
"""Menu items where a press is timed: with fewer it may leave the picture as it is."""
TAP_S = 0.05
MS = 1000.0


@dataclass(frozen=True)
class _Scale:
    """The measurement's size; tests shrink it."""

    seats: int = 8
    settled_s: float = 12.0
    """Seconds without a touch before the measurement: idle links ping less often."""
    idle_s: float = 20.0
    played_s: float = 60.0
    presses: int = 300
    pings: int = 300


def measure(progress: Progress, **changed: Any) -> Section:
    """Measure `boards-8`, or its first `seats`."""
    scale = _Scale(**changed)
    interpreter = "MicroPython" if micropython() else "CPython, for want of MicroPython"
    about = (
        f"The daemon and the far ends of the boards' contacts and panels in one process, the boards' program under "
        f"{interpreter} in {scale.seats} others. A press ends when the panel's memory holds the picture that it made."
    )
    return Section("The link in real time", tuple(asyncio.run(_figures(progress, scale))), about)


async def _figures(progress: Progress, scale: _Scale) -> list[Figure]:
    layout = load_builtin("boards-8").first(scale.seats)
    wires = CountedTable(layout, asyncio.get_running_loop(), CupProcess)
    table = BenchTable(layout, wires)
    with wires:
        async with table.running():
            progress(f"an untouched lobby for {scale.settled_s + scale.idle_s:.0f} s")
            await asyncio.sleep(scale.settled_s)
            idle = await _cost(table, "an untouched lobby", scale.idle_s)
            async with table.playing():
                await _bidding(table)
                progress(f"{scale.seats} robots for {scale.played_s:.0f} s")
                play = await _cost(table, "robots play", scale.played_s)
                await _bidding(table)
            progress(f"{scale.presses} presses")
            press = Spread.of(await _pressed_ms(table, scale.presses))
        progress(f"{scale.pings} pings")
        ping = Spread.of(_pinged_ms([wires.board(seat) for seat in range(scale.seats)], scale.pings))
    return [
        Figure("press to changed panel: median", press.median, "ms", at_most(30), f"{press.size} steps in a menu"),
        Figure("… p95", press.p95, "ms"),
        Figure("… max", press.worst, "ms"),
        Figure("a bare ping and its answer: median", ping.median, "ms", note=f"{ping.size} on the same terminals"),
        Figure("… max", ping.worst, "ms"),
        *play,
        *idle,
    ]


async def _cost(table: BenchTable, name: str, for_s: float) -> list[Figure]:
    """Return the links' CPU a minute and bytes a second."""

    def so_far() -> Counter[str]:
        boards_ns = sum(waits(child).cpu_ns for child in children())
        shown_ns = sum(watch.spent_ns for watch in table.watches)
        return sum(table.wires.traffic, Traffic(boards_ns=boards_ns, host_ns=shown_ns))

    before, began_s = so_far(), time.monotonic()
    with Ledger() as ledger:
        await asyncio.sleep(for_s)
    passed_s, spent = time.monotonic() - began_s, so_far() - before
    host_ns = spent["host_ns"] + ledger.spent_ns[DRIVERS]
    host_note = "reading, unpacking, diffing, packing and writing for all boards"
    host_ms, boards_ms = host_ns / 1e6 * 60 / passed_s, spent["boards_ns"] / 1e6 * 60 / passed_s
    return [
        Figure(f"{name}: the links' CPU on the host", host_ms, "ms a minute", note=host_note),
        Figure("… and that of the boards", boards_ms, "ms a minute", note="all of the program"),
        Figure("… bytes to the boards", spent["to_board"] / passed_s, "a second"),
        Figure("… bytes to the host", spent["to_host"] / passed_s, "a second"),
    ]


async def _bidding(table: BenchTable) -> int:
    """Wait until a seat is in turn with something to step through; return its number."""
    while True:
        for seat, view, menu, _ in table.seen.values():
            is_mine = view.me is not None and view.me in view.waiting_for
            if view.scene is SceneName.BIDDING and is_mine and len(menu.items) >= MIN_ITEMS:
                return seat
        await asyncio.sleep(0.05)


async def _pressed_ms(table: BenchTable, presses: int) -> list[float]:
    """Tap arrows; return the milliseconds until the panel shows another picture, where it came within a second."""
    loop, rng, taken_ms = asyncio.get_running_loop(), random.Random(1), []
    for number in range(presses):
        seat, changed = await _bidding(table), loop.create_future()
        watch, began_s = table.watches[seat], loop.time()

        def complete(watch: DisplayWatch, began_s: float, changed: asyncio.Future[float]) -> None:
            if watch.drawn_s >= began_s and not changed.done():
                changed.set_result(MS * (loop.time() - began_s))

        watch.on_complete = partial(complete, watch, began_s, changed)
        table.wires.seats[seat].tap("left" if number % 2 else "right", for_s=TAP_S)
        await asyncio.sleep(TAP_S + 0.01)  # the button is up again before the next
        with suppress(TimeoutError):
            taken_ms.append(await asyncio.wait_for(changed, 1.0))
        await asyncio.sleep(rng.uniform(0.02, 0.12))
    return taken_ms


def _pinged_ms(boards: Sequence[CupProcess], pings: int) -> list[float]:
    """Return the milliseconds from writing a ping to reading its answer, without a driver, board after board."""
    taken_ms = []
    for board in boards:
        with board.open() as port:
            port.timeout = 1.0
            parser = FrameParser()
            for token in range(1, pings // len(boards) + 1):
                began_s, answers = time.perf_counter(), list[Any]()
                port.write(frame(link.to_body(0, link.Ping(token, 500))))
                while not any(isinstance(answer, link.Pong) and answer.token == token for answer in answers):
                    assert time.perf_counter() - began_s < 2.0, f"{board} does not answer"
                    answers = [link.from_body(body)[1] for body in parser.feed(port.read(max(1, port.in_waiting)))]
                taken_ms.append(MS * (time.perf_counter() - began_s))
    return taken_ms
