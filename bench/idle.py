"""What a table does when nobody touches it: the lobby, in real time, the cups and boards as processes of their own."""

import time

from bench.kernel_view import Waits, waits
from bench.processes import table, word_of
from bench.report import Figure, Progress, Section, at_most

WATCHED_S = 12.0
SETTLED_S = 12.0
"""Nobody has touched a cup for as long: links at rest ping less often."""


def measure(progress: Progress, watched_s: float = WATCHED_S) -> Section:
    """Wakeups a second and CPU of `boards-8` and `wired-8`."""
    figures = []
    for layout in ("boards-8", "wired-8"):
        progress(f"{layout} for {watched_s + SETTLED_S:.0f} s")
        with table(layout, cups_apart=True) as process:
            word_of(process, "ready")
            time.sleep(SETTLED_S)
            before, began_s = waits(process.pid), time.perf_counter()
            time.sleep(watched_s)
            after, passed_s = waits(process.pid), time.perf_counter() - began_s
            figures += _figures(layout, before, after, passed_s)
    about = (
        "Voluntary context switches of the daemon's process. Its panels' far ends are in it, but have no timers of "
        "their own; lgpio, which polls by itself at a real table, is not."
    )
    return Section("Idle", tuple(figures), about)


def _figures(layout: str, before: Waits, after: Waits, passed_s: float) -> list[Figure]:
    cpu = (after.cpu_ns - before.cpu_ns) / 1e9 / passed_s
    others = f"of {after.threads - 1} threads: panel wires, journal, what libraries start"
    return [
        Figure(f"{layout}: the loop wakes", (after.main - before.main) / passed_s, "a second", at_most(2)),
        Figure("… other threads wake", (after.others - before.others) / passed_s, "a second", note=others),
        Figure("… CPU", 100 * cpu, "%"),
    ]
