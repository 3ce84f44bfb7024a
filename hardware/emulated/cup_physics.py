"""A model of a cup in a hand: the forces on an accelerometer in it, in thousandths of g.
`hardware.emulated.chips.lis3dh` asks it at every sample, in the daemon's process or in a cup's own, so the module is
written in the common subset of MicroPython and CPython. `hand.EmulatedHand`, which moves contacts at an emulated table,
is simpler. A model, not a measurement: amplitudes and times come from `hardware.link.gesture` and
`accelerometer_gesture`.
"""

from math import cos, exp, pi, sin

# A movement goes on until the next; one byte each.
LEVEL = 0  # put down gently
TILT = 1  # lifted to look under it
TREMBLE = 2  # the same with a trembling hand
SHAKE = 3
GENTLE = 4  # shaken slowly and gently
VIOLENT = 5  # shaken as hard as one can: the sensor saturates
SLAM = 6  # banged down, mouth first
KNOCK = 7  # on the table beside it; the movement before continues
CARRY = 8  # carried across the room
LIE = 9  # laid on its side
ROLL = 10  # rolls on its side
OVER = 11  # turned over, mouth up
MOVEMENTS = 12

G = 1000.0
TABLE_NOISE = 3.0  # an LIS3DH's own: 220 ug/sqrt(Hz) in 50 Hz are 1.6 mg, and a table is never quite still
_SHAKES = {  # swings a second and their acceleration in g; a gentle hand moves 4 cm, a violent one 7
    SHAKE: ((3.0, 6.0), (1.5, 4.0)),
    GENTLE: ((2.5, 3.5), (1.0, 1.4)),
    VIOLENT: ((5.0, 8.0), (8.0, 14.0)),
}
_ANGLES = {  # degrees from standing, and how long it takes to get there, in seconds
    LEVEL: ((0.0, 0.0), (0.15, 0.3)),
    TILT: ((45.0, 70.0), (0.2, 0.4)),
    TREMBLE: ((45.0, 60.0), (0.2, 0.4)),
    SLAM: ((0.0, 0.0), (0.05, 0.09)),
    CARRY: ((3.0, 12.0), (0.2, 0.4)),
    LIE: ((90.0, 90.0), (0.3, 0.5)),
    ROLL: ((90.0, 90.0), (0.3, 0.5)),
    OVER: ((170.0, 180.0), (0.4, 0.6)),
}
_TREMORS = {LEVEL: 0.0, LIE: 0.0, ROLL: 0.0, SLAM: 0.0, TREMBLE: 100.0}  # others: a steady hand
_STOP_S = 0.12  # a hand that shakes does not stop at once
_FALL_S = 0.1  # a slam's way down
_HOP_S = 0.07  # after it the cup hops once


class Xorshift:
    """Random numbers with the same results under both interpreters: xorshift with 32 bits."""

    def __init__(self, seed: int) -> None:
        self._bits = (seed * 0x9E3779B1) & 0xFFFFFFFF or 1
        for _ in range(8):  # seeds that are neighbours begin alike
            self.between(0.0, 1.0)

    def between(self, least: float, most: float) -> float:
        """Return a number from `least` to `most`."""
        bits = self._bits
        bits ^= (bits << 13) & 0xFFFFFFFF
        bits ^= bits >> 17
        bits ^= (bits << 5) & 0xFFFFFFFF
        self._bits = bits
        return least + (most - least) * bits / 4294967296.0


class CupPhysics:
    """One cup. `move` begins a movement, `force_at` returns the acceleration at a sensor; call both in order of time.

    The sensor's z axis points up when the cup stands. Times are in seconds.
    """

    def __init__(self, seed: int) -> None:
        self._chance = Xorshift(seed)
        self._movement = LEVEL
        self._since_s = 0.0
        self._from = 0.0  # degrees
        self._to = 0.0
        self._turn_s = 0.1
        self._azimuth = self._chance.between(0.0, 2 * pi)
        self._rate = 0.0
        self._strength = 0.0
        self._along = (0.0, 0.0, 1.0)
        self._stopping: tuple[float, float, float] | None = None  # since when, how often and how hard it was shaken
        self._tremor = 0.0
        self._knocks: list[tuple[float, float]] = []

    def move(self, movement: int, at_s: float) -> None:
        """Begin a movement. Unknown ones are ignored."""
        chance = self._chance
        if movement == KNOCK:
            self._knocks.append((at_s, chance.between(0.4, 2.0) * G))
            return
        if not 0 <= movement < MOVEMENTS:
            return
        self._from = self._angle(at_s - self._since_s)
        was_lifted = self._from > 1.0 or self._tremor > 0.0
        self._stopping = None
        if self._movement in _SHAKES and movement not in _SHAKES:
            self._stopping = (self._since_s, self._rate, self._strength)
        self._movement = movement
        self._since_s = at_s
        self._azimuth += chance.between(-0.5, 0.5)
        self._tremor = _TREMORS.get(movement, chance.between(15.0, 50.0))
        self._strength = self._rate = 0.0
        if movement in _SHAKES:
            self._start_shaking(_SHAKES[movement])
        else:
            angles, times_s = _ANGLES[movement]
            self._to, self._turn_s = chance.between(*angles), chance.between(*times_s)
        if movement == CARRY:
            self._rate, self._strength = chance.between(1.7, 2.2), chance.between(0.2, 0.35) * G
        elif movement == SLAM:
            self._strength = chance.between(10.0, 30.0) * G
        elif movement in (LEVEL, LIE) and was_lifted:  # it touches the table
            self._knocks.append((at_s + self._turn_s, chance.between(0.5, 2.5) * G))

    def force_at(self, at_s: float) -> "tuple[float, float, float]":
        """Return x, y and z in mg."""
        chance = self._chance
        past_s = at_s - self._since_s
        angle = self._angle(past_s) * pi / 180
        azimuth = self._azimuth
        if self._movement == ROLL:
            azimuth += 2 * pi * 1.2 * min(past_s, 1.5)
        x, y, z = G * sin(angle) * cos(azimuth), G * sin(angle) * sin(azimuth), G * cos(angle)
        push = self._push(past_s)
        if self._movement == SLAM:
            z += push
        elif push:
            x, y, z = x + push * self._along[0], y + push * self._along[1], z + push * self._along[2]
        for knock_s, strength in self._knocks:
            ring = _ring(at_s - knock_s, strength)
            x, z = x + ring / 3, z + ring
        if self._knocks and at_s - self._knocks[0][0] > 1.0:
            self._knocks.pop(0)
        if self._tremor:
            x += self._tremor * sin(2 * pi * 8.7 * at_s)
            y += self._tremor * sin(2 * pi * 9.6 * at_s)
        noise = 2 * TABLE_NOISE
        return (x + chance.between(-noise, noise), y + chance.between(-noise, noise), z + chance.between(-noise, noise))

    def _start_shaking(self, hand: "tuple[tuple[float, float], tuple[float, float]]") -> None:
        chance = self._chance
        rates, strengths = hand
        self._rate, self._strength = chance.between(*rates), chance.between(*strengths) * G
        self._to = chance.between(5.0, 25.0) if chance.between(0.0, 1.0) < 0.5 else chance.between(120.0, 170.0)
        self._turn_s = chance.between(0.2, 0.4)
        along, heading = chance.between(0.0, pi / 2), chance.between(0.0, 2 * pi)
        self._along = (sin(along) * cos(heading), sin(along) * sin(heading), cos(along))

    def _angle(self, past_s: float) -> float:
        share = min(1.0, max(0.0, past_s / self._turn_s))
        angle = self._from + (self._to - self._from) * share * share * (3 - 2 * share)
        if self._movement in _SHAKES:
            angle += 12 * share * sin(2 * pi * self._rate * past_s + 1.0)  # the wrist
        return angle

    def _push(self, past_s: float) -> float:
        if self._movement == SLAM:
            return self._blow(past_s)
        push = 0.0
        if self._strength:
            push = _swing(past_s, self._rate, self._strength) * min(1.0, past_s / 0.1)
        if self._stopping is not None and past_s < _STOP_S:
            since_s, rate, strength = self._stopping
            push += _swing(self._since_s - since_s + past_s, rate, strength) * (1 - past_s / _STOP_S)
        return push

    def _blow(self, past_s: float) -> float:
        if past_s < _FALL_S:
            return -0.8 * G
        stop_s = past_s - _FALL_S
        if stop_s < 0.012:  # the sensor's filter makes so much of a few milliseconds
            return self._strength
        return _ring(stop_s, self._strength / 6) + _ring(stop_s - _HOP_S, self._strength / 12)


def _swing(past_s: float, rate: float, strength: float) -> float:
    """Return the acceleration of a shaking hand, whose rhythm varies."""
    swing = 2 * pi * (rate * past_s + 0.1 * sin(4.0 * past_s))
    return strength * (sin(swing) + 0.3 * sin(2 * swing))


def _ring(past_s: float, strength: float) -> float:
    """Return the vibration of a table after a knock."""
    if not 0 <= past_s < 0.3:
        return 0.0
    return strength * exp(-past_s / 0.02) * cos(2 * pi * 63.0 * past_s)
