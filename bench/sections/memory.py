"""Memory of a table of eight in its lobby and of a bridge, each beside a Python with its libraries alone."""

import time
from collections.abc import Iterator

from bench.report import Figure, Progress, Section
from bench.tools.broker import broker, missing
from bench.tools.processes import LIBRARIES, bridge, largest_mib, proportional_mib, python, table, word_of

SETTLED_S = 1.0
CONNECTED_S = 4.0
BRIDGE_LIBRARIES = "aiomqtt, msgspec, sqlite3"


def measure(progress: Progress) -> Section:
    """Measure the largest resident and the proportional set sizes."""
    figures = []
    for name, program in (
        ("a bare Python", "pass"),
        ("… with the run-time libraries", f"import {LIBRARIES}"),
        ("… with a bridge's libraries", f"import {BRIDGE_LIBRARIES}"),
    ):
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
    figures += _of_a_bridge(progress)
    return Section("Memory", tuple(figures), "The tables hold the emulated far ends of their wires too.")


def _of_a_bridge(progress: Progress) -> Iterator[Figure]:
    if missing("Bridge") is None:
        progress("bridge")
        with broker() as (_, port), bridge(port) as process:
            time.sleep(CONNECTED_S)
            yield from _figures("bridge", process.pid)


def _figures(name: str, pid: int) -> list[Figure]:
    return [
        Figure(f"{name}: largest resident", largest_mib(pid), "MiB"),
        Figure(f"{name}: proportional", proportional_mib(pid), "MiB"),
    ]
