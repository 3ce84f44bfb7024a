"""What an accelerometer's cup tells of a rough evening, for either interpreter to print: they must agree."""

from hardware.cup.lis3dh import ADDRESS, Accelerometer
from hardware.emulated import carried
from hardware.emulated.lis3dh import EmulatedLis3dh

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


class Bus:
    """MicroPython's I2C with one chip, and its clock."""

    def __init__(self, seed):  # type: ignore[no-untyped-def]
        self.now_ns = 0
        self.chip = EmulatedLis3dh(seed, lambda: self.now_ns)

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        self.chip.write(bytes([register]))
        return self.chip.read(count)

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        self.chip.write(bytes([register]) + data)


for seed in range(3):
    bus = Bus(seed)
    cup = Accelerometer(bus, ADDRESS, "+z", 0)
    evening = list(EVENING)
    while bus.now_ns < 22_000 * MS:
        while evening and evening[0][0] * MS <= cup.due_ns:
            at_ms, movement = evening.pop(0)
            bus.now_ns = at_ms * MS
            bus.chip.move(movement)
        bus.now_ns = cup.due_ns
        for what, at_ns in cup.tick(bus.now_ns):
            print(seed, what, at_ns, len(cup.stamps), sum(cup.stamps))
