"""An accelerometer's samples as inputs for `hardware.link.gesture`: tilted or not, a jolt or not, a slam or not.
The firmware uses it in cups with an accelerometer. Accelerations are in thousandths of g (mg), one sample every
PERIOD_NS. All numbers are integers below 2^30, for which MicroPython allocates no memory.

- **A jolt** is a change by more than JOLT_MG within 50 ms. A change, because gravity is in every sample and turns with
  the cup; 50 ms, because a shake's half swing takes 60 to 200. Sinusoidal shaking at 2.5 Hz over 7 cm (0.9 g) or at 4
  Hz over 2 cm (0.6 g) just reaches 0.7 g; steps, as an arm transmits them (0.3 g, 2 Hz), and a trembling hand (0.15 g,
  8 Hz: 0.3 g) do not, nor does a cup turned over in 0.4 s. Rolling on its side more than twice a second does. A cup
  being shaken stays shaken at half as much: a hand slows down before it stops.
- **Tilted** is more than 35 degrees from upright, and level again within 20. Between them is room for a trembling hand
  (0.1 g is 6 degrees to either side), and below them for a crookedly soldered sensor, its zero error (40 mg, 2 degrees)
  and a crooked table.
- **A slam** is a blow above 4 g from the cup's mouth, over within three samples: a table stops a cup within a few
  milliseconds. A hand that reverses a shake as hard takes 40 or more.
"""

import struct

from hardware.link.gesture import GestureDetector

PERIOD_NS = 10_000_000
LAG = 5  # samples: a change is against the one so long ago, or
SHORT_LAG = 2  # so that a knock, over within two, is one jolt and not another when it is five samples old
JOLT_MG = 700
STILL_MG = 350
SLAM_MG = 4000
FIRM_MG = 2000  # more than a cup at rest or in a hand; less than it for so many samples ends a blow
BLOW = 3  # samples
WEIGHTLESS_MG = 300  # in a sample shorter than this there is no down
AXES = ("+x", "-x", "+y", "-y", "+z", "-z")


class AccelerometerGestureDetector(GestureDetector):
    """The detector for a cup with an accelerometer: `acceleration` takes a sample, the rest is inherited.
    `up` is the sensor axis that points up when the cup stands, mouth down: one of AXES. It is configured, not learnt:
    if a cup learnt it while lying on its side, it would show dice whenever it stands.
    """

    def __init__(self, up: str, now_ns: int) -> None:
        super().__init__(False, now_ns)
        if up not in AXES:
            raise ValueError(f"up is {up!r}; it must be one of {', '.join(AXES)}")
        self._axis = "xyz".index(up[1])
        self._sign = -1 if up[0] == "-" else 1
        self._before: list[tuple[int, int, int]] = []
        self._blow = 0
        self._is_hard = False

    def acceleration(self, at_ns: int, x: int, y: int, z: int) -> "list[tuple[int, int]]":
        """Take one sample, in mg."""
        sample = (x, y, z)
        before = self._before
        least_mg = STILL_MG if self.is_shaken else JOLT_MG
        change2 = max(_change2(sample, before[0]), _change2(sample, before[-SHORT_LAG])) if len(before) == LAG else 0
        before.append(sample)
        del before[:-LAG]
        length2 = x * x + y * y + z * z
        up = sample[self._axis] * self._sign
        return self.sample(at_ns, self._leans(up, length2), change2 > least_mg * least_mg, self._is_slam(up, length2))

    def on_sensor_lost(self, now_ns: int) -> "list[tuple[int, int]]":
        """Handle the sensor's loss: dice are hidden, and a shake settles if it stays lost."""
        self._before.clear()
        self._blow = 0
        return self.sample(now_ns, False, False)

    def _leans(self, up: int, length2: int) -> bool:
        if length2 < WEIGHTLESS_MG * WEIGHTLESS_MG:
            return self.is_tilted
        if self.is_tilted:
            return up < 0 or 8 * up * up < 7 * length2  # cos² of 20.7 degrees is 7/8
        return up < 0 or 3 * up * up < 2 * length2  # of 35.3 degrees 2/3

    def _is_slam(self, up: int, length2: int) -> bool:
        if length2 > FIRM_MG * FIRM_MG:
            self._blow += 1
            self._is_hard = self._is_hard or (length2 > SLAM_MG * SLAM_MG and up > 0 and 3 * up * up > 2 * length2)
            return False
        slam = self._is_hard and self._blow <= BLOW
        self._blow = 0
        self._is_hard = False
        return slam

    def _mark(self, at_ns: int) -> bytes:
        # Samples come at even intervals: the hand's randomness is in their last digits.
        return super()._mark(at_ns) + struct.pack("<hhh", *self._before[-1])


def _change2(one: "tuple[int, int, int]", other: "tuple[int, int, int]") -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2
