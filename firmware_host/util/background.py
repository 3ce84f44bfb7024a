"""The priority of processes that the daemon starts for work that can wait."""

import os
from contextlib import suppress
from pathlib import Path


def yield_to_daemon() -> None:
    """Give this process the lowest priority, and have the kernel end it first where memory is short."""
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(20)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
