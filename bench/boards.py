"""The reference table: eight seat boards, pictures over the link, each board's panel on a wire of its own."""

from bench.match import measured
from bench.report import Progress, Section
from hardware.config.layout import load_builtin


def measure(progress: Progress) -> Section:
    """A match at `boards-8`."""
    return measured(load_builtin("boards-8"), progress)
