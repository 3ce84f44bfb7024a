"""When to do what is done again and again, so that all drivers of a table do it at the same moments.

The loop then wakes once for all of them.
"""

EARLY_S = 0.001
"""More than a loop runs a timer too early, which asyncio does by its clock's resolution."""


def next_beat_s(now_s: float, every_s: float) -> float:
    """Return the next moment, in seconds of the loop's clock, that is a multiple of `every_s`."""
    return ((now_s + EARLY_S) // every_s + 1) * every_s
