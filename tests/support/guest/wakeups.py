"""How often a daemon in a guest wakes while nobody touches its table, as the guest's kernel counts it."""

from typing import NamedTuple

from support.guest.machine import Guest

WATCHED_S = 30
COUNT = (
    'pid=$(systemctl show -P MainPID dudo-table); for task in /proc/$pid/task/*; do echo "${task##*/} $pid '
    "$(sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' $task/status) $(cut -d' ' -f1 $task/schedstat)\"; done"
)


class Wakeups(NamedTuple):
    """Waits that something ended, a second, and CPU in parts of a core: an emulated one, many times slower."""

    loop: float
    others: float
    cpu: float

    def __str__(self) -> str:
        return f"the loop wakes {self.loop:.2f}, other threads {self.others:.2f} a second, CPU {100 * self.cpu:.2f} %"


async def watched(guest: Guest, for_s: int = WATCHED_S) -> Wakeups:
    """Return the daemon's wakeups in a second, counted over this time."""
    before = await _counted(guest)
    await guest.do(f"sleep {for_s}")
    after = await _counted(guest)
    return Wakeups(*((now - then) / for_s for now, then in zip(after, before, strict=True)))


async def _counted(guest: Guest) -> tuple[float, float, float]:
    loop = others = cpu_s = 0.0
    for line in (await guest.do(COUNT)).splitlines():
        task, process, waits, cpu_ns = map(int, line.split())
        loop, others = (loop + waits, others) if task == process else (loop, others + waits)
        cpu_s += cpu_ns / 1e9
    return loop, others, cpu_s
