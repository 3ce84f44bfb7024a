"""Print the gestures that a cup with an accelerometer detects in a rough trace. Both interpreters must agree."""

from hardware.emulated import cup_physics
from hardware.emulated.chips.lis3dh import EmulatedLis3dh, SensorWires
from hardware.firmware.lis3dh import ADDRESS, Accelerometer

MS = 1_000_000
TRACE = (
    (500, cup_physics.KNOCK),
    (900, cup_physics.SHAKE),
    (2100, cup_physics.SLAM),
    (3300, cup_physics.TILT),
    (5000, cup_physics.LEVEL),
    (6000, cup_physics.VIOLENT),
    (7500, cup_physics.LEVEL),
    (9000, cup_physics.TREMBLE),
    (10_000, cup_physics.ROLL),
    (12_000, cup_physics.OVER),
    (13_000, cup_physics.GENTLE),
    (15_000, cup_physics.CARRY),
    (17_000, cup_physics.LIE),
    (19_000, cup_physics.LEVEL),
)


class Time:
    now_ns = 0


for seed in range(3):
    time = Time()
    chip = EmulatedLis3dh(seed, lambda: time.now_ns)  # noqa: B023 - it is asked within this turn only
    cup = Accelerometer(SensorWires(chip), ADDRESS, "+z", 0)
    trace = list(TRACE)
    while time.now_ns < 22_000 * MS:
        while trace and trace[0][0] * MS <= cup.due_ns:
            at_ms, movement = trace.pop(0)
            time.now_ns = at_ms * MS
            chip.move(movement)
        time.now_ns = cup.due_ns
        for what, at_ns in cup.tick(time.now_ns):
            print(seed, what, at_ns, len(cup.stamps), sum(cup.stamps))
