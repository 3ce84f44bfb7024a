"""The bridge: what it costs, and that a press at the table takes no longer beside it."""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.report import Figure, Progress, Section, at_most
from bench.sections.screen import NICER, Killed, joined_and_left_ms
from bench.tools.broker import broker, missing
from bench.tools.counted_links import CountedLinks
from bench.tools.live_table import live_table
from bench.tools.processes import largest_mib, python, waits, word_of
from firmware_host.public.server import PublicSocket
from hardware.config.layout import load_builtin

ROUNDS = 6
PRESSES = 10
"""Presses of each round in each case, of each of two kinds."""
MATCH_S = 60.0
"""Seconds in which robots play a match."""
START_S = 4.0
CPU_LIMIT_PERCENT, MEMORY_LIMIT_MB = 0.5, 30
SLOWER = 1.1
"""The most that a press may take beside a bridge, in times of a press without one."""
ABOUT = (
    "A table of three emulated boards, Mosquitto and the bridge share this computer. A player joins and leaves without "
    "end, in turn with no bridge, with one whose broker answers, and with one whose broker takes connections and says "
    "nothing. Then three robots play: the bridge publishes every event and state of their match."
)


def measure(progress: Progress, rounds: int = ROUNDS, seconds: float = MATCH_S) -> Section:
    """Measure presses in three cases, and a bridge while a match is played."""
    if (section := missing("Bridge")) is not None:
        return section
    return Section("Bridge", tuple(asyncio.run(_figures(progress, rounds, seconds))), ABOUT)


async def _figures(progress: Progress, rounds: int, seconds: float) -> list[Figure]:
    layout = load_builtin("boards-8").first(3)
    links = CountedLinks(layout, asyncio.get_running_loop())
    taken_ms: dict[str, list[float]] = {"no bridge": [], "a bridge": [], "a broker that hangs": []}
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder, ExitStack() as stack:
        events = Path(folder) / "events.sock"
        _, port = stack.enter_context(broker())
        hung = stack.enter_context(socket.create_server(("127.0.0.1", 0)))  # nobody accepts, so nobody answers
        brokers = {"a bridge": port, "a broker that hangs": hung.getsockname()[1]}
        stack.enter_context(links.table)
        async with (
            PublicSocket(events, [seat.name for seat in layout.seats]) as public,
            live_table(layout, links, public) as live,
        ):
            await joined_and_left_ms(live, 1)
            for number in range(rounds):
                for case, taken in taken_ms.items():
                    progress(f"{case}, round {number + 1} of {rounds}")
                    with ExitStack() as beside:
                        if case in brokers:
                            beside.enter_context(_bridge(events, brokers[case], folder))
                            await asyncio.sleep(START_S)
                        taken += await joined_and_left_ms(live, PRESSES)
            progress(f"{seconds:.0f} s of a match")
            with _bridge(events, port, folder) as bridge:
                await asyncio.sleep(START_S)
                async with live.playing():
                    before_ns, began_s = waits(bridge.pid).cpu_ns, time.monotonic()
                    await asyncio.sleep(seconds)
                    percent = (waits(bridge.pid).cpu_ns - before_ns) / (time.monotonic() - began_s) / 1e7
                mib = largest_mib(bridge.pid)
    without = median(taken_ms["no bridge"])
    figures = [
        Figure("OK to the changed display, no bridge: median", without, "ms", note=_count(taken_ms["no bridge"]))
    ]
    for case in brokers:
        beside_ms = median(taken_ms[case])
        figures.append(Figure(f"… beside {case}", beside_ms, "ms", note=_count(taken_ms[case])))
        figures.append(Figure("… in times of none", beside_ms / without, "", at_most(SLOWER)))
    return [
        *figures,
        Figure(
            "the bridge while robots play",
            percent,
            "%",
            at_most(CPU_LIMIT_PERCENT),
            "of a core; they play faster than people",
        ),
        Figure("… its peak resident memory", 1.048576 * mib, "MB", at_most(MEMORY_LIMIT_MB)),
        Figure("… the same Python with the libraries alone", 1.048576 * _libraries_mib(), "MB"),
    ]


def _bridge(events: Path, port: int, folder: str) -> "subprocess.Popen[bytes]":
    """Start a bridge; the end of the block kills it."""
    command = ("-m", "firmware_host.cli", "bridge", str(events), "--broker", f"127.0.0.1:{port}", "--outbox", folder)
    return Killed(["nice", f"-n{NICER}", sys.executable, *command], env=dict(os.environ), stderr=subprocess.DEVNULL)


def _libraries_mib() -> float:
    for _ in range(2):  # the first one compiles the modules
        with python("import aiomqtt, msgspec, sqlite3") as process:
            word_of(process, "ready")
            mib = largest_mib(process.pid)
    return mib


def _count(taken_ms: list[float]) -> str:
    return f"{len(taken_ms)} presses"
