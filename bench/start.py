"""From nothing to the first lit panel, beside what importing the run-time libraries alone takes.

Each round starts one process of each kind in turn, so that whatever else the machine does hits all of them.
"""

import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from statistics import median

from bench.processes import LIBRARIES, python, seconds_to, table
from bench.report import Figure, Progress, Section, at_most

ROUNDS = 9
MS = 1000.0

Start = Callable[[], AbstractContextManager[subprocess.Popen[bytes]]]

STARTS: dict[str, tuple[Start, bytes]] = {
    "bare": (partial(python, "pass"), b"ready"),
    "libraries": (partial(python, f"import {LIBRARIES}"), b"ready"),
    "boards-8": (partial(table, "boards-8"), b"lit"),
    "wired-8": (partial(table, "wired-8"), b"lit"),
}
"""What is started, and the word that ends the measurement."""


def measure(progress: Progress, rounds: int = ROUNDS) -> Section:
    """Medians of so many rounds; one more before them warms the disk's cache."""
    taken_ms: dict[str, list[float]] = {name: [] for name in STARTS}
    for each in range(rounds + 1):
        progress(f"round {each} of {rounds}")
        for name, (start, word) in STARTS.items():
            began_s = time.perf_counter()
            with start() as process:
                taken_ms[name].append(MS * seconds_to(process, word, began_s))
    middle = {name: median(times[1:]) for name, times in taken_ms.items()}
    return Section("Start", tuple(_figures(middle)), f"Medians of {rounds} rounds, wall clock from the fork.")


def _figures(middle_ms: dict[str, float]) -> list[Figure]:
    bare, libraries = middle_ms["bare"], middle_ms["libraries"]
    figures = [
        Figure("a bare Python", bare, "ms"),
        Figure("… with the run-time libraries imported", libraries, "ms", note=LIBRARIES),
    ]
    for name in ("boards-8", "wired-8"):
        first_panel = middle_ms[name]
        figures += [
            Figure(
                f"{name}: to the first lit panel", first_panel, "ms", note="`dudo-table run`, emulated wires and all"
            ),
            Figure("… over Python with the libraries", first_panel / libraries, "×", at_most(1.5)),
            Figure("… less the bare Python in both", (first_panel - bare) / (libraries - bare), "×"),
        ]
    return figures
