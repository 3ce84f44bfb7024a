"""A ball switch in a carried cup: the edges a tilt switch makes of the forces an accelerometer would feel.

The bench and the tests use it to judge both sensors by the same hands. `hand.Hand`, which moves contacts at an
emulated table, is simpler and only does what a hand usually does.
"""

from collections.abc import Iterable
from math import cos, radians

from hardware.emulated.carried import Carried, Chance, G

STEP_MS = 1
_CLOSES = cos(radians(40))  # of the force's lean from the cup's axis: where the ball rolls onto the contacts ...
_OPENS = cos(radians(25))  # ... and where it rolls back
_ROLL_MS = 6  # and how long it takes to
_CHATTER_G = 2.0  # a switch at rest that is jolted harder chatters
_BOUNCE_MS = 5


def edges(script: Iterable[tuple[int, int]], until_ms: int, seed: int) -> list[tuple[int, bool]]:
    """Return the edges (ms, closed) of a switch in a cup that a hand moves: (ms, movement) pairs in order of time."""
    cup, chance = Carried(seed), Chance(~seed)
    movements = list(script)
    made: list[tuple[int, bool]] = []
    is_closed, wants_ms, bounces_until_ms = False, 0, 0
    for at_ms in range(0, until_ms, STEP_MS):
        while movements and movements[0][0] <= at_ms:
            cup.move(movements.pop(0)[1], at_ms / 1000)
        x, y, z = cup.force_at(at_ms / 1000)
        force = (x * x + y * y + z * z) ** 0.5
        wants_closed = z < force * (_OPENS if is_closed else _CLOSES)
        wants_ms = wants_ms + STEP_MS if wants_closed != is_closed else 0
        if wants_ms >= _ROLL_MS:
            is_closed, wants_ms, bounces_until_ms = wants_closed, 0, at_ms + _BOUNCE_MS
        is_shut = is_closed
        if (at_ms < bounces_until_ms or force > _CHATTER_G * G) and chance.between(0.0, 1.0) < 0.3:
            is_shut = not is_closed
        if is_shut != (made[-1][1] if made else False):
            made.append((at_ms, is_shut))
    return made
