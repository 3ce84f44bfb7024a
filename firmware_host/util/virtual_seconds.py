"""The speed of the emulated table's clock against real time."""

import asyncio

PLAY_SPEED = 1.0
"""Table seconds in a real second while people play."""
WATCH_SPEED = 4.0
"""Table seconds in a real second while robots alone play."""


def virtual_seconds(real_s: float) -> float:
    """Return how many seconds the running loop's clock advances in `real_s`, at its present speed."""
    speed = getattr(asyncio.get_running_loop(), "speed", None)
    return real_s * (speed or 1.0)
