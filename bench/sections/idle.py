"""Wakeups and CPU of an untouched table: the lobby, in real time, with cups and boards as processes of their own."""

import time

from bench.report import Figure, Progress, Section, at_most
from bench.tools.processes import Waits, service, waits, word_of

WATCHED_S = 60.0
SETTLED_S = 12.0
"""Seconds without a touch before the measurement: idle links ping less often."""

LEFT = {"just left": False, "dark": True}
"""Whether the displays are dark, as after a quarter of an hour without a touch."""


def measure(progress: Progress, watched_s: float = WATCHED_S) -> Section:
    """Measure wakeups a second and CPU of `boards-8` and `wired-8`."""
    figures = []
    for layout in ("boards-8", "wired-8"):
        for how, soon_dark in LEFT.items():
            progress(f"{layout}, {how}, for {watched_s + SETTLED_S:.0f} s")
            with service(layout, soon_dark=soon_dark) as process:
                word_of(process, "ready")
                time.sleep(SETTLED_S)
                before, began_s = waits(process.pid), time.perf_counter()
                time.sleep(watched_s)
                after, passed_s = waits(process.pid), time.perf_counter() - began_s
            figures += _figures(f"{layout}, {how}", before, after, passed_s)
    about = (
        "Voluntary context switches of the daemon's process, which tells a watchdog of three seconds that it lives. "
        "Its panels' far ends are in it, but have no timers of their own: a panel wire waits for each transfer, as "
        "for an adapter. lgpio, which polls by itself at a real table, is not."
    )
    return Section("Idle", tuple(figures), about)


def _figures(table: str, before: Waits, after: Waits, passed_s: float) -> list[Figure]:
    main, others = after.main - before.main, after.others - before.others
    cpu_s = (after.cpu_ns - before.cpu_ns) / 1e9
    note = f"the loop {main / passed_s:.2f}, {after.threads - 1} others {others / passed_s:.2f}"
    return [
        Figure(f"{table}: wakeups", (main + others) / passed_s, "a second", at_most(2), note=note),
        Figure("… CPU", 100 * cpu_s / passed_s, "%", at_most(0.2)),
    ]
