"""Eight wired seats: three buttons each on GPIO, and eight panels that share one I2C wire behind a mux."""

from bench.match import measured
from bench.report import Progress, Section
from hardware.config.layout import load_builtin


def measure(progress: Progress) -> Section:
    """A match at `wired-8`."""
    return measured(load_builtin("wired-8"), progress)
