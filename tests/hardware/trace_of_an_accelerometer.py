"""What an accelerometer's cup tells of a rough evening, for either interpreter to print: they must agree."""

from hardware.cup.lis3dh import ADDRESS, Accelerometer
from hardware.emulated import carried
from hardware.emulated.lis3dh import EmulatedLis3dh, SensorWires

MS = 1_000_000
EVENING = (
    (500, carried.KNOCK),
    (900, carried.SHAKE),
    (2100, carried.SLAM),
    (3300, carried.TILT),
    (5000, carried.LEVEL),
    (6000, carried.VIOLENT),
    (7500, carried.LEVEL),
    (9000, carried.TREMBLE),
    (10_000, carried.ROLL),
    (12_000, carried.OVER),
    (13_000, carried.GENTLE),
    (15_000, carried.CARRY),
    (17_000, carried.LIE),
    (19_000, carried.LEVEL),
)


class Time:
    now_ns = 0


for seed in range(3):
    time = Time()
    chip = EmulatedLis3dh(seed, lambda: time.now_ns)  # noqa: B023 - it is asked within this turn only
    cup = Accelerometer(SensorWires(chip), ADDRESS, "+z", 0)
    evening = list(EVENING)
    while time.now_ns < 22_000 * MS:
        while evening and evening[0][0] * MS <= cup.due_ns:
            at_ms, movement = evening.pop(0)
            time.now_ns = at_ms * MS
            chip.move(movement)
        time.now_ns = cup.due_ns
        for what, at_ns in cup.tick(time.now_ns):
            print(seed, what, at_ns, len(cup.stamps), sum(cup.stamps))
