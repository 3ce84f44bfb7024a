"""What the kernel knows of a process: its memory, its CPU and how often it gave the CPU back to wait."""

import re
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class Waits:
    """Voluntary context switches so far, each a wait that something ended; and CPU nanoseconds of all threads."""

    main: int
    others: int
    threads: int
    cpu_ns: int


def waits(pid: int) -> Waits:
    """What a process has done up to now; its main thread is the one with the loop."""
    main = others = cpu_ns = 0
    threads = list((PROC / str(pid) / "task").iterdir())
    for thread in threads:
        switches = _number(thread / "status", "voluntary_ctxt_switches")
        if thread.name == str(pid):
            main += switches
        else:
            others += switches
        cpu_ns += int((thread / "schedstat").read_text().split()[0])
    return Waits(main, others, len(threads), cpu_ns)


def children() -> list[int]:
    """The processes that this one has started and not yet waited for."""
    threads = (PROC / "self" / "task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


def largest_mib(pid: int) -> float:
    """The most memory that was ever resident."""
    return _number(PROC / str(pid) / "status", "VmHWM") / 1024


def proportional_mib(pid: int) -> float:
    """Memory now, what several processes share counted in parts."""
    return _number(PROC / str(pid) / "smaps_rollup", "Pss") / 1024


def _number(file: Path, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+)", file.read_text(), re.MULTILINE)
    assert found, f"{file} has no {name}"
    return int(found[1])
