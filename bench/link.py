"""Eight boards in real time, each the real program as a process on a terminal: how long a press takes, what it costs.

In one run: the lobby untouched, robots that play, presses with a stop-watch, and bare pings on the same terminals.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench import pico
from bench.counted_links import CountedLinks, Traffic
from bench.kernel_view import children, waits
from bench.ledger import Ledger
from bench.live_table import LiveTable, live_table
from bench.report import Figure, Progress, Section, at_most
from bench.spread import Spread
from hardware.config.layout import load_builtin
from hardware.emulated.cup_process import CupProcess, micropython
from hardware.link import messages as link
from hardware.link.framing import Parser, frame

SETTLED_S = 12.0
"""Nobody has touched a board for as long: links at rest ping less often."""
IDLE_S = 20.0
PLAYED_S = 60.0
PRESSES = 300
PINGS = 300
MS = 1000.0
LINK = "link"
OWNERS = {"drivers": LINK}


@dataclass(frozen=True)
class Cost:
    """What the links took while the table did one thing for `passed_s`; CPU in seconds."""

    passed_s: float
    traffic: Traffic
    host_s: float
    boards_s: float

    def figures(self, name: str) -> list[Figure]:
        """CPU by the minute, bytes by the second."""
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
) -> Section:
    """`boards-8`, or as many of its seats."""
    at_picos_pace = pico.figures(progress)
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
    """Milliseconds from a ping's write to the read of its answer, without any driver, on one board after the other."""
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
