"""Random hands that shake, knock, carry and lift a cup, and the events that each sensor makes of them.

The hands are a model (`hardware.emulated.cup_physics`), not recordings. The chip is read over its emulated registers,
as in a cup.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import cos, radians
from random import Random

from hardware.emulated import cup_physics
from hardware.emulated.chips.lis3dh import EmulatedLis3dh, SensorWires
from hardware.firmware.lis3dh import ADDRESS, Accelerometer
from hardware.link.gesture import GestureDetector
from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

MS = 1_000_000
Script = list[tuple[int, int]]
"""The movements of a hand: (ms, movement) in order of time."""

Events = list[tuple[int, int]]
"""The events that a sensor reported: (what, at_ns)."""


@dataclass(frozen=True)
class Kind:
    """A movement of the cup and the events expected of it: shakes, and the least and greatest number of looks."""

    name: str
    script: Callable[[Random], Script]
    shakes: int
    looks: tuple[int, int] = (0, 0)

    def is_told_by(self, story: tuple[int, ...]) -> bool:
        """Return whether the events are the expected ones, and each has its end."""
        shakes, looks = story.count(SHAKEN), story.count(TILTED)
        is_whole = story.count(SETTLED) == shakes and story.count(LEVELLED) == looks
        return is_whole and shakes == self.shakes and self.looks[0] <= looks <= self.looks[1]


_STEP_MS = 1
_CLOSES = cos(radians(40))  # of the force's lean from the cup's axis: where the ball rolls onto the contacts ...
_OPENS = cos(radians(25))  # ... and where it rolls back
_ROLL_MS = 6  # and how long it takes to
_CHATTER_MG = 2000.0  # a switch at rest that is jolted harder chatters
_BOUNCE_MS = 5


def edges(script: Script, until_ms: int, seed: int) -> list[tuple[int, bool]]:
    """Return a switch's edges (ms, closed) in a moved cup; `script` is (ms, movement) pairs in order of time."""
    cup, chance = cup_physics.CupPhysics(seed), cup_physics.Xorshift(~seed)
    movements = list(script)
    made: list[tuple[int, bool]] = []
    is_closed, wants_ms, bounces_until_ms = False, 0, 0
    for at_ms in range(0, until_ms, _STEP_MS):
        while movements and movements[0][0] <= at_ms:
            cup.move(movements.pop(0)[1], at_ms / 1000)
        x, y, z = cup.force_at(at_ms / 1000)
        force = (x * x + y * y + z * z) ** 0.5
        wants_closed = z < force * (_OPENS if is_closed else _CLOSES)
        wants_ms = wants_ms + _STEP_MS if wants_closed != is_closed else 0
        if wants_ms >= _ROLL_MS:
            is_closed, wants_ms, bounces_until_ms = wants_closed, 0, at_ms + _BOUNCE_MS
        is_shut = is_closed
        if (at_ms < bounces_until_ms or force > _CHATTER_MG) and chance.between(0.0, 1.0) < 0.3:
            is_shut = not is_closed
        if is_shut != (made[-1][1] if made else False):
            made.append((at_ms, is_shut))
    return made


def by_switch(script: Script, until_ms: int, seed: int) -> Events:
    """Return the events of a tilt switch."""
    motion = GestureDetector(False, 0)
    told: Events = []
    for at_ms, closed in edges(script, until_ms, seed):
        told += motion.edge(at_ms * MS, closed)
    return told + motion.tick(until_ms * MS)


def by_chip(script: Script, until_ms: int, seed: int) -> Events:
    """Return the events of an LIS3DH."""
    now_ns = 0
    chip = EmulatedLis3dh(seed, lambda: now_ns)
    cup = Accelerometer(SensorWires(chip), ADDRESS, "+z", 0)
    told: Events = []
    movements = list(script)
    while now_ns < until_ms * MS:
        while movements and movements[0][0] * MS <= cup.due_ns:
            now_ns = movements[0][0] * MS
            chip.move(movements.pop(0)[1])
        now_ns = cup.due_ns
        told += cup.tick(now_ns)
    return told


SENSORS = {"switch": by_switch, "LIS3DH": by_chip}

_LEANING = (0, 3)  # a cup that is turned mouth up, or carried, may be quiet for a moment as if one looked under it


def _shaken(movement: int, end: int) -> Callable[[Random], Script]:
    return lambda rng: [(1000, movement), (1000 + rng.randint(900, 3000), end)]


def _knocks(rng: Random) -> Script:
    at_ms, script = 1000, []
    for _ in range(rng.randint(1, 4)):
        script.append((at_ms, cup_physics.KNOCK))
        at_ms += rng.randint(150, 600)
    return script


def _pauses(rng: Random) -> Script:
    at_ms, script = 1000, []
    for _ in range(3):
        shaking_ms, pause_ms = rng.randint(700, 1200), rng.randint(200, 300)
        script += [(at_ms, cup_physics.SHAKE), (at_ms + shaking_ms, cup_physics.LEVEL)]
        at_ms += shaking_ms + pause_ms
    return script


def _held(movement: int) -> Callable[[Random], Script]:
    return lambda rng: [(1000, movement), (1000 + rng.randint(1000, 4000), cup_physics.LEVEL)]


def _shaken_then_looked_under(rng: Random) -> Script:
    put_down_ms = 1000 + rng.randint(900, 2000)
    lifted_ms = put_down_ms + rng.randint(1100, 1500)
    return [
        (1000, cup_physics.SHAKE),
        (put_down_ms, cup_physics.SLAM),
        (lifted_ms, cup_physics.TILT),
        (7000, cup_physics.LEVEL),
    ]


def _shaken_while_looked_under(rng: Random) -> Script:
    return [(1000, cup_physics.TILT), (2500, cup_physics.SHAKE), (2500 + rng.randint(900, 2000), cup_physics.LEVEL)]


KINDS = (
    Kind("shaken and put down", _shaken(cup_physics.SHAKE, cup_physics.LEVEL), 1, _LEANING),
    Kind("shaken and banged down", _shaken(cup_physics.SHAKE, cup_physics.SLAM), 1, _LEANING),
    Kind("shaken gently", _shaken(cup_physics.GENTLE, cup_physics.LEVEL), 1, _LEANING),
    Kind("shaken as hard as one can", _shaken(cup_physics.VIOLENT, cup_physics.SLAM), 1, _LEANING),
    Kind("shaken with pauses of 0.2 to 0.3 s", _pauses, 1, _LEANING),
    Kind("shaken for 30 s", lambda rng: [(1000, cup_physics.SHAKE), (31_000, cup_physics.LEVEL)], 1, _LEANING),
    Kind("shaken, then looked under", _shaken_then_looked_under, 1, (1, 4)),
    Kind("shaken while looked under", _shaken_while_looked_under, 1, (1, 4)),
    Kind("one to four knocks on the table", _knocks, 0),
    Kind("banged down without a shake", lambda rng: [(1000, cup_physics.SLAM)], 0),
    Kind("carried across the room", _held(cup_physics.CARRY), 0, _LEANING),
    Kind("looked under", _held(cup_physics.TILT), 0, (1, 1)),
    Kind("looked under by a trembling hand", _held(cup_physics.TREMBLE), 0, (1, 1)),
    Kind("laid on its side", _held(cup_physics.LIE), 0, (1, 1)),
    Kind("rolled on its side", _held(cup_physics.ROLL), 0, (1, 3)),
    Kind("turned over", _held(cup_physics.OVER), 0, (1, 1)),
)

UNSURE = {("shaken gently", "switch")}
"""A ball shaken with hardly more than its own weight stays where it is, so there is no edge to detect."""


def told_of(kind: Kind, sensor: str, seed: int) -> tuple[int, ...]:
    """Return the events of a sensor for one hand, without their stamps."""
    script = kind.script(Random(seed))
    until_ms = script[-1][0] + 5000
    return tuple(what for what, _ in SENSORS[sensor](script, until_ms, seed))


def wrong(kind: Kind, sensor: str, seeds: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the unexpected sequences of events."""
    stories = (told_of(kind, sensor, seed) for seed in seeds)
    return [story for story in stories if not kind.is_told_by(story)]
