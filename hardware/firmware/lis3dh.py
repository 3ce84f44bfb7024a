"""An LIS3DH accelerometer on I2C: what a cup's program feels its cup with, where one is fitted instead of a switch.

`Lis3dh` is the chip; `Accelerometer` is the chip and what its samples mean, with the methods of `GestureDetector`.
Registers and figures are from ST's data sheet DocID17530 and application note AN3308.
"""

import struct

from hardware.link.accelerometer_gesture import PERIOD_NS, AccelerometerGestureDetector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class I2C(Protocol):
        """The part of MicroPython's machine.I2C that is used; the underscores say what it takes by position alone."""

        def readfrom_mem(self, __address: int, __register: int, __count: int) -> bytes:
            """Read from a register on."""

        def writeto_mem(self, __address: int, __register: int, __data: bytes) -> object:
            """Write a register."""


ADDRESS = 0x18  # 0x19 with SDO at the supply
WHO_AM_I, CTRL_REG1, CTRL_REG4, CTRL_REG5 = 0x0F, 0x20, 0x23, 0x24
OUT_X_L, FIFO_CTRL, FIFO_SRC = 0x28, 0x2E, 0x2F
AUTO_INCREMENT = 0x80
IDENTITY = 0x33
FIFO_DEPTH = 32  # samples: 320 ms
OVERRUN = 0x40

# ±2 g would clip a gentle shake and ±4 g a slam; ±16 g has steps of 48 mg. At ±8 g one of the FIFO's ten bits is 16 mg,
# 0.9 degrees. A chip that was half set up or used otherwise before is set right by the same five writes.
_SET_UP = (
    (CTRL_REG5, 0x40),  # FIFO on
    (FIFO_CTRL, 0x00),  # bypass: empties it
    (CTRL_REG4, 0xA0),  # ±8 g, the two bytes of a number change together
    (FIFO_CTRL, 0x80),  # stream: the newest 32 samples
    (CTRL_REG1, 0x57),  # 100 Hz, three axes
)
_STEPS_PER_MG = 4  # a number is left-justified in 16 bits: 8192 mg are 32768

RETRY_NS = 500_000_000
_LEARNS = 8  # in so many steps
SILENT_NS = 100_000_000  # an empty FIFO for so long: the chip has lost its power and what it was told


class Lis3dh:
    """The chip at `address`. It is set up at the first read, and again every RETRY_NS after something went wrong.

    `trouble` says what is wrong in words, nothing when all is well.
    """

    def __init__(self, i2c: "I2C", address: int = ADDRESS) -> None:
        self.trouble = "not asked yet"
        self._i2c = i2c
        self._address = address
        self._newest_ns = 0
        self._period_ns = PERIOD_NS  # as this chip has it
        self._retry_ns: int | None = None

    def __repr__(self) -> str:
        return f"<Lis3dh at {self._address:#04x}: {self.trouble or 'well'}>"

    def read(self, now_ns: int) -> "list[tuple[int, int, int, int]]":
        """Return the samples since the last read, oldest first: (at_ns, x, y, z) in mg. Empty while there is trouble.

        Samples carry even stamps that never go back. The newest is at most one period old, so a stamp is 10 ms late or
        early at the most, however long the chip was left alone. A chip keeps its data rate to a few per cent only: its
        own is learnt from how its samples run ahead of the clock or fall behind it.
        """
        if self.trouble and self._retry_ns is not None and now_ns < self._retry_ns:
            return []
        try:
            if self.trouble:
                self._set_up(now_ns)
                return []
            return self._empty(now_ns)
        except OSError:
            self._fail(f"nothing answers at {self._address:#04x}", now_ns)
        return []

    def _set_up(self, now_ns: int) -> None:
        identity = self._i2c.readfrom_mem(self._address, WHO_AM_I, 1)[0]
        if identity != IDENTITY:
            self._fail(f"what answers at {self._address:#04x} is no LIS3DH ({identity:#04x})", now_ns)
            return
        for register, value in _SET_UP:
            self._i2c.writeto_mem(self._address, register, bytes([value]))
        self._newest_ns = now_ns
        self.trouble = ""

    def _empty(self, now_ns: int) -> "list[tuple[int, int, int, int]]":
        source = self._i2c.readfrom_mem(self._address, FIFO_SRC, 1)[0]
        count = FIFO_DEPTH if source & OVERRUN else source & 0x1F
        if not count:
            if now_ns - self._newest_ns > SILENT_NS:
                self._fail("the LIS3DH has stopped", now_ns)
            return []
        data = self._i2c.readfrom_mem(self._address, OUT_X_L | AUTO_INCREMENT, 6 * count)  # 0x2D is followed by 0x28
        if source & OVERRUN:
            self._newest_ns = max(self._newest_ns, now_ns - (FIFO_DEPTH + 1) * PERIOD_NS)  # those before are lost
        before_ns = self._newest_ns
        expected_ns = before_ns + count * self._period_ns
        newest_ns = max(before_ns, now_ns - PERIOD_NS, min(now_ns, expected_ns))
        self._newest_ns = newest_ns
        period_ns = self._period_ns + (newest_ns - expected_ns) // (_LEARNS * count)
        self._period_ns = max(PERIOD_NS * 9 // 10, min(PERIOD_NS * 11 // 10, period_ns))
        samples = []
        for number in range(count):
            x, y, z = struct.unpack_from("<hhh", data, 6 * number)
            at_ns = before_ns + (newest_ns - before_ns) * (number + 1) // count
            samples.append((at_ns, x // _STEPS_PER_MG, y // _STEPS_PER_MG, z // _STEPS_PER_MG))
        return samples

    def _fail(self, trouble: str, now_ns: int) -> None:
        self.trouble = trouble
        self._retry_ns = now_ns + RETRY_NS


IDLE_NS = 100_000_000  # a third of what the FIFO holds: the first jolt of a shake is in it when it is read
LIVELY_NS = 20_000_000


class Accelerometer:
    """A cup felt by an LIS3DH. Call `tick` at `due_ns`; what it has in common with `GestureDetector` works the same.

    `i2c` is MicroPython's, `up` one of `AXES`. At the start a cup is taken to stand; one that lies or is
    held otherwise is told as tilted once its first samples are in. When the chip is lost a tilt is levelled and a
    shake settles. A cup that stands quietly is read ten times a second, any other fifty times; what was felt between
    is in the FIFO.
    """

    def __init__(self, i2c: "I2C", address: int, up: str, now_ns: int) -> None:
        self.chip = Lis3dh(i2c, address)
        self._motion = AccelerometerGestureDetector(up, now_ns)
        self._due_ns = now_ns

    @property
    def due_ns(self) -> int:
        """When the chip is to be read."""
        return self._due_ns

    @property
    def is_lifted(self) -> bool:
        """Whether somebody looks under the cup: TILTED was told and LEVELLED not yet."""
        return self._motion.is_lifted

    @property
    def stamps(self) -> bytes:
        """What the last shake has of chance."""
        return self._motion.stamps

    def tick(self, now_ns: int) -> "list[tuple[int, int]]":
        """Read the chip if it is time; return what the cup has done, as (what, at_ns) pairs."""
        if now_ns < self._due_ns:
            return []
        motion = self._motion
        moved: list[tuple[int, int]] = []
        for at_ns, x, y, z in self.chip.read(now_ns):
            moved += motion.acceleration(at_ns, x, y, z)
        if self.chip.trouble:
            moved += motion.on_sensor_lost(now_ns)
        is_calm = self.chip.trouble or motion.is_calm(now_ns)
        self._due_ns = now_ns + (IDLE_NS if is_calm else LIVELY_NS)
        return moved
