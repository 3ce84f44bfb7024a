"""A fresh process: the time until its first lit display, its memory in the lobby, and its idle costs.

The reference is a Python with the libraries alone.
"""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from statistics import median

from bench.report import Figure, Progress, Section, Target, at_most
from bench.tools import processes
from bench.tools.broker import broker, missing
from bench.tools.processes import LIBRARIES, Waits, python, table, waits, word_of
from bench.tools.table_process import BOARDS_RUN

ROUNDS = 9
LAYOUTS = ("boards-8", "wired-8")
STARTS: dict[str, tuple[tuple[str, ...], Target | None, Target | None]] = {
    "boards-8": (("boards-8",), at_most(600), None),
    "boards-8, boards started before": (("boards-8", BOARDS_RUN), None, at_most(1.5)),
    "wired-8": (("wired-8",), None, at_most(1.5)),
}
"""Each start's layout and flags, and the targets for its milliseconds and for its ratio to the libraries."""
BRIDGE_LIBRARIES = "aiomqtt, msgspec, sqlite3"
IN_LOBBY_S = 1.0
CONNECTED_S = 4.0
WATCHED_S = 60.0
SETTLED_S = 12.0
"""Seconds without a touch before the measurement: idle links ping less often."""
LEFT = {"just left": False, "dark": True}
"""Whether the displays are dark, as after a quarter of an hour without a touch."""

Start = Callable[[], AbstractContextManager["subprocess.Popen[bytes]"]]


def measure_start(progress: Progress, rounds: int = ROUNDS) -> Section:
    """Measure medians over `rounds`; a round before them compiles the modules and warms the disk's cache.

    Each round starts the processes in turn, to expose all to the same load.
    """
    starts: dict[str, tuple[Start, str]] = {
        "bare": (partial(python, "pass"), "ready"),
        "libraries": (partial(python, f"import {LIBRARIES}"), "ready"),
        **{name: (partial(table, *arguments), "lit") for name, (arguments, _, _) in STARTS.items()},
    }
    all_ms: dict[str, list[float]] = {name: [] for name in starts}
    far_ends_ms: dict[str, list[float]] = {name: [] for name in starts}
    for each in range(rounds + 1):
        progress(f"round {each} of {rounds}")
        for name, (start, word) in starts.items():
            began_s = time.perf_counter()
            with start() as process:
                rest = word_of(process, word)
                if each:
                    all_ms[name].append(1000 * (time.perf_counter() - began_s))
                    far_ends_ms[name].append(float(rest or 0))
    libraries_ms = median(all_ms["libraries"])
    figures = [
        Figure("a bare Python", median(all_ms["bare"]), "ms"),
        Figure("… with the run-time libraries imported", libraries_ms, "ms", note=LIBRARIES),
    ]
    for name, (_, most_ms, most_ratio) in STARTS.items():
        lit_ms, load_ms = median(all_ms[name]), median(far_ends_ms[name])
        figures += [
            Figure(f"{name}: to the first lit panel", lit_ms, "ms", most_ms, note="`dudo-table run` on emulated wires"),
            Figure("… over Python with the libraries", lit_ms / libraries_ms, "×", most_ratio),
            Figure("… of it loading emulated far ends", load_ms, "ms", note="not at a real table"),
            Figure("… over it without them", (lit_ms - load_ms) / libraries_ms, "×"),
        ]
    return Section("Start", tuple(figures), f"Medians of {rounds} rounds, wall clock from the fork.")


def measure_memory(progress: Progress) -> Section:
    """Measure the largest resident and the proportional set sizes; a first start compiles the modules."""
    figures: list[Figure] = []
    for name, program in (
        ("a bare Python", "pass"),
        ("… with the run-time libraries", f"import {LIBRARIES}"),
        ("… with a bridge's libraries", f"import {BRIDGE_LIBRARIES}"),
    ):
        progress(name)
        figures += _memory(name, partial(python, program), lambda process: word_of(process, "ready"))
    for layout in LAYOUTS:
        progress(layout)
        figures += _memory(layout, partial(table, layout), _wait_in_lobby)
    if missing("Bridge") is None:
        progress("bridge")
        figures += _memory("bridge", _bridge, lambda _: time.sleep(CONNECTED_S))
    return Section("Memory", tuple(figures), "The tables hold the emulated far ends of their wires too.")


def _wait_in_lobby(process: "subprocess.Popen[bytes]") -> None:
    word_of(process, "lit")
    time.sleep(IN_LOBBY_S)


@contextmanager
def _bridge() -> Iterator["subprocess.Popen[bytes]"]:
    with broker() as (_, port), processes.folder() as path:
        options = ("--broker", f"127.0.0.1:{port}", "--outbox", path)
        with processes.running("-m", "firmware_host.cli", "bridge", f"{path}/events.sock", *options) as process:
            yield process


def _memory(name: str, start: Start, settle: "Callable[[subprocess.Popen[bytes]], object]") -> Iterator[Figure]:
    with start() as process:
        settle(process)
    with start() as process:
        settle(process)
        yield Figure(f"{name}: largest resident", processes.largest_mib(process.pid), "MiB")
        yield Figure(f"{name}: proportional", processes.proportional_mib(process.pid), "MiB")


def measure_idle(progress: Progress, watched_s: float = WATCHED_S) -> Section:
    """Measure wakeups a second and CPU in the lobby, in real time, with cups and boards in separate processes."""
    figures = []
    for layout in LAYOUTS:
        for how, soon_dark in LEFT.items():
            progress(f"{layout}, {how}, for {watched_s + SETTLED_S:.0f} s")
            with processes.service(layout, soon_dark=soon_dark) as process:
                word_of(process, "ready")
                time.sleep(SETTLED_S)
                before, began_s = waits(process.pid), time.perf_counter()
                time.sleep(watched_s)
                after, passed_s = waits(process.pid), time.perf_counter() - began_s
            figures += _wakeups(f"{layout}, {how}", before, after, passed_s)
    about = (
        "Voluntary context switches of the daemon's process, which tells a watchdog of three seconds that it lives. "
        "Its panels' far ends are in it, but have no timers of their own: a panel wire waits for each transfer, as "
        "for an adapter. lgpio, which polls by itself at a real table, is not."
    )
    return Section("Idle", tuple(figures), about)


def _wakeups(name: str, before: Waits, after: Waits, passed_s: float) -> list[Figure]:
    main, others = after.main - before.main, after.others - before.others
    cpu_s = (after.cpu_ns - before.cpu_ns) / 1e9
    note = f"the loop {main / passed_s:.2f}, {after.threads - 1} others {others / passed_s:.2f}"
    return [
        Figure(f"{name}: wakeups", (main + others) / passed_s, "a second", at_most(2), note=note),
        Figure("… CPU", 100 * cpu_s / passed_s, "%", at_most(0.2)),
    ]
