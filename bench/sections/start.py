"""The time from process start to the first lit display, compared with importing the run-time libraries alone.

Each round starts one process of each kind in turn, so that other load on the machine affects all of them.
"""

import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from statistics import median

from bench.report import Figure, Progress, Section, at_most
from bench.tools.processes import LIBRARIES, python, table, word_of

ROUNDS = 9
MS = 1000.0

Start = Callable[[], AbstractContextManager[subprocess.Popen[bytes]]]

STARTS: dict[str, tuple[Start, str]] = {
    "bare": (partial(python, "pass"), "ready"),
    "libraries": (partial(python, f"import {LIBRARIES}"), "ready"),
    "boards-8": (partial(table, "boards-8"), "lit"),
    "wired-8": (partial(table, "wired-8"), "lit"),
}
"""The processes, and for each the word on its stdout that ends the measurement."""


@dataclass
class Taken:
    """Milliseconds of each round: all, and the share of loading the emulated far ends."""

    all_ms: list[float] = field(default_factory=list)
    far_ends_ms: list[float] = field(default_factory=list)


def measure(progress: Progress, rounds: int = ROUNDS) -> Section:
    """Measure medians over `rounds`; a round before them compiles the modules and warms the disk's cache."""
    taken = {name: Taken() for name in STARTS}
    for each in range(rounds + 1):
        progress(f"round {each} of {rounds}")
        for name, (start, word) in STARTS.items():
            began_s = time.perf_counter()
            with start() as process:
                rest = word_of(process, word)
                if each:
                    taken[name].all_ms.append(MS * (time.perf_counter() - began_s))
                    taken[name].far_ends_ms.append(float(rest or 0))
    return Section("Start", tuple(_figures(taken)), f"Medians of {rounds} rounds, wall clock from the fork.")


def _figures(taken: dict[str, Taken]) -> list[Figure]:
    libraries_ms = median(taken["libraries"].all_ms)
    figures = [
        Figure("a bare Python", median(taken["bare"].all_ms), "ms"),
        Figure("… with the run-time libraries imported", libraries_ms, "ms", note=LIBRARIES),
    ]
    for name in ("boards-8", "wired-8"):
        first_panel_ms, far_ends_ms = median(taken[name].all_ms), median(taken[name].far_ends_ms)
        figures += [
            Figure(f"{name}: to the first lit panel", first_panel_ms, "ms", note="`dudo-table run` on emulated wires"),
            Figure("… over Python with the libraries", first_panel_ms / libraries_ms, "×", at_most(1.5)),
            Figure("… of it loading emulated far ends", far_ends_ms, "ms", note="not at a real table"),
            Figure("… over it without them", (first_panel_ms - far_ends_ms) / libraries_ms, "×"),
        ]
    return figures
