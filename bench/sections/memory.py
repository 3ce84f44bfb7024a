"""Memory of a table of eight in its lobby, compared with a Python that has only imported the run-time libraries."""

import time

from bench.report import Figure, Progress, Section
from bench.tools.processes import LIBRARIES, largest_mib, proportional_mib, python, table, word_of

SETTLED_S = 1.0


def measure(progress: Progress) -> Section:
    """Measure the largest resident and the proportional set sizes."""
    figures = []
    for name, program in (("a bare Python", "pass"), ("… with the run-time libraries", f"import {LIBRARIES}")):
        progress(name)
        with python(program) as process:
            word_of(process, "ready")
            figures += _figures(name, process.pid)
    for layout in ("boards-8", "wired-8"):
        progress(layout)
        with table(layout) as process:
            word_of(process, "lit")
            time.sleep(SETTLED_S)
            figures += _figures(layout, process.pid)
    return Section("Memory", tuple(figures), "The tables hold the emulated far ends of their wires too.")


def _figures(name: str, pid: int) -> list[Figure]:
    return [
        Figure(f"{name}: largest resident", largest_mib(pid), "MiB"),
        Figure(f"{name}: proportional", proportional_mib(pid), "MiB"),
    ]
