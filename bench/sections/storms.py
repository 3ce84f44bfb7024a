"""The slowdown by a hostile local process: press times during a flood of the public socket or the page.

The table runs in this process, on the same kind of loop as in `dudo-table run`. `bench.tools.flood` floods it from its
own process, one kind after the other with quiet between them, so both contain the machine's noise.
"""

import asyncio
import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from subprocess import PIPE
from typing import Any

from bench.report import Figure, Progress, Section, at_least, at_most
from bench.tools.flood import KINDS, READERS
from bench.tools.processes import folder
from engine import PERUDO
from firmware_host.clients.web.access import bind
from firmware_host.play.chairs import Chairs
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.play.workbench.server import WorkbenchServer
from firmware_host.public.server import PublicSocket
from firmware_host.wire import Joined, Seat
from hardware.config.layout import load_builtin
from hardware.emulated.seat import EmulatedSeat

ROUNDS = 8
PRESSES = 20
"""Presses in each round, in quiet and in each storm."""
SETTLED_S = 1.0
"""Seconds after which a storm has used up the burst that rate limits allow it."""
BEGUN_S = 10.0
"""Seconds that a busy machine has to start a storm; one that gets nothing through is measured after them."""
PRESS_S = 0.05
WITHIN_S = 2.0
SLOWER = 2
"""The most that a press may take in a storm, in times of the quiet median."""
VISITOR_S = 3.0
EVENTS = 16_000
"""Events before the storms, about a megabyte: what five long matches leave for clients that were away."""
LOG_LINES = 20
"""The most log lines that a storm may cause in all rounds."""


class Storm(logging.Handler):
    """One storm kind's measurements over all rounds. As a log handler it counts lines, tracebacks line by line."""

    def __init__(self) -> None:
        super().__init__()
        self.taken_ms: list[float] = []
        self.deeds: list[int] = []
        """Successful attempts, by round."""
        self.lines = 0
        self.waited_s = 0.0
        """The longest wait of a visitor afterwards."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        self.lines += len(self.format(record).splitlines())

    def figures(self, kind: str, quiet_ms: float) -> list[Figure]:
        """Return its figures."""
        note = f"{median(self.taken_ms):.1f} ms, at most {max(self.taken_ms):.0f}; {sum(self.deeds)} {kind}"
        slower = median(self.taken_ms) / quiet_ms
        return [
            Figure(f"{kind}: median, times the quiet one", slower, "", at_most(SLOWER), note),
            Figure("… got through in its weakest round", min(self.deeds), "times", at_least(1)),
            Figure("… lines in the log", self.lines, "", at_most(LOG_LINES)),
            Figure("… a visitor after it waits at most", self.waited_s, "s", at_most(VISITOR_S)),
        ]


def measure(progress: Progress, rounds: int = ROUNDS, presses: int = PRESSES) -> Section:
    """Measure every `bench.tools.flood` kind at a table for two."""
    about = (
        "A press to the first other dots on an emulated display, in the lobby; the median over all rounds. Each storm "
        "is a process that does nothing else and is restarted in every round; one that gets nothing through is short. "
        "Lines are those of all rounds, tracebacks counted line by line. A visitor comes when a storm is over, and "
        "waits for the first line."
    )
    return Section("Storms of a local process", tuple(asyncio.run(_figures(progress, rounds, presses))), about)


async def _figures(progress: Progress, rounds: int, presses: int) -> list[Figure]:
    quiet_ms: list[float] = []
    storms = {kind: Storm() for kind in KINDS}
    async with _table() as (hand, path, port):
        for number in range(rounds):
            progress(f"round {number + 1} of {rounds}")
            for kind, storm in storms.items():
                quiet_ms += [await hand.pressed_ms() for _ in range(presses)]
                async with _blowing(storm, kind, path if kind in READERS else port):
                    storm.taken_ms += [await hand.pressed_ms() for _ in range(presses)]
    quiet = median(quiet_ms)
    return [
        Figure("quiet: median", quiet, "ms", note=f"{len(quiet_ms)} presses, between the storms"),
        *(figure for kind, storm in storms.items() for figure in storm.figures(kind, quiet)),
    ]


class _Hand:
    """A hand at a seat and an eye on its display."""

    def __init__(self, seat: EmulatedSeat) -> None:
        self._seat = seat
        self._loop = asyncio.get_running_loop()
        self._dots = seat.picture().tobytes()
        self._changed_s: float | None = None
        self._presses = 0
        seat.watch(self._written)

    async def pressed_ms(self) -> float:
        """Press an arrow; return the milliseconds until the display shows other dots."""
        self._presses += 1
        self._changed_s, at_s = None, self._loop.time() + 0.02
        self._loop.call_at(at_s, self._seat.tap, "left" if self._presses % 2 else "right", PRESS_S)
        while self._loop.time() < at_s + (2 * PRESS_S if self._changed_s else WITHIN_S):
            await asyncio.sleep(0.01)
        return 1000 * ((self._changed_s or self._loop.time()) - at_s)

    def _written(self) -> None:  # on the thread of the bus
        dots = self._seat.picture().tobytes()
        if dots != self._dots:
            self._dots = dots
            self._changed_s = self._changed_s or self._loop.time()


@asynccontextmanager
async def _blowing(storm: Storm, kind: str, place: str) -> AsyncIterator[None]:
    command = (sys.executable, "-m", "bench.tools.flood", kind, place)
    logging.getLogger().addHandler(storm)
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(BEGUN_S):
                await process.stdout.readline()
        await asyncio.sleep(SETTLED_S)
        yield
    finally:
        said, _ = await process.communicate(b"")
        storm.deeds.append(int(said or 0))
        storm.waited_s = max(storm.waited_s, await _visited_s(kind, place))
        await asyncio.sleep(SETTLED_S)
        logging.getLogger().removeHandler(storm)


async def _visited_s(kind: str, place: str) -> float:
    """Return the seconds until a new client has its first line."""
    began_s = time.monotonic()
    while True:
        try:
            if kind in READERS:
                reader, writer = await asyncio.open_unix_connection(place)
            else:
                reader, writer = await asyncio.open_connection("127.0.0.1", int(place))
                writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{place}\r\n\r\n".encode())
            line = await reader.readline()
            writer.close()
            if line:
                return time.monotonic() - began_s
        except OSError:  # the backlog is full
            await asyncio.sleep(0.05)


@asynccontextmanager
async def _table() -> AsyncIterator[tuple[_Hand, str, str]]:
    """Run a table in its lobby with a person in each chair; yield its public socket and page port."""
    layout = load_builtin("wired-4").first(2)  # no board, whose own pace would hide what a storm costs the host
    laid: asyncio.Future[Chairs] = asyncio.get_running_loop().create_future()

    def serve_people(chairs: Chairs) -> AbstractAsyncContextManager[Any]:
        for seat in chairs.seats:
            chairs.sit(object(), seat)
        laid.set_result(chairs)
        return server.serve(chairs)

    with ExitStack() as stack:
        listening = stack.enter_context(bind(0))
        events = Path(stack.enter_context(folder())) / "events.sock"
        server = WorkbenchServer(layout, listening, events, PERUDO, lambda _: None)
        async with PublicSocket(events, [seat.name for seat in layout.seats]) as public:
            for _ in range(EVENTS):
                public.announce(Joined(0))
            session = EmulatedSession(layout, PERUDO, seed=1)
            playing = session.play(public.announce, publish=public.publish, people=2, serve_people=serve_people)
            task = asyncio.create_task(playing)
            try:
                seat = (await laid)[Seat(0)].seat
                await asyncio.sleep(SETTLED_S)
                seat.tap("ok")
                await asyncio.sleep(SETTLED_S)
                yield _Hand(seat), str(events), str(listening.getsockname()[1])
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
