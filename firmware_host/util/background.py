"""Low priority for processes that the daemon starts for deferrable work."""

import os
from contextlib import suppress
from pathlib import Path


def yield_to_daemon() -> None:
    """Give this process the lowest priority, and let the kernel end it first when memory is short."""
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(20)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
