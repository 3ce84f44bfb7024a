"""How the clock of an evening goes beside the one on the wall: `play` and the workbench ask here."""

import asyncio

PLAYED = 1.0
"""Seconds of the table in a second of the wall's, while people play."""
WATCHED = 4.0
"""The same while robots alone play and somebody may be watching."""


def of_the_loop(wall_s: float) -> float:
    """How many seconds pass on the running loop's clock in so many of the wall's, at the pace it has now."""
    speed = getattr(asyncio.get_running_loop(), "speed", None)
    return wall_s * (speed or 1.0)
